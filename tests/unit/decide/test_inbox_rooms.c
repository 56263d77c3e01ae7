/* SPDX-License-Identifier: Apache-2.0 */
/* Decisions of rooms: who has full privilege there decides; proposals are settled here or there, and used once. */
#include "decide_rig.h"

static struct desk desk;

static int set_up(void **state) {
	(void)state;
	desk_open(&desk, NULL);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	desk_close(&desk);
	return 0;
}

static struct decision_wish room_wish(enum decision_kind kind) {
	struct decision_wish wish = call_wish("bot", "{\"proposalId\":\"p1\"}");
	wish.kind = kind;
	wish.topic = SLICE("room:a");
	return wish;
}

static struct inbox_answer yes_in(const char *who, const char *topic) {
	return (struct inbox_answer){.who = slice_of(who), .topic = topic ? slice_of(topic) : SLICE_NONE, .approves = true};
}

static void the_room_decides_what_was_asked_there(void **state) {
	(void)state;
	static const enum decision_kind kinds[] = {DECISION_AUTHORIZATION, DECISION_PROPOSAL};
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		const struct decision_wish wish = room_wish(kinds[i]);
		const char *id = ask(&desk, &wish, NULL);
		assert_int_equal(answer_as(&desk, id, yes_in("ann", NULL)), FAULT_REFUSED);
		assert_int_equal(answer_as(&desk, id, yes_in("ann", "room:b")), FAULT_REFUSED);
		assert_int_equal(answer_as(&desk, id, yes_in("bot", "room:a")), FAULT_REFUSED); /* its own */
		assert_int_equal(answer_as(&desk, id, yes_in("ann", "room:a")), FAULT_NONE);
		check_slice(find(&desk, id)->decided_by, "ann");
	}
}

static void the_room_decides_nothing_else(void **state) {
	(void)state;
	static const struct slice names[] = {{"boss", 4}};
	struct decision_wish wish = room_wish(DECISION_CALL);
	assert_int_equal(answer_as(&desk, ask(&desk, &wish, NULL), yes_in("ann", "room:a")), FAULT_REFUSED);
	wish = room_wish(DECISION_AUTHORIZATION);
	wish.deciders = names;
	wish.decider_count = 1;
	const char *id = ask(&desk, &wish, NULL);
	assert_int_equal(answer_as(&desk, id, yes_in("ann", "room:a")), FAULT_REFUSED);
	assert_int_equal(answer_as(&desk, id, yes_in("boss", NULL)), FAULT_REFUSED); /* restricted there */
	assert_int_equal(answer_as(&desk, id, yes_in("boss", "room:a")), FAULT_NONE);
	wish = room_wish(DECISION_AUTHORIZATION);
	wish.topic = SLICE_NONE;
	assert_int_equal(answer_as(&desk, ask(&desk, &wish, NULL), yes_in("ann", "room:a")), FAULT_REFUSED);
}

static void an_approved_proposal_is_used_once(void **state) {
	(void)state;
	struct fault why = {0};
	const struct decision_wish wish = room_wish(DECISION_PROPOSAL);
	const char *id = ask(&desk, &wish, NULL);
	assert_false(inbox_use(desk.inbox, slice_of(id), &why));
	assert_int_equal(answer_as(&desk, id, yes_in("ann", "room:a")), FAULT_NONE);
	assert_true(inbox_use(desk.inbox, slice_of(id), &why));
	assert_int_equal(find(&desk, id)->state, DECISION_USED);
	assert_false(inbox_use(desk.inbox, slice_of(id), &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	desk_restart(&desk, NULL);
	assert_int_equal(find(&desk, id)->state, DECISION_USED);
	assert_false(inbox_use(desk.inbox, SLICE("d-nothing0"), &why));
	assert_int_equal(why.code, FAULT_NOT_FOUND);
}

static void what_is_settled_elsewhere_is_settled_here(void **state) {
	(void)state;
	static const enum decision_state ends[] = {DECISION_USED, DECISION_DENIED, DECISION_WITHDRAWN, DECISION_EXPIRED};
	struct fault why = {0};
	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		const struct decision_wish wish = room_wish(DECISION_PROPOSAL);
		const char *id = ask(&desk, &wish, NULL);
		if (!inbox_settle(desk.inbox, slice_of(id), ends[i], SLICE("bob"), SLICE("so it is"), &why)) fail_msg("%s", why.text);
		assert_int_equal(find(&desk, id)->state, ends[i]);
		check_slice(find(&desk, id)->reason, "so it is");
		assert_false(inbox_settle(desk.inbox, slice_of(id), DECISION_DENIED, SLICE("eve"), SLICE_NONE, &why));
		assert_int_equal(why.code, FAULT_EXISTS);
		assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_EXISTS);
	}
	assert_int_equal(inbox_open_count(desk.inbox), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(the_room_decides_what_was_asked_there),
		TEST(the_room_decides_nothing_else),
		TEST(an_approved_proposal_is_used_once),
		TEST(what_is_settled_elsewhere_is_settled_here),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
