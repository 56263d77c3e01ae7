/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "room/acknowledgement.h"
#include "room/injection.c"

struct hall {
	struct scene scene;
	struct guest alice;
	struct principal *bob;
	struct room *room;
	struct injection injection;
};

static void hall_open(struct hall *hall) {
	scene_open(&hall->scene);
	guest_comes(&hall->alice, &hall->scene, "alice");
	scene_pass(&hall->scene);
	guest_clear(&hall->alice);
	hall->room = scene_room(&hall->scene, "room:a");
	hall->bob = principal_make(&(struct principal_facts){.id = SLICE("bob")}, NULL);
	assert_non_null(hall->bob);
}

static bool inject(struct hall *hall, const struct principal *who, enum privilege privilege, const char *text) {
	char copy[1024];
	snprintf(copy, sizeof copy, "%s", text);
	hall->injection = (struct injection){.principal = who, .privilege = privilege, .text = slice_of(copy)};
	text_init(&hall->injection.payload, 0);
	bool taken = injection_run(hall->room, &hall->injection);
	hall->injection.text = SLICE_NONE;
	return taken;
}

static void check_refused(struct hall *hall, const char *gate, const char *words) {
	assert_string_equal(hall->injection.gate, gate);
	assert_non_null(strstr(hall->injection.payload.bytes, words));
	text_finish(&hall->injection.payload);
}

static void hall_close(struct hall *hall) {
	guest_finish(&hall->alice);
	principal_drop(hall->bob);
	scene_close(&hall->scene);
}

#define CHAT(id, rest) "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" id "\"," rest "\"kind\":\"chat\",\"payload\":{\"text\":\"x\"}}"

static void what_is_injected_is_filled_in_and_reaches_the_room_without_a_participant(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall);
	assert_true(inject(&hall, hall.bob, PRIVILEGE_RESTRICTED, CHAT("i1", "")));
	assert_string_equal(hall.injection.id, "i1");
	assert_string_equal(hall.injection.ts, loop_wall_text(hall.scene.loop));
	assert_true(inject(&hall, hall.bob, PRIVILEGE_RESTRICTED, CHAT("i2", "\"ts\":\"2025-08-17T14:00:00Z\",")));
	assert_string_equal(hall.injection.ts, "2025-08-17T14:00:00Z");
	assert_true(inject(&hall, hall.bob, PRIVILEGE_RESTRICTED, CHAT("i3", "\"ts\":\"2025-08-17T14:00:00."
									     "12300000000000000000000000000000000000000000000000000000000000000000000000Z\",")));
	assert_string_equal(hall.injection.ts, "2025-08-17T14:00:00.123Z");
	scene_pass(&hall.scene);
	assert_int_equal(guest_heard(&hall.alice, "\"from\":\"bob\""), 3);
	assert_int_equal(guest_heard(&hall.alice, "presence"), 0);
	assert_int_equal(hall.room->participants.count, 1);
	hall_close(&hall);
}

static void the_gates_are_the_same(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall);
	hall.scene.settings.pace = (struct pace_rate){3, 86400000};
	hall.scene.settings.max_message = 900;
	scene_change(&hall.scene);
	assert_false(inject(&hall, hall.bob, PRIVILEGE_FULL, "{"));
	check_refused(&hall, "shape", "bad_json");
	assert_false(inject(&hall, hall.bob, PRIVILEGE_FULL, CHAT("x", "\"from\":\"alice\",")));
	check_refused(&hall, "sender", "bad_sender");
	assert_false(inject(&hall, hall.bob, PRIVILEGE_RESTRICTED,
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"y\",\"kind\":\"mcp\",\"payload\":{\"method\":\"x\",\"id\":\"q\"}}"));
	check_refused(&hall, "privilege", "\"id\":\"q\",\"error\":{\"code\":-32001");
	assert_true(inject(&hall, hall.bob, PRIVILEGE_FULL, CHAT("i1", "")));
	assert_true(inject(&hall, hall.bob, PRIVILEGE_FULL, CHAT("i1", "")));
	assert_false(inject(&hall, hall.bob, PRIVILEGE_FULL, CHAT("i2", "")));
	assert_true(hall.injection.retry_after_ms > 0);
	check_refused(&hall, "pace", "rate_limited");
	/* A participant's injections count in its own pace. */
	assert_true(guest_chats(&hall.alice, "a1"));
	assert_true(guest_chats(&hall.alice, "a2"));
	assert_true(inject(&hall, hall.alice.principal, PRIVILEGE_FULL, CHAT("a3", "")));
	assert_false(inject(&hall, hall.alice.principal, PRIVILEGE_FULL, CHAT("a4", "")));
	check_refused(&hall, "pace", "rate_limited");
	hall_close(&hall);
}

/* ---- Acknowledgement ---- */

struct asker {
	struct acknowledgement acknowledgement;
	unsigned told;
	bool is_stored;
};

static void told(struct acknowledgement *acknowledgement, const struct fault *why) {
	struct asker *asker = CONTAINER_OF(acknowledgement, struct asker, acknowledgement);
	asker->told++;
	asker->is_stored = !why;
}

static void an_acknowledgement_waits_for_the_store(void **state) {
	(void)state;
	struct hall hall;
	struct asker one = {0}, two = {0}, three = {0}, never = {0};
	hall_open(&hall);
	acknowledgement_cancel(&never.acknowledgement);
	acknowledgement_await(hall.room, &one.acknowledgement, told);
	assert_int_equal(one.told, 1);
	assert_true(inject(&hall, hall.bob, PRIVILEGE_FULL, CHAT("i1", "")));
	acknowledgement_await(hall.room, &two.acknowledgement, told);
	acknowledgement_await(hall.room, &never.acknowledgement, told);
	acknowledgement_cancel(&never.acknowledgement);
	assert_int_equal(two.told, 0);
	scene_pass(&hall.scene);
	assert_true(two.told == 1 && two.is_stored);
	assert_true(inject(&hall, hall.bob, PRIVILEGE_FULL, CHAT("i2", "")));
	acknowledgement_await(hall.room, &three.acknowledgement, told);
	hall.scene.store.spool.commit_fails = true;
	scene_pass(&hall.scene);
	assert_true(three.told == 1 && !three.is_stored);
	assert_int_equal(never.told, 0);
	hall_close(&hall);
}

static void acknowledgements_go_by_the_sync_that_covers_them(void **state) {
	(void)state;
	struct hall hall;
	struct asker one = {0}, two = {0};
	hall_open(&hall);
	hall.scene.settings.power_safe = true;
	scene_change(&hall.scene);
	assert_true(inject(&hall, hall.bob, PRIVILEGE_FULL, CHAT("i1", "")));
	acknowledgement_await(hall.room, &one.acknowledgement, told);
	scene_pass(&hall.scene);
	assert_true(inject(&hall, hall.bob, PRIVILEGE_FULL, CHAT("i2", "")));
	acknowledgement_await(hall.room, &two.acknowledgement, told);
	scene_pass(&hall.scene);
	assert_int_equal(one.told + two.told, 0);
	store_synced(&hall.scene.store, false);
	assert_true(one.told == 1 && two.told == 0);
	scene_pass(&hall.scene);
	store_synced(&hall.scene.store, false);
	assert_int_equal(two.told, 1);
	hall_close(&hall);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_injected_is_filled_in_and_reaches_the_room_without_a_participant),
		cmocka_unit_test(the_gates_are_the_same),
		cmocka_unit_test(an_acknowledgement_waits_for_the_store),
		cmocka_unit_test(acknowledgements_go_by_the_sync_that_covers_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
