/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "failing_malloc.h"
#include "base/map.c"
#include "room/proposals.c"

struct hall {
	struct scene scene;
	struct guest alice; /* full */
	struct guest carol; /* restricted */
	struct room *room;
};

static void hall_open(struct hall *hall) {
	scene_open(&hall->scene);
	guest_comes(&hall->alice, &hall->scene, "alice");
	guest_init(&hall->carol, &hall->scene, "carol");
	hall->carol.joining.privilege = PRIVILEGE_RESTRICTED;
	guest_join(&hall->carol, "room:a");
	scene_pass(&hall->scene);
	guest_clear(&hall->alice);
	guest_clear(&hall->carol);
	hall->room = scene_room(&hall->scene, "room:a");
}

static void hall_close(struct hall *hall) {
	guest_finish(&hall->alice);
	guest_finish(&hall->carol);
	scene_close(&hall->scene);
}

static const struct proposal *find(const struct hall *hall, const char *id) {
	const struct proposal *proposal = map_find(&hall->room->proposals_by_id, slice_of(id));
	assert_non_null(proposal);
	return proposal;
}

static void check_book(const struct hall *hall, const char *status, unsigned count) {
	AUTO_TEXT struct text json;
	struct scan_value root;
	text_init(&json, 0);
	proposals_write(hall->room, status, &json);
	assert_false(text_failed(&json));
	assert_true(scan_check(text_slice(&json), SCAN_DEPTH, &root, NULL));
	assert_int_equal(scan_count(&root), count);
}

static void a_request_that_chains_to_it_fulfils_a_proposal(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall);
	assert_true(guest_proposes(&hall.carol, "p1"));
	check_book(&hall, NULL, 1);
	check_book(&hall, "pending", 1);
	assert_true(guest_requests(&hall.alice, "r1", "\"correlation_id\":\"p1\","));
	scene_pass(&hall.scene);
	assert_int_equal(find(&hall, "p1")->status, PROPOSAL_FULFILLED);
	assert_string_equal(find(&hall, "p1")->settled_by, "alice");
	check_book(&hall, "pending", 0);
	check_book(&hall, "fulfilled", 1);
	assert_int_equal(guest_heard(&hall.carol, "\"correlation_id\":\"p1\",\"payload\":{\"event\":\"proposal\",\"proposalId\":\"p1\",\"status\":\"fulfilled\",\"by\":\"alice\"}"), 1);
	assert_true(guest_heard_at(&hall.carol, "\"id\":\"r1\"") < guest_heard_at(&hall.carol, "\"event\":\"proposal\""));
	assert_int_equal(hall.room->proposals_open, 0);
	assert_int_equal(scene_counter(&hall.scene, COUNTER_PROPOSALS_OPEN), 0);
	assert_non_null(strstr(hall.scene.store.audits, "proposal carol  pending"));
	assert_non_null(strstr(hall.scene.store.audits, "proposal alice  fulfilled"));
	/* A second one changes nothing. */
	assert_true(guest_requests(&hall.alice, "r2", "\"correlation_id\":\"p1\","));
	assert_int_equal(scene_counter(&hall.scene, COUNTER_PROPOSALS_OPEN), 0);
	hall_close(&hall);
}

static void a_request_of_the_same_octets_fulfils_the_oldest(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall);
	assert_true(guest_proposes(&hall.carol, "p1"));
	assert_true(guest_proposes(&hall.carol, "p2"));
	assert_true(guest_says(&hall.alice, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"o\",\"kind\":\"mcp\",\"to\":[\"bob\"],\"payload\":{\"id\":1,\"method\":\"tools/call\",\"params\":{ \"name\":\"x\"}}}"));
	assert_true(guest_says(&hall.alice, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"n\",\"kind\":\"mcp\",\"to\":[\"bob\"],\"payload\":{\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}}"));
	assert_true(guest_requests(&hall.alice, "r0", "\"correlation_id\":\"other\","));
	assert_true(guest_chats(&hall.alice, "c"));
	assert_int_equal(hall.room->proposals_open, 2);
	assert_true(guest_requests(&hall.alice, "r1", ""));
	assert_int_equal(find(&hall, "p1")->status, PROPOSAL_FULFILLED);
	assert_int_equal(find(&hall, "p2")->status, PROPOSAL_PENDING);
	assert_true(guest_requests(&hall.alice, "r2", ""));
	assert_int_equal(find(&hall, "p2")->status, PROPOSAL_FULFILLED);
	hall_close(&hall);
}

static void answers_of_the_restricted_fulfil_nothing(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall);
	hall.scene.settings.restricted_may_answer = true;
	scene_change(&hall.scene);
	assert_true(guest_proposes(&hall.carol, "p1"));
	assert_true(guest_requests(&hall.carol, "r1", "\"correlation_id\":\"p1\","));
	assert_int_equal(find(&hall, "p1")->status, PROPOSAL_PENDING);
	hall_close(&hall);
}

static bool settle_it(struct hall *hall, const char *id, enum proposals_verb verb, struct guest *by,
	enum fault_code *code) {
	struct fault why = {0};
	AUTO_TEXT struct text record;
	text_init(&record, 0);
	bool done = proposals_settle(hall->room, slice_of(id), verb, by->principal, by->joining.privilege,
		SLICE("because"), &record, &why);
	*code = why.code;
	assert_int_equal(record.length > 0, done);
	return done;
}

static void it_is_withdrawn_by_its_proposer_and_rejected_by_somebody_full(void **state) {
	(void)state;
	struct hall hall;
	enum fault_code code;
	hall_open(&hall);
	assert_true(guest_proposes(&hall.carol, "p1"));
	assert_true(guest_proposes(&hall.carol, "p2"));
	assert_false(settle_it(&hall, "p0", PROPOSALS_WITHDRAW, &hall.carol, &code));
	assert_int_equal(code, FAULT_NOT_FOUND);
	assert_false(settle_it(&hall, "p1", PROPOSALS_WITHDRAW, &hall.alice, &code));
	assert_int_equal(code, FAULT_REFUSED);
	assert_false(settle_it(&hall, "p1", PROPOSALS_REJECT, &hall.carol, &code));
	assert_int_equal(code, FAULT_REFUSED);
	assert_true(settle_it(&hall, "p1", PROPOSALS_WITHDRAW, &hall.carol, &code));
	assert_false(settle_it(&hall, "p1", PROPOSALS_REJECT, &hall.alice, &code));
	assert_int_equal(code, FAULT_EXISTS);
	assert_true(settle_it(&hall, "p2", PROPOSALS_REJECT, &hall.alice, &code));
	assert_true(guest_proposes(&hall.carol, "p3"));
	assert_true(proposals_settle(hall.room, SLICE("p3"), PROPOSALS_REJECT, hall.alice.principal,
		PRIVILEGE_FULL, SLICE_NONE, NULL, NULL));
	scene_pass(&hall.scene);
	assert_int_equal(guest_heard(&hall.alice, "\"status\":\"withdrawn\",\"by\":\"carol\",\"reason\":\"because\""), 1);
	assert_int_equal(guest_heard(&hall.alice, "\"status\":\"rejected\",\"by\":\"alice\",\"reason\":\"because\""), 1);
	hall_close(&hall);
}

static void time_that_has_passed_expires_it(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall);
	assert_int_equal(proposals_next_expiry(hall.room), UINT64_MAX);
	assert_true(guest_proposes(&hall.carol, "p1"));
	assert_true(guest_proposes(&hall.carol, "p2"));
	uint64_t next = proposals_next_expiry(hall.room), now = loop_now(hall.scene.loop);
	assert_true(next > now && next <= now + 300000);
	scene_pass(&hall.scene); /* whose end sets the deadline */
	assert_int_not_equal(hall.room->next.at, 0);
	now = loop_now(hall.scene.loop);
	((struct proposal *)find(&hall, "p1"))->expires_at = 1;
	assert_int_equal(proposals_next_expiry(hall.room), now);
	hall.room->next.run(&hall.room->next);
	scene_pass(&hall.scene);
	assert_int_equal(find(&hall, "p1")->status, PROPOSAL_EXPIRED);
	assert_int_equal(find(&hall, "p2")->status, PROPOSAL_PENDING);
	assert_int_equal(guest_heard(&hall.carol, "{\"event\":\"proposal\",\"proposalId\":\"p1\",\"status\":\"expired\"}"), 1);
	hall_close(&hall);
}

static void open_ones_survive_a_restart_and_settled_ones_do_not_come_back(void **state) {
	(void)state;
	struct hall hall;
	enum fault_code code;
	hall_open(&hall);
	assert_true(guest_proposes(&hall.carol, "p1"));
	assert_true(guest_proposes(&hall.carol, "p2"));
	assert_true(settle_it(&hall, "p2", PROPOSALS_REJECT, &hall.alice, &code));
	scene_pass(&hall.scene);
	int64_t expires_at = find(&hall, "p1")->expires_at;
	guest_finish(&hall.alice);
	guest_finish(&hall.carol);
	rooms_drain(hall.scene.rooms);
	rooms_close(hall.scene.rooms);
	struct spool *spool = fake_spool(&hall.scene.store);
	struct spool_record damaged = {.kind = SPOOL_PROPOSAL, .topic = SLICE("room:a"), .id_hash = 9};
	struct slice nonsense = SLICE("{}");
	assert_true(spool_add(spool, &damaged, &nonsense, 1, NULL));
	assert_true(spool_commit(spool, NULL));
	scene_open_rooms(&hall.scene);
	guest_comes(&hall.alice, &hall.scene, "alice");
	guest_comes(&hall.carol, &hall.scene, "carol");
	hall.room = scene_room(&hall.scene, "room:a");
	check_book(&hall, NULL, 1);
	assert_int_equal(find(&hall, "p1")->expires_at, expires_at);
	hall_close(&hall);
}

static void so_many_may_be_open_and_their_ids_are_their_own(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall);
	hall.scene.settings.max_proposals = 2;
	scene_change(&hall.scene);
	assert_true(guest_proposes(&hall.carol, "p1"));
	recent_finish(&hall.room->recent); /* as if 65,536 envelopes had come since */
	assert_true(guest_proposes(&hall.carol, "p1"));
	assert_int_equal(guest_heard(&hall.carol, "duplicate_id"), 1);
	assert_true(guest_proposes(&hall.carol, "p2"));
	assert_true(guest_proposes(&hall.carol, "p3"));
	assert_int_equal(guest_heard(&hall.carol, "too_many_proposals"), 1);
	assert_true(guest_requests(&hall.alice, "r1", "\"correlation_id\":\"p1\","));
	recent_finish(&hall.room->recent);
	assert_true(guest_proposes(&hall.carol, "p1")); /* the settled one of long ago gives way */
	assert_int_equal(find(&hall, "p1")->status, PROPOSAL_PENDING);
	check_book(&hall, NULL, 2);
	hall_close(&hall);
}

static void the_book_shows_so_many_settled_ones(void **state) {
	(void)state;
	struct hall hall;
	enum fault_code code;
	char id[16];
	hall_open(&hall);
	assert_true(guest_proposes(&hall.carol, "open"));
	for (int i = 0; i < PROPOSALS_SHOWN + 5; i++) {
		snprintf(id, sizeof id, "p%d", i);
		assert_true(guest_proposes(&hall.carol, id));
		assert_true(settle_it(&hall, id, PROPOSALS_WITHDRAW, &hall.carol, &code));
	}
	check_book(&hall, "withdrawn", PROPOSALS_SHOWN);
	assert_true(guest_proposes(&hall.carol, "last"));
	check_book(&hall, "withdrawn", PROPOSALS_SHOWN - 1);
	assert_null(map_find(&hall.room->proposals_by_id, SLICE("p0")));
	check_book(&hall, "pending", 2);
	hall_close(&hall);
}

static void without_history_or_memory_the_room_still_relays_it(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall);
	hall.scene.store.spool.add_fails = true;
	hall.scene.settings.history = false;
	scene_change(&hall.scene);
	assert_true(guest_proposes(&hall.carol, "p1"));
	check_book(&hall, NULL, 1);
	hall.scene.settings.history = true;
	scene_change(&hall.scene);
	enum fault_code code;
	assert_true(settle_it(&hall, "p1", PROPOSALS_WITHDRAW, &hall.carol, &code));
	assert_int_equal(find(&hall, "p1")->status, PROPOSAL_WITHDRAWN);
	hall_close(&hall);
}

static void without_memory_for_the_book_it_is_relayed_and_a_room_does_not_open(void **state) {
	(void)state;
	struct hall hall;
	struct guest dora;
	hall_open(&hall);
	malloc_fails_at(1);
	assert_true(guest_proposes(&hall.carol, "p0"));
	malloc_fails_at(0);
	check_book(&hall, NULL, 0);
	assert_true(guest_proposes(&hall.carol, "p1"));
	scene_pass(&hall.scene);
	assert_int_equal(guest_heard(&hall.alice, "\"id\":\"p0\""), 1);
	rooms_drain(hall.scene.rooms);
	rooms_close(hall.scene.rooms);
	scene_open_rooms(&hall.scene);
	guest_init(&dora, &hall.scene, "dora");
	guest_start(&dora, "room:a");
	malloc_fails_at(1);
	store_answer(&hall.scene.store);
	malloc_fails_at(0);
	assert_int_equal(dora.why.code, FAULT_NO_MEMORY);
	assert_null(scene_room(&hall.scene, "room:a"));
	guest_finish(&dora);
	hall_close(&hall);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_that_chains_to_it_fulfils_a_proposal),
		cmocka_unit_test(a_request_of_the_same_octets_fulfils_the_oldest),
		cmocka_unit_test(answers_of_the_restricted_fulfil_nothing),
		cmocka_unit_test(it_is_withdrawn_by_its_proposer_and_rejected_by_somebody_full),
		cmocka_unit_test(time_that_has_passed_expires_it),
		cmocka_unit_test(open_ones_survive_a_restart_and_settled_ones_do_not_come_back),
		cmocka_unit_test(so_many_may_be_open_and_their_ids_are_their_own),
		cmocka_unit_test(the_book_shows_so_many_settled_ones),
		cmocka_unit_test(without_memory_for_the_book_it_is_relayed_and_a_room_does_not_open),
		cmocka_unit_test(without_history_or_memory_the_room_still_relays_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
