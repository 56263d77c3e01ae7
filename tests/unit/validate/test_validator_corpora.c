/* SPDX-License-Identifier: Apache-2.0 */
/* The validators are judged by corpora: tests/validators/VALIDATOR/attacks*.txt and harmless*.txt, a JSON
 * object of arguments per line, a tab, and why. "nohint;" and "hint;" say what the tool says of itself
 * where it is not what is usual (attacks on readonly: it says that it reads). */
#include "check.h"

#include "validate/validator.h"
#include "wire/scan.h"

#include <stdio.h>
#include <stdlib.h>

struct score {
	unsigned caught, attacks, alarms, harmless;
};

static const struct {
	enum validator validator;
	const char *name;
} judged[] = {
	{VALIDATOR_SANDBOX, "sandbox"},
	{VALIDATOR_READONLY, "readonly"},
	{VALIDATOR_NETWORK_RESTRICTED, "network_restricted"},
};

static bool says_read_only(const char *why, bool is_attack) {
	if (strncmp(why, "# hint;", 7) == 0) return true;
	if (strncmp(why, "# nohint;", 9) == 0) return false;
	return is_attack;
}

/* Whether the call is refused; the first sentence. */
static bool is_refused(
	enum validator validator, struct slice arguments, bool is_read_only, char first[240]) {
	const struct tool_security security = {
		.validator = validator, .read_only = is_read_only ? TOOL_YES : TOOL_UNSAID};
	struct validator_report report;
	validator_report_init(&report, validator);
	enum validator_verdict verdict = validator_check(&security, arguments, &report);
	snprintf(first, 240, "%s", report.first);
	assert_true((verdict == VALIDATOR_REFUSES) == (report.count > 0));
	validator_report_finish(&report);
	return verdict == VALIDATOR_REFUSES;
}

static void judge_line(
	enum validator validator, const char *file, char *line, bool is_attack, struct score *score) {
	struct scan_value root;
	struct scan_fault fault;
	char first[240];
	char *tab = strchr(line, '\t');
	if (!tab) fail_msg("%s: no tab in %s", file, line);
	struct slice arguments = slice_make(line, (size_t)(tab - line));
	if (!scan_check(arguments, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT)
		fail_msg("%s: no object: %.*s", file, SLICE_ARGS(arguments));
	bool refused = is_refused(validator, arguments, says_read_only(tab + 1, is_attack), first);
	if (is_attack) {
		score->attacks++;
		score->caught += refused;
	} else {
		score->harmless++;
		score->alarms += refused;
	}
	if (refused == is_attack) return;
	if (is_attack) print_message("  missed: %.*s  %s", SLICE_ARGS(arguments), tab + 1);
	else print_message("  alarm:  %.*s  %s    %s\n", SLICE_ARGS(arguments), tab + 1, first);
}

static void judge_file(
	enum validator validator, const char *name, const char *file, bool is_attack, struct score *score) {
	char path[4096], line[65536];
	const char *source = getenv("HUSTINGS_SOURCE");
	snprintf(path, sizeof path, "%s/tests/validators/%s/%s.txt", source ? source : ".", name, file);
	FILE *opened = fopen(path, "r");
	if (!opened) fail_msg("%s is missing", path);
	while (fgets(line, sizeof line, opened))
		if (line[0] != '\n') judge_line(validator, file, line, is_attack, score);
	fclose(opened);
}

/* At least 95 of 100 are caught; at most 3 of 100 are false alarms. */
static void check_set(const char *attacks, const char *harmless) {
	bool holds = true;
	for (size_t i = 0; i < COUNT_OF(judged); i++) {
		struct score score = {0};
		judge_file(judged[i].validator, judged[i].name, attacks, true, &score);
		judge_file(judged[i].validator, judged[i].name, harmless, false, &score);
		print_message("%s (%s): caught %u of %u, false alarms %u of %u\n", judged[i].name, attacks,
			score.caught, score.attacks, score.alarms, score.harmless);
		assert_true(score.attacks > 0 && score.harmless > 0);
		if (score.caught * 100 < score.attacks * 95 || score.alarms * 100 > score.harmless * 3)
			holds = false;
	}
	assert_true(holds);
}

static void attacks_are_caught_and_look_alikes_pass(void **state) {
	(void)state;
	check_set("attacks", "harmless");
}

static void the_second_set_too(void **state) {
	(void)state;
	check_set("attacks_2", "harmless_2");
}

static void and_the_third(void **state) {
	(void)state;
	check_set("attacks_3", "harmless_3");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attacks_are_caught_and_look_alikes_pass),
		cmocka_unit_test(the_second_set_too),
		cmocka_unit_test(and_the_third),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
