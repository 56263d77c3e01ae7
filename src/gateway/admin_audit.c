/* SPDX-License-Identifier: Apache-2.0 */
/* Admin audit: a question to the store for an exchange that waits. */
#include "gateway/admin_audit.h"

#include "base/clock.h"
#include "store/audit.h"

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
			exchange_text(exchange, 200, &question->json);
	}
	trail_free(trail);
}

static bool read_since(struct exchange *exchange, int64_t *since) {
	struct slice text;
	int64_t span_ms;
	if (!exchange_query(exchange, "since", &text)) return false;
	if (!text.bytes || clock_read(text, since)) return true;
	if (clock_span_read(text, &span_ms, NULL)) {
		*since = clock_wall_ms() - span_ms;
		return true;
	}
	exchange_error(exchange, 400, "bad_input", "query since must be a time (RFC 3339) or a span like 1h");
	return false;
}

static struct slice place(char **at, struct slice from) {
	struct slice copy = {*at, from.length};
	if (from.length) memcpy(*at, from.bytes, from.length);
	*at += from.length;
	return copy;
}

static bool read_question(struct exchange *exchange, struct trail *trail) {
	struct audit_question *question = &trail->question;
	struct slice actor, event, topic;
	uint64_t limit;
	if (!exchange_query_number(exchange, "limit", 1, 1000, 100, &limit) ||
		!exchange_query_number(exchange, "before", 1, INT64_MAX, 0, &question->before) ||
		!read_since(exchange, &question->since) || !exchange_query(exchange, "actor", &actor) ||
		!exchange_query(exchange, "event", &event) || !exchange_query(exchange, "topic", &topic))
		return false;
	question->limit = (size_t)limit;
	trail->strings = malloc(actor.length + event.length + topic.length + 1);
	if (!trail->strings) {
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return false;
	}
	char *at = trail->strings;
	question->actor = place(&at, actor);
	question->event = place(&at, event);
	question->topic = place(&at, topic);
	return true;
}

void admin_audit(struct exchange *exchange) {
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
