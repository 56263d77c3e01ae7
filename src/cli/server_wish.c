/* SPDX-License-Identifier: Apache-2.0 */
/* Server wish: what is no option of ours is refused by the gateway, which reads the definition. */
#include "cli/server_wish.h"

const struct command_option server_wish_options[] = {
	{"env", "NAME=VALUE", "a variable that the program gets; may be repeated"},
	{"cwd", "DIR", "the program's working folder"},
	{"header", "NAME: VALUE", "an HTTP header for a remote server; may be repeated"},
	{"transport", "WORD", "http (Streamable HTTP) or sse (HTTP with SSE, as of 2024-11-05)"},
	{"share", "WORD", "who shares one process: principal (standard), call or all"},
	{"room", "TOPIC", "a room in which it sits; may be repeated"},
	{"authorization", "MODE", "which calls are decided upon: always_allow, always_prompt or delegated (ADR-001)"},
	{"delegate", "ID", "who decides about them, instead of administrators and the room"},
	{0},
};

static void write_member(struct text *to, const char *name, const char *value) {
	if (!value) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, slice_of(value));
}

static void write_list(struct text *to, const char *name, char *const *list) {
	text_printf(to, ",\"%s\":[", name);
	for (size_t i = 0; list[i]; i++) {
		if (i) text_add_char(to, ',');
		text_json(to, slice_of(list[i]));
	}
	text_add_char(to, ']');
}

/* "NAME=VALUE" or "NAME: VALUE", repeated, as an object. */
static bool write_pairs(const struct command_line *line, const char *option, char between,
	const char *member, struct text *to, struct fault *why) {
	const char *pair;
	bool is_first = true;
	for (size_t at = 0; (pair = command_next(line, option, &at)); is_first = false) {
		struct slice rest = slice_of(pair), name;
		if (!strchr(pair, between) || !slice_split(&rest, between, &name) || name.length == 0)
			return fault_set(why, FAULT_BAD_INPUT, "--%s has to be NAME%cVALUE", option, between);
		if (between == ':') rest = slice_trim(rest);
		if (is_first) text_printf(to, ",\"%s\":{", member);
		else text_add_char(to, ',');
		text_json(to, name);
		text_add_char(to, ':');
		text_json(to, rest);
	}
	if (!is_first) text_add_char(to, '}');
	return true;
}

static void write_rooms(const struct command_line *line, struct text *to) {
	const char *room;
	bool is_first = true;
	for (size_t at = 0; (room = command_next(line, "room", &at)); is_first = false) {
		text_add_cstr(to, is_first ? ",\"rooms\":[" : ",");
		text_json(to, slice_of(room));
	}
	if (!is_first) text_add_char(to, ']');
}

static void write_authorization(const struct command_line *line, struct text *to) {
	const char *mode = command_value(line, "authorization"), *delegate = command_value(line, "delegate");
	if (!mode && !delegate) return;
	text_add_cstr(to, ",\"authorization\":{");
	if (mode) {
		text_add_cstr(to, "\"mode\":");
		text_json(to, slice_of(mode));
	}
	if (delegate) {
		text_add_cstr(to, mode ? ",\"delegate\":" : "\"delegate\":");
		text_json(to, slice_of(delegate));
	}
	text_add_char(to, '}');
}

bool server_wish_write(const struct command_line *line, struct text *json, struct fault *why) {
	bool has_command = line->rest && line->rest[0];
	if (has_command == (line->count == 2))
		return fault_set(why, FAULT_BAD_INPUT, "name a command behind --, or the URL of a remote server");
	text_add_cstr(json, "{\"id\":");
	text_json(json, slice_of(line->words[0]));
	if (has_command) {
		write_member(json, "command", line->rest[0]);
		write_list(json, "args", line->rest + 1);
	} else write_member(json, "url", line->words[1]);
	write_member(json, "cwd", command_value(line, "cwd"));
	write_member(json, "transport", command_value(line, "transport"));
	write_member(json, "share", command_value(line, "share"));
	write_rooms(line, json);
	write_authorization(line, json);
	if (!write_pairs(line, "env", '=', "env", json, why) ||
		!write_pairs(line, "header", ':', "headers", json, why))
		return false;
	text_add_char(json, '}');
	return text_failed(json) ? fault_set(why, FAULT_NO_MEMORY, "no memory for the definition") : true;
}
