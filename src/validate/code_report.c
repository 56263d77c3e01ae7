/* SPDX-License-Identifier: Apache-2.0 */
/* Code report: sentences made on the stack, kept when they are new. */
#include "validate/code_report.h"

#include <stdarg.h>
#include <stdio.h>

#define SHOWN 80     /* octets of a name */
#define SENTENCE 240 /* octets with the words around it */

void code_report_init(struct code_report *report, struct arena *arena) {
	*report = (struct code_report){.arena = arena};
}

static void keep(struct code_report *report, struct slice sentence) {
	for (size_t i = 0; i < report->count; i++)
		if (slice_equal(report->items[i], sentence)) return;
	if (report->count == CODE_VIOLATIONS) {
		report->found++;
		return;
	}
	struct slice copy;
	if (!arena_copy(report->arena, sentence, &copy)) {
		report->is_out_of_memory = true;
		return;
	}
	report->items[report->count++] = copy;
	report->found++;
}

void code_report_add(struct code_report *report, const char *what, struct slice name) {
	char sentence[SENTENCE], shown[SHOWN + 1];
	size_t length = text_display_in(shown, sizeof shown, name);
	int written = snprintf(sentence, sizeof sentence, "%s: '%.*s'", what, (int)length, shown);
	if (written > 0)
		keep(report, slice_make(sentence, written < SENTENCE ? (size_t)written : SENTENCE - 1));
}

void code_report_say(struct code_report *report, const char *format, ...) {
	char sentence[SENTENCE];
	va_list arguments;
	va_start(arguments, format);
	int written = vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	if (written > 0)
		keep(report, slice_make(sentence, written < SENTENCE ? (size_t)written : SENTENCE - 1));
}

void code_report_hint(struct code_report *report, struct slice name) {
	for (size_t i = 0; i < report->hint_count; i++)
		if (slice_equal(report->hints[i], name)) return;
	if (report->hint_count < CODE_REPORT_HINTS) report->hints[report->hint_count++] = name;
}

struct code_report_mark code_report_here(const struct code_report *report) {
	return (struct code_report_mark){report->count, report->found, report->hint_count};
}

void code_report_back(struct code_report *report, struct code_report_mark mark) {
	report->count = mark.count;
	report->found = mark.found;
	report->hint_count = mark.hint_count;
}
