/* SPDX-License-Identifier: Apache-2.0 */
/* Audit command: asking a running gateway for records, checking the chain in the files. */
#include "cli/audit_command.h"

#include "cli/ask.h"
#include "cli/table.h"
#include "store/audit.h"
#include "wire/http1.h"

#include <stdio.h>

/* List */

static const struct command_option list_options[] = {
	{"limit", "N", "how many at most, the newest first (100)"},
	{"before", "ROW", "those before that row"},
	{"since", "TIME", "those since then: RFC 3339, or a span like 1h"},
	{"actor", "ID", "of that identity"},
	{"event", "WORD", "of that kind: refused, joined, left, token, privilege, proposal"},
	{"topic", "TOPIC", "in that topic"},
	{0},
};

static const struct command_form list_form = {
	.name = "audit list",
	.usage = "[options]",
	.summary = "Lists who did what and what was refused, by row, the newest row first.",
	.options = list_options,
	.reaches = true,
	.prints = true,
};

static const struct table_column columns[] = {
	{"row", "ROW"},
	{"ts", "TIME"},
	{"event", "EVENT"},
	{"actor", "ACTOR"},
	{"topic", "TOPIC"},
	{"target", "TARGET"},
	{"gate", "GATE"},
	{"result", "RESULT"},
	{"count", "COUNT"},
	{0},
};

static void write_path(const struct command_line *line, struct text *path) {
	char separator = '?';
	text_add_cstr(path, "/admin/audit");
	for (const struct command_option *option = list_options; option->name; option++) {
		const char *value = command_value(line, option->name);
		if (!value) continue;
		text_printf(path, "%c%s=", separator, option->name);
		http1_escape(path, slice_of(value));
		separator = '&';
	}
}

static int list(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text path = {0}, json = {0}, table = {0};
	struct reach reach = {0};
	struct fault why;
	int status;
	text_init(&path, 2000);
	text_init(&json, 0);
	text_init(&table, 0);
	if (!command_read(&line, &list_form, argc, argv, &status)) return status;
	write_path(&line, &path);
	if (text_failed(&path)) return command_misuse(&list_form, "the options are too long");
	bool done = reach_find(&line, true, &reach, &why) &&
		ask(&reach, "GET", path.bytes, SLICE_NONE, &json, &why);
	reach_finish(&reach);
	if (done && !command_has(&line, "json"))
		done = table_write(text_slice(&json), "records", columns, &table, &why);
	if (!done) return command_fail(&why);
	text_add_char(&json, '\n');
	return command_print(text_slice(command_has(&line, "json") ? &json : &table)) ? COMMAND_FINE
										      : COMMAND_FAILED;
}

/* Verify */

static const struct command_option verify_options[] = {
	{"data", "DIR", "the data folder; default $HUSTINGS_DATA, else ~/.local/share/hustings"},
	{0},
};

static const struct command_form verify_form = {
	.name = "audit verify",
	.usage = "[--data DIR] [--json]",
	.summary = "Checks the chain of audit records in the files; a gateway may be running on them.",
	.options = verify_options,
	.prints = true,
};

static int verify(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text json = {0}, words = {0};
	struct audit_verdict verdict = {0};
	char data[PLACE_PATH];
	struct fault why;
	int status;
	text_init(&json, 0);
	text_init(&words, 0);
	if (!command_read(&line, &verify_form, argc, argv, &status)) return status;
	if (!place_find(command_value(&line, "data"), data, &why) || !audit_verify(data, &verdict, &why))
		return command_fail(&why);
	bool is_sound = !verdict.broken && !verdict.tail_cut;
	text_printf(&json, "{\"sound\":%s,\"rows\":%llu,\"first\":%llu,\"broken\":", is_sound ? "true" : "false",
		(unsigned long long)verdict.rows, (unsigned long long)verdict.first);
	if (verdict.broken) text_printf(&json, "%llu", (unsigned long long)verdict.broken);
	else text_add_cstr(&json, "null");
	text_printf(&json, ",\"tailCut\":%s}\n", verdict.tail_cut ? "true" : "false");
	text_printf(&words, "%llu records from row %llu\n", (unsigned long long)verdict.rows,
		(unsigned long long)verdict.first);
	if (verdict.broken)
		text_printf(&words, "row %llu does not fit the chain: it, or what was before it, was changed\n",
			(unsigned long long)verdict.broken);
	if (verdict.tail_cut) text_add_cstr(&words, "the newest records are missing: the tail was cut\n");
	if (is_sound) text_add_cstr(&words, "the chain is sound\n");
	if (!command_print(text_slice(command_has(&line, "json") ? &json : &words))) return COMMAND_FAILED;
	return is_sound ? COMMAND_FINE : COMMAND_FAILED;
}

static const struct command verbs[] = {
	{"list", "lists records by row, the newest first", list},
	{"verify", "checks that none was changed or cut", verify},
	{0},
};

int audit_command(int argc, char **argv) {
	return command_choose(verbs, "hustings audit", NULL, argc, argv);
}
