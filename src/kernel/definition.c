/* SPDX-License-Identifier: Apache-2.0 */
/* Definition: one table of members, each with how it is read. */
#include "kernel/definition.h"

#include "base/ident.h"
#include "kernel/definition_authorization.h"
#include "kernel/definition_mgp.h"

#include <stdio.h>

struct reading {
	struct arena *arena;
	struct hosted_settings *settings;
	bool is_stdio; /* said so */
	const char *name;
	struct fault *why;
};

static bool bad(const struct reading *reading, const char *wanted) {
	return fault_set(reading->why, FAULT_BAD_INPUT, "%s has to be %s", reading->name, wanted);
}

/* NUL-ended, without a NUL inside. */
static const char *read_lines(const struct reading *reading, const struct scan_value *value) {
	struct slice string, copy;
	if (!scan_string(value, reading->arena, &string) || memchr(string.bytes, 0, string.length) ||
		!arena_copy(reading->arena, string, &copy))
		return NULL;
	return copy.bytes;
}

/* Without line ends, which would break headers and logs. */
static const char *read_string(const struct reading *reading, const struct scan_value *value) {
	const char *string = read_lines(reading, value);
	return string && !strpbrk(string, "\r\n") ? string : NULL;
}

static bool read_text(const struct reading *reading, const struct scan_value *value, const char **to) {
	*to = read_string(reading, value);
	return *to || bad(reading, "a string of one line");
}

/* Room for so many and the NULL behind them. */
static const char **make_list(const struct reading *reading, const struct scan_value *container) {
	size_t count = scan_count(container);
	if (count > DEFINITION_STRINGS) return NULL;
	return arena_zero(reading->arena, (count + 2) * sizeof(char *));
}

/* `first` may be NULL; else the list begins with it, a command, whose arguments may have several lines. */
static bool read_list(const struct reading *reading, const struct scan_value *value, const char *first,
	const char *const **to) {
	struct scan_walk walk;
	struct scan_member element;
	const char **list = value->type == SCAN_ARRAY ? make_list(reading, value) : NULL;
	size_t count = 0;
	if (!list) return bad(reading, "an array of at most 64 strings");
	if (first) list[count++] = first;
	for (scan_open(&walk, value); scan_next(&walk, &element); count++) {
		list[count] = first ? read_lines(reading, &element.value) : read_string(reading, &element.value);
		if (!list[count]) return bad(reading, first ? "an array of strings" : "an array of strings of one line");
	}
	*to = list;
	return true;
}

/* {"NAME":"value"} as "NAME=value". */
static bool read_pairs(const struct reading *reading, const struct scan_value *value, const char *between,
	const char *const **to) {
	struct scan_walk walk;
	struct scan_member member;
	const char **list = value->type == SCAN_OBJECT ? make_list(reading, value) : NULL;
	size_t count = 0;
	if (!list) return bad(reading, "an object of at most 64 strings");
	for (scan_open(&walk, value); scan_next(&walk, &member); count++) {
		struct slice key;
		const char *string = read_string(reading, &member.value);
		if (!string || !scan_key(&member, reading->arena, &key) || key.length == 0 ||
			memchr(key.bytes, 0, key.length) || memchr(key.bytes, '\n', key.length) ||
			memchr(key.bytes, '\r', key.length) || memchr(key.bytes, between[0], key.length))
			return bad(reading, "an object of names and strings of one line");
		size_t size = key.length + strlen(between) + strlen(string) + 1;
		char *pair = arena_alloc(reading->arena, size);
		if (!pair) return fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a definition");
		snprintf(pair, size, "%.*s%s%s", SLICE_ARGS(key), between, string);
		list[count] = pair;
	}
	*to = list;
	return true;
}

static bool read_word(const struct reading *reading, const struct scan_value *value,
	const char *const *words, unsigned *at) {
	const char *string = read_string(reading, value);
	for (*at = 0; string && words[*at]; (*at)++)
		if (strcmp(words[*at], string) == 0) return true;
	return false;
}

/* ---- The members ---- */

static bool read_id(struct reading *reading, const struct scan_value *value) {
	return read_text(reading, value, &reading->settings->id);
}

static bool read_command(struct reading *reading, const struct scan_value *value) {
	const char *command = NULL;
	const char *const *had = reading->settings->arguments; /* from args, behind an empty first place */
	if (!read_text(reading, value, &command)) return false;
	if (!command[0]) return bad(reading, "a program");
	if (had) {
		((const char **)had)[0] = command;
		return true;
	}
	const char **list = arena_zero(reading->arena, 2 * sizeof *list);
	if (!list) return fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a definition");
	list[0] = command;
	reading->settings->arguments = list;
	return true;
}

static bool read_args(struct reading *reading, const struct scan_value *value) {
	const char *const *had = reading->settings->arguments;
	return read_list(reading, value, had ? had[0] : "", &reading->settings->arguments);
}

static bool read_env(struct reading *reading, const struct scan_value *value) {
	return read_pairs(reading, value, "=", &reading->settings->environment);
}

static bool read_cwd(struct reading *reading, const struct scan_value *value) {
	return read_text(reading, value, &reading->settings->directory);
}

static bool read_url(struct reading *reading, const struct scan_value *value) {
	return read_text(reading, value, &reading->settings->url);
}

static bool read_headers(struct reading *reading, const struct scan_value *value) {
	return read_pairs(reading, value, ": ", &reading->settings->headers);
}

static bool read_transport(struct reading *reading, const struct scan_value *value) {
	static const char *const words[] = {"stdio", "http", "sse", NULL};
	unsigned at;
	if (!read_word(reading, value, words, &at)) return bad(reading, "stdio, http or sse");
	reading->is_stdio = at == 0;
	reading->settings->is_sse = at == 2;
	return true;
}

static const char *const share_words[] = {[HOSTED_SHARE_PRINCIPAL] = "principal",
	[HOSTED_SHARE_CALL] = "call",
	[HOSTED_SHARE_ALL] = "all",
	NULL};

static bool read_share(struct reading *reading, const struct scan_value *value) {
	unsigned at;
	if (!read_word(reading, value, share_words, &at)) return bad(reading, "principal, call or all");
	reading->settings->share = at;
	return true;
}

static bool read_rooms(struct reading *reading, const struct scan_value *value) {
	if (!read_list(reading, value, NULL, &reading->settings->rooms)) return false;
	for (const char *const *room = reading->settings->rooms; *room; room++)
		if (!ident_is_topic(slice_of(*room))) return bad(reading, "an array of topics");
	return true;
}

/* `mgp` and `authorization` are of one policy, whichever stands first. */
static bool read_authorization(struct reading *reading, const struct scan_value *value) {
	struct policy *policy = arena_zero(reading->arena, sizeof *policy);
	if (!policy) return fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a definition");
	if (reading->settings->policy) *policy = *reading->settings->policy;
	reading->settings->policy = policy;
	return definition_authorization_read(value, reading->arena, policy, reading->why);
}

static bool read_mgp(struct reading *reading, const struct scan_value *value) {
	return definition_mgp_read(value, reading->arena, reading->settings, reading->why);
}

static const struct member {
	const char *name;
	bool (*read)(struct reading *reading, const struct scan_value *value);
} members[] = {
	{"id", read_id},
	{"command", read_command},
	{"args", read_args},
	{"env", read_env},
	{"cwd", read_cwd},
	{"url", read_url},
	{"headers", read_headers},
	{"transport", read_transport},
	{"share", read_share},
	{"rooms", read_rooms},
	{"authorization", read_authorization},
	{"mgp", read_mgp},
};

static const struct member *find_member(const struct scan_member *given) {
	for (size_t i = 0; i < COUNT_OF(members); i++)
		if (scan_key_is(given, members[i].name)) return &members[i];
	return NULL;
}

static bool read_members(struct reading *reading, const struct scan_value *root) {
	struct scan_walk walk;
	struct scan_member given;
	for (scan_open(&walk, root); scan_next(&walk, &given);) {
		const struct member *member = find_member(&given);
		if (!member)
			return fault_set(reading->why, FAULT_BAD_INPUT,
				"%.*s is none of id, command, args, env, cwd, url, headers, transport, share, rooms, authorization, mgp",
				(int)slice_cut(given.key, 80), given.key.bytes);
		reading->name = member->name;
		if (given.value.type != SCAN_NULL && !member->read(reading, &given.value)) return false;
	}
	return true;
}

/* What does not go together is said here, so that nothing is dropped without a word. */
static bool is_whole(const struct reading *reading, struct fault *why) {
	const struct hosted_settings *settings = reading->settings;
	if (!settings->id) return fault_set(why, FAULT_BAD_INPUT, "id is missing");
	if (settings->arguments && !settings->arguments[0][0])
		return fault_set(why, FAULT_BAD_INPUT, "args are there without a command");
	if (settings->url && (settings->arguments || settings->environment || settings->directory))
		return fault_set(why, FAULT_BAD_INPUT, "command, args, env and cwd do not go with a url");
	if (settings->arguments && (settings->headers || settings->is_sse))
		return fault_set(why, FAULT_BAD_INPUT, "headers and transport sse go with a url alone");
	if (settings->url && reading->is_stdio)
		return fault_set(why, FAULT_BAD_INPUT, "transport stdio goes with a command alone");
	return true;
}

bool definition_read(struct slice json, struct arena *arena, struct hosted_settings *settings,
	struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	struct hosted_settings made = {.id = NULL};
	struct reading reading = {.arena = arena, .settings = &made, .why = why};
	bool has_twins = true;
	if (json.length > DEFINITION_OCTETS)
		return fault_set(why, FAULT_TOO_LARGE, "a server's definition is limited to %d octets",
			DEFINITION_OCTETS);
	if (!scan_check(json, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT)
		return fault_set(why, FAULT_BAD_INPUT, "a server's definition is a JSON object: {\"id\":\"...\"}");
	if (!scan_has_duplicates(json, arena, &has_twins) || has_twins)
		return fault_set(why, FAULT_BAD_INPUT, "a member stands there twice");
	if (!read_members(&reading, &root) || !is_whole(&reading, why)) return false;
	*settings = made;
	return true;
}

/* ---- Showing ---- */

static void write_list(struct text *to, const char *name, const char *const *list) {
	if (!list || !list[0]) return;
	text_printf(to, ",\"%s\":[", name);
	for (size_t i = 0; list[i]; i++) {
		if (i) text_add_char(to, ',');
		text_json(to, slice_of(list[i]));
	}
	text_add_char(to, ']');
}

static void write_names(struct text *to, const char *name, const char *const *pairs, char end) {
	if (!pairs || !pairs[0]) return;
	text_printf(to, ",\"%s\":[", name);
	for (size_t i = 0; pairs[i]; i++) {
		struct slice rest = slice_of(pairs[i]), first;
		if (i) text_add_char(to, ',');
		if (!slice_split(&rest, end, &first)) first = SLICE_NONE;
		text_json(to, first);
	}
	text_add_char(to, ']');
}

static void write_member(struct text *to, const char *name, const char *value) {
	if (!value) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, slice_of(value));
}

/* "?key=value&other": the names alone. What stands behind a `#` goes the same way. */
static void hide_query(struct text *to, struct slice query) {
	struct slice part, name;
	for (char between = '?'; slice_split(&query, '&', &part); between = '&') {
		text_add_char(to, between);
		bool has_value = part.length && memchr(part.bytes, '=', part.length);
		if (has_value && slice_split(&part, '=', &name)) text_printf(to, "%.*s=", SLICE_ARGS(name));
		text_add_cstr(to, "***");
	}
}

/* A name and password before the host, and the values of a query, are as secret as headers. */
static void write_url(struct text *to, const char *url) {
	AUTO_TEXT struct text shown = {0};
	if (!url) return;
	text_init(&shown, 0);
	const char *query = url + strcspn(url, "?#");
	const char *scheme = memmem(url, (size_t)(query - url), "://", 3);
	const char *host = scheme ? scheme + 3 : url;
	const char *at = memrchr(host, '@', strcspn(host, "/?#"));
	text_add(&shown, slice_make(url, (size_t)(host - url)));
	if (at) {
		text_add_cstr(&shown, "***@");
		host = at + 1;
	}
	text_add(&shown, slice_make(host, (size_t)(query - host)));
	if (*query) hide_query(&shown, slice_of(query + 1));
	if (text_failed(&shown)) to->failed = true;
	text_add_cstr(to, ",\"url\":");
	text_json(to, text_slice(&shown));
}

void definition_write(struct text *to, const struct hosted_settings *settings) {
	text_add_cstr(to, "\"id\":");
	text_json(to, slice_of(settings->id));
	write_member(to, "transport", settings->arguments ? "stdio" : settings->is_sse ? "sse"
										       : "http");
	if (settings->arguments) {
		write_member(to, "command", settings->arguments[0]);
		write_list(to, "args", settings->arguments + 1);
	}
	write_names(to, "env", settings->environment, '=');
	write_member(to, "cwd", settings->directory);
	write_url(to, settings->url);
	write_names(to, "headers", settings->headers, ':');
	write_member(to, "share", share_words[settings->share]);
	write_list(to, "rooms", settings->rooms);
	write_member(to, "created_by", settings->created_by);
	definition_authorization_write(to, settings->policy);
	definition_mgp_write(to, settings);
}
