/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "failing_malloc.h"
#include "room/answers.c"

#define ANSWER(id, about) \
	"{\"protocol\":\"mcpx/v0.1\",\"id\":\"" id "\",\"kind\":\"mcp\",\"correlation_id\":\"" about \
	"\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}}"

struct hall {
	struct scene scene;
	struct guest alice; /* full */
	struct guest bob;   /* restricted */
	struct room *room;
};

static void hall_open(struct hall *hall) {
	scene_open(&hall->scene);
	hall->scene.settings.restricted_may_answer = true;
	scene_change(&hall->scene);
	guest_comes(&hall->alice, &hall->scene, "alice");
	guest_init(&hall->bob, &hall->scene, "bob");
	hall->bob.joining.privilege = PRIVILEGE_RESTRICTED;
	guest_join(&hall->bob, "room:a");
	hall->room = scene_room(&hall->scene, "room:a");
}

static void hall_close(struct hall *hall) {
	guest_finish(&hall->alice);
	guest_finish(&hall->bob);
	scene_close(&hall->scene);
}

static void only_requests_to_somebody_restricted_are_noted(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall);
	hall.scene.settings.one_recipient = false;
	scene_change(&hall.scene);
	assert_true(guest_requests(&hall.alice, "q1", ""));
	assert_int_equal(hall.room->question_count, 1);
	assert_true(guest_says(&hall.alice, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"q2\",\"kind\":\"mcp\",\"to\":[\"alice\"],\"payload\":{\"id\":1,\"method\":\"x\"}}"));
	assert_true(guest_says(&hall.alice, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"q3\",\"kind\":\"mcp\",\"to\":[\"nobody\"],\"payload\":{\"id\":1,\"method\":\"x\"}}"));
	assert_true(guest_says(&hall.alice, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"q4\",\"kind\":\"mcp\",\"payload\":{\"id\":1,\"method\":\"x\"}}"));
	assert_true(guest_says(&hall.alice, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"q5\",\"kind\":\"mcp\",\"payload\":{\"method\":\"x\"}}"));
	assert_true(guest_says(&hall.alice, ANSWER("q6", "q1")));
	hall.scene.settings.strict_replies = false;
	scene_change(&hall.scene);
	assert_true(guest_says(&hall.alice, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"q7\",\"kind\":\"mcp\",\"payload\":{\"id\":1,\"result\":1}}"));
	assert_true(guest_says(&hall.bob, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"q8\",\"kind\":\"mcp\",\"payload\":{\"id\":1,\"result\":1}}"));
	assert_int_equal(hall.room->question_count, 1);
	hall_close(&hall);
}

static void the_oldest_is_forgotten_for_a_new_one(void **state) {
	(void)state;
	struct hall hall;
	char id[32];
	hall_open(&hall);
	for (int i = 0; i <= ANSWERS_OPEN; i++) {
		snprintf(id, sizeof id, "q%d", i);
		assert_true(guest_requests(&hall.alice, id, ""));
	}
	scene_pass(&hall.scene);
	assert_int_equal(hall.room->question_count, ANSWERS_OPEN);
	guest_clear(&hall.bob);
	assert_true(guest_says(&hall.bob, ANSWER("a0", "q0")));
	assert_int_equal(guest_heard(&hall.bob, "\"code\":-32001"), 1);
	assert_true(guest_says(&hall.bob, ANSWER("a1", "q1")));
	assert_int_equal(guest_heard(&hall.bob, "\"code\":-32001"), 1);
	assert_int_equal(hall.room->question_count, ANSWERS_OPEN - 1);
	hall_close(&hall);
}

static void without_memory_the_answer_is_refused(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall);
	malloc_fails_at(1);
	assert_true(guest_requests(&hall.alice, "q1", ""));
	malloc_fails_at(0);
	guest_clear(&hall.bob);
	assert_true(guest_says(&hall.bob, ANSWER("a1", "q1")));
	assert_int_equal(guest_heard(&hall.bob, "\"code\":-32001"), 1);
	hall_close(&hall);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_requests_to_somebody_restricted_are_noted),
		cmocka_unit_test(the_oldest_is_forgotten_for_a_new_one),
		cmocka_unit_test(without_memory_the_answer_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
