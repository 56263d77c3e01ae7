/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_discovery: what there is, to who may use it. */
#include "kernel/mgp_discovery.h"

#include "wire/jsonrpc.h"

struct filter {
	unsigned extensions;           /* all of them */
	bool is_impossible;            /* an extension that nobody has */
	struct scan_value permissions; /* all of them; SCAN_NONE: any */
	struct slice status;
};

static bool read_filter(struct mgp_ask *ask, struct filter *filter) {
	struct scan_value object, value;
	struct scan_walk walk;
	struct scan_member member;
	struct slice word;
	*filter = (struct filter){.status = SLICE_NONE};
	if (ask->params.type != SCAN_OBJECT || !scan_find(&ask->params, "filter", &object) || object.type == SCAN_NULL)
		return true;
	if (object.type != SCAN_OBJECT) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.filter: an object is due");
		return false;
	}
	if (scan_find(&object, "extensions", &value) && value.type == SCAN_ARRAY)
		for (scan_open(&walk, &value); scan_next(&walk, &member);) {
			unsigned one = scan_string(&member.value, ask->arena, &word) ? mgp_extension_read(word) : 0;
			filter->extensions |= one;
			filter->is_impossible = filter->is_impossible || !one;
		}
	if (scan_find(&object, "permissions", &value) && value.type == SCAN_ARRAY) filter->permissions = value;
	if (scan_find(&object, "status", &value) && !scan_string(&value, ask->arena, &filter->status)) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.filter.status: a string is due");
		return false;
	}
	return true;
}

static enum hosted_era era_of(const struct hosted *hosted) { return hosted_era_for(hosted, HOSTED_LEGACY); }

static bool needs(const struct governed *governed, struct slice name) {
	struct permission_view view;
	for (size_t at = 0; permissions_each(governed->permissions, &at, &view);)
		if (slice_equal(view.name, name)) return true;
	return false;
}

static bool fits(const struct mgp_ask *ask, const struct filter *filter, struct hosted *hosted) {
	const struct governed *governed = governed_of(hosted);
	struct scan_walk walk;
	struct scan_member member;
	struct slice name;
	if (filter->is_impossible || (governed->agreed[era_of(hosted)].extensions & filter->extensions) != filter->extensions)
		return false;
	if (filter->status.length && !slice_is(filter->status, hosted_state_word(hosted_state(hosted)))) return false;
	if (filter->permissions.type != SCAN_ARRAY) return true;
	for (scan_open(&walk, &filter->permissions); scan_next(&walk, &member);)
		if (!scan_string(&member.value, ask->arena, &name) || !needs(governed, name)) return false;
	return true;
}

static void write_extensions(struct text *to, unsigned extensions) {
	const char *before = "";
	text_add_cstr(to, "\"extensions\":[");
	for (unsigned bit = 1; bit < 1u << MGP_EXTENSIONS; bit <<= 1) {
		if (!(extensions & bit)) continue;
		text_printf(to, "%s\"%s\"", before, mgp_extension_word((enum mgp_extension)bit));
		before = ",";
	}
	text_add_char(to, ']');
}

static void write_tools(const struct mgp_ask *ask, struct text *to, const struct hosted *hosted) {
	const struct governed *governed = governed_of(hosted);
	const struct tool *tool;
	const char *before = "";
	text_add_cstr(to, ",\"tools\":[");
	for (size_t at = 0; (tool = tools_at(governed->tools[era_of(hosted)], at)); at++) {
		if (tool->is_quarantined) continue;
		if (!call_asker_may(&ask->asker, governed, tool->name)) continue;
		text_add_cstr(to, before);
		text_json(to, tool->name);
		before = ",";
	}
	text_add_char(to, ']');
}

static void write_server(const struct mgp_ask *ask, struct text *to, const struct hosted *hosted) {
	const struct governed *governed = governed_of(hosted);
	const struct mgp_agreed *agreed = &governed->agreed[era_of(hosted)];
	text_add_cstr(to, "{\"id\":");
	text_json(to, hosted_id(hosted));
	text_printf(to, ",\"status\":\"%s\",\"mgp_version\":%s,", hosted_state_word(hosted_state(hosted)),
		agreed->is_active ? "\"" MGP_VERSION "\"" : "null");
	write_extensions(to, agreed->extensions);
	write_tools(ask, to, hosted);
	text_printf(to, ",\"trust_level\":\"%s\"}", mgp_trust_word(governed->policy.trust));
}

void mgp_discovery_list(struct mgp_ask *ask) {
	struct filter filter;
	AUTO_TEXT struct text result = {0};
	const char *before = "";
	if (!read_filter(ask, &filter)) return;
	text_init(&result, 0);
	text_add_cstr(&result, "{\"servers\":[");
	for (struct hosted *one = NULL; (one = hosted_next(ask->means->servers, one));) {
		if (!mgp_ask_may_use(ask, one) || !fits(ask, &filter, one)) continue;
		text_add_cstr(&result, before);
		write_server(ask, &result, one);
		before = ",";
	}
	text_add_cstr(&result, "]}");
	mgp_ask_answer(ask, &result);
}
