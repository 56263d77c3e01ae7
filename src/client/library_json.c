/* SPDX-License-Identifier: Apache-2.0 */
/* Library JSON: the house's one reader, for people who write tools. */
#include "client/library.h"

struct hustings_json hustings_json(const char *text) {
	return library_json(slice_of(text));
}

/* The value as it stands, blanks around it cut off. */
static struct scan_value value_of(struct hustings_json json) {
	static const enum scan_type types[256] = {
		['{'] = SCAN_OBJECT,
		['['] = SCAN_ARRAY,
		['"'] = SCAN_STRING,
		['-'] = SCAN_NUMBER,
		['0' ... '9'] = SCAN_NUMBER,
		['t'] = SCAN_BOOLEAN,
		['f'] = SCAN_BOOLEAN,
		['n'] = SCAN_NULL,
	};
	struct slice text = library_slice(json);
	while (text.length && strchr(" \t\r\n", text.bytes[0]))
		text = slice_make(text.bytes + 1, text.length - 1);
	while (text.length && strchr(" \t\r\n", text.bytes[text.length - 1])) text.length--;
	struct scan_value value = {.text = text, .type = SCAN_NONE};
	if (text.length == 0) return value;
	value.type = types[(unsigned char)text.bytes[0]];
	value.escaped = value.type == SCAN_STRING && memchr(text.bytes, '\\', text.length);
	return value;
}

bool hustings_json_is_sound(struct hustings_json json) {
	struct scan_value root;
	struct scan_fault fault;
	return json.length > 0 && scan_check(library_slice(json), SCAN_DEPTH, &root, &fault);
}

char hustings_json_type(struct hustings_json json) {
	static const char letters[] = {
		[SCAN_NONE] = 0,
		[SCAN_NULL] = '0',
		[SCAN_BOOLEAN] = 'b',
		[SCAN_NUMBER] = 'n',
		[SCAN_STRING] = 's',
		[SCAN_ARRAY] = 'a',
		[SCAN_OBJECT] = 'o',
	};
	return letters[value_of(json).type];
}

bool hustings_json_find(struct hustings_json object, const char *name,
	struct hustings_json *value) {
	struct scan_value root = value_of(object), found;
	if (root.type != SCAN_OBJECT || !scan_find(&root, name, &found)) return false;
	*value = library_json(found.text);
	return true;
}

/* `at` is how many octets of the container are behind us. */
bool hustings_json_each(struct hustings_json container, size_t *at, struct hustings_json *name,
	struct hustings_json *value) {
	struct scan_value root = value_of(container);
	struct scan_walk walk;
	struct scan_member member;
	if (root.type != SCAN_OBJECT && root.type != SCAN_ARRAY) return false;
	scan_open(&walk, &root);
	if (*at) walk.at = root.text.bytes + *at;
	if (!scan_next(&walk, &member)) return false;
	*at = (size_t)(walk.at - root.text.bytes);
	if (name)
		*name = member.key.bytes ? library_json(slice_make(member.key.bytes - 1, member.key.length + 2))
					 : library_json(SLICE_NONE);
	*value = library_json(member.value.text);
	return true;
}

char *hustings_json_string(struct hustings_json json) {
	struct scan_value value = value_of(json);
	struct slice string;
	struct arena arena;
	char lent[512], *copy = NULL;
	arena_init(&arena, lent, sizeof lent, 0);
	if (value.type == SCAN_STRING && scan_string(&value, &arena, &string) &&
		!memchr(string.bytes, 0, string.length))
		copy = slice_copy(string);
	arena_finish(&arena);
	return copy;
}

bool hustings_json_integer(struct hustings_json json, int64_t *integer) {
	struct scan_value value = value_of(json);
	return value.type == SCAN_NUMBER && scan_integer(&value, integer);
}

bool hustings_json_number(struct hustings_json json, double *number) {
	struct scan_value value = value_of(json);
	return value.type == SCAN_NUMBER && scan_number(&value, number);
}

bool hustings_json_boolean(struct hustings_json json, bool *boolean) {
	struct scan_value value = value_of(json);
	return value.type == SCAN_BOOLEAN && scan_boolean(&value, boolean);
}

char *hustings_json_quote(const char *text) {
	AUTO_TEXT struct text quoted;
	text_init(&quoted, 0);
	text_json(&quoted, slice_of(text));
	return text_take(&quoted);
}
