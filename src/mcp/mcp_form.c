/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_form: members are spliced, never rebuilt. */
#include "mcp/mcp_form.h"

static void add_member(struct text *to, const struct scan_member *member, struct slice value) {
	if (to->length && to->bytes[to->length - 1] != '{') text_add_char(to, ',');
	text_add_char(to, '"');
	text_add(to, member->key);
	text_add_cstr(to, "\":");
	text_add(to, value);
}

static bool is_given(const struct scan_value *content, const struct scan_member *property,
	struct arena *arena) {
	struct scan_value value;
	struct slice key, ended;
	if (content->type != SCAN_OBJECT || !scan_key(property, arena, &key) ||
		!arena_copy(arena, key, &ended))
		return false;
	return scan_find(content, ended.bytes, &value);
}

void mcp_form_write(struct text *to, const struct scan_value *schema,
	const struct scan_value *content) {
	char lent[512];
	struct arena arena;
	struct scan_value properties, standard;
	struct scan_walk walk;
	struct scan_member member;
	arena_init(&arena, lent, sizeof lent, 0);
	text_add_char(to, '{');
	if (content->type == SCAN_OBJECT)
		for (scan_open(&walk, content); scan_next(&walk, &member);)
			add_member(to, &member, member.value.text);
	if (scan_find(schema, "properties", &properties) && properties.type == SCAN_OBJECT)
		for (scan_open(&walk, &properties); scan_next(&walk, &member);)
			if (scan_find(&member.value, "default", &standard) && !is_given(content, &member, &arena))
				add_member(to, &member, standard.text);
	text_add_char(to, '}');
	arena_finish(&arena);
}
