/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "failing_malloc.h"
#include "base/map.c"
#include "room/room_audit.c"

static unsigned count_lines(const struct scene *scene, const char *words) {
	unsigned count = 0;
	for (const char *at = scene->store.audits; (at = strstr(at, words)); at++) count++;
	return count;
}

static void the_first_is_written_at_once_and_the_rest_counted_by_the_minute(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_comes(&bob, &scene, "bob");
	struct refusal_counts *counts = scene.rooms->refusals;
	for (int i = 0; i < 10; i++) assert_true(guest_says(&alice, "nonsense"));
	assert_true(guest_says(&bob, "nonsense"));
	assert_int_equal(count_lines(&scene, "refused alice shape bad_json 1\n"), 1);
	assert_int_equal(count_lines(&scene, "refused bob shape bad_json 1\n"), 1);
	assert_int_not_equal(counts->minute.at, 0);
	minute_passed(&counts->minute);
	assert_int_equal(count_lines(&scene, "refused alice shape bad_json 9\n"), 1);
	assert_int_equal(counts->by_key.count, 1); /* bob's is forgotten: he was silent */
	assert_true(guest_says(&bob, "nonsense"));
	assert_int_equal(count_lines(&scene, "refused bob shape bad_json 1\n"), 2);
	deadline_clear(&counts->minute);
	minute_passed(&counts->minute);
	assert_int_equal(counts->by_key.count, 0);
	assert_int_equal(counts->minute.at, 0);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void what_is_counted_at_the_end_is_written_and_stored(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	for (int i = 0; i < 4; i++) assert_true(guest_says(&alice, "nonsense"));
	scene_pass(&scene);
	guest_finish(&alice);
	rooms_drain(scene.rooms);
	rooms_close(scene.rooms);
	scene.rooms = NULL;
	assert_int_equal(count_lines(&scene, "refused alice shape bad_json 3\n"), 1);
	assert_true(spool_is_empty(fake_spool(&scene.store)));
	scene_close(&scene);
}

static void beyond_so_many_pairs_each_refusal_is_written(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	struct room *room = scene_room(&scene, "room:a");
	char id[16];
	for (int i = 0; i < REFUSALS_COUNTED + 2; i++) {
		snprintf(id, sizeof id, "v%d", i);
		struct principal principal = {.id = slice_of(id)};
		struct entry entry = {.room = room, .principal = &principal, .gate = "shape", .word = "bad_json"};
		scene.store.audits[0] = '\0';
		room_audit_refusal(&entry);
		room_audit_refusal(&entry);
		assert_int_equal(count_lines(&scene, "refused"), i < REFUSALS_COUNTED ? 1 : 2);
	}
	guest_finish(&alice);
	scene_close(&scene);
}

static void without_memory_or_disk_the_refusal_stands_all_the_same(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	struct fault why;
	for (int call = 1; call <= 2; call++) {
		malloc_fails_at(call);
		assert_true(guest_says(&alice, "nonsense"));
		malloc_fails_at(0);
	}
	scene.store.spool.audit_fails = true;
	assert_true(guest_says(&alice, "nonsense"));
	assert_int_equal(guest_heard(&alice, "bad_json"), 3);
	malloc_fails_at(1);
	assert_null(refusal_counts_open(scene.rooms, &why));
	malloc_fails_at(0);
	guest_finish(&alice);
	scene_close(&scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_is_written_at_once_and_the_rest_counted_by_the_minute),
		cmocka_unit_test(what_is_counted_at_the_end_is_written_and_stored),
		cmocka_unit_test(beyond_so_many_pairs_each_refusal_is_written),
		cmocka_unit_test(without_memory_or_disk_the_refusal_stands_all_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
