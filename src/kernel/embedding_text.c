/* SPDX-License-Identifier: Apache-2.0 */
/* Embedding text: lines, the most telling first. */
#include "kernel/embedding_text.h"

#include "kernel/embedding_wire.h"
#include "wire/scan.h"

#define DESCRIPTION 1400 /* octets */
#define SHORT 200
#define MEMORY ((size_t)1024 * 1024)

static void add_member(struct text *to, const struct scan_value *definition, const char *member, size_t octets) {
	struct scan_value found;
	struct slice text;
	struct arena arena;
	arena_init(&arena, NULL, 0, MEMORY);
	if (scan_find(definition, member, &found) && scan_string(&found, &arena, &text) && text.length > 0) {
		text_add_char(to, '\n');
		text_add(to, slice_make(text.bytes, slice_cut(text, octets)));
	}
	arena_finish(&arena);
}

static void add_parameters(struct text *to, const struct scan_value *definition) {
	struct scan_value properties;
	struct scan_walk walk;
	struct scan_member member;
	const char *before = "\nparameters: ";
	if (!scan_path(definition, &properties, "inputSchema", "properties", NULL) || properties.type != SCAN_OBJECT) return;
	for (scan_open(&walk, &properties); scan_next(&walk, &member);) {
		if (to->length + strlen(before) + member.key.length > EMBEDDING_TEXT) return;
		text_add_cstr(to, before);
		text_add(to, member.key);
		before = ", ";
	}
}

void embedding_text_write(struct text *to, struct slice server, struct slice name, struct slice definition) {
	struct scan_value root;
	struct scan_fault unsound;
	text_add(to, slice_make(server.bytes, slice_cut(server, SHORT)));
	text_add_char(to, ' ');
	text_add(to, slice_make(name.bytes, slice_cut(name, SHORT)));
	if (!scan_check(definition, SCAN_DEPTH, &root, &unsound)) return;
	add_member(to, &root, "title", SHORT);
	add_member(to, &root, "description", DESCRIPTION);
	add_parameters(to, &root);
}
