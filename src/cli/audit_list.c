/* SPDX-License-Identifier: Apache-2.0 */
/* Audit list: a table of what was, or lines of what is added. */
#include "cli/audit_list.h"

#include "cli/audit_follow.h"
#include "cli/audit_pages.h"
#include "cli/table.h"

#include <stdio.h>

static const struct command_option options[] = {
	AUDIT_FILTER_OPTIONS,
	{"limit", "N", "how many at most, the newest first (100; with --follow 10)"},
	{"before", "ROW", "those before that row"},
	{"follow", NULL, "then what is added, as it is added, until Ctrl-C; the oldest first"},
	{0},
};

static const struct command_form form = {
	.name = "audit",
	.usage = "[list] [options]",
	.summary = "Shows who did what, which calls were made and what was refused, the newest row first.",
	.more = "Other verbs\n"
		"  hustings audit verify      checks that no record was changed, reordered or cut\n"
		"  hustings audit export      writes the trail as JSON lines or CSV\n"
		"  hustings audit stats       counts by type, actor, server or hour\n\n"
		"Examples\n"
		"  hustings audit --since 1h --result BLOCKED         what was refused in the last hour\n"
		"  hustings audit --follow --server files             what happens to one server, live\n"
		"  hustings audit --trace 550e8400-e29b-41d4-a716-446655440000    what became of one call\n"
		"  hustings audit --source claimed                    what servers say of themselves\n"
		"  hustings audit --event 'dev.hustings.*' --json | jq -r '.records[].actor'\n\n"
		"Where no gateway runs on the data folder its files are read. With --follow --json each line is a\n"
		"record.",
	.options = options,
	.reaches = true,
	.prints = true,
};

/* Those without `always` are left out when no record has them. */
static const struct {
	struct table_column column;
	bool always;
} columns[] = {
	{{"row", "ROW"}, true},
	{{"ts", "TIME"}, true},
	{{"event", "EVENT"}, true},
	{{"actor", "ACTOR"}, true},
	{{"topic", "TOPIC"}, false},
	{{"server_id", "SERVER"}, false},
	{{"tool_name", "TOOL"}, false},
	{{"target", "TARGET"}, false},
	{{"gate", "GATE"}, false},
	{{"result", "RESULT"}, true},
	{{"source", "SOURCE"}, false},
	{{"count", "COUNT"}, true},
};
_Static_assert(COUNT_OF(columns) <= TABLE_COLUMNS, "the table has room for all");

static bool is_there(const struct text *json, const char *member) {
	char words[32];
	int length = snprintf(words, sizeof words, "\"%s\":", member);
	return memmem(json->bytes, json->length, words, (size_t)length) != NULL;
}

static bool write_table(const struct text *json, struct text *table, struct fault *why) {
	struct table_column shown[COUNT_OF(columns) + 1] = {0};
	size_t count = 0;
	for (size_t i = 0; i < COUNT_OF(columns); i++)
		if (columns[i].always || is_there(json, columns[i].column.member))
			shown[count++] = columns[i].column;
	return table_write(text_slice(json), "records", shown, table, why);
}

static int list(const struct command_line *line) {
	AUTO_TEXT struct text json = {0}, table = {0};
	struct audit_source source = {0};
	struct fault why;
	uint64_t limit, before;
	bool is_json = command_has(line, "json");
	text_init(&json, 0);
	text_init(&table, 0);
	if (!command_number(line, "limit", 1, AUDIT_PAGES_LIMIT, 100, &limit) ||
		!command_number(line, "before", 1, INT64_MAX, 0, &before))
		return COMMAND_USAGE;
	bool done = audit_source_open(&source, line, false, &why) &&
		audit_pages_read(&source, limit, before, &json, &why);
	audit_source_close(&source);
	if (done && !is_json) done = write_table(&json, &table, &why);
	if (!done) return command_fail(&why);
	text_add_char(&json, '\n');
	return command_print(text_slice(is_json ? &json : &table)) ? COMMAND_FINE : COMMAND_FAILED;
}

int audit_list(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	int status;
	if (!command_read(&line, &form, argc, argv, &status)) return status;
	if (!command_has(&line, "follow")) return list(&line);
	if (command_has(&line, "before") || command_has(&line, "until"))
		return command_misuse(&form, "--follow has no end: leave --before and --until out");
	return audit_follow(&line);
}
