/* SPDX-License-Identifier: Apache-2.0 */
/* Definition diff: laid out, cut at both ends, and the longest common run of lines between. */
#include "kernel/definition_diff.h"

#include "wire/scan.h"

#include <stdlib.h>

#define AROUND 2        /* lines kept beside a change */
#define LINE_OCTETS 200 /* of a name or a value; what is longer goes on in the next line */

/* One text, a member a line. */
struct layout {
	struct text octets;
	size_t *ends; /* of each line */
	size_t count, capacity;
};

static void line_end(struct layout *layout) {
	if (layout->count == layout->capacity) {
		size_t capacity = layout->capacity ? layout->capacity * 2 : 64;
		size_t *grown = realloc(layout->ends, capacity * sizeof *grown);
		if (!grown) {
			layout->octets.failed = true;
			return;
		}
		layout->ends = grown;
		layout->capacity = capacity;
	}
	layout->ends[layout->count++] = layout->octets.length;
}

static void indent(struct layout *layout, unsigned depth) {
	for (unsigned i = 0; i < depth; i++) text_add_cstr(&layout->octets, "  ");
}

/* All of it is shown: what was added to a long text stands at its end. */
static void add_long(struct layout *layout, struct slice words, unsigned depth) {
	while (words.length > LINE_OCTETS) {
		size_t length = slice_cut(words, LINE_OCTETS);
		if (!length) break;
		text_add(&layout->octets, slice_make(words.bytes, length));
		line_end(layout);
		indent(layout, depth + 1);
		words = slice_make(words.bytes + length, words.length - length);
	}
	text_add(&layout->octets, words);
}

static bool is_filled(const struct scan_value *value) {
	return (value->type == SCAN_OBJECT || value->type == SCAN_ARRAY) && scan_count(value) > 0;
}

static void lay_out(struct layout *layout, struct slice json) {
	struct {
		struct scan_walk walk;
		char close;
	} stack[SCAN_DEPTH + 1];
	struct scan_value root = {.text = slice_trim(json)};
	struct scan_member member;
	unsigned depth = 0;
	root.type = root.text.length && root.text.bytes[0] == '{' ? SCAN_OBJECT : SCAN_ARRAY;
	text_add_char(&layout->octets, root.type == SCAN_OBJECT ? '{' : '[');
	line_end(layout);
	scan_open(&stack[depth].walk, &root);
	stack[depth++].close = root.type == SCAN_OBJECT ? '}' : ']';
	while (depth) {
		if (!scan_next(&stack[depth - 1].walk, &member)) {
			indent(layout, --depth);
			text_add_char(&layout->octets, stack[depth].close);
			line_end(layout);
			continue;
		}
		indent(layout, depth);
		if (member.key.bytes) {
			text_add_char(&layout->octets, '"');
			add_long(layout, member.key, depth);
			text_add_cstr(&layout->octets, "\": ");
		}
		if (!is_filled(&member.value) || depth > SCAN_DEPTH - 1) {
			add_long(layout, member.value.text, depth);
			line_end(layout);
			continue;
		}
		bool is_object = member.value.type == SCAN_OBJECT;
		text_add_char(&layout->octets, is_object ? '{' : '[');
		line_end(layout);
		scan_open(&stack[depth].walk, &member.value);
		stack[depth++].close = is_object ? '}' : ']';
	}
}

static struct slice line_at(const struct layout *layout, size_t at) {
	size_t start = at ? layout->ends[at - 1] : 0;
	return slice_make(layout->octets.bytes + start, layout->ends[at] - start);
}

/* ---- What is written ---- */

struct output {
	struct text *to;
	size_t began;
	bool is_full;
};

static void say(struct output *output, char mark, struct slice line) {
	AUTO_TEXT struct text words = {0};
	if (output->is_full) return;
	if (output->to->length - output->began > DEFINITION_DIFF_OCTETS) {
		output->is_full = true;
		text_add_cstr(output->to, ",\"... and more\"");
		return;
	}
	text_init(&words, 0);
	text_printf(&words, "%c ", mark);
	text_reveal(&words, line);
	if (output->to->length - output->began > 1) text_add_char(output->to, ',');
	text_json(output->to, text_slice(&words));
}

static void say_all(struct output *output, char mark, const struct layout *layout, size_t from, size_t to) {
	for (size_t at = from; at < to; at++) say(output, mark, line_at(layout, at));
}

/* The middle parts, by the lengths of their longest common runs. */
static bool compare(struct output *output, const struct layout *before, const struct layout *after,
	size_t from, size_t before_end, size_t after_end) {
	size_t rows = before_end - from, columns = after_end - from;
	if (rows > DEFINITION_DIFF_LINES || columns > DEFINITION_DIFF_LINES) return false;
	uint16_t *best = calloc((rows + 1) * (columns + 1), sizeof *best);
	if (!best) return false;
#define BEST(row, column) best[(row) * (columns + 1) + (column)]
	for (size_t row = rows; row-- > 0;)
		for (size_t column = columns; column-- > 0;) {
			bool is_same = slice_equal(line_at(before, from + row), line_at(after, from + column));
			uint16_t down = BEST(row + 1, column), right = BEST(row, column + 1);
			BEST(row, column) = is_same ? (uint16_t)(BEST(row + 1, column + 1) + 1) : down > right ? down
													       : right;
		}
	size_t row = 0, column = 0;
	while (row < rows || column < columns) {
		bool is_same = row < rows && column < columns &&
			slice_equal(line_at(before, from + row), line_at(after, from + column));
		if (is_same) {
			say(output, ' ', line_at(before, from + row++));
			column++;
		} else if (column == columns || (row < rows && BEST(row + 1, column) >= BEST(row, column + 1)))
			say(output, '-', line_at(before, from + row++));
		else
			say(output, '+', line_at(after, from + column++));
	}
#undef BEST
	free(best);
	return true;
}

static void write_changes(struct output *output, const struct layout *before, const struct layout *after) {
	size_t start = 0, before_end = before->count, after_end = after->count;
	while (start < before_end && start < after_end && slice_equal(line_at(before, start), line_at(after, start)))
		start++;
	while (before_end > start && after_end > start &&
		slice_equal(line_at(before, before_end - 1), line_at(after, after_end - 1))) {
		before_end--;
		after_end--;
	}
	say_all(output, ' ', before, start > AROUND ? start - AROUND : 0, start);
	if (!compare(output, before, after, start, before_end, after_end)) {
		say_all(output, '-', before, start, before_end);
		say_all(output, '+', after, start, after_end);
	}
	size_t last = before_end + AROUND < before->count ? before_end + AROUND : before->count;
	say_all(output, ' ', before, before_end, last);
}

void definition_diff_write(struct text *to, struct slice before, struct slice after) {
	struct layout old = {.count = 0}, new = {.count = 0};
	text_init(&old.octets, 0);
	text_init(&new.octets, 0);
	lay_out(&old, before);
	lay_out(&new, after);
	struct output output = {.to = to, .began = to->length};
	text_add_char(to, '[');
	if (text_failed(&old.octets) || text_failed(&new.octets)) to->failed = true;
	else write_changes(&output, &old, &new);
	text_add_char(to, ']');
	text_finish(&old.octets);
	text_finish(&new.octets);
	free(old.ends);
	free(new.ends);
}
