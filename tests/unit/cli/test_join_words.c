/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "cli/join_proposals.h"
#include "cli/join_words.h"

#include <stdio.h>

static struct join_words read_fine(const char *line) {
	struct join_words words;
	struct fault why;
	assert_true(join_words_read(slice_of(line), &words, &why));
	return words;
}

static void words_without_a_slash_are_said(void **state) {
	(void)state;
	struct join_words words = read_fine("  hello  all ");
	assert_int_equal(words.verb, JOIN_SAY);
	check_slice(words.rest, "hello  all");
	assert_int_equal(read_fine("   ").verb, JOIN_NOTHING);
	assert_int_equal(read_fine("").verb, JOIN_NOTHING);
}

static void two_slashes_are_words_that_begin_with_one(void **state) {
	(void)state;
	struct join_words words = read_fine("//etc/passwd is a file");
	assert_int_equal(words.verb, JOIN_SAY);
	check_slice(words.rest, "/etc/passwd is a file");
}

static void a_call_has_two_words_and_a_rest(void **state) {
	(void)state;
	struct join_words words = read_fine("/call  notes\tadd_note  {\"a\": 1} ");
	assert_int_equal(words.verb, JOIN_CALL);
	check_slice(words.words[0], "notes");
	check_slice(words.words[1], "add_note");
	check_slice(words.rest, "{\"a\": 1}");
	check_slice(read_fine("/call notes add_note").rest, "");
}

static void an_optional_word_may_be_left_out(void **state) {
	(void)state;
	assert_int_equal(read_fine("/tools").words[0].length, 0);
	check_slice(read_fine("/tools notes").words[0], "notes");
	struct join_words words = read_fine("/reject 12ab not today");
	check_slice(words.words[0], "12ab");
	check_slice(words.rest, "not today");
}

static void what_is_missing_is_told_by_the_right_form(void **state) {
	(void)state;
	struct join_words words = {.verb = JOIN_QUIT};
	struct fault why;
	assert_false(join_words_read(SLICE("/call notes"), &words, &why));
	assert_string_equal(why.text, "it goes: /call PARTICIPANT TOOL [JSON]");
	assert_int_equal(words.verb, JOIN_QUIT);
	assert_false(join_words_read(SLICE("/aprove 1"), &words, &why));
	assert_non_null(strstr(why.text, "did you mean /approve"));
	assert_false(join_words_read(SLICE("/"), &words, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
}

static void the_help_names_every_command(void **state) {
	static const char *const names[] = {"/help", "/who", "/tools", "/call", "/propose", "/proposals",
		"/approve", "/reject", "/withdraw", "/raw", "/quit"};
	AUTO_TEXT struct text help = {0};
	(void)state;
	text_init(&help, 0);
	join_words_help(&help);
	assert_false(text_failed(&help));
	for (size_t i = 0; i < COUNT_OF(names); i++) assert_non_null(strstr(help.bytes, names[i]));
}

/* ---- Proposals ---- */

static void note(struct join_proposals *proposals, const char *id) {
	const struct join_proposal like = {.id = slice_of(id), .from = SLICE("intern"), .to = SLICE("robot"), .method = SLICE("tools/call"), .params = SLICE("{\"name\":\"move\"}")};
	join_proposals_note(proposals, &like);
}

static void a_proposal_is_found_by_the_beginning_of_its_id(void **state) {
	struct join_proposals proposals;
	struct fault why;
	(void)state;
	join_proposals_init(&proposals);
	note(&proposals, "abc-1");
	note(&proposals, "abd-2");
	note(&proposals, "abd-2"); /* seen twice is one */
	assert_int_equal(proposals.count, 2);
	const struct join_proposal *found = join_proposals_find(&proposals, SLICE("abc"), &why);
	assert_non_null(found);
	check_slice(found->id, "abc-1");
	check_slice(found->to, "robot");
	check_slice(found->params, "{\"name\":\"move\"}");
	assert_null(join_proposals_find(&proposals, SLICE("ab"), &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_null(join_proposals_find(&proposals, SLICE("x"), &why));
	assert_int_equal(why.code, FAULT_NOT_FOUND);
	join_proposals_finish(&proposals);
}

static void a_whole_id_is_meant_even_when_others_begin_with_it(void **state) {
	struct join_proposals proposals;
	struct fault why;
	(void)state;
	join_proposals_init(&proposals);
	note(&proposals, "ab");
	note(&proposals, "abc");
	const struct join_proposal *found = join_proposals_find(&proposals, SLICE("ab"), &why);
	assert_non_null(found);
	check_slice(found->id, "ab");
	join_proposals_settled(&proposals, SLICE("ab"));
	found = join_proposals_find(&proposals, SLICE("ab"), &why);
	assert_non_null(found);
	check_slice(found->id, "abc");
	join_proposals_finish(&proposals);
}

static void the_oldest_goes_when_there_are_too_many(void **state) {
	struct join_proposals proposals;
	struct fault why;
	char id[16];
	(void)state;
	join_proposals_init(&proposals);
	for (unsigned i = 0; i <= JOIN_PROPOSALS_KEPT; i++) {
		snprintf(id, sizeof id, "p%05u", i);
		note(&proposals, id);
	}
	assert_int_equal(proposals.count, JOIN_PROPOSALS_KEPT);
	assert_null(join_proposals_find(&proposals, SLICE("p00000"), &why));
	assert_non_null(join_proposals_find(&proposals, SLICE("p00001"), &why));
	join_proposals_finish(&proposals);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_without_a_slash_are_said),
		cmocka_unit_test(two_slashes_are_words_that_begin_with_one),
		cmocka_unit_test(a_call_has_two_words_and_a_rest),
		cmocka_unit_test(an_optional_word_may_be_left_out),
		cmocka_unit_test(what_is_missing_is_told_by_the_right_form),
		cmocka_unit_test(the_help_names_every_command),
		cmocka_unit_test(a_proposal_is_found_by_the_beginning_of_its_id),
		cmocka_unit_test(a_whole_id_is_meant_even_when_others_begin_with_it),
		cmocka_unit_test(the_oldest_goes_when_there_are_too_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
