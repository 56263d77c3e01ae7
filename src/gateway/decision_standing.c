/* SPDX-License-Identifier: Apache-2.0 */
/* Decision standing: asked of the identities each time, since privileges change. */
#include "gateway/decision_standing.h"

#include "flow/authorization.h"
#include "gateway/room_voice.h"
#include "wire/jsonrpc.h"

struct slice decision_standing(struct gateway *gateway, const struct principal *principal, const struct decision *decision) {
	enum privilege privilege;
	if (!decision_is_of_room(decision) || principal->is_open ||
		!principal_may_enter(principal, decision->topic) ||
		!identity_privilege(gateway->identity, principal, decision->topic, &privilege, NULL, NULL) ||
		privilege != PRIVILEGE_FULL)
		return SLICE_NONE;
	return decision->topic;
}

bool decision_is_shown(struct gateway *gateway, const struct principal *principal, const struct decision *decision) {
	return inbox_may_see(decision, principal->id, principal->is_admin) ||
		decision_is_open_to(decision, decision_standing(gateway, principal, decision));
}

static void write_word(const struct decision *decision, struct text *to) {
	AUTO_TEXT struct text params = {0};
	const struct authorization_response response = {
		.id = slice_of(decision->id),
		.approves = decision_is_yes(decision),
		.reason = decision->reason,
		.valid_until = decision->valid_until,
	};
	text_init(&params, 0);
	if (decision->state == DECISION_REVOKED) {
		text_printf(&params, "{\"authorizationId\":\"%s\"", decision->id);
		if (decision->reason.length) {
			text_add_cstr(&params, ",\"reason\":");
			text_json(&params, decision->reason);
		}
		text_add_char(&params, '}');
	} else
		authorization_write_response(&params, &response);
	if (text_failed(&params)) to->failed = true;
	else
		jsonrpc_write_notification(to,
			decision->state == DECISION_REVOKED ? SLICE("authorization/revoke") : SLICE("authorization/respond"),
			text_slice(&params));
}

void decision_say(struct gateway *gateway, const struct decision *decision, struct slice who) {
	AUTO_TEXT struct text to = {0}, payload = {0};
	if (decision->kind != DECISION_AUTHORIZATION || !decision->topic.length) return;
	text_init(&to, 0);
	text_init(&payload, 0);
	text_add_char(&to, '[');
	text_json(&to, decision->server);
	text_add_char(&to, ']');
	write_word(decision, &payload);
	if (!text_failed(&to) && !text_failed(&payload))
		room_voice_say(gateway, who, decision->topic, text_slice(&to), SLICE_NONE, text_slice(&payload));
}
