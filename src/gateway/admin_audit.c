/* SPDX-License-Identifier: Apache-2.0 */
/* Admin audit: a question to the store for an exchange that waits. */
#include "gateway/admin_audit.h"

#include "gateway/admin_audit_follow.h"
#include "gateway/admin_audit_query.h"
#include "store/audit_question.h"

#include <stdlib.h>

struct trail {
	struct audit_question question;
	struct exchange *exchange; /* NULL: gone */
	char *strings;             /* what the question borrows */
};

static void exchange_gone(struct exchange *exchange) {
	struct trail *trail = exchange->context;
	trail->exchange = NULL;
}

static void trail_free(struct trail *trail) {
	audit_question_finish(&trail->question);
	free(trail->strings);
	free(trail);
}

static void answered(struct audit_question *question) {
	struct trail *trail = CONTAINER_OF(question, struct trail, question);
	struct exchange *exchange = trail->exchange;
	if (exchange) {
		exchange->gone = NULL;
		if (question->failed)
			exchange_fault(exchange, &question->why);
		else
			exchange_text(exchange, 200, &question->text);
	}
	trail_free(trail);
}

static bool read_question(struct exchange *exchange, struct trail *trail) {
	struct audit_question *question = &trail->question;
	uint64_t limit;
	if (!exchange_query_number(exchange, "limit", 1, AUDIT_QUESTION_LIMIT, 100, &limit) ||
		!exchange_query_number(exchange, "before", 1, INT64_MAX, 0, &question->from))
		return false;
	question->limit = (size_t)limit;
	return admin_audit_query_read(exchange, &question->filter, &trail->strings);
}

static void list(struct exchange *exchange) {
	struct gateway *gateway = exchange->gateway;
	struct trail *trail = calloc(1, sizeof *trail);
	struct fault why;
	if (!trail) {
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return;
	}
	trail->exchange = exchange;
	trail->question.loop = gateway->loop;
	trail->question.answered = answered;
	if (!read_question(exchange, trail)) {
		trail_free(trail);
		return;
	}
	exchange->context = trail;
	exchange->gone = exchange_gone;
	if (audit_ask(gateway->store, &trail->question, &why)) return;
	exchange->gone = NULL;
	trail_free(trail);
	exchange_fault(exchange, &why);
}

/* An EventSource says so itself. */
static bool wants_events(const struct exchange *exchange) {
	struct slice rest = http1_field(exchange->head, "Accept"), part, name;
	while (slice_split(&rest, ',', &part))
		if (slice_split(&part, ';', &name) &&
			slice_equal_ignoring_case(slice_trim(name), SLICE("text/event-stream")))
			return true;
	return false;
}

void admin_audit(struct exchange *exchange) {
	bool follows;
	if (!admin_audit_query_switch(exchange, "follow", &follows)) return;
	if (follows || wants_events(exchange)) admin_audit_follow(exchange);
	else list(exchange);
}
