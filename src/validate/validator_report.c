/* SPDX-License-Identifier: Apache-2.0 */
/* Validator report: sentences as they are found, and the hints that belong to them. */
#include "validate/validator_report.h"

#include <stdarg.h>
#include <stdio.h>

#define REPORT_OCTETS (64 * 1024)

static const struct {
	enum validator_advice advice;
	const char *name;
	const char *words;
} hints[] = {
	{VALIDATOR_ADVICE_PLAIN, "plain",
		"one command per call; none of the characters ; | & $ ` < > and no line end, in any argument"},
	{VALIDATOR_ADVICE_PATHS, "paths",
		"paths inside the working directory, without .. and without places that hold secrets"},
	{VALIDATOR_ADVICE_COMMAND, "commands",
		"commands that do not destroy, escalate, reach out or run what they fetch"},
	{VALIDATOR_ADVICE_READING, "reading",
		"one statement or operation that reads: SELECT, get, list, find; method GET"},
	{VALIDATOR_ADVICE_HINT, "annotations",
		"the tool says readOnlyHint, or the call names a reading operation"},
	{VALIDATOR_ADVICE_PUBLIC, "hosts",
		"public hosts over http or https, by their ordinary name or address"},
};

static const char *const reasons[VALIDATORS] = {
	[VALIDATOR_NONE] = "Argument validation failed",
	[VALIDATOR_READONLY] = "The call could write, and this tool may only read",
	[VALIDATOR_NETWORK_RESTRICTED] = "The call could reach a network address that is closed",
	[VALIDATOR_CODE_SAFETY] = "Code validation failed",
	[VALIDATOR_SANDBOX] = "The call holds what a sandboxed tool may not be given",
};

void validator_report_init(struct validator_report *report, enum validator validator) {
	*report = (struct validator_report){.validator = validator};
	text_init(&report->kept, REPORT_OCTETS);
	text_init(&report->whole, REPORT_OCTETS);
}

void validator_report_finish(struct validator_report *report) {
	text_finish(&report->kept);
	text_finish(&report->whole);
	report->count = 0;
}

void validator_report_add(struct validator_report *report, enum validator_advice advice, const char *path,
	const char *format, ...) {
	char sentence[sizeof report->first], shown[sizeof report->first];
	va_list values;
	report->advice |= advice;
	if (report->count++ >= VALIDATOR_REPORT_SENTENCES) return;
	int used = snprintf(sentence, sizeof sentence, "%s ", path);
	size_t at = used < 0 ? 0 : (size_t)used < sizeof sentence ? (size_t)used
								  : sizeof sentence - 1;
	va_start(values, format);
	vsnprintf(sentence + at, sizeof sentence - at, format, values);
	va_end(values);
	struct slice whole = slice_of(sentence);
	text_display_in(shown, sizeof shown, slice_make(sentence, slice_cut(whole, whole.length)));
	if (report->count == 1) memcpy(report->first, shown, sizeof shown);
	if (report->kept.length) text_add_char(&report->kept, ',');
	text_json(&report->kept, slice_of(shown));
}

static void write_hints(struct text *to, const struct validator_report *report) {
	const char *between = "";
	text_add_cstr(to, "\"hints\":{");
	for (size_t i = 0; i < COUNT_OF(hints); i++) {
		if (!(report->advice & hints[i].advice)) continue;
		text_printf(to, "%s\"%s\":\"%s\"", between, hints[i].name, hints[i].words);
		between = ",";
	}
	text_add_char(to, '}');
}

void validator_report_write(struct text *to, const struct validator_report *report) {
	if (report->whole.length && !text_failed(&report->whole)) {
		text_add(to, text_slice(&report->whole));
		return;
	}
	text_printf(to, "{\"status\":\"rejected\",\"reason\":\"%s\",\"validator\":\"%s\",\"violations\":[",
		reasons[report->validator], validator_word(report->validator));
	/* Memory that ran out on the way leaves the list empty, never cut within a string. */
	if (!text_failed(&report->kept)) text_add(to, text_slice(&report->kept));
	text_printf(to, "],\"violations_found\":%zu,", report->count);
	write_hints(to, report);
	text_add_char(to, '}');
}
