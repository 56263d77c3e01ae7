/* SPDX-License-Identifier: Apache-2.0 */
/* Tool result: one writer per type of content. */
#include "cli/tool_result.h"

struct result_writer {
	struct text *to;
	struct arena *arena;
	bool is_shown;
};

void tool_result_show(struct text *to, struct slice text) {
	struct slice line, part;
	bool is_first_line = true;
	while (slice_split(&text, '\n', &line)) {
		bool is_first_part = true;
		if (!is_first_line) text_add_char(to, '\n');
		is_first_line = false;
		if (line.length && line.bytes[line.length - 1] == '\r') line.length--;
		while (slice_split(&line, '\t', &part)) {
			if (!is_first_part) text_add_char(to, '\t');
			is_first_part = false;
			text_display(to, part);
		}
	}
}

static void add(struct result_writer *writer, struct slice text) {
	if (writer->is_shown) tool_result_show(writer->to, text);
	else text_add(writer->to, text);
}

static struct slice find(struct result_writer *writer, const struct scan_value *object,
	const char *key) {
	struct scan_value value;
	struct slice string = SLICE_NONE;
	if (scan_find(object, key, &value) && !scan_string(&value, writer->arena, &string)) return SLICE_NONE;
	return string;
}

static void end_line(struct result_writer *writer) {
	const struct text *to = writer->to;
	if (!to->length || to->bytes[to->length - 1] != '\n') text_add_char(writer->to, '\n');
}

static void write_text(struct result_writer *writer, const struct scan_value *item) {
	add(writer, find(writer, item, "text"));
	end_line(writer);
}

/* Base64 is three octets in four characters. */
static void write_media(struct result_writer *writer, const struct scan_value *item) {
	struct slice type = find(writer, item, "type"), mime = find(writer, item, "mimeType");
	size_t octets = find(writer, item, "data").length / 4 * 3;
	text_add_char(writer->to, '[');
	text_display(writer->to, type);
	text_add_char(writer->to, ' ');
	text_display(writer->to, mime);
	text_printf(writer->to, ", about %zu octets: --json has it]\n", octets);
}

static void write_link(struct result_writer *writer, const struct scan_value *item) {
	text_add_cstr(writer->to, "[resource ");
	text_display(writer->to, find(writer, item, "uri"));
	text_add_cstr(writer->to, "]\n");
}

static void write_resource(struct result_writer *writer, const struct scan_value *item) {
	struct scan_value resource;
	if (!scan_find(item, "resource", &resource)) return;
	struct slice text = find(writer, &resource, "text");
	write_link(writer, &resource);
	if (!text.length) return;
	add(writer, text);
	end_line(writer);
}

static void write_item(struct result_writer *writer, const struct scan_value *item) {
	static const struct {
		const char *type;
		void (*write)(struct result_writer *writer, const struct scan_value *item);
	} types[] = {{"text", write_text}, {"image", write_media}, {"audio", write_media},
		{"resource_link", write_link}, {"resource", write_resource}};
	struct slice type = find(writer, item, "type");
	for (size_t i = 0; i < COUNT_OF(types); i++) {
		if (!slice_is(type, types[i].type)) continue;
		types[i].write(writer, item);
		return;
	}
	text_add_char(writer->to, '[');
	text_display(writer->to, type);
	text_add_cstr(writer->to, ": --json has it]\n");
}

/* False: there is neither content nor structured content. */
static bool write_all(struct result_writer *writer, const struct scan_value *result) {
	struct scan_value content, structured;
	struct scan_walk walk;
	struct scan_member item;
	size_t count = 0;
	bool has_content = scan_find(result, "content", &content) && content.type == SCAN_ARRAY;
	bool has_structured = scan_find(result, "structuredContent", &structured);
	if (!has_content && !has_structured) return false;
	if (has_content)
		for (scan_open(&walk, &content); scan_next(&walk, &item); count++) write_item(writer, &item.value);
	if (count || !has_structured) return true;
	add(writer, structured.text);
	end_line(writer);
	return true;
}

bool tool_result_write(struct text *to, struct slice text, bool is_shown, bool *is_error) {
	char lent[2048];
	struct arena arena;
	struct scan_value result, value;
	struct scan_fault fault;
	bool said_error = false;
	if (!scan_check(text, SCAN_DEPTH, &result, &fault) || result.type != SCAN_OBJECT) return false;
	arena_init(&arena, lent, sizeof lent, 0);
	struct result_writer writer = {.to = to, .arena = &arena, .is_shown = is_shown};
	bool is_result = write_all(&writer, &result);
	arena_finish(&arena);
	if (!is_result) return false;
	*is_error = scan_find(&result, "isError", &value) && scan_boolean(&value, &said_error) && said_error;
	return true;
}
