/* SPDX-License-Identifier: Apache-2.0 */
/* Admin: MCPx v0.1 10.3. */
#include "gateway/admin.h"

#include "base/clock.h"
#include "base/ident.h"
#include "gateway/live.h"
#include "store/promotion_rows.h"

void admin_record(struct exchange *exchange, const char *event, struct slice target,
	struct slice topic, const char *result) {
	struct gateway *gateway = exchange->gateway;
	struct audit_record record = {
		.event = slice_of(event),
		.actor = exchange->principal->id,
		.topic = topic,
		.target = target,
		.result = slice_of(result),
	};
	struct fault why;
	if (!audit_add(store_spool(gateway->store, 0), &record, &why))
		log_write(gateway->log, LOG_WARNING, "audit: a record was not written: %s", why.text);
}

/* The privilege before: that of a connection there is, else what a token without one would get. */
static bool privilege_before(struct exchange *exchange, struct slice id, struct slice topic,
	enum privilege *privilege, struct fault *why) {
	if (live_privilege(exchange->gateway->live, id, topic, privilege)) return true;
	struct principal_facts facts = {.privilege = PRIVILEGE_UNSAID, .id = id};
	struct principal *principal = principal_make(&facts, why);
	if (!principal) return false;
	bool is_known = identity_privilege(exchange->gateway->identity, principal, topic, privilege, NULL, why);
	principal_drop(principal);
	return is_known;
}

static void write_answer(struct exchange *exchange, struct slice id, struct slice topic,
	enum privilege before, enum privilege now) {
	char when[CLOCK_TEXT_SIZE];
	const char *verb = now == PRIVILEGE_FULL ? "promoted" : "demoted";
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	clock_write(clock_wall_ms(), when);
	text_add_cstr(&body, "{\"participantId\":");
	text_json(&body, id);
	if (topic.length) {
		text_add_cstr(&body, ",\"topic\":");
		text_json(&body, topic);
	}
	text_printf(&body, ",\"oldPrivilege\":\"%s\",\"newPrivilege\":\"%s\",\"%sBy\":",
		privilege_text(before), privilege_text(now), verb);
	text_add(&body, principal_id_json(exchange->principal));
	text_printf(&body, ",\"%sAt\":\"%s\"}", verb, when);
	exchange_text(exchange, 200, &body);
}

static void set_privilege(struct exchange *exchange, enum privilege privilege) {
	struct gateway *gateway = exchange->gateway;
	struct slice id = exchange->segments[2], topic;
	enum privilege before;
	struct fault why;
	if (!exchange_query(exchange, "topic", &topic)) return;
	if (topic.bytes && !ident_is_topic(topic)) {
		exchange_error(exchange, 400, "bad_topic", "query topic is no topic's name");
		return;
	}
	if (!privilege_before(exchange, id, topic, &before, &why) ||
		!promotion_set(gateway->state, id, topic, privilege_text(privilege), exchange->principal->id,
			&why)) {
		exchange_fault(exchange, &why);
		return;
	}
	live_promote(gateway, id, topic, privilege);
	admin_record(exchange, "privilege", id, topic, privilege_text(privilege));
	write_answer(exchange, id, topic, before, privilege);
}

void admin_promote(struct exchange *exchange) { set_privilege(exchange, PRIVILEGE_FULL); }

void admin_demote(struct exchange *exchange) { set_privilege(exchange, PRIVILEGE_RESTRICTED); }
