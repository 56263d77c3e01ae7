/* SPDX-License-Identifier: Apache-2.0 */
/* Audit tally: four maps from a key to a number, written in order. */
#include "store/audit_tally.h"

#include "base/clock.h"
#include "store/audit_event.h"

#include <stdlib.h>

#define HOUR_MS (3600 * 1000)

struct audit_tally_line {
	struct slice key; /* behind the struct */
	int64_t count;
};

static const char *const words[AUDIT_TALLIES] = {
	[AUDIT_BY_TYPE] = "type",
	[AUDIT_BY_ACTOR] = "actor",
	[AUDIT_BY_SERVER] = "server",
	[AUDIT_BY_HOUR] = "hour",
};

const char *audit_tally_word(enum audit_tally_by by) { return words[by]; }

bool audit_tally_read(struct slice word, enum audit_tally_by *by) {
	for (int i = 0; i < AUDIT_TALLIES; i++) {
		if (!slice_is(word, words[i])) continue;
		*by = (enum audit_tally_by)i;
		return true;
	}
	return false;
}

void audit_tally_init(struct audit_tally *tally) {
	*tally = (struct audit_tally){0};
	for (int i = 0; i < AUDIT_TALLIES; i++) map_init(&tally->keys[i]);
}

void audit_tally_finish(struct audit_tally *tally) {
	void *line;
	for (int i = 0; i < AUDIT_TALLIES; i++) {
		for (size_t at = 0; map_each(&tally->keys[i], &at, &line);) free(line);
		map_finish(&tally->keys[i]);
	}
}

/* ---- Adding ---- */

static bool line_open(struct map *keys, struct slice key, int64_t count, struct fault *why) {
	struct audit_tally_line *line = malloc(sizeof *line + key.length);
	if (!line) return fault_set(why, FAULT_NO_MEMORY, "no memory to count audit records");
	memcpy(line + 1, key.bytes, key.length);
	line->key = slice_make(line + 1, key.length);
	line->count = count;
	if (map_add(keys, line->key, line, NULL)) return true;
	free(line);
	return fault_set(why, FAULT_NO_MEMORY, "no memory to count audit records");
}

static bool count(struct audit_tally *tally, enum audit_tally_by by, struct slice key, int64_t times,
	struct fault *why) {
	struct map *keys = &tally->keys[by];
	if (key.length == 0) return true;
	key.length = slice_cut(key, AUDIT_TALLY_KEY);
	struct audit_tally_line *line = map_find(keys, key);
	if (line) line->count += times;
	else if (keys->count < AUDIT_TALLY_KEYS) return line_open(keys, key, times, why);
	else tally->other[by] += times;
	return true;
}

bool audit_tally_add(struct audit_tally *tally, const struct audit_record *record, int64_t moment,
	struct fault *why) {
	char room[AUDIT_TYPE_SIZE], hour[CLOCK_TEXT_SIZE];
	int64_t times = record->count > 0 ? record->count : 1;
	clock_write(moment - moment % HOUR_MS, hour);
	tally->rows++;
	tally->count += times;
	return count(tally, AUDIT_BY_TYPE, audit_event_type(record, room), times, why) &&
		count(tally, AUDIT_BY_ACTOR, record->actor, times, why) &&
		count(tally, AUDIT_BY_SERVER, audit_event_server(record), times, why) &&
		count(tally, AUDIT_BY_HOUR, slice_of(hour), times, why);
}

/* ---- Writing ---- */

static int by_key(const void *a, const void *b) {
	const struct audit_tally_line *left = *(void *const *)a, *right = *(void *const *)b;
	size_t common = left->key.length < right->key.length ? left->key.length : right->key.length;
	int order = memcmp(left->key.bytes, right->key.bytes, common);
	if (order) return order;
	return left->key.length < right->key.length ? -1 : left->key.length > right->key.length;
}

static int by_count(const void *a, const void *b) {
	const struct audit_tally_line *left = *(void *const *)a, *right = *(void *const *)b;
	if (left->count != right->count) return left->count > right->count ? -1 : 1;
	return by_key(a, b);
}

/* Lines from..to of the sorted ones; what was left out goes to *rest. */
static void write_lines(struct text *to, struct audit_tally_line *const *lines, size_t from, size_t end,
	size_t total, int64_t *rest) {
	for (size_t i = 0; i < total; i++) {
		if (i < from || i >= end) {
			*rest += lines[i]->count;
			continue;
		}
		text_add_cstr(to, i > from ? ",{\"key\":" : "{\"key\":");
		text_json(to, lines[i]->key);
		text_printf(to, ",\"count\":%lld}", (long long)lines[i]->count);
	}
}

static void write_one(struct text *to, const struct audit_tally *tally, enum audit_tally_by by,
	size_t limit, int64_t *rest) {
	struct audit_tally_line *lines[AUDIT_TALLY_KEYS];
	size_t total = 0, from = 0;
	void *line;
	for (size_t at = 0; map_each(&tally->keys[by], &at, &line);) lines[total++] = line;
	if (total) qsort(lines, total, sizeof *lines, by == AUDIT_BY_HOUR ? by_key : by_count);
	if (by == AUDIT_BY_HOUR && total > limit) from = total - limit;
	size_t end = total - from > limit ? from + limit : total;
	*rest = tally->other[by];
	text_printf(to, "\"%s\":[", words[by]);
	write_lines(to, lines, from, end, total, rest);
	text_add_char(to, ']');
}

void audit_tally_write(struct text *to, const struct audit_tally *tally, enum audit_tally_by only,
	size_t limit) {
	int64_t rest[AUDIT_TALLIES] = {0};
	bool has_any = false;
	text_printf(to, "{\"records\":%lld,\"count\":%lld,\"by\":{", (long long)tally->rows,
		(long long)tally->count);
	for (int i = 0; i < AUDIT_TALLIES; i++) {
		if (only != AUDIT_TALLIES && (int)only != i) continue;
		if (has_any) text_add_char(to, ',');
		write_one(to, tally, (enum audit_tally_by)i, limit, &rest[i]);
		has_any = true;
	}
	text_add_cstr(to, "},\"other\":{");
	has_any = false;
	for (int i = 0; i < AUDIT_TALLIES; i++) {
		if (only != AUDIT_TALLIES && (int)only != i) continue;
		text_printf(to, "%s\"%s\":%lld", has_any ? "," : "", words[i], (long long)rest[i]);
		has_any = true;
	}
	text_add_cstr(to, "}}");
}
