/* SPDX-License-Identifier: Apache-2.0 */
#include "store_rig.h"

#include "store/flow_rows.h"

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

struct seen {
	size_t count;
	char id[64];
	char sealed[64];
};

static bool see(void *context, struct slice id, struct slice sealed) {
	struct seen *seen = context;
	seen->count++;
	snprintf(seen->id, sizeof seen->id, "%.*s", SLICE_ARGS(id));
	snprintf(seen->sealed, sizeof seen->sealed, "%.*s", SLICE_ARGS(sealed));
	return true;
}

static void a_session_is_kept_changed_and_gone(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	struct seen seen = {0};
	assert_true(flow_row_put(desk->state, SLICE("session_1"), SLICE("one"), &why));
	assert_true(flow_row_put(desk->state, SLICE("session_1"), SLICE("two"), &why));
	state_close(desk->state);
	desk->state = state_open(desk->folder.path, &why);
	assert_true(flow_row_each(desk->state, see, &seen, &why));
	assert_int_equal(seen.count, 1);
	assert_string_equal(seen.id, "session_1");
	assert_string_equal(seen.sealed, "two");
	assert_true(flow_row_remove(desk->state, SLICE("session_1"), &why));
	assert_true(flow_row_remove(desk->state, SLICE("session_1"), &why)); /* twice is fine */
	seen.count = 0;
	assert_true(flow_row_each(desk->state, see, &seen, &why));
	assert_int_equal(seen.count, 0);
}

static void a_token_is_spent_once(void **state) {
	struct desk *desk = *state;
	struct fault why = {0};
	uint8_t token[SECRET_HASH_SIZE] = {1};
	bool was_new = false;
	assert_true(flow_row_spend(desk->state, token, 1000, &was_new, &why));
	assert_true(was_new);
	assert_true(flow_row_spend(desk->state, token, 1000, &was_new, &why));
	assert_false(was_new);
	assert_true(flow_row_sweep(desk->state, 999, &why));
	assert_true(flow_row_spend(desk->state, token, 1000, &was_new, &why));
	assert_false(was_new);
	assert_true(flow_row_sweep(desk->state, 1000, &why));
	assert_true(flow_row_spend(desk->state, token, 1000, &was_new, &why));
	assert_true(was_new);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(a_session_is_kept_changed_and_gone),
		TEST(a_token_is_spent_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
