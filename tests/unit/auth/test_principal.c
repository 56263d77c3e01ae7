/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "failing_malloc.h"

#include "auth/principal.c"

static void what_was_found_out_is_kept_without_the_finders_memory(void **state) {
	(void)state;
	char words[] = "ann|Ann|2025-06-18|yard\nteam*|t_1";
	const struct principal_facts facts = {
		.kind = PRINCIPAL_HUMAN,
		.privilege = PRIVILEGE_FULL,
		.is_admin = true,
		.has_dialect = true,
		.dialect = ENVELOPE_V01,
		.expires_at = 17,
		.id = slice_make(words, 3),
		.name = slice_make(words + 4, 3),
		.mcp_version = slice_make(words + 8, 10),
		.topics = slice_make(words + 19, 10),
		.token_id = slice_make(words + 30, 3),
	};
	AUTO(principal) principal = principal_make(&facts, NULL);
	assert_non_null(principal);
	memset(words, 'x', sizeof words);
	check_slice(principal->id, "ann");
	check_slice(principal_id_json(principal), "\"ann\"");
	check_slice(principal_text(principal, PRINCIPAL_NAME), "Ann");
	check_slice(principal_text(principal, PRINCIPAL_MCP_VERSION), "2025-06-18");
	check_slice(principal_text(principal, PRINCIPAL_TOPICS), "yard\nteam*");
	check_slice(principal_text(principal, PRINCIPAL_TOKEN_ID), "t_1");
	assert_int_equal(principal->kind, PRINCIPAL_HUMAN);
	assert_int_equal(principal->privilege, PRIVILEGE_FULL);
	assert_int_equal(principal->dialect, ENVELOPE_V01);
	assert_true(principal->is_admin && principal->has_dialect);
	assert_false(principal->is_local || principal->is_open);
	assert_int_equal(principal->expires_at, 17);
	assert_true(principal_may_enter(principal, SLICE("team-a")));
	assert_false(principal_may_enter(principal, SLICE("yards")));
}

static void what_was_not_said_is_empty(void **state) {
	(void)state;
	AUTO(principal) principal = principal_make(&(struct principal_facts){.id = SLICE("bob")}, NULL);
	assert_non_null(principal);
	for (int which = 0; which < PRINCIPAL_TEXTS; which++)
		assert_int_equal(principal_text(principal, which).length, 0);
	assert_true(principal_may_enter(principal, SLICE("anywhere")));
}

/* The id is put between quotes as it is: whatever an identity may hold, JSON has to take. */
static void every_identity_is_a_json_string_between_quotes(void **state) {
	(void)state;
	unsigned taken = 0;
	for (uint32_t character = 1; character < 0x3000; character++) {
		char id[4];
		size_t length = character < 0x80 ? 1 : character < 0x800 ? 2
									 : 3;
		if (length == 1) id[0] = (char)character;
		if (length == 2) id[0] = (char)(0xc0 | character >> 6);
		if (length == 3) id[0] = (char)(0xe0 | character >> 12);
		if (length == 3) id[1] = (char)(0x80 | (character >> 6 & 0x3f));
		if (length > 1) id[length - 1] = (char)(0x80 | (character & 0x3f));
		AUTO(principal) principal =
			principal_make(&(struct principal_facts){.id = slice_make(id, length)}, NULL);
		if (!principal) continue;
		AUTO_TEXT struct text json = {0};
		text_init(&json, 0);
		text_json(&json, principal->id);
		assert_true(slice_equal(principal_id_json(principal), text_slice(&json)));
		taken++;
	}
	assert_true(taken > 1000);
}

static void what_somebody_says_of_itself_comes_last(void **state) {
	(void)state;
	struct fault why;
	const struct principal_facts facts = {.id = SLICE("ann"), .name = SLICE("Ann"), .topics = SLICE("yard"), .is_local = true};
	AUTO(principal) principal = principal_make(&facts, NULL);
	AUTO(principal) described = principal_describe(principal, SLICE("Boss"), SLICE("robot"), SLICE("2025-06-18"), NULL);
	assert_non_null(described);
	check_slice(principal_text(described, PRINCIPAL_NAME), "Ann");
	check_slice(principal_text(described, PRINCIPAL_MCP_VERSION), "2025-06-18");
	check_slice(principal_text(described, PRINCIPAL_TOPICS), "yard");
	assert_int_equal(described->kind, PRINCIPAL_ROBOT);
	assert_true(described->is_local);
	AUTO(principal) again = principal_describe(described, SLICE_NONE, SLICE("human"), SLICE_NONE, NULL);
	assert_int_equal(again->kind, PRINCIPAL_ROBOT);

	char name[257];
	memset(name, 'n', sizeof name);
	assert_null(principal_describe(principal, slice_make(name, sizeof name), SLICE_NONE, SLICE_NONE, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_null(principal_describe(principal, SLICE_NONE, SLICE("cat"), SLICE_NONE, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_null(principal_describe(principal, SLICE_NONE, SLICE_NONE, slice_make(name, 65), &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
}

static void no_identity_too_much_text_or_no_memory_make_none(void **state) {
	(void)state;
	struct fault why;
	static char topics[UINT16_MAX + 1];
	memset(topics, 't', sizeof topics);
	struct principal_facts facts = {.id = SLICE("a b")};
	assert_null(principal_make(&facts, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	facts.id = SLICE("a");
	facts.topics = slice_make(topics, sizeof topics);
	assert_null(principal_make(&facts, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	facts.topics.length--;
	AUTO(principal) long_one = principal_make(&facts, &why);
	assert_non_null(long_one);
	assert_int_equal(principal_text(long_one, PRINCIPAL_TOPICS).length, UINT16_MAX);
	malloc_fails_at(1);
	assert_null(principal_make(&facts, &why));
	malloc_fails_at(0);
	assert_int_equal(why.code, FAULT_NO_MEMORY);
}

static void it_is_there_while_somebody_keeps_it(void **state) {
	(void)state;
	struct principal *principal = principal_make(&(struct principal_facts){.id = SLICE("ann")}, NULL);
	assert_ptr_equal(principal_keep(principal), principal);
	principal_drop(principal);
	check_slice(principal->id, "ann");
	principal_drop(principal);
	principal_drop(NULL);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_found_out_is_kept_without_the_finders_memory),
		cmocka_unit_test(what_was_not_said_is_empty),
		cmocka_unit_test(every_identity_is_a_json_string_between_quotes),
		cmocka_unit_test(what_somebody_says_of_itself_comes_last),
		cmocka_unit_test(no_identity_too_much_text_or_no_memory_make_none),
		cmocka_unit_test(it_is_there_while_somebody_keeps_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
