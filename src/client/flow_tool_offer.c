/* SPDX-License-Identifier: Apache-2.0 */
/* Flow tool offer: a flow tool among the other tools, whose calls it takes. */
#include "client/flow_tool_call.h"

#include <stdlib.h>

static bool check(const struct hustings_flow_tool *wished, struct fault *why) {
	if (!wished->name || !*wished->name) return fault_set(why, FAULT_BAD_INPUT, "a flow tool needs a name");
	if (!wished->run && (!wished->steps || !wished->step_count))
		return fault_set(why, FAULT_BAD_INPUT, "a flow tool needs a function, or steps");
	if (wished->timeout > FLOW_DURATION_MS || wished->duration > FLOW_DURATION_MS)
		return fault_set(why, FAULT_BAD_INPUT, "timeout and duration are %d ms at most", FLOW_DURATION_MS);
	for (size_t i = 0; i < wished->step_count; i++)
		if (!wished->steps[i].name || (unsigned)wished->steps[i].kind > HUSTINGS_STEP_CUSTOM)
			return fault_set(why, FAULT_BAD_INPUT, "step %zu needs a name, and a kind that there is", i);
	return true;
}

static struct flow_tool *make(struct hustings *hustings, const struct hustings_flow_tool *wished) {
	size_t length = strlen(wished->name);
	struct flow_tool *tool = calloc(1, sizeof *tool + length + 1);
	if (!tool) return NULL;
	list_init(&tool->link);
	tool->users = 1;
	tool->hustings = hustings;
	tool->offer = *wished;
	tool->has_schema = wished->schema != NULL;
	tool->limits = (struct flow_limits)FLOW_LIMITS;
	if (wished->timeout) tool->limits.timeout_ms = (int64_t)wished->timeout;
	if (wished->duration) tool->limits.duration_ms = (int64_t)wished->duration;
	if (wished->prompts) tool->limits.prompts = wished->prompts;
	memcpy(tool->name, wished->name, length);
	return tool;
}

/* Nobody can go on with it. */
static void withdrawn(void *context) {
	struct flow_tool *tool = context;
	struct flow_desk *desk = tool->hustings->flows;
	tool->is_withdrawn = true;
	list_remove(&tool->link);
	LIST_EACH(link, &desk->sessions) {
		struct flow_session *session = CONTAINER_OF(link, struct flow_entry, link)->session;
		if (strcmp(session->tool, tool->name) == 0)
			flow_session_fail(session, "the tool is not offered any more", clock_wall_ms());
	}
	flow_tool_drop(tool);
}

static bool offer(struct hustings *hustings, const struct hustings_flow_tool *wished, struct fault *why) {
	struct flow_desk *desk = check(wished, why) ? flow_desk_of(hustings, why) : NULL;
	struct flow_tool *tool = desk ? make(hustings, wished) : NULL;
	if (!tool) return desk && fault_set(why, FAULT_NO_MEMORY, "no memory for another tool");
	const struct hustings_tool plain = {
		.name = tool->name,
		.title = wished->title,
		.description = wished->description,
		.schema = wished->schema,
		.output_schema = wished->output_schema,
		.effect = wished->effect,
		.run = flow_tool_call_run,
		.context = tool,
		.authorization = wished->authorization,
	};
	list_append(&desk->tools, &tool->link);
	if (library_offer(hustings, &plain, withdrawn, why)) return true;
	list_remove(&tool->link);
	flow_tool_drop(tool);
	return false;
}

bool hustings_offer_flow(struct hustings *hustings, const struct hustings_flow_tool *wished,
	struct hustings_error *error) {
	struct fault why;
	return offer(hustings, wished, &why) || library_error(error, &why);
}
