/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "failing_malloc.h"

/* Memory that runs out while a decision is made, changed or read. */
#include "../../../src/decide/decision.c"

#include "decide/decision_record.h"

static struct decision_wish wish(void) {
	static struct slice permissions[2], deciders[1];
	permissions[0] = SLICE("filesystem.read");
	permissions[1] = SLICE("shell.execute");
	deciders[0] = SLICE("ol\"ga");
	return (struct decision_wish){
		.kind = DECISION_PERMISSION,
		.requester = SLICE("server:files"),
		.server = SLICE("files"),
		.tool = SLICE("t\\"),
		.topic = SLICE("yard"),
		.message = SLICE("line\nline"),
		.arguments = SLICE("{ \"a\" : [1, 2]}"),
		.permissions = permissions,
		.permission_count = 2,
		.deciders = deciders,
		.decider_count = 1,
		.ttl_ms = 1000,
	};
}

static void words_are_read_back(void **state) {
	(void)state;
	enum decision_kind kind;
	enum decision_state word;
	for (size_t i = 0; i < DECISION_KINDS; i++) {
		assert_true(decision_kind_read(slice_of(decision_kind_text((enum decision_kind)i)), &kind));
		assert_int_equal(kind, i);
	}
	for (size_t i = 0; i < DECISION_STATES; i++) {
		assert_true(decision_state_read(slice_of(decision_state_text((enum decision_state)i)), &word));
		assert_int_equal(word, i);
	}
	assert_false(decision_kind_read(SLICE("Call"), &kind));
	assert_false(decision_kind_read(SLICE(""), &kind));
	assert_false(decision_state_read(SLICE("open"), &word));
}

static void a_record_reads_back_the_same(void **state) {
	(void)state;
	struct decision_wish asked = wish();
	struct decision next;
	struct fault why;
	AUTO_TEXT struct text first = {0}, second = {0};
	text_init(&first, 0);
	text_init(&second, 0);
	AUTO(decision) decision = decision_make(&asked, 1700000000000, &why);
	assert_non_null(decision);
	memcpy(decision->id, "d-7f3k2m9q", DECISION_ID);
	const struct decision_words words = {
		.by = SLICE("ann"),
		.reason = SLICE("\xe2\x80\xae!"),
		.answer = SLICE("{\"only\" : [\"shell.execute\"]}"),
		.valid_until = 1800000000000,
	};
	assert_true(decision_change(decision, DECISION_APPROVED, &words, 1700000000500, &next, &why));
	decision_become(decision, &next);
	assert_int_equal(decision->version, 2);
	decision_write(decision, &first);
	AUTO(decision) again = decision_read(text_slice(&first), &why);
	if (!again) fail_msg("%s", why.text);
	decision_write(again, &second);
	check_text(&second, first.bytes);
	assert_true(decision_grants(again, SLICE("shell.execute")));
	assert_false(decision_grants(again, SLICE("filesystem.read")));
	assert_true(decision_names(again, SLICE("ol\"ga")));
	assert_memory_equal(again->digest, decision->digest, SECRET_HASH_SIZE);
	assert_int_equal(again->octets, decision->octets);
	assert_int_equal(again->valid_until, decision->valid_until);
}

static void a_cut_or_changed_record_is_none(void **state) {
	(void)state;
	struct decision_wish asked = wish();
	struct fault why;
	AUTO_TEXT struct text record = {0};
	text_init(&record, 0);
	AUTO(decision) decision = decision_make(&asked, 1700000000000, &why);
	assert_non_null(decision);
	memcpy(decision->id, "d-7f3k2m9q", DECISION_ID);
	decision_write(decision, &record);
	for (size_t i = 0; i < record.length; i++) assert_null(decision_read(slice_make(record.bytes, i), &why));
	static const char *const members[] = {"\"id\"", "\"kind\"", "\"state\"", "\"requester\"", "\"digest\"", "\"createdAt\"",
		"\"expiresAt\""};
	for (size_t i = 0; i < COUNT_OF(members); i++) {
		char *at = strstr(record.bytes, members[i]);
		assert_non_null(at);
		at[1] = 'X';
		assert_null(decision_read(text_slice(&record), &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
		at[1] = members[i][1];
	}
	AUTO(decision) whole = decision_read(text_slice(&record), &why);
	assert_non_null(whole);
}

static void memory_may_run_out(void **state) {
	(void)state;
	struct decision_wish asked = wish();
	struct decision next;
	struct fault why = {0};
	const struct decision_words words = {.by = SLICE("ann")};
	malloc_fails_at(1);
	assert_null(decision_make(&asked, 1, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	malloc_fails_at(0);
	AUTO(decision) decision = decision_make(&asked, 1, &why);
	assert_non_null(decision);
	malloc_fails_at(1);
	assert_false(decision_change(decision, DECISION_DENIED, &words, 2, &next, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	assert_int_equal(decision->state, DECISION_PENDING);
	assert_true(decision_change(decision, DECISION_EXPIRED, NULL, 2, &next, &why)); /* without words it needs none */
	decision_drop(decision, &next);
	malloc_fails_at(0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_read_back),
		cmocka_unit_test(a_record_reads_back_the_same),
		cmocka_unit_test(a_cut_or_changed_record_is_none),
		cmocka_unit_test(memory_may_run_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
