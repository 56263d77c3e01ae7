/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_access: grants as JSON, and who may make them. */
#include "kernel/mgp_access.h"

#include "base/clock.h"

static void audit(const struct kernel_means *means, const char *event, const struct access_grant *grant,
	struct slice by, struct slice trace) {
	AUTO_TEXT struct text details = {0};
	text_init(&details, 8192);
	access_write_grant(&details, grant);
	const struct audit_record record = {
		.event = slice_of(event),
		.actor = by,
		.target = grant->agent,
		.server_id = grant->server,
		.tool_name = grant->tool,
		.result = AUDIT_SUCCESS,
		.trace_id = trace,
		.details = text_failed(&details) ? SLICE_NONE : text_slice(&details),
	};
	kernel_audit(means, &record);
}

/* ---- A grant as an object ---- */

static bool read_word(const struct scan_value *object, const char *name, struct arena *arena,
	struct slice *word, struct fault *why) {
	struct scan_value value;
	*word = SLICE_NONE;
	if (!scan_find(object, name, &value) || value.type == SCAN_NULL) return true;
	return (value.type == SCAN_STRING && scan_string(&value, arena, word)) ||
		fault_set(why, FAULT_BAD_INPUT, "%s: a string is due", name);
}

static bool read_entry(const struct scan_value *object, struct arena *arena, enum access_entry *entry,
	struct fault *why) {
	struct slice word;
	if (!read_word(object, "entry_type", arena, &word, why)) return false;
	return access_entry_read(word, entry) ||
		fault_set(why, FAULT_BAD_INPUT, "entry_type: \"server_grant\" or \"tool_grant\" is due");
}

static bool read_permission(const struct scan_value *object, struct arena *arena, bool *is_allowed,
	struct fault *why) {
	struct slice word;
	if (!read_word(object, "permission", arena, &word, why)) return false;
	*is_allowed = !word.length || slice_is(word, "allow");
	return *is_allowed || slice_is(word, "deny") ||
		fault_set(why, FAULT_BAD_INPUT, "permission: \"allow\" or \"deny\" is due");
}

static bool read_expiry(const struct scan_value *object, struct arena *arena, int64_t *moment,
	struct fault *why) {
	struct slice word;
	*moment = 0;
	if (!read_word(object, "expires_at", arena, &word, why)) return false;
	return !word.length || clock_read(word, moment) ||
		fault_set(why, FAULT_BAD_INPUT, "expires_at: a moment like 2026-03-01T00:00:00Z is due, or null");
}

bool mgp_access_add(const struct kernel_means *means, const struct scan_value *object, struct slice by,
	struct slice trace, struct arena *arena, struct access_grant *grant, struct fault *why) {
	*grant = (struct access_grant){.granted_by = by, .granted_at = clock_wall_ms()};
	if (!read_entry(object, arena, &grant->entry, why) ||
		!read_word(object, "agent_id", arena, &grant->agent, why) ||
		!read_word(object, "server_id", arena, &grant->server, why) ||
		!read_word(object, "tool_name", arena, &grant->tool, why) ||
		!read_word(object, "justification", arena, &grant->justification, why) ||
		!read_permission(object, arena, &grant->is_allowed, why) ||
		!read_expiry(object, arena, &grant->expires_at, why) || !access_grant(means->access, grant, why))
		return false;
	audit(means, "ACCESS_GRANTED", grant, by, trace);
	return true;
}

bool mgp_access_remove(const struct kernel_means *means, enum access_entry entry, struct slice agent,
	struct slice server, struct slice tool, struct slice by, struct slice trace, struct fault *why) {
	const struct access_grant grant = {
		.entry = entry,
		.agent = agent,
		.server = server,
		.tool = entry == ACCESS_TOOL_GRANT ? tool : SLICE_NONE,
		.granted_by = by,
	};
	if (!access_revoke(means->access, entry, agent, server, tool, why)) return false;
	audit(means, "ACCESS_REVOKED", &grant, by, trace);
	return true;
}

/* ---- The methods ---- */

static void write_moment(struct text *to, const char *name, int64_t moment) {
	char words[CLOCK_TEXT_SIZE];
	if (moment) clock_write(moment, words);
	if (moment) text_printf(to, ",\"%s\":\"%s\"", name, words);
	else text_printf(to, ",\"%s\":null", name);
}

void mgp_access_write_answer(struct text *to, const struct kernel_means *means, struct slice agent,
	struct slice server, struct slice tool, bool is_admin) {
	const struct hosted *hosted = hosted_find(means->servers, server);
	const struct governed *governed = hosted ? governed_of(hosted) : NULL;
	const struct policy nothing = {.permissions = PERMISSION_UNSAID};
	enum access_policy fallback = governed ? governed->policy.access
					       : policy_settle(&nothing, &means->policy, means->is_open).access;
	/* What is not there says as much as what is denied. */
	if (!governed && !is_admin) fallback = ACCESS_OPT_IN;
	const struct access_answer answer = access_ask(means->access, agent, server, tool, fallback);
	text_printf(to, "{\"permission\":\"%s\",\"source\":\"%s\",\"granted_by\":", answer.is_allowed ? "allow" : "deny",
		access_source_word(answer.source));
	if (answer.grant) text_json(to, answer.grant->granted_by);
	else text_add_cstr(to, "null");
	write_moment(to, "granted_at", answer.grant ? answer.grant->granted_at : 0);
	write_moment(to, "expires_at", answer.grant ? answer.grant->expires_at : 0);
	text_add_char(to, '}');
}

void mgp_access_query(struct mgp_ask *ask) {
	struct slice agent, server, tool;
	AUTO_TEXT struct text result = {0};
	if (!mgp_ask_word(ask, "agent_id", false, &agent) || !mgp_ask_word(ask, "server_id", !ask->hosted, &server) ||
		!mgp_ask_word(ask, "tool_name", false, &tool))
		return;
	if (!agent.length) agent = ask->asker.principal;
	if (!slice_equal(agent, ask->asker.principal) && !mgp_ask_is_admin(ask)) return;
	if (!server.length) server = hosted_id(ask->hosted);
	text_init(&result, 0);
	mgp_access_write_answer(&result, ask->means, agent, server, tool, ask->asker.is_admin);
	mgp_ask_answer(ask, &result);
}

void mgp_access_grant(struct mgp_ask *ask) {
	AUTO_TEXT struct text result = {0};
	struct access_grant grant;
	struct fault why;
	if (!mgp_ask_is_admin(ask)) return;
	if (!mgp_access_add(ask->means, &ask->params, ask->asker.principal, slice_of(ask->trace), ask->arena,
		    &grant, &why)) {
		mgp_ask_fail(ask, &why);
		return;
	}
	text_init(&result, 0);
	text_add_cstr(&result, "{\"granted\":true,\"entry\":");
	access_write_grant(&result, &grant);
	text_add_char(&result, '}');
	mgp_ask_answer(ask, &result);
}

void mgp_access_revoke(struct mgp_ask *ask) {
	AUTO_TEXT struct text result = {0};
	struct slice agent, server, tool;
	enum access_entry entry;
	struct fault why;
	if (!mgp_ask_is_admin(ask) || !mgp_ask_word(ask, "agent_id", true, &agent) ||
		!mgp_ask_word(ask, "server_id", true, &server) || !mgp_ask_word(ask, "tool_name", false, &tool))
		return;
	if (!read_entry(&ask->params, ask->arena, &entry, &why) ||
		!mgp_access_remove(ask->means, entry, agent, server, tool, ask->asker.principal, slice_of(ask->trace), &why)) {
		mgp_ask_fail(ask, &why);
		return;
	}
	text_init(&result, 0);
	text_add_cstr(&result, "{\"revoked\":true}");
	mgp_ask_answer(ask, &result);
}
