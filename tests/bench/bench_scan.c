/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the check of a text and the reading of an envelope: nanoseconds each, the best of
 * several rounds, for about 300 octets, for 8 KiB of text, in another script, and with escapes.
 */
#include "base/clock.h"
#include "wire/envelope.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 7
#define ROUND_US 40000

struct row {
	const char *name;
	struct text text;
};

typedef bool work(struct slice text, struct arena *arena);

static bool check_text(struct slice text, struct arena *arena) {
	struct scan_value root;
	(void)arena;
	return scan_check(text, SCAN_DEPTH, &root, NULL);
}

static bool read_envelope(struct slice text, struct arena *arena) {
	struct envelope envelope;
	arena_reset(arena);
	return envelope_read(&envelope, text, arena, NULL);
}

static bool check_utf8(struct slice text, struct arena *arena) {
	(void)arena;
	return scan_is_utf8(text);
}

/* Nanoseconds for one; negative: the text was refused. */
static double measure(work *does, struct slice text) {
	char lent[1024];
	struct arena arena;
	double best = -1;
	arena_init(&arena, lent, sizeof(lent), 0);
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t count = 0;
		uint64_t start = clock_monotonic_us();
		uint64_t now = start;
		for (; now - start < ROUND_US; now = clock_monotonic_us(), count += 200)
			for (int i = 0; i < 200; i++)
				if (!does(text, &arena)) return -1;
		double each = (double)(now - start) * 1000 / (double)count;
		if (best < 0 || each < best) best = each;
	}
	arena_finish(&arena);
	return best;
}

static void envelope_make(struct text *text, const char *words, size_t repeat) {
	text_init(text, 0);
	text_add_cstr(text, "{\"protocol\":\"mcpx/v0.1\","
			    "\"id\":\"2f6b6e70-7b36-4b8b-9ad8-7c4f7d0e2d0b\","
			    "\"ts\":\"2026-11-22T05:04:52.123Z\",\"from\":\"robot-alpha\",\"to\":[\"coordinator\"],"
			    "\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":42,\"method\":\"tools/call\","
			    "\"params\":{\"name\":\"robot.move\",\"arguments\":{\"x\":1,\"y\":2.5,\"text\":\"");
	for (size_t i = 0; i < repeat; i++) text_add_cstr(text, words);
	text_add_cstr(text, "\"}}}}");
}

int main(void) {
	struct row rows[] = {{.name = "300 octets"}, {.name = "8 KiB of ASCII"},
		{.name = "8 KiB of Cyrillic"}, {.name = "8 KiB with escapes"}};
	envelope_make(&rows[0].text, "to the left", 1);
	envelope_make(&rows[1].text, "Sixteen octets. ", 512);
	envelope_make(&rows[2].text, "\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82 ", 630);
	envelope_make(&rows[3].text, "One line, then.\\n", 482);
	int failed = 0;
	printf("%-20s %8s %10s %10s %10s\n", "envelope", "octets", "utf8 ns", "check ns", "read ns");
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct slice text = text_slice(&rows[i].text);
		double utf8 = measure(check_utf8, text);
		double check = measure(check_text, text);
		double read = measure(read_envelope, text);
		printf("%-20s %8zu %10.1f %10.1f %10.1f\n", rows[i].name, text.length, utf8, check, read);
		if (utf8 < 0 || check < 0 || read < 0) failed = 1;
		text_finish(&rows[i].text);
	}
	return failed;
}
