/* SPDX-License-Identifier: Apache-2.0 */
/* Audit export: page by page from the files, or as the gateway streams it. */
#include "cli/audit_export.h"

#include "base/clock.h"
#include "cli/audit_source.h"
#include "cli/audit_stream.h"
#include "store/audit_csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define MARK "# incomplete" /* how the gateway says that it had to stop */

static const struct command_option options[] = {
	AUDIT_FILTER_OPTIONS,
	{"format", "FORM", "jsonl (default), csv, or mgp: events of MGP 6.3, a line each"},
	{"output", "FILE", "where to write (0600); default: stdout"},
	{0},
};

static const struct command_form form = {
	.name = "audit export",
	.usage = "[--format jsonl|csv|mgp] [--output FILE] [options]",
	.summary = "Writes the audit trail, the oldest record first.",
	.more = "In CSV a field that a spreadsheet would take for a formula (= + - @) gets an apostrophe in front.\n"
		"Where no gateway runs on the data folder its files are read. Examples:\n"
		"  hustings audit export --format csv --since 30d --output audit.csv\n"
		"  hustings audit export --format mgp --server files | jq -r .event_type | sort | uniq -c",
	.options = options,
	.reaches = true,
};

static const struct {
	const char *word;
	enum audit_form form;
} formats[] = {{"jsonl", AUDIT_LINES}, {"csv", AUDIT_CSV}, {"mgp", AUDIT_EVENTS}};

struct exporting {
	int file;
	const char *name;
	bool is_line_start;
	bool is_incomplete; /* the mark was seen */
};

static bool write_out(void *context, struct slice bytes, struct fault *why) {
	struct exporting *exporting = context;
	/* The mark comes in a piece of its own, and nothing else begins a line like that. */
	if (exporting->is_line_start && slice_starts_with(bytes, MARK)) exporting->is_incomplete = true;
	if (bytes.length) exporting->is_line_start = bytes.bytes[bytes.length - 1] == '\n';
	if (memmem(bytes.bytes, bytes.length, "\n" MARK, sizeof MARK)) exporting->is_incomplete = true;
	for (size_t at = 0; at < bytes.length;) {
		ssize_t count = write(exporting->file, bytes.bytes + at, bytes.length - at);
		if (count < 0 && errno == EINTR) continue;
		if (count < 0) return fault_errno(why, errno, "%s", exporting->name);
		at += (size_t)count;
	}
	return true;
}

static bool export_files(struct audit_source *source, enum audit_form shape, struct exporting *exporting,
	struct fault *why) {
	struct audit_question question = {.filter = source->filter, .form = shape, .is_upward = true};
	AUTO_TEXT struct text head = {0};
	text_init(&head, 0);
	if (!question.filter.until) question.filter.until = clock_wall_ms() + 1;
	if (shape == AUDIT_CSV) audit_csv_head(&head);
	bool done = write_out(exporting, text_slice(&head), why);
	while (done) {
		done = audit_answer(source->archive, &question, why) &&
			write_out(exporting, text_slice(&question.text), why);
		question.from = question.next;
		if (!question.next) break;
	}
	audit_question_finish(&question);
	return done;
}

static bool export_gateway(struct audit_source *source, const char *format, struct exporting *exporting,
	struct fault *why) {
	AUTO_TEXT struct text path = {0};
	text_init(&path, 2000);
	audit_source_path(source, "/admin/audit/export", &path);
	audit_source_parameter(&path, "format", slice_of(format));
	if (text_failed(&path)) return fault_set(why, FAULT_TOO_LARGE, "the options are too long");
	if (!audit_stream_read(&source->reach, path.bytes, write_out, exporting, why)) return false;
	return !exporting->is_incomplete ||
		fault_set(why, FAULT_IO, "the gateway could not read on: the export is incomplete, see its log");
}

static bool open_output(const char *output, struct exporting *exporting, struct fault *why) {
	exporting->file = STDOUT_FILENO;
	exporting->name = "stdout";
	if (!output) return true;
	exporting->name = output;
	exporting->file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	return exporting->file >= 0 || fault_errno(why, errno, "%s", output);
}

static bool close_output(struct exporting *exporting, struct fault *why) {
	if (exporting->file <= STDOUT_FILENO || close(exporting->file) == 0) return true;
	return fault_errno(why, errno, "%s", exporting->name);
}

int audit_export(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	struct audit_source source = {0};
	struct exporting exporting = {.file = -1, .is_line_start = true};
	struct fault why, closing;
	size_t at = 0;
	int status;
	if (!command_read(&line, &form, argc, argv, &status)) return status;
	const char *format = command_value(&line, "format");
	if (!format) format = formats[0].word;
	while (at < COUNT_OF(formats) && strcmp(format, formats[at].word) != 0) at++;
	if (at == COUNT_OF(formats)) return command_misuse(&form, "--format must be jsonl, csv or mgp");
	bool done = audit_source_open(&source, &line, false, &why) &&
		open_output(command_value(&line, "output"), &exporting, &why);
	if (done)
		done = source.archive ? export_files(&source, formats[at].form, &exporting, &why)
				      : export_gateway(&source, format, &exporting, &why);
	audit_source_close(&source);
	if (!close_output(&exporting, &closing) && done) {
		done = false;
		why = closing;
	}
	return done ? COMMAND_FINE : command_fail(&why);
}
