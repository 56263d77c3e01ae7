/* SPDX-License-Identifier: Apache-2.0 */
/* Visit: there and back; an exchange that went meanwhile is noticed on loop 0 alone. */
#include "gateway/visit.h"

#include <stdio.h>
#include <stdlib.h>

static void exchange_gone(struct exchange *exchange) {
	struct visit *visit = exchange->context;
	visit->question.exchange = NULL;
}

static void answered(struct question *question) {
	struct visit *visit = CONTAINER_OF(question, struct visit, question);
	struct exchange *exchange = question->exchange;
	if (exchange) {
		exchange->gone = NULL;
		char retry[48] = "";
		if (visit->retry_after_s)
			snprintf(retry, sizeof retry, "Retry-After: %u\r\n", visit->retry_after_s);
		if (visit->failed)
			exchange_fault(exchange, &visit->fault);
		else if (text_failed(&visit->body))
			exchange_text(exchange, 503, &visit->body);
		else if (visit->steps->answer)
			visit->steps->answer(visit, exchange);
		else
			exchange_answer(exchange, visit->status, "application/json", slice_of(retry),
				text_slice(&visit->body));
	}
	if (visit->steps->finish) visit->steps->finish(visit);
	principal_drop(visit->principal);
	text_finish(&visit->body);
	free(visit);
}

void visit_done(struct visit *visit) { question_answer(&visit->question); }

static void entered(struct visitor *visitor, struct room *room, const struct fault *why) {
	struct visit *visit = CONTAINER_OF(visitor, struct visit, visitor);
	if (!room) {
		visit->failed = true;
		visit->fault = *why;
		visit_done(visit);
		return;
	}
	if (visit->steps->ask(visit, room)) visit_done(visit);
}

static void ask(struct question *question) {
	struct visit *visit = CONTAINER_OF(question, struct visit, question);
	visit->visitor.ready = entered;
	rooms_enter(question->island->rooms, visit->topic, visit->how, &visit->visitor);
}

static struct slice place(char **at, struct slice from) {
	struct slice copy = {*at, from.length};
	if (from.length) memcpy(*at, from.bytes, from.length);
	*at += from.length;
	return copy;
}

bool visit_start(struct exchange *exchange, struct slice topic, enum rooms_entry how,
	struct slice text, struct slice other, const struct visit_steps *steps, void *context) {
	struct gateway *gateway = exchange->gateway;
	struct fault why;
	enum privilege privilege;
	if (!identity_privilege(gateway->identity, exchange->principal, topic, &privilege, NULL, &why)) {
		exchange_fault(exchange, &why);
		return false;
	}
	struct visit *visit = calloc(1, sizeof *visit + topic.length + text.length + other.length);
	if (!visit) {
		exchange_error(exchange, 503, "no_memory", "no memory for the request: try again");
		return false;
	}
	char *at = (char *)(visit + 1);
	visit->topic = place(&at, topic);
	visit->text = place(&at, text);
	visit->other = place(&at, other);
	visit->steps = steps;
	visit->how = how;
	visit->context = context;
	visit->status = 200;
	visit->principal = principal_keep(exchange->principal);
	visit->privilege = privilege;
	text_init(&visit->body, 0);
	exchange->context = visit;
	exchange->gone = exchange_gone;
	if (question_start(&visit->question, gateway, gateway_island(gateway, topic), exchange, ask, answered,
		    &why))
		return true;
	exchange->gone = NULL;
	principal_drop(visit->principal);
	free(visit);
	exchange_fault(exchange, &why);
	return false;
}
