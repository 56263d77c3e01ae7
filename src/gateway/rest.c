/* SPDX-License-Identifier: Apache-2.0 */
/* Rest: tickets for browsers, messages from scripts. */
#include "gateway/rest.h"

#include "base/ident.h"
#include "base/secret.h"
#include "gateway/reserved.h"
#include "gateway/rest_session.h"
#include "gateway/rest_topics.h"
#include "gateway/visit.h"
#include "room/acknowledgement.h"
#include "room/injection.h"

#include <stdio.h>
#include <stdlib.h>

static bool bad_body(struct exchange *exchange, const char *what) {
	exchange_error(exchange, 400, "bad_input", "the body %s", what);
	return false;
}

/* A JSON object; spans of the exchange's body. */
static bool read_object(struct exchange *exchange, struct scan_value *root) {
	struct scan_fault fault;
	if (!scan_check(exchange->body, SCAN_DEPTH, root, &fault)) {
		exchange_error(exchange, 400, "bad_json", "the body is not JSON: octet %zu: %s", fault.offset,
			fault.what);
		return false;
	}
	return root->type == SCAN_OBJECT ? true : bad_body(exchange, "must be a JSON object");
}

void rest_ticket(struct exchange *exchange) {
	struct scan_value root, value;
	struct slice topic;
	struct fault why;
	char ticket[TICKET_TEXT], answer[128];
	if (!read_object(exchange, &root)) return;
	bool is_for_console = false;
	if (scan_find(&root, "console", &value) && !scan_boolean(&value, &is_for_console)) {
		bad_body(exchange, "has a console that is neither true nor false");
		return;
	}
	if (is_for_console) {
		rest_session_ticket(exchange);
		return;
	}
	if (!scan_find(&root, "topic", &value) || !scan_string(&value, &exchange->arena, &topic) ||
		!ident_is_topic(topic)) {
		bad_body(exchange, "must name a topic: {\"topic\":\"NAME\"}");
		return;
	}
	if (!principal_may_enter(exchange->principal, topic)) {
		exchange_error(exchange, 403, "forbidden", "the token does not hold for this topic");
		return;
	}
	if (!ticket_make(exchange->gateway->tickets, exchange->principal, topic, ticket, &why)) {
		exchange_fault(exchange, &why);
		return;
	}
	int length = snprintf(answer, sizeof answer, "{\"ticket\":\"%s\",\"expires_in\":%d}", ticket,
		TICKET_LIFE_MS / 1000);
	exchange_json(exchange, 201, slice_make(answer, (size_t)length));
	secret_wipe(ticket, sizeof ticket);
	secret_wipe(answer, sizeof answer);
}

static unsigned refusal_status(const char *gate) {
	static const struct {
		const char *gate;
		unsigned status;
	} table[] = {{"pace", 429}, {"privilege", 403}, {"sender", 403}, {"size", 413},
		{"journal", 507}};
	for (size_t i = 0; i < COUNT_OF(table); i++)
		if (strcmp(gate, table[i].gate) == 0) return table[i].status;
	return 400;
}

/* A message that was accepted: its answer waits until it is stored. */
struct message {
	struct acknowledgement acknowledgement;
	struct visit *visit;
};

static void stored(struct acknowledgement *acknowledgement, const struct fault *why) {
	struct visit *visit = CONTAINER_OF(acknowledgement, struct message, acknowledgement)->visit;
	visit->failed = why != NULL;
	if (why) visit->fault = *why;
	visit_done(visit);
}

static bool inject(struct visit *visit, struct room *room) {
	struct message *message = visit->context;
	struct injection injection = {
		.principal = visit->principal,
		.privilege = visit->privilege,
		.text = visit->text,
	};
	text_init(&injection.payload, 0);
	bool is_taken = injection_run(room, &injection);
	if (is_taken) {
		visit->status = 201;
		text_add_cstr(&visit->body, "{\"id\":");
		text_json(&visit->body, slice_of(injection.id));
		text_add_cstr(&visit->body, ",\"ts\":");
		text_json(&visit->body, slice_of(injection.ts));
		text_add_char(&visit->body, '}');
	} else {
		visit->status = refusal_status(injection.gate);
		visit->retry_after_s = (unsigned)((injection.retry_after_ms + 999) / 1000);
		text_add(&visit->body, text_slice(&injection.payload));
	}
	text_finish(&injection.payload);
	if (!is_taken) return true;
	message->visit = visit;
	acknowledgement_await(room, &message->acknowledgement, stored);
	return false;
}

static void finish_message(struct visit *visit) { free(visit->context); }

/* {kind, payload, to?, correlation_id?, ...} without protocol or id becomes an envelope: what is
 * missing is put in front, the rest stays octet for octet. What is no such object is for the room's
 * gates to refuse, as it is. */
static void complete(struct slice body, struct text *envelope) {
	struct scan_value root, value;
	struct scan_fault fault;
	char id[IDENT_UUID_SIZE];
	if (!scan_check(body, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT ||
		scan_count(&root) == 0) {
		text_add(envelope, body);
		return;
	}
	text_add_char(envelope, '{');
	if (!scan_find(&root, "protocol", &value)) text_add_cstr(envelope, "\"protocol\":\"mcpx/v0.1\",");
	if (!scan_find(&root, "id", &value)) {
		ident_uuid(id);
		text_printf(envelope, "\"id\":\"%s\",", id);
	}
	text_add(envelope, slice_make(root.text.bytes + 1, root.text.length - 1));
}

void rest_message(struct exchange *exchange) {
	static const struct visit_steps steps = {.ask = inject, .finish = finish_message};
	struct slice topic;
	struct fault why;
	AUTO_TEXT struct text envelope = {0};
	text_init(&envelope, 0);
	if (!rest_topic(exchange, &topic)) return;
	if (reserved_identity(exchange->gateway, topic, exchange->principal->id, &why)) {
		exchange_fault(exchange, &why);
		return;
	}
	complete(exchange->body, &envelope);
	struct message *message = text_failed(&envelope) ? NULL : calloc(1, sizeof *message);
	if (!message) {
		exchange_error(exchange, 503, "no_memory", "no memory for the message: try again");
		return;
	}
	bool may_make = exchange->gateway->rooms_settings.anyone_creates || exchange->principal->is_admin;
	if (!visit_start(exchange, topic, may_make ? ROOMS_MAKE : ROOMS_KNOWN, text_slice(&envelope),
		    SLICE_NONE, &steps, message))
		free(message);
}
