/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_tools_session: what stands in the asker's context, and out of it again. */
#include "kernel/mgp_tools_session.h"

#include "kernel/tool_roster.h"
#include "wire/jsonrpc.h"

/* NULL: answered. */
static struct tool_roster *read_roster(struct mgp_ask *ask) {
	struct fault why;
	struct tool_roster *roster = tool_roster_read(ask->means, &ask->asker, ask->hosted);
	if (roster) return roster;
	(void)fault_set(&why, FAULT_NO_MEMORY, "no memory for the list: try again");
	mgp_ask_fail(ask, &why);
	return NULL;
}

void mgp_tools_session(struct mgp_ask *ask) {
	AUTO(tool_roster) roster = read_roster(ask);
	AUTO_TEXT struct text result = {0};
	if (!roster) return;
	text_init(&result, 0);
	text_add_cstr(&result, "{\"pinned\":");
	tool_roster_write(&result, roster, true);
	text_add_cstr(&result, ",\"cached\":");
	tool_roster_write(&result, roster, false);
	text_printf(&result, ",\"total_tokens\":%llu,\"max_tokens\":%llu}", (unsigned long long)roster->tokens,
		(unsigned long long)tool_sessions_budget(ask->means->tool_sessions)->max_tokens);
	mgp_ask_answer(ask, &result);
}

/* ---- Out again ---- */

struct eviction {
	struct mgp_ask *ask;
	const struct tool_roster *roster;
	struct text evicted, not_found, pinned;
	uint64_t tokens; /* that have left */
};

static void add_name(struct text *to, struct slice name) {
	if (to->length) text_add_char(to, ',');
	text_json(to, name);
}

static bool read_names(struct mgp_ask *ask, struct scan_value *names) {
	struct scan_walk walk;
	struct scan_member member;
	struct slice word;
	bool is_sound = ask->params.type == SCAN_OBJECT && scan_find(&ask->params, "tools", names) &&
		names->type == SCAN_ARRAY && scan_count(names) >= 1 && scan_count(names) <= MGP_TOOLS_EVICTED;
	if (is_sound)
		for (scan_open(&walk, names); is_sound && scan_next(&walk, &member);)
			is_sound = scan_string(&member.value, ask->arena, &word) && word.length;
	if (!is_sound)
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.tools: an array of 1 to %d names of tools is due, as mgp/tools/session has them",
			MGP_TOOLS_EVICTED);
	return is_sound;
}

/* Before anything leaves. */
static bool are_clear(struct mgp_ask *ask, const struct tool_roster *roster, const struct scan_value *names) {
	struct scan_walk walk;
	struct scan_member member;
	struct slice name;
	bool is_ambiguous = false;
	for (scan_open(&walk, names); scan_next(&walk, &member);) {
		if (scan_string(&member.value, ask->arena, &name)) (void)tool_roster_find(roster, ask->client, name, &is_ambiguous);
		if (!is_ambiguous) continue;
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.tools: %.*s is a tool of more than one server: write SERVER.%.*s",
			(int)slice_cut(name, 60), name.bytes, (int)slice_cut(name, 60), name.bytes);
		return false;
	}
	return true;
}

static void evict(struct eviction *eviction, struct slice name) {
	struct mgp_ask *ask = eviction->ask;
	bool is_ambiguous;
	const struct tool_roster_row *row = tool_roster_find(eviction->roster, ask->client, name, &is_ambiguous);
	if (row && row->is_pinned) add_name(&eviction->pinned, name);
	else if (row && tool_sessions_evict(ask->means->tool_sessions, &ask->asker, hosted_id(row->hosted), row->tool)) {
		eviction->tokens += row->tokens;
		add_name(&eviction->evicted, name);
	} else
		add_name(&eviction->not_found, name);
}

static void answer(struct eviction *eviction) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	text_add_cstr(&result, "{\"evicted\":[");
	text_add(&result, text_slice(&eviction->evicted));
	text_add_cstr(&result, "],\"not_found\":[");
	text_add(&result, text_slice(&eviction->not_found));
	text_add_cstr(&result, "],\"pinned\":[");
	text_add(&result, text_slice(&eviction->pinned));
	text_printf(&result, "],\"total_tokens\":%llu}", (unsigned long long)(eviction->roster->tokens - eviction->tokens));
	if (text_failed(&eviction->evicted) || text_failed(&eviction->not_found) || text_failed(&eviction->pinned))
		result.failed = true;
	mgp_ask_answer(eviction->ask, &result);
}

void mgp_tools_session_evict(struct mgp_ask *ask) {
	struct scan_value names;
	struct scan_walk walk;
	struct scan_member member;
	struct slice name, reason;
	if (!mgp_ask_word(ask, "reason", false, &reason) || !read_names(ask, &names)) return;
	AUTO(tool_roster) roster = read_roster(ask);
	if (!roster || !are_clear(ask, roster, &names)) return;
	struct eviction eviction = {.ask = ask, .roster = roster};
	text_init(&eviction.evicted, 0);
	text_init(&eviction.not_found, 0);
	text_init(&eviction.pinned, 0);
	for (scan_open(&walk, &names); scan_next(&walk, &member);)
		if (scan_string(&member.value, ask->arena, &name)) evict(&eviction, name);
	answer(&eviction);
	text_finish(&eviction.evicted);
	text_finish(&eviction.not_found);
	text_finish(&eviction.pinned);
}
