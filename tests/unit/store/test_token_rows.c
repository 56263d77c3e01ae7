/* SPDX-License-Identifier: Apache-2.0 */
#include "store_rig.h"

#include "base/clock.h"
#include "store/promotion_rows.h"
#include "store/token_rows.h"

#include <sys/stat.h>

#define DAY_MS (24 * 3600 * 1000LL)

struct desk {
	struct folder folder;
	struct state *state;
};

static int set_up(void **state) {
	static struct desk desk;
	folder_make(&desk.folder);
	desk.state = state_open(desk.folder.path, NULL);
	*state = &desk;
	return desk.state ? 0 : -1;
}

static int tear_down(void **state) {
	struct desk *desk = *state;
	state_close(desk->state);
	folder_remove(&desk->folder);
	return 0;
}

static struct token_row sample(const char *token_id, uint8_t first, const char *id) {
	struct token_row row = {
		.id = slice_of(id),
		.name = SLICE("Alice of the \"house\""),
		.kind = SLICE("human"),
		.privilege = SLICE("restricted"),
		.topics = SLICE("one\ntwo"),
		.is_admin = true,
		.created_at = clock_wall_ms(),
	};
	snprintf(row.token_id, sizeof row.token_id, "%s", token_id);
	for (size_t i = 0; i < sizeof row.hash; i++) row.hash[i] = (uint8_t)(first + i);
	return row;
}

static void a_token_is_found_as_it_was_added(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	struct token_row row = sample("t_0123456789abcdef", 1, "alice");
	row.expires_at = row.created_at + DAY_MS;
	assert_true(token_add(desk->state, &row, &why));
	struct token_row *both[] = {token_find(desk->state, row.hash, &why),
		token_find_id(desk->state, row.token_id, &why)};
	for (size_t i = 0; i < 2; i++) {
		struct token_row *found = both[i];
		assert_non_null(found);
		assert_string_equal(found->token_id, row.token_id);
		assert_memory_equal(found->hash, row.hash, sizeof row.hash);
		check_slice(found->id, "alice");
		check_slice(found->name, "Alice of the \"house\"");
		check_slice(found->kind, "human");
		check_slice(found->mcp_version, "");
		check_slice(found->dialect, "");
		check_slice(found->privilege, "restricted");
		check_slice(found->topics, "one\ntwo");
		assert_true(found->is_admin);
		assert_false(found->is_local);
		assert_int_equal(found->created_at, row.created_at);
		assert_int_equal(found->expires_at, row.expires_at);
		assert_int_equal(found->revoked_at, 0);
		token_row_free(found);
	}
}

static void an_unknown_token_is_not_found(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	uint8_t hash[SECRET_HASH_SIZE] = {9};
	assert_null(token_find(desk->state, hash, &why));
	assert_int_equal(why.code, FAULT_NOT_FOUND);
	assert_null(token_find_id(desk->state, "t_none", &why));
	assert_int_equal(why.code, FAULT_NOT_FOUND);
}

static void a_hash_or_a_name_taken_is_refused(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	struct token_row row = sample("t_1", 1, "alice"), same_hash = sample("t_2", 1, "bob");
	struct token_row same_name = sample("t_1", 2, "bob");
	assert_true(token_add(desk->state, &row, &why));
	assert_false(token_add(desk->state, &same_hash, &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	assert_false(token_add(desk->state, &same_name, &why));
	assert_int_equal(why.code, FAULT_EXISTS);
}

static void revoking_counts_those_that_lived(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	size_t count = 99;
	struct token_row first = sample("t_1", 1, "alice"), second = sample("t_2", 2, "alice");
	struct token_row expired = sample("t_3", 3, "alice"), other = sample("t_4", 4, "bob");
	expired.expires_at = 1;
	assert_true(token_add(desk->state, &first, &why));
	assert_true(token_add(desk->state, &second, &why));
	assert_true(token_add(desk->state, &expired, &why));
	assert_true(token_add(desk->state, &other, &why));
	assert_true(token_revoke(desk->state, "t_1", SLICE_NONE, &count, &why));
	assert_int_equal(count, 1);
	assert_true(token_revoke(desk->state, "t_1", SLICE_NONE, &count, &why));
	assert_int_equal(count, 0);
	assert_true(token_revoke(desk->state, NULL, SLICE("alice"), &count, &why));
	assert_int_equal(count, 1);
	assert_true(token_revoke(desk->state, NULL, SLICE("nobody"), &count, &why));
	assert_int_equal(count, 0);
	struct token_row *found = token_find(desk->state, first.hash, &why);
	assert_non_null(found);
	assert_true(found->revoked_at > 0);
	token_row_free(found);
	found = token_find(desk->state, other.hash, &why);
	assert_int_equal(found->revoked_at, 0);
	token_row_free(found);
}

static bool note_first(void *context, const struct token_row *row) {
	snprintf(context, TOKEN_ID, "%s", row->token_id);
	return false;
}

static bool count_all(void *context, const struct token_row *row) {
	(void)row;
	++*(size_t *)context;
	return true;
}

static void each_token_is_shown_the_oldest_first(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	char first[TOKEN_ID];
	size_t count = 0;
	struct token_row young = sample("t_1", 1, "alice"), old = sample("t_2", 2, "alice");
	old.created_at -= 1000;
	assert_true(token_add(desk->state, &young, &why));
	assert_true(token_add(desk->state, &old, &why));
	assert_true(token_each(desk->state, note_first, first, &why));
	assert_string_equal(first, "t_2");
	assert_true(token_each(desk->state, count_all, &count, &why));
	assert_int_equal(count, 2);
}

static void the_sweep_takes_what_ended_over_a_week_ago(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	int64_t now = clock_wall_ms();
	const struct {
		int64_t expires_at, revoked_at;
		bool stays;
	} cases[] = {
		{0, 0, true},
		{now - 6 * DAY_MS, 0, true},
		{now - 8 * DAY_MS, 0, false},
		{0, now - 6 * DAY_MS, true},
		{0, now - 8 * DAY_MS, false},
		{now + DAY_MS, now - 8 * DAY_MS, false},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char name[TOKEN_ID];
		snprintf(name, sizeof name, "t_%zu", i);
		struct token_row row = sample(name, (uint8_t)i, "alice");
		row.expires_at = cases[i].expires_at;
		row.revoked_at = cases[i].revoked_at;
		assert_true(token_add(desk->state, &row, &why));
	}
	assert_true(token_sweep(desk->state, &why));
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char name[TOKEN_ID];
		snprintf(name, sizeof name, "t_%zu", i);
		struct token_row *found = token_find_id(desk->state, name, &why);
		assert_int_equal(found != NULL, cases[i].stays);
		token_row_free(found);
	}
}

static void what_another_connection_writes_changes_the_version(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	struct state *other = state_open(desk->folder.path, &why);
	assert_non_null(other);
	uint64_t before = state_version(desk->state);
	struct token_row row = sample("t_1", 1, "alice"), own = sample("t_2", 2, "alice");
	assert_int_equal(state_version(desk->state), before);
	assert_true(token_add(desk->state, &own, &why));
	assert_int_equal(state_version(desk->state), before);
	assert_true(token_add(other, &row, &why));
	assert_true(state_version(desk->state) != before);
	struct token_row *found = token_find(desk->state, row.hash, &why);
	assert_non_null(found);
	token_row_free(found);
	state_close(other);
}

static void folder_and_file_are_for_their_owner_alone(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	struct stat found;
	char path[192], deep[128];
	snprintf(deep, sizeof deep, "%s/one/two", desk->folder.path);
	struct state *own = state_open(deep, &why);
	assert_non_null(own);
	state_close(own);
	assert_int_equal(stat(deep, &found), 0);
	assert_int_equal(found.st_mode & 0777, 0700);
	snprintf(path, sizeof path, "%s/state.db", deep);
	assert_int_equal(stat(path, &found), 0);
	assert_int_equal(found.st_mode & 0777, 0600);
}

static void the_word_is(struct desk *desk, const char *id, const char *topic, const char *word) {
	struct fault why = {0};
	char privilege[16] = "untouched";
	assert_true(promotion_find(desk->state, slice_of(id), slice_of(topic), privilege, &why));
	assert_string_equal(privilege, word);
}

static void a_topic_s_own_promotion_comes_before_the_one_for_all(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	the_word_is(desk, "robin", "one", "");
	assert_true(promotion_set(desk->state, SLICE("robin"), SLICE_NONE, "restricted", SLICE("root"), &why));
	assert_true(promotion_set(desk->state, SLICE("robin"), SLICE("one"), "full", SLICE("root"), &why));
	the_word_is(desk, "robin", "one", "full");
	the_word_is(desk, "robin", "two", "restricted");
	the_word_is(desk, "alice", "one", "");
	assert_true(promotion_set(desk->state, SLICE("robin"), SLICE("one"), "restricted", SLICE("root"), &why));
	the_word_is(desk, "robin", "one", "restricted");
}

static void a_promotion_for_all_topics_removes_those_of_single_ones(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	assert_true(promotion_set(desk->state, SLICE("robin"), SLICE("one"), "restricted", SLICE("root"), &why));
	assert_true(promotion_set(desk->state, SLICE("alice"), SLICE("one"), "restricted", SLICE("root"), &why));
	assert_true(promotion_set(desk->state, SLICE("robin"), SLICE_NONE, "full", SLICE("root"), &why));
	the_word_is(desk, "robin", "one", "full");
	the_word_is(desk, "alice", "one", "restricted");
}

static bool add_session(struct desk *desk, int number, const char *parent, const char *id, int most, struct fault *why) {
	char name[TOKEN_ID];
	snprintf(name, sizeof name, "t_s%d", number);
	struct token_row row = sample(name, (uint8_t)(100 + number), id);
	row.is_session = true;
	row.parent = slice_of(parent);
	row.created_at += number; /* one after the other */
	return token_add_session(desk->state, &row, most, why);
}

static bool is_there(struct desk *desk, const char *token_id) {
	struct token_row *row = token_find_id(desk->state, token_id, NULL);
	token_row_free(row);
	return row != NULL;
}

static void a_session_goes_with_its_parent(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	size_t count = 0;
	struct token_row parent = sample("t_1", 1, "alice"), other = sample("t_2", 2, "alice");
	assert_true(token_add(desk->state, &parent, &why));
	assert_true(token_add(desk->state, &other, &why));
	assert_true(add_session(desk, 1, "t_1", "alice", 9, &why));
	assert_true(add_session(desk, 2, "t_2", "alice", 9, &why));
	struct token_row *found = token_find_id(desk->state, "t_s1", &why);
	assert_non_null(found);
	assert_true(found->is_session);
	check_slice(found->parent, "t_1");
	check_slice(found->topics, "one\ntwo");
	token_row_free(found);
	found = token_find_id(desk->state, "t_1", &why);
	assert_non_null(found);
	assert_false(found->is_session);
	assert_int_equal(found->parent.length, 0);
	token_row_free(found);
	assert_true(token_revoke(desk->state, "t_1", SLICE_NONE, &count, &why));
	assert_int_equal(count, 2);
	assert_true(token_revoke(desk->state, "t_s2", SLICE_NONE, &count, &why));
	assert_int_equal(count, 1);
	assert_true(token_revoke(desk->state, "t_2", SLICE_NONE, &count, &why));
	assert_int_equal(count, 1);
}

static void what_was_revoked_and_sessions_have_no_sessions(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	struct token_row parent = sample("t_1", 1, "alice");
	assert_true(token_add(desk->state, &parent, &why));
	assert_true(add_session(desk, 1, "t_1", "alice", 9, &why));
	assert_false(add_session(desk, 2, "t_s1", "alice", 9, &why));
	assert_int_equal(why.code, FAULT_REFUSED);
	assert_true(token_revoke(desk->state, "t_1", SLICE_NONE, NULL, &why));
	assert_false(add_session(desk, 3, "t_1", "alice", 9, &why));
	assert_int_equal(why.code, FAULT_REFUSED);
	assert_false(is_there(desk, "t_s2") || is_there(desk, "t_s3"));
	assert_true(add_session(desk, 4, "a-jwt", "alice", 9, &why)); /* no row of ours */
	assert_true(add_session(desk, 5, "", "alice", 9, &why));      /* it has no name at all */
}

static void of_too_many_sessions_the_ended_and_then_the_oldest_go(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	for (int i = 1; i <= 3; i++) assert_true(add_session(desk, i, "j", "alice", 3, &why));
	assert_true(add_session(desk, 10, "j", "bob", 3, &why));
	assert_true(add_session(desk, 11, "k", "alice", 3, &why));
	assert_true(token_revoke(desk->state, "t_s2", SLICE_NONE, NULL, &why));
	assert_true(add_session(desk, 4, "j", "alice", 3, &why));
	assert_true(is_there(desk, "t_s1") && !is_there(desk, "t_s2") && is_there(desk, "t_s3") && is_there(desk, "t_s4"));
	assert_true(add_session(desk, 5, "j", "alice", 3, &why));
	assert_true(!is_there(desk, "t_s1") && is_there(desk, "t_s3") && is_there(desk, "t_s4") && is_there(desk, "t_s5"));
	assert_true(is_there(desk, "t_s10") && is_there(desk, "t_s11"));
}

static void a_clock_that_was_set_back_makes_no_session_the_oldest(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	assert_true(add_session(desk, 5, "j", "alice", 2, &why));
	assert_true(add_session(desk, 6, "j", "alice", 2, &why));
	assert_true(add_session(desk, 1, "j", "alice", 2, &why));
	assert_true(!is_there(desk, "t_s5") && is_there(desk, "t_s6") && is_there(desk, "t_s1"));
}

static void a_session_is_added_whole_or_not_at_all(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	assert_true(add_session(desk, 1, "t_0", "alice", 1, &why));
	assert_false(add_session(desk, 1, "t_0", "alice", 1, &why)); /* its name is taken */
	assert_int_equal(why.code, FAULT_EXISTS);
	assert_true(is_there(desk, "t_s1"));
	assert_true(add_session(desk, 2, "t_0", "alice", 1, &why)); /* no transaction was left open */
	assert_true(!is_there(desk, "t_s1") && is_there(desk, "t_s2"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(a_token_is_found_as_it_was_added),
		TEST(an_unknown_token_is_not_found),
		TEST(a_hash_or_a_name_taken_is_refused),
		TEST(revoking_counts_those_that_lived),
		TEST(each_token_is_shown_the_oldest_first),
		TEST(the_sweep_takes_what_ended_over_a_week_ago),
		TEST(what_another_connection_writes_changes_the_version),
		TEST(folder_and_file_are_for_their_owner_alone),
		TEST(a_topic_s_own_promotion_comes_before_the_one_for_all),
		TEST(a_promotion_for_all_topics_removes_those_of_single_ones),
		TEST(a_session_goes_with_its_parent),
		TEST(what_was_revoked_and_sessions_have_no_sessions),
		TEST(of_too_many_sessions_the_ended_and_then_the_oldest_go),
		TEST(a_clock_that_was_set_back_makes_no_session_the_oldest),
		TEST(a_session_is_added_whole_or_not_at_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
