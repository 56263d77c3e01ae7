/* SPDX-License-Identifier: Apache-2.0 */
/* Schema reader: nodes in a queue, known by where their text begins. */
#include "mcp/schema_reader.h"

#include <stdarg.h>
#include <stdio.h>

#define PATTERN_OCTETS_IN_ALL ((size_t)8 << 20)
#define WHERE_SHOWN 200

static bool memory_out(struct schema_reader *reader) {
	return fault_set(reader->why, FAULT_NO_MEMORY, "no memory for a schema");
}

void *schema_reader_new(struct schema_reader *reader, size_t size) {
	void *piece = arena_zero(reader->arena, size);
	if (!piece) memory_out(reader);
	return piece;
}

struct schema_node *schema_reader_known(const struct schema_reader *reader,
	const struct scan_value *value) {
	size_t offset = (size_t)(value->text.bytes - reader->schema->text);
	return map_find(&reader->by_offset, slice_make(&offset, sizeof offset));
}

bool schema_reader_child(struct schema_reader *reader, const struct schema_node *up,
	const struct scan_value *value, const struct schema_node **node) {
	struct schema_node *made = schema_reader_known(reader, value);
	*node = made;
	if (made) return true;
	if (value->type != SCAN_OBJECT && value->type != SCAN_BOOLEAN) {
		schema_reader_note(reader, value->text.bytes,
			"this counts for nothing: a schema has to be an object, true or false");
		return true;
	}
	if (reader->schema->node_count >= SCHEMA_NODES)
		return fault_set(reader->why, FAULT_TOO_LARGE, "a schema may have %d schemas in it",
			SCHEMA_NODES);
	made = schema_reader_new(reader, sizeof *made);
	if (!made) return false;

	made->up = up;
	made->resource = up ? up->resource : NULL;
	made->value = *value;
	made->offset = (size_t)(value->text.bytes - reader->schema->text);
	if (!map_add(&reader->by_offset, slice_make(&made->offset, sizeof made->offset), made, NULL))
		return memory_out(reader);
	reader->schema->node_count++;
	if (reader->last) reader->last->next = made;
	reader->last = made;
	if (!reader->unread) reader->unread = made;
	*node = made;
	return true;
}

bool schema_reader_string(struct schema_reader *reader, const struct scan_value *value,
	struct slice *string) {
	return scan_string(value, reader->arena, string) || memory_out(reader);
}

bool schema_reader_key(struct schema_reader *reader, const struct scan_member *member,
	struct slice *key) {
	return scan_key(member, reader->arena, key) || memory_out(reader);
}

/* The member or element of the container that `at` lies in. */
static bool container_at(const struct scan_value *container, const char *at, struct text *pointer,
	struct scan_value *inner) {
	struct scan_walk walk;
	struct scan_member member;
	size_t index = 0;
	for (scan_open(&walk, container); scan_next(&walk, &member); index++) {
		const char *start = member.key.bytes ? member.key.bytes : member.value.text.bytes;
		if (at < start || at >= member.value.text.bytes + member.value.text.length) continue;
		if (member.key.bytes) text_printf(pointer, "/%.*s", SLICE_ARGS(member.key));
		else text_printf(pointer, "/%zu", index);
		*inner = member.value;
		return true;
	}
	return false;
}

void schema_reader_note(struct schema_reader *reader, const char *at, const char *format, ...) {
	struct schema *schema = reader->schema;
	char where[WHERE_SHOWN + 1], words[200], shown[WHERE_SHOWN + 1];
	if (schema->note_count >= SCHEMA_NOTES) return;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(words, sizeof words, format, arguments);
	va_end(arguments);
	AUTO_TEXT struct text pointer = {0};
	text_init(&pointer, 0);
	for (struct scan_value inner = reader->root; container_at(&inner, at, &pointer, &inner);) continue;
	text_display_in(where, sizeof where, text_slice(&pointer));
	text_display_in(shown, sizeof shown, slice_of(words));

	struct slice kept_where, kept_what;
	if (!arena_copy(reader->arena, slice_of(where), &kept_where) ||
		!arena_copy(reader->arena, slice_of(shown), &kept_what))
		return;
	schema->notes[schema->note_count++] =
		(struct schema_note){.where = kept_where.bytes, .what = kept_what.bytes};
}

void schema_reader_note_word(struct schema_reader *reader, const struct schema_words *words,
	enum schema_keyword keyword, const char *wanted) {
	schema_reader_note(reader, words->values[keyword].text.bytes,
		"%s counts for nothing: it has to be %s", schema_keyword_name(keyword), wanted);
}

bool schema_reader_pattern(struct schema_reader *reader, const char *at, struct slice expression,
	const struct pattern **pattern) {
	struct fault why = {0};
	*pattern = NULL;
	AUTO(pattern) made = pattern_read(expression, &why);
	if (!made && why.code == FAULT_NO_MEMORY) return memory_out(reader);
	if (!made) {
		schema_reader_note(reader, at, "the pattern matches everything, since it cannot be read: %s",
			why.text);
		return true;
	}
	reader->pattern_octets += pattern_size(made);
	if (reader->pattern_octets > PATTERN_OCTETS_IN_ALL)
		return fault_set(reader->why, FAULT_TOO_LARGE,
			"the patterns of a schema may take %zu octets of memory", PATTERN_OCTETS_IN_ALL);
	struct schema_pattern *kept = schema_reader_new(reader, sizeof *kept);
	if (!kept) return false;
	*pattern = kept->pattern = TAKE(made);
	kept->next = reader->schema->patterns;
	reader->schema->patterns = kept;
	return true;
}
