/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room_answerer: whose tool it is, and which way its call goes. */
#include "gateway/mcp_room_answerer.h"

#include "gateway/mcp_names.h"
#include "gateway/mcp_room.h"
#include "gateway/mcp_room_errand.h"
#include "gateway/mcp_room_own.h"
#include "gateway/mcp_room_proposal.h"
#include "gateway/mcp_room_tools.h"

bool mcp_room_find_tool(struct mcp_room *room, struct slice name, struct slice *participant,
	struct slice *tool) {
	LIST_EACH(link, &guest_roster(room->guest)->entries) {
		const struct roster_entry *entry = CONTAINER_OF(link, struct roster_entry, link);
		*participant = slice_of(entry->id);
		if (mcp_name_is_plain(name, *participant, tool)) return true;
	}
	struct mcp_room *survey = mcp_room_survey(room, NULL);
	return survey && mcp_room_tools_find(survey, name, participant, tool);
}

static bool start_for(struct mcp_room *room, struct mcp_call *call, const struct hosted_ask *ask,
	struct slice name, struct fault *why) {
	const struct scan_value params = {.text = ask->params, .type = SCAN_OBJECT};
	AUTO_TEXT struct text renamed = {0};
	struct slice participant, tool;
	if (!mcp_room_find_tool(room, name, &participant, &tool))
		return fault_set(why, FAULT_NOT_FOUND,
			"params.name: nobody in this room has such a tool now: tools/list says what there is");
	text_init(&renamed, 0);
	mcp_name_replace(&renamed, &params, tool);
	if (text_failed(&renamed)) return fault_set(why, FAULT_NO_MEMORY, "no memory for the call: try again");
	if (mcp_room_is_restricted(room))
		return mcp_room_proposal_start(room, call, participant, tool, text_slice(&renamed), why);
	return mcp_room_errand_start(room, call, ask, participant, text_slice(&renamed), why);
}

static bool start(struct mcp_call *call, void *who, struct hosted_ask *ask, struct fault *why) {
	const struct scan_value params = {.text = ask->params, .type = ask->params.bytes ? SCAN_OBJECT : SCAN_NONE};
	struct scan_value value, arguments;
	struct slice name;
	char lent[512];
	struct arena arena;
	arena_init(&arena, lent, sizeof lent, 0);
	if (!scan_find(&params, "arguments", &arguments)) arguments = (struct scan_value){.type = SCAN_NONE};
	bool is_started = scan_find(&params, "name", &value) && scan_string(&value, &arena, &name);
	if (!is_started)
		fault_set(why, FAULT_BAD_INPUT, "params.name has to be a string");
	else if (mcp_room_own_has(name))
		is_started = mcp_room_own_start(who, call, name, &arguments, why);
	else
		is_started = start_for(who, call, ask, name, why);
	arena_finish(&arena);
	return is_started;
}

static void cancel(struct mcp_call *call, struct hosted_ask *ask, const char *reason) {
	struct mcp_room_call *one = mcp_call_errand(call);
	(void)ask;
	one->way->cancel(one, reason);
}

static void extend(struct mcp_call *call, struct hosted_ask *ask, uint64_t deadline_ms) {
	struct mcp_room_call *one = mcp_call_errand(call);
	(void)ask;
	if (one->way->extend) one->way->extend(one, deadline_ms);
}

/* Participants speak as MCP did in 2025 (MCPx v0 4.1). */
static enum hosted_era era_for(void *who, enum hosted_era asker) {
	(void)who, (void)asker;
	return HOSTED_LEGACY;
}

static struct slice server_info(void *who, enum hosted_era era) {
	(void)who, (void)era;
	return SLICE(MCP_ROOM_INFO);
}

const struct mcp_answerer mcp_room_answerer = {
	.start = start,
	.cancel = cancel,
	.extend = extend,
	.answer = mcp_room_errand_answer,
	.refuse = mcp_room_errand_refuse,
	.era_for = era_for,
	.server_info = server_info,
};
