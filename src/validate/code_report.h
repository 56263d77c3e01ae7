/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code report: the violations found so far, each told once, and the house's own blocked names that were
 * met (for the hints). A plain value of one check; the sentences lie in its arena, which the caller keeps.
 */
#ifndef HUSTINGS_VALIDATE_CODE_REPORT_H
#define HUSTINGS_VALIDATE_CODE_REPORT_H

#include "validate/code_rules.h"

#define CODE_REPORT_HINTS 16

struct code_report {
	struct arena *arena;
	struct slice items[CODE_VIOLATIONS];
	size_t count;
	size_t found;
	struct slice hints[CODE_REPORT_HINTS]; /* names of tables, not copied */
	size_t hint_count;
	bool is_out_of_memory;
};

void code_report_init(struct code_report *report, struct arena *arena);
/* "Blocked import: 'subprocess'": `what` and a name of the code's or of a list, made fit to be shown and
 * cut. */
void code_report_add(struct code_report *report, const char *what, struct slice name);
void code_report_say(struct code_report *report, const char *format, ...) PRINTF_LIKE(2, 3);
/* `name` has to live as long as the verdict. */
void code_report_hint(struct code_report *report, struct slice name);
/* What was found in between goes again. */
struct code_report_mark {
	size_t count, found, hint_count;
};
struct code_report_mark code_report_here(const struct code_report *report);
void code_report_back(struct code_report *report, struct code_report_mark mark);

#endif
