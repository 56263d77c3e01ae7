/* SPDX-License-Identifier: Apache-2.0 */
/* Authorization rules: the author's settings and the tool's own words, judged for one call. */
#include "client/authorization_rules.h"

#include "client/flow_desk.h"

bool authorization_rules_look(const struct authorization_wishes *wishes) {
	const struct authorization_settings *settings = wishes ? &wishes->settings : NULL;
	for (size_t i = 0; settings && settings->mode == AUTHORIZATION_SELECTIVE && i < settings->rule_count; i++)
		if (settings->rules[i].argument) return true;
	return false;
}

bool authorization_rules_twins(const struct scan_value *arguments) {
	struct arena arena;
	bool twins = false;
	arena_init(&arena, NULL, 0, 0);
	bool is_known = scan_has_duplicates(arguments->text, &arena, &twins);
	arena_finish(&arena);
	return !is_known || twins;
}

static bool read_metadata(const struct hustings *hustings, struct slice tool, struct arena *arena,
	struct authorization_metadata *metadata) {
	const struct scan_value definition = {.text = mcp_server_definition(hustings->server, tool), .type = SCAN_OBJECT};
	return definition.text.length && authorization_metadata_read(&definition, arena, metadata);
}

bool authorization_rules_judge(const struct authorization_wishes *wishes, const struct hustings_request *request,
	const char *requester, const struct scan_value *arguments, struct arena *arena, struct authorization_verdict *verdict) {
	static const struct authorization_settings as_told;
	const struct authorization_settings *settings = wishes ? &wishes->settings : &as_told;
	struct authorization_metadata metadata;
	struct slice tool = slice_of(request->name);
	if (!read_metadata(request->hustings, tool, arena, &metadata)) return false;
	bool asks = flow_desk_tool(request->hustings->flows, tool);
	*verdict = (asks ? authorization_judge_asking : authorization_judge)(settings, &metadata, tool, slice_of(requester), arguments);
	return true;
}

bool authorization_rules_still_let(const struct authorization_wishes *wishes, const struct hustings *hustings,
	struct slice tool, const char *requester, const struct scan_value *known) {
	struct authorization_metadata metadata;
	char lent[1024];
	struct arena arena;
	if (!authorization_rules_look(wishes)) return true;
	arena_init(&arena, lent, sizeof lent, 0);
	bool lets = !authorization_rules_twins(known) && read_metadata(hustings, tool, &arena, &metadata) &&
		authorization_judge(&wishes->settings, &metadata, tool, slice_of(requester), known).action != AUTHORIZATION_DENY;
	arena_finish(&arena);
	return lets;
}
