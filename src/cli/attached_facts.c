/* SPDX-License-Identifier: Apache-2.0 */
/* Attached facts: tables of methods, and one answer made of another's parts. */
#include "cli/attached_facts.h"

#include "mcp/era.h"

bool attached_exposure_read(struct slice list, unsigned *exposed, struct fault *why) {
	unsigned found = 0;
	struct slice part;
	while (slice_split(&list, ',', &part)) {
		part = slice_trim(part);
		if (slice_is(part, "resources")) found |= ATTACHED_RESOURCES;
		else if (slice_is(part, "prompts")) found |= ATTACHED_PROMPTS;
		else
			return fault_set(why, FAULT_BAD_INPUT, "'%.*s' cannot be exposed: resources and prompts can",
				SLICE_ARGS(part));
	}
	*exposed = found;
	return true;
}

/* ---- Methods ---- */

static const struct {
	const char *method;
	enum attached_way way;
	unsigned needs; /* any of these bits; 0: nothing */
} ways[] = {
	{"initialize", ATTACHED_HANDSHAKE, 0},
	{"ping", ATTACHED_PING, 0},
	{"tools/list", ATTACHED_LIST, 0},
	{"tools/call", ATTACHED_FORWARD, 0},
	{"resources/list", ATTACHED_FORWARD, ATTACHED_RESOURCES},
	{"resources/templates/list", ATTACHED_FORWARD, ATTACHED_RESOURCES},
	{"resources/read", ATTACHED_FORWARD, ATTACHED_RESOURCES},
	{"prompts/list", ATTACHED_FORWARD, ATTACHED_PROMPTS},
	{"prompts/get", ATTACHED_FORWARD, ATTACHED_PROMPTS},
	{"completion/complete", ATTACHED_FORWARD, ATTACHED_RESOURCES | ATTACHED_PROMPTS},
};

static bool is_exposed(unsigned needs, unsigned exposed) { return !needs || (needs & exposed); }

enum attached_way attached_way_of(struct slice method, unsigned exposed) {
	for (size_t i = 0; i < COUNT_OF(ways); i++)
		if (slice_is(method, ways[i].method))
			return is_exposed(ways[i].needs, exposed) ? ways[i].way : ATTACHED_UNKNOWN;
	return ATTACHED_UNKNOWN;
}

bool attached_is_told(struct slice method, unsigned exposed, bool *tools) {
	*tools = slice_is(method, "notifications/tools/list_changed");
	if (*tools) return true;
	if (slice_is(method, "notifications/resources/list_changed")) return exposed & ATTACHED_RESOURCES;
	if (slice_is(method, "notifications/prompts/list_changed")) return exposed & ATTACHED_PROMPTS;
	return false;
}

/* ---- The handshake ---- */

/* Subscriptions are one client's affair; many callers share this server, so none are offered. */
static void add_capability(struct text *to, const struct scan_value *all, const char *name,
	bool *is_first) {
	struct scan_value capability, changes;
	bool tells = false;
	if (!scan_find(all, name, &capability)) return;
	if (scan_find(&capability, "listChanged", &changes) && !scan_boolean(&changes, &tells)) tells = false;
	text_printf(to, "%s\"%s\":{%s}", *is_first ? "" : ",", name, tells ? "\"listChanged\":true" : "");
	*is_first = false;
}

static void add_capabilities(struct text *to, const struct scan_value *result, unsigned exposed) {
	struct scan_value all = {.type = SCAN_NONE};
	bool is_first = true;
	(void)scan_find(result, "capabilities", &all);
	text_add_char(to, '{');
	add_capability(to, &all, "tools", &is_first);
	if (exposed & ATTACHED_RESOURCES) add_capability(to, &all, "resources", &is_first);
	if (exposed & ATTACHED_PROMPTS) add_capability(to, &all, "prompts", &is_first);
	if (exposed) add_capability(to, &all, "completions", &is_first);
	text_add_char(to, '}');
}

static bool read_result(struct slice text, struct scan_value *result, struct arena *arena,
	struct fault *why) {
	struct scan_fault fault;
	struct scan_value value;
	struct slice version;
	enum era_version known;
	if (!scan_check(text, SCAN_DEPTH, result, &fault) || result->type != SCAN_OBJECT ||
		!scan_find(result, "protocolVersion", &value) || !scan_string(&value, arena, &version))
		return fault_set(why, FAULT_BAD_INPUT, "its answer to initialize names no protocolVersion");
	if (!era_version_read(version, &known))
		return fault_set(why, FAULT_UNSUPPORTED, "it speaks MCP '%.*s', which is not known here",
			SLICE_ARGS(version));
	return true;
}

bool attached_facts_write(struct text *to, struct slice text, unsigned exposed, struct fault *why) {
	char lent[256];
	struct arena arena;
	struct scan_value result, value;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_fine = read_result(text, &result, &arena, why);
	arena_finish(&arena);
	if (!is_fine) return false;
	AUTO_TEXT struct text answer = {0};
	text_init(&answer, 0);
	text_add_cstr(&answer, "{\"protocolVersion\":");
	(void)scan_find(&result, "protocolVersion", &value);
	text_add(&answer, value.text);
	text_add_cstr(&answer, ",\"capabilities\":");
	add_capabilities(&answer, &result, exposed);
	text_add_cstr(&answer, ",\"serverInfo\":");
	if (scan_find(&result, "serverInfo", &value) && value.type == SCAN_OBJECT)
		text_add(&answer, value.text);
	else
		text_add_cstr(&answer, "{\"name\":\"unnamed\",\"version\":\"0\"}");
	if (scan_find(&result, "instructions", &value)) {
		text_add_cstr(&answer, ",\"instructions\":");
		text_add(&answer, value.text);
	}
	text_add_char(&answer, '}');
	if (text_failed(&answer)) return fault_set(why, FAULT_NO_MEMORY, "no memory for what it said");
	text_add(to, text_slice(&answer));
	return true;
}

static void add_word(struct text *to, const struct scan_value *info, const char *key,
	struct arena *arena) {
	struct scan_value value;
	struct slice word;
	char shown[80];
	if (!scan_find(info, key, &value) || !scan_string(&value, arena, &word) || !word.length) return;
	text_display_in(shown, sizeof shown, word);
	text_printf(to, "%s%s", to->length ? " " : "", shown);
}

void attached_facts_name(struct text *to, struct slice text) {
	char lent[512];
	struct arena arena;
	struct scan_value result, info;
	struct scan_fault fault;
	arena_init(&arena, lent, sizeof lent, 0);
	if (scan_check(text, SCAN_DEPTH, &result, &fault) && scan_find(&result, "serverInfo", &info)) {
		add_word(to, &info, "name", &arena);
		add_word(to, &info, "version", &arena);
	}
	arena_finish(&arena);
	if (!to->length) text_add_cstr(to, "unnamed");
}
