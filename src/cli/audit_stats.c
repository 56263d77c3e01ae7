/* SPDX-License-Identifier: Apache-2.0 */
/* Audit stats: counted by the gateway or here, shown as bars. */
#include "cli/audit_stats.h"

#include "base/clock.h"
#include "cli/ask.h"
#include "cli/audit_source.h"
#include "wire/scan.h"

#include <stdio.h>

#define DAY_MS (24LL * 3600 * 1000)
#define BAR 40 /* characters of the longest */
#define KEY_WIDTH 48

static const struct command_option options[] = {
	AUDIT_FILTER_OPTIONS,
	{"by", "WHAT", "type (default), actor, server or hour (UTC)"},
	{"limit", "N", "how many lines at most (20; hours 48)"},
	{0},
};

static const struct command_form form = {
	.name = "audit stats",
	.usage = "[--by type|actor|server|hour] [options]",
	.summary = "Counts audit records; without --since those of the last 24 hours.",
	.more = "A record that stands for several refusals of a minute counts as many. Examples:\n"
		"  hustings audit stats --by actor --result BLOCKED     who is refused most\n"
		"  hustings audit stats --by hour --since 7d            when it happens",
	.options = options,
	.reaches = true,
	.prints = true,
};

static bool count_files(struct audit_source *source, enum audit_tally_by by, uint64_t limit,
	struct text *json, struct fault *why) {
	struct audit_tally tally;
	struct audit_question question = {.filter = source->filter, .form = AUDIT_TALLY, .tally = &tally};
	bool done;
	audit_tally_init(&tally);
	if (!question.filter.since) question.filter.since = clock_wall_ms() - DAY_MS;
	do {
		done = audit_answer(source->archive, &question, why);
		question.from = question.next;
	} while (done && question.next);
	if (done) audit_tally_write(json, &tally, by, (size_t)limit);
	audit_question_finish(&question);
	audit_tally_finish(&tally);
	if (done && text_failed(json)) return fault_set(why, FAULT_NO_MEMORY, "no memory for the counts");
	return done;
}

static bool count_gateway(struct audit_source *source, enum audit_tally_by by, uint64_t limit,
	struct text *json, struct fault *why) {
	AUTO_TEXT struct text path = {0}, number = {0};
	text_init(&path, 2000);
	text_init(&number, 0);
	audit_source_path(source, "/admin/audit/statistics", &path);
	audit_source_parameter(&path, "by", slice_of(audit_tally_word(by)));
	text_number(&number, (int64_t)limit);
	audit_source_parameter(&path, "limit", text_slice(&number));
	if (text_failed(&path)) return fault_set(why, FAULT_TOO_LARGE, "the options are too long");
	return ask(&source->reach, "GET", path.bytes, SLICE_NONE, json, why);
}

/* ---- Bars ---- */

struct bar {
	char key[KEY_WIDTH * 4 + 1];
	int64_t count;
};

static bool bar_read(const struct scan_value *line, struct arena *arena, struct bar *bar) {
	struct scan_value key, count;
	struct slice text;
	if (!scan_find(line, "key", &key) || !scan_string(&key, arena, &text) ||
		!scan_find(line, "count", &count) || !scan_integer(&count, &bar->count))
		return false;
	text_display_in(bar->key, sizeof bar->key, text);
	return true;
}

static void write_bar(struct text *to, const struct bar *bar, size_t width, int64_t most) {
	char hashes[BAR + 1];
	int length = most > 0 ? (int)(bar->count * BAR / most) : 0;
	if (length == 0 && bar->count > 0) length = 1;
	memset(hashes, '#', sizeof hashes);
	text_printf(to, "%-*s  %10lld  %.*s\n", (int)width, bar->key, (long long)bar->count, length, hashes);
}

static void write_bars(struct text *to, const struct scan_value *lines, struct arena *arena, const char *title,
	int64_t other) {
	struct scan_walk walk;
	struct scan_member line;
	struct bar bar;
	size_t width = strlen("(other)");
	int64_t most = 1;
	for (scan_open(&walk, lines); scan_next(&walk, &line);) {
		if (!bar_read(&line.value, arena, &bar)) continue;
		if (strlen(bar.key) > width) width = strlen(bar.key);
		if (bar.count > most) most = bar.count;
	}
	text_printf(to, "%-*s  %10s\n", (int)width, title, "COUNT");
	for (scan_open(&walk, lines); scan_next(&walk, &line);)
		if (bar_read(&line.value, arena, &bar)) write_bar(to, &bar, width, most);
	if (other > 0) text_printf(to, "%-*s  %10lld\n", (int)width, "(other)", (long long)other);
}

static bool write_words(const struct text *json, enum audit_tally_by by, struct text *to, struct fault *why) {
	static const char *const titles[AUDIT_TALLIES] = {"TYPE", "ACTOR", "SERVER", "HOUR"};
	const char *word = audit_tally_word(by);
	struct scan_value root, lines, value;
	struct scan_fault fault;
	struct arena arena;
	int64_t records = 0, other = 0;
	if (!scan_check(text_slice(json), SCAN_DEPTH, &root, &fault) ||
		!scan_path(&root, &lines, "by", word, NULL) || lines.type != SCAN_ARRAY)
		return fault_set(why, FAULT_IO, "the answer holds no counts");
	if (scan_find(&root, "records", &value) && !scan_integer(&value, &records)) records = 0;
	if (scan_path(&root, &value, "other", word, NULL) && !scan_integer(&value, &other)) other = 0;
	arena_init(&arena, NULL, 0, 0);
	write_bars(to, &lines, &arena, titles[by], other);
	text_printf(to, "%lld records\n", (long long)records);
	arena_finish(&arena);
	return !text_failed(to) || fault_set(why, FAULT_NO_MEMORY, "no memory for the counts");
}

int audit_stats(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text json = {0}, words = {0};
	struct audit_source source = {0};
	enum audit_tally_by by = AUDIT_BY_TYPE;
	struct fault why;
	uint64_t limit;
	int status;
	text_init(&json, 0);
	text_init(&words, 0);
	if (!command_read(&line, &form, argc, argv, &status)) return status;
	const char *word = command_value(&line, "by");
	if (word && !audit_tally_read(slice_of(word), &by))
		return command_misuse(&form, "--by must be type, actor, server or hour");
	if (!command_number(&line, "limit", 1, AUDIT_TALLY_KEYS, by == AUDIT_BY_HOUR ? 48 : 20, &limit))
		return COMMAND_USAGE;
	bool done = audit_source_open(&source, &line, false, &why);
	if (done)
		done = source.archive ? count_files(&source, by, limit, &json, &why)
				      : count_gateway(&source, by, limit, &json, &why);
	audit_source_close(&source);
	bool is_json = command_has(&line, "json");
	if (done && !is_json) done = write_words(&json, by, &words, &why);
	if (!done) return command_fail(&why);
	text_add_char(&json, '\n');
	return command_print(text_slice(is_json ? &json : &words)) ? COMMAND_FINE : COMMAND_FAILED;
}
