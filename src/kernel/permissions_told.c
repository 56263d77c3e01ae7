/* SPDX-License-Identifier: Apache-2.0 */
/* Permissions told: what a server hears of its permissions, and what it answers. */
#include "kernel/permissions_parts.h"

#include "base/clock.h"
#include "mcp/peer.h"

/* An acknowledgement, and nothing else: grants come from the policy or a decision (docs/protocol.md). */
static void acknowledged(void *context, const struct peer_reply *reply, const struct fault *why) {
	const struct governed *governed = governed_of(context);
	struct scan_value grants;
	if (!governed || why || !reply->result.length || reply->result.bytes[0] != '{') return;
	const struct scan_value result = {.text = reply->result, .type = SCAN_OBJECT};
	if (!scan_find(&result, "grants", &grants)) return;
	const struct audit_record record = {
		.event = SLICE("dev.hustings.grants_ignored"),
		.actor = hosted_id(governed->hosted),
		.actor_type = SLICE("server"),
		.server_id = hosted_id(governed->hosted),
		.result = AUDIT_BLOCKED,
	};
	kernel_audit(governed->means, &record);
}

static void tell(struct permissions *permissions, struct hosted_child *child, const char *method,
	struct slice params) {
	const struct governed *governed = permissions->governed;
	const struct peer_request request = {
		.method = slice_of(method),
		.params = params,
		.deadline_ms = 30000,
		.answered = acknowledged,
		.context = governed->hosted, /* which outlives its conversations */
	};
	struct fault why;
	if (!(governed->agreed[hosted_child_era(child)].extensions & MGP_SECURITY)) return;
	if (!hosted_child_request(child, &request, &why))
		log_write(governed->means->log, LOG_WARNING, "server %.*s was not told of its permissions: %s",
			SLICE_ARGS(hosted_id(governed->hosted)), why.text);
}

void permissions_tell_request(struct permissions *permissions, struct hosted_child *child) {
	AUTO_TEXT struct text params = {0};
	const char *before = "";
	text_init(&params, 0);
	text_printf(&params, "{\"request_id\":\"%s\",\"permissions\":[", permissions->request_id);
	for (size_t i = 0; i < permissions->count; i++) {
		const struct permission *one = &permissions->names[i];
		if (!one->is_needed || permission_state_now(permissions, one) != PERMISSION_DEFERRED) continue;
		text_add_cstr(&params, before);
		text_json(&params, slice_of(one->name));
		before = ",";
	}
	text_add_cstr(&params, "],\"policy\":\"interactive\",\"message\":\"Waiting for the approval of an operator\"}");
	if (!text_failed(&params)) tell(permissions, child, "mgp/permission/request", text_slice(&params));
}

static const char *grant_word(enum permission_state state) {
	if (state == PERMISSION_APPROVED) return "approved";
	return state == PERMISSION_DEFERRED ? "deferred" : "denied";
}

void permissions_tell_response(struct permissions *permissions, struct hosted_child *child) {
	AUTO_TEXT struct text params = {0};
	const char *before = "", *by = "";
	int64_t until = 0;
	char moment[CLOCK_TEXT_SIZE];
	text_init(&params, 0);
	if (!permissions->request_id[0]) ident_uuid(permissions->request_id);
	text_printf(&params, "{\"request_id\":\"%s\",\"grants\":{", permissions->request_id);
	for (size_t i = 0; i < permissions->count; i++) {
		const struct permission *one = &permissions->names[i];
		if (!one->is_needed) continue;
		text_add_cstr(&params, before);
		text_json(&params, slice_of(one->name));
		text_printf(&params, ":\"%s\"", grant_word(permission_state_now(permissions, one)));
		before = ",";
		if (one->is_decided) by = one->by;
		if (one->is_decided && one->expires_at && (!until || one->expires_at < until)) until = one->expires_at;
	}
	text_add_cstr(&params, "},\"approved_by\":");
	text_json(&params, slice_of(*by ? by : "policy"));
	if (until) clock_write(until, moment);
	if (until) text_printf(&params, ",\"expires_at\":\"%s\"}", moment);
	else text_add_cstr(&params, ",\"expires_at\":null}");
	if (!text_failed(&params)) tell(permissions, child, "mgp/permission/response", text_slice(&params));
}
