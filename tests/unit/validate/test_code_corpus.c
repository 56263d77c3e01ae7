/* SPDX-License-Identifier: Apache-2.0 */
/* Every case of tests/code_safety: how many attacks are caught, how many harmless look-alikes are not let
 * through; both in the language that they are written in, and in one that has to be guessed. */
#include "check.h"

#include "validate/code_safety.h"

#include <stdio.h>
#include <stdlib.h>

struct score {
	unsigned count, rejected;
};

static char *read_file(const char *name, size_t *length) {
	char path[512];
	const char *source = getenv("HUSTINGS_SOURCE");
	snprintf(path, sizeof path, "%s/tests/code_safety/%s.txt", source ? source : ".", name);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	char *text = malloc(1024 * 1024);
	assert_non_null(text);
	*length = fread(text, 1, 1024 * 1024 - 1, file);
	text[*length] = '\0';
	fclose(file);
	return text;
}

/* "[strict] code" */
static void read_level(struct slice *code, struct code_rules *rules) {
	const char *end = code->length && code->bytes[0] == '[' ? memchr(code->bytes, ']', code->length) : NULL;
	size_t length = end ? (size_t)(end - code->bytes) : 0;
	if (!end || !code_level_read(slice_make(code->bytes + 1, length - 1), &rules->level)) return;
	*code = slice_make(end + 2, code->length - length - 2);
}

static bool is_rejected(struct slice code, enum code_language language, struct code_verdict *verdict,
	struct arena *arena) {
	struct code_rules rules;
	struct fault why = {0};
	code_rules_init(&rules);
	read_level(&code, &rules);
	/* What is read in several languages is never let through at a level that wants one to be sure of. */
	if (language == CODE_UNSAID) rules.level = CODE_STANDARD;
	assert_true(code_safety_check_code(&rules, code, language, arena, verdict, &why));
	return verdict->is_rejected;
}

static void tell(struct slice title, struct slice code, const struct code_verdict *verdict) {
	printf("  %.*s\n    %.*s\n", SLICE_ARGS(title), (int)slice_cut(code, 200), code.bytes);
	for (size_t i = 0; i < verdict->violations.count; i++)
		printf("      %.*s\n", SLICE_ARGS(verdict->violations.items[i]));
}

/* Tells of the cases that are not judged as they should be. */
static struct score judge_file(const char *name, enum code_language language, bool is_attack) {
	struct score score = {0};
	size_t length;
	char *text = read_file(name, &length);
	char *at = text[0] == '%' ? text : strstr(text, "\n%% ");
	while (at) {
		char *title = strstr(at, "%% ") + 3, *line = strchr(title, '\n');
		char *next = strstr(line, "\n%% "), *end = next ? next + 1 : text + length;
		struct slice code = slice_make(line + 1, (size_t)(end - line - 1));
		struct code_verdict verdict;
		struct arena arena;
		arena_init(&arena, NULL, 0, 0);
		bool is_leveled = code.length && code.bytes[0] == '[' && memchr("sr", code.bytes[1], 2);
		bool is_judged = language != CODE_UNSAID || !is_leveled;
		bool is_bad = is_judged && is_rejected(code, language, &verdict, &arena);
		score.count += is_judged;
		score.rejected += is_bad;
		if (is_judged && is_bad != is_attack) tell(slice_make(title, (size_t)(line - title)), code, &verdict);
		arena_finish(&arena);
		at = next ? next + 1 : NULL;
	}
	free(text);
	return score;
}

static const struct {
	const char *name;
	enum code_language language;
} languages[] = {
	{"python", CODE_PYTHON},
	{"javascript", CODE_JAVASCRIPT},
	{"shell", CODE_SHELL},
};

static void check_set(const char *prefix, bool is_guessed, unsigned least) {
	struct score attacks = {0}, harmless = {0};
	for (size_t i = 0; i < COUNT_OF(languages); i++) {
		char name[64];
		enum code_language language = is_guessed ? CODE_UNSAID : languages[i].language;
		snprintf(name, sizeof name, "%s%s_attacks", prefix, languages[i].name);
		struct score bad = judge_file(name, language, true);
		snprintf(name, sizeof name, "%s%s_harmless", prefix, languages[i].name);
		struct score good = judge_file(name, language, false);
		printf("%s%s%s: caught %u of %u, false alarms %u of %u\n", prefix, languages[i].name,
			is_guessed ? " (guessed)" : "", bad.rejected, bad.count, good.rejected, good.count);
		attacks.count += bad.count;
		attacks.rejected += bad.rejected;
		harmless.count += good.count;
		harmless.rejected += good.rejected;
	}
	printf("%scode_safety%s: caught %u of %u, false alarms %u of %u\n", prefix, is_guessed ? " (guessed)" : "",
		attacks.rejected, attacks.count, harmless.rejected, harmless.count);
	assert_true(attacks.count >= least && harmless.count >= least);
	assert_true(attacks.rejected * 100 >= attacks.count * 95);
	assert_true(harmless.rejected * 100 <= harmless.count * 3);
}

static void attacks_are_caught_and_look_alikes_pass(void **state) {
	(void)state;
	check_set("", false, 150);
}

static void so_it_is_where_the_language_is_guessed(void **state) {
	(void)state;
	check_set("", true, 150);
}

/* Written when the code was there, and judged as it stood: see docs/internals/code_safety.md. */
static void a_second_set_is_judged_as_well(void **state) {
	(void)state;
	check_set("second_", false, 75);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attacks_are_caught_and_look_alikes_pass),
		cmocka_unit_test(so_it_is_where_the_language_is_guessed),
		cmocka_unit_test(a_second_set_is_judged_as_well),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
