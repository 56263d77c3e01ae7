/* SPDX-License-Identifier: Apache-2.0 */
/* Table: widths first, then lines. */
#include "cli/table.h"

#include "wire/scan.h"

/* One cell as text, hidden characters shown. */
static void write_scalar(const struct scan_value *value, struct arena *arena, struct text *to) {
	struct slice string = value->text;
	if (value->type == SCAN_STRING && !scan_string(value, arena, &string)) return;
	text_display(to, string);
}

static void write_cell(const struct scan_value *object, const char *member, struct arena *arena,
	struct text *to) {
	struct scan_value value;
	struct scan_walk walk;
	struct scan_member element;
	bool is_first = true;
	text_clear(to);
	if (!scan_find(object, member, &value) || value.type == SCAN_NULL) {
		text_add_char(to, '-');
		return;
	}
	if (value.type != SCAN_ARRAY) {
		write_scalar(&value, arena, to);
		return;
	}
	scan_open(&walk, &value);
	for (; scan_next(&walk, &element); is_first = false) {
		if (!is_first) text_add_char(to, ',');
		write_scalar(&element.value, arena, to);
	}
	if (is_first) text_add_char(to, '-');
}

static void pad(struct text *to, size_t length, size_t width) {
	for (; length < width; length++) text_add_char(to, ' ');
}

static void measure(const struct scan_value *array, const struct table_column *columns,
	struct arena *arena, struct text *cell, size_t widths[TABLE_COLUMNS]) {
	struct scan_walk walk;
	struct scan_member row;
	for (size_t i = 0; columns[i].member; i++) widths[i] = strlen(columns[i].title);
	scan_open(&walk, array);
	while (scan_next(&walk, &row)) {
		for (size_t i = 0; columns[i].member; i++) {
			write_cell(&row.value, columns[i].member, arena, cell);
			if (cell->length > widths[i]) widths[i] = cell->length;
		}
	}
}

static void write_rows(const struct scan_value *array, const struct table_column *columns,
	struct arena *arena, struct text *cell, const size_t widths[TABLE_COLUMNS], struct text *to) {
	struct scan_walk walk;
	struct scan_member row;
	for (size_t i = 0; columns[i].member; i++) {
		text_add_cstr(to, columns[i].title);
		if (columns[i + 1].member) pad(to, strlen(columns[i].title), widths[i] + 2);
	}
	text_add_char(to, '\n');
	scan_open(&walk, array);
	while (scan_next(&walk, &row)) {
		for (size_t i = 0; columns[i].member; i++) {
			write_cell(&row.value, columns[i].member, arena, cell);
			text_add(to, text_slice(cell));
			if (columns[i + 1].member) pad(to, cell->length, widths[i] + 2);
		}
		text_add_char(to, '\n');
	}
}

bool table_write(struct slice json, const char *array, const struct table_column *columns,
	struct text *to, struct fault *why) {
	struct scan_value root, rows;
	struct scan_fault fault;
	struct arena arena;
	size_t widths[TABLE_COLUMNS] = {0};
	AUTO_TEXT struct text cell = {0};
	if (!scan_check(json, SCAN_DEPTH, &root, &fault) || !scan_find(&root, array, &rows) ||
		rows.type != SCAN_ARRAY)
		return fault_set(why, FAULT_IO, "the answer holds no %s", array);
	text_init(&cell, 0);
	arena_init(&arena, NULL, 0, 0);
	measure(&rows, columns, &arena, &cell, widths);
	write_rows(&rows, columns, &arena, &cell, widths, to);
	arena_finish(&arena);
	return !text_failed(to) || fault_set(why, FAULT_NO_MEMORY, "no memory for the table");
}
