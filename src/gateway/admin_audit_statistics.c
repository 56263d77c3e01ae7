/* SPDX-License-Identifier: Apache-2.0 */
/* Admin audit statistics: question after question, each over a part of the trail, until all was
 * counted; the store's thread serves others in between. Declared in admin_audit.h. */
#include "gateway/admin_audit.h"

#include "base/clock.h"
#include "gateway/admin_audit_query.h"
#include "store/audit_question.h"

#include <stdlib.h>

#define DAY_MS (24LL * 3600 * 1000)

struct survey {
	struct audit_question question;
	struct audit_tally tally;
	struct exchange *exchange; /* NULL: gone */
	struct gateway *gateway;
	enum audit_tally_by only; /* AUDIT_TALLIES: all */
	size_t limit;
	char *strings;
};

static void exchange_gone(struct exchange *exchange) {
	struct survey *survey = exchange->context;
	survey->exchange = NULL;
}

static void survey_free(struct survey *survey) {
	audit_question_finish(&survey->question);
	audit_tally_finish(&survey->tally);
	free(survey->strings);
	free(survey);
}

static void end(struct survey *survey, const struct fault *why) {
	struct exchange *exchange = survey->exchange;
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	if (exchange) exchange->gone = NULL;
	if (exchange && why) exchange_fault(exchange, why);
	if (exchange && !why) {
		audit_tally_write(&body, &survey->tally, survey->only, survey->limit);
		exchange_text(exchange, 200, &body);
	}
	survey_free(survey);
}

static void answered(struct audit_question *question) {
	struct survey *survey = CONTAINER_OF(question, struct survey, question);
	struct fault why;
	bool goes_on = !question->failed && question->next && survey->exchange;
	question->from = question->next;
	if (!goes_on) end(survey, question->failed ? &question->why : NULL);
	else if (!audit_ask(survey->gateway->store, question, &why)) end(survey, &why);
}

static bool read_by(struct exchange *exchange, enum audit_tally_by *only) {
	struct slice by;
	*only = AUDIT_TALLIES;
	if (!exchange_query(exchange, "by", &by)) return false;
	if (!by.bytes || audit_tally_read(by, only)) return true;
	exchange_error(exchange, 400, "bad_input", "query by must be type, actor, server or hour");
	return false;
}

static bool read_question(struct exchange *exchange, struct survey *survey) {
	struct audit_filter *filter = &survey->question.filter;
	uint64_t limit;
	if (!exchange_query_number(exchange, "limit", 1, AUDIT_TALLY_KEYS, 100, &limit) ||
		!read_by(exchange, &survey->only) ||
		!admin_audit_query_read(exchange, filter, &survey->strings))
		return false;
	survey->limit = (size_t)limit;
	if (!filter->since) filter->since = clock_wall_ms() - DAY_MS;
	return true;
}

void admin_audit_statistics(struct exchange *exchange) {
	struct survey *survey = calloc(1, sizeof *survey);
	struct fault why;
	if (!survey) {
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return;
	}
	audit_tally_init(&survey->tally);
	survey->exchange = exchange;
	survey->gateway = exchange->gateway;
	survey->question.loop = exchange->gateway->loop;
	survey->question.answered = answered;
	survey->question.form = AUDIT_TALLY;
	survey->question.tally = &survey->tally;
	if (!read_question(exchange, survey)) {
		survey_free(survey);
		return;
	}
	exchange->context = survey;
	exchange->gone = exchange_gone;
	if (!audit_ask(exchange->gateway->store, &survey->question, &why)) end(survey, &why);
}
