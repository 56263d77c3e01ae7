/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "cli/form_ask.h"

#include <stdlib.h>

struct dialogue {
	char *shown;
	size_t shown_length;
	struct text answers;
	struct fault why;
	bool done;
};

/* `requests` is put to somebody who types `typed`. */
static void talk(struct dialogue *dialogue, const char *requests, const char *typed) {
	struct scan_value root;
	struct scan_fault fault;
	memset(dialogue, 0, sizeof *dialogue);
	text_init(&dialogue->answers, 0);
	FILE *in = fmemopen((void *)typed, strlen(typed), "r");
	FILE *out = open_memstream(&dialogue->shown, &dialogue->shown_length);
	const struct form_terminal terminal = {in, out};
	assert_true(in && out);
	assert_true(scan_check(slice_of(requests), SCAN_DEPTH, &root, &fault));
	dialogue->done = form_ask_all(&terminal, &root, &dialogue->answers, &dialogue->why);
	fclose(in);
	fclose(out);
}

static void talk_over(struct dialogue *dialogue) {
	text_finish(&dialogue->answers);
	free(dialogue->shown);
}

static void check_dialogue(const char *requests, const char *typed, const char *answers) {
	struct dialogue dialogue;
	talk(&dialogue, requests, typed);
	assert_true(dialogue.done);
	check_text(&dialogue.answers, answers);
	talk_over(&dialogue);
}

#define FORM(properties, required) \
	"{\"q\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\",\"requestedSchema\":" \
	"{\"type\":\"object\",\"properties\":" properties ",\"required\":" required "}}}}"

static void each_kind_of_field_is_read(void **state) {
	(void)state;
	check_dialogue(FORM("{\"name\":{\"type\":\"string\"},\"age\":{\"type\":\"integer\"},\"ok\":{\"type\":\"boolean\"},"
			    "\"height\":{\"type\":\"number\"}}",
			       "[\"name\"]"),
		"Zoe \"Z\"\n42\ny\n1.5\n",
		"{\"q\":{\"action\":\"accept\",\"content\":{\"name\":\"Zoe \\\"Z\\\"\",\"age\":42,\"ok\":true,\"height\":1.5}}}");
}

static void choices_are_taken_by_number_or_by_word(void **state) {
	(void)state;
	check_dialogue(FORM("{\"a\":{\"type\":\"string\",\"enum\":[\"red\",\"green\"]},"
			    "\"b\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"x\",\"title\":\"An X\"},{\"const\":\"y\"}]},"
			    "\"c\":{\"type\":\"array\",\"items\":{\"enum\":[\"p\",\"q\",\"r\"]}}}",
			       "[]"),
		"2\nx\n1, r\n",
		"{\"q\":{\"action\":\"accept\",\"content\":{\"a\":\"green\",\"b\":\"x\",\"c\":[\"p\",\"r\"]}}}");
}

static void an_empty_line_is_the_default_or_nothing(void **state) {
	(void)state;
	check_dialogue(FORM("{\"a\":{\"type\":\"string\",\"default\":\"blue\"},\"b\":{\"type\":\"string\"}}", "[\"a\"]"),
		"\n\n", "{\"q\":{\"action\":\"accept\",\"content\":{\"a\":\"blue\"}}}");
}

static void what_does_not_fit_is_asked_again(void **state) {
	(void)state;
	check_dialogue(FORM("{\"n\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":5}}", "[\"n\"]"),
		"six\n1.5\n9\n\n3\n", "{\"q\":{\"action\":\"accept\",\"content\":{\"n\":3}}}");
}

static void the_person_may_cancel_or_go(void **state) {
	(void)state;
	const char *form = FORM("{\"n\":{\"type\":\"string\"}}", "[\"n\"]");
	check_dialogue(form, "!\n", "{\"q\":{\"action\":\"cancel\"}}");
	check_dialogue(form, "\n\n\n\n\n", "{\"q\":{\"action\":\"cancel\"}}");
	check_dialogue(form, " ", "{\"q\":{\"action\":\"cancel\"}}");
}

static void a_url_is_shown_and_agreed_to(void **state) {
	(void)state;
	const char *ask = "{\"q\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\","
			  "\"message\":\"Sign in\",\"url\":\"https://h/\"}}}";
	check_dialogue(ask, "y\n", "{\"q\":{\"action\":\"accept\"}}");
	check_dialogue(ask, "\n", "{\"q\":{\"action\":\"decline\"}}");
	struct dialogue dialogue;
	talk(&dialogue, ask, "n\n");
	assert_non_null(strstr(dialogue.shown, "https://h/"));
	talk_over(&dialogue);
}

static void a_strangers_words_are_harmless(void **state) {
	(void)state;
	struct dialogue dialogue;
	talk(&dialogue, "{\"q\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"a\\u001b[31mb\","
			"\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"k\":{\"type\":\"string\",\"title\":\"\\u001bT\"}}}}}}",
		"x\n");
	assert_true(dialogue.done);
	assert_null(memchr(dialogue.shown, 0x1b, dialogue.shown_length));
	talk_over(&dialogue);
}

static void what_no_terminal_can_give_is_refused(void **state) {
	(void)state;
	struct dialogue dialogue;
	talk(&dialogue, "{\"q\":{\"method\":\"sampling/createMessage\",\"params\":{}}}", "x\n");
	assert_false(dialogue.done);
	assert_int_equal(dialogue.why.code, FAULT_UNSUPPORTED);
	talk_over(&dialogue);
}

static void a_line_that_is_too_long_answers_nothing(void **state) {
	(void)state;
	AUTO_TEXT struct text typed = {0};
	text_init(&typed, 0);
	for (int i = 0; i < 9000; i++) text_add_char(&typed, 'x');
	text_add_cstr(&typed, "\nann\nbob\n");
	check_dialogue(FORM("{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"}}", "[\"a\",\"b\"]"), typed.bytes,
		"{\"q\":{\"action\":\"accept\",\"content\":{\"a\":\"ann\",\"b\":\"bob\"}}}");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_field_is_read),
		cmocka_unit_test(choices_are_taken_by_number_or_by_word),
		cmocka_unit_test(an_empty_line_is_the_default_or_nothing),
		cmocka_unit_test(what_does_not_fit_is_asked_again),
		cmocka_unit_test(the_person_may_cancel_or_go),
		cmocka_unit_test(a_url_is_shown_and_agreed_to),
		cmocka_unit_test(a_strangers_words_are_harmless),
		cmocka_unit_test(what_no_terminal_can_give_is_refused),
		cmocka_unit_test(a_line_that_is_too_long_answers_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
