/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_header: one walk over a schema, without recursion, arguments beside it. */
#include "mcp/mcp_header.h"

#include "base/secret.h"

#define MARK "x-mcp-header"
#define WRAPPED "=?base64?"

/* ---- Values ---- */

static bool is_plain(struct slice words) {
	for (size_t i = 0; i < words.length; i++)
		if (words.bytes[i] < 0x20 || words.bytes[i] > 0x7e) return false;
	if (!words.length) return true;
	return words.bytes[0] != ' ' && words.bytes[words.length - 1] != ' ' &&
		!slice_starts_with(words, WRAPPED);
}

void mcp_header_write(struct text *to, const char *name, struct slice value) {
	text_printf(to, "%s: ", name);
	if (is_plain(value)) {
		text_add(to, value);
		return;
	}
	text_add_cstr(to, WRAPPED);
	secret_base64(to, value);
	text_add_cstr(to, "?=");
}

bool mcp_header_read(struct slice value, struct text *to) {
	size_t front = sizeof WRAPPED - 1;
	bool is_wrapped = slice_starts_with(value, WRAPPED) && value.length >= front + 2 &&
		memcmp(value.bytes + value.length - 2, "?=", 2) == 0;
	if (!is_wrapped) {
		text_add(to, value);
		return !text_failed(to);
	}
	return secret_unbase64(to, slice_make(value.bytes + front, value.length - front - 2)) &&
		!text_failed(to);
}

struct slice mcp_header_name(struct slice method, const struct scan_value *params,
	struct arena *arena) {
	struct scan_value value;
	struct slice words;
	bool is_resource = slice_is(method, "resources/read");
	bool has_name = is_resource || slice_is(method, "tools/call") || slice_is(method, "prompts/get");
	if (!has_name || !scan_find(params, is_resource ? "uri" : "name", &value) ||
		!scan_string(&value, arena, &words))
		return SLICE_NONE;
	return words;
}

struct slice mcp_header_value(const struct scan_value *value, struct arena *arena) {
	struct slice words;
	if (value->type != SCAN_STRING) return value->text;
	return scan_string(value, arena, &words) ? words : SLICE_NONE;
}

/* ---- Marks ---- */

enum place {
	PLACE_SCHEMA,     /* of an argument, or of all */
	PLACE_PROPERTIES, /* of such a schema */
	PLACE_ELSEWHERE,  /* where no mark may be */
};

struct level {
	struct scan_walk walk;
	enum place place;
	struct scan_value schema;   /* of PLACE_SCHEMA */
	struct scan_value argument; /* what it describes; SCAN_NONE: nothing */
};

struct search {
	struct arena *arena;
	mcp_header_seen *seen;
	void *context;
	struct level levels[SCAN_DEPTH];
	size_t depth;
	struct slice names[MCP_HEADER_PARAMS];
	size_t name_count;
};

static bool bad(struct fault *why, const char *what) {
	return fault_set(why, FAULT_BAD_INPUT, "its inputSchema marks an argument by " MARK " %s", what);
}

static bool is_token(struct slice name) {
	for (size_t i = 0; i < name.length; i++) {
		char c = name.bytes[i];
		bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		if (!is_word && !(c && strchr("!#$%&'*+-.^_`|~", c))) return false;
	}
	return name.length > 0;
}

static bool add_name(struct search *search, struct slice name, struct fault *why) {
	for (size_t i = 0; i < search->name_count; i++)
		if (slice_equal_ignoring_case(search->names[i], name))
			return bad(why, "with a name that another one has");
	if (search->name_count == MCP_HEADER_PARAMS) return bad(why, "more than 64 times");
	search->names[search->name_count++] = name;
	return true;
}

static bool may_carry(const struct scan_value *schema) {
	struct scan_value type;
	if (!scan_find(schema, "type", &type)) return false;
	return slice_is(type.text, "\"string\"") || slice_is(type.text, "\"integer\"") ||
		slice_is(type.text, "\"boolean\"");
}

static bool take_mark(struct search *search, const struct level *level,
	const struct scan_value *mark, struct fault *why) {
	struct mcp_header_param param = {.value = level->argument};
	if (level->place != PLACE_SCHEMA || search->depth == 1) return bad(why, "where no argument is");
	if (!scan_string(mark, search->arena, &param.name) || !is_token(param.name))
		return bad(why, "with a name that no header can have");
	if (!may_carry(&level->schema)) return bad(why, "that is no string, integer or boolean");
	if (!add_name(search, param.name, why)) return false;
	if (param.value.type == SCAN_NULL) param.value.type = SCAN_NONE;
	return !search->seen || search->seen(search->context, &param) ||
		fault_set(why, FAULT_NO_MEMORY, "no memory for the headers of a request");
}

static struct scan_value argument_of(struct search *search, const struct level *level,
	const struct scan_member *member) {
	struct scan_value none = {.type = SCAN_NONE}, found;
	struct slice key, ended;
	if (level->argument.type != SCAN_OBJECT || !scan_key(member, search->arena, &key) ||
		!arena_copy(search->arena, key, &ended))
		return none;
	return scan_find(&level->argument, ended.bytes, &found) ? found : none;
}

/* Data, in which the word is nothing but a word. */
static bool is_data(const struct scan_member *member) {
	return scan_key_is(member, "default") || scan_key_is(member, "examples") ||
		scan_key_is(member, "const") || scan_key_is(member, "enum");
}

static bool has_mark(const struct scan_value *schema) {
	return memmem(schema->text.bytes, schema->text.length, MARK, sizeof MARK - 1) != NULL;
}

static void go_into(struct search *search, const struct scan_member *member) {
	const struct level *from = &search->levels[search->depth - 1];
	struct level *to = &search->levels[search->depth];
	const struct scan_value *value = &member->value;
	bool is_inside = value->type == SCAN_OBJECT || value->type == SCAN_ARRAY;
	if (!is_inside || search->depth == SCAN_DEPTH) return;
	if (from->place != PLACE_PROPERTIES && from->walk.is_object && is_data(member)) return;
	/* Each argument that is looked for costs a walk over all of them. */
	if (from->place == PLACE_PROPERTIES && !has_mark(value)) return;
	*to = (struct level){.place = PLACE_ELSEWHERE};
	if (from->place == PLACE_PROPERTIES) {
		to->place = PLACE_SCHEMA;
		to->schema = *value;
		to->argument = argument_of(search, from, member);
	} else if (from->place == PLACE_SCHEMA && value->type == SCAN_OBJECT &&
		scan_key_is(member, "properties")) {
		to->place = PLACE_PROPERTIES;
		to->argument = from->argument;
	}
	scan_open(&to->walk, value);
	search->depth++;
}

bool mcp_header_params(const struct scan_value *schema, const struct scan_value *arguments,
	struct arena *arena, mcp_header_seen *seen, void *context, struct fault *why) {
	struct scan_member member;
	if (schema->type != SCAN_OBJECT || !has_mark(schema)) return true;
	struct search *search = arena_zero(arena, sizeof *search);
	if (!search) return fault_set(why, FAULT_NO_MEMORY, "no memory for a schema");
	search->arena = arena;
	search->seen = seen;
	search->context = context;
	search->levels[0].schema = *schema;
	if (arguments) search->levels[0].argument = *arguments;
	scan_open(&search->levels[0].walk, schema);
	for (search->depth = 1; search->depth;) {
		struct level *level = &search->levels[search->depth - 1];
		if (!scan_next(&level->walk, &member)) search->depth--;
		else if (level->place != PLACE_PROPERTIES && level->walk.is_object && scan_key_is(&member, MARK)) {
			if (!take_mark(search, level, &member.value, why)) return false;
		} else
			go_into(search, &member);
	}
	return true;
}
