/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "failing_malloc.h"
#include "room/visitors.c"

static struct principal *principal_of(const char *id) {
	struct principal *principal = principal_make(&(struct principal_facts){.id = slice_of(id)}, NULL);
	assert_non_null(principal);
	return principal;
}

static void the_longest_silent_goes_and_memory_may_run_out(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	struct room *room = scene_room(&scene, "room:a");
	char id[16];
	for (int i = 0; i <= VISITORS; i++) {
		snprintf(id, sizeof id, "v%d", i);
		struct speaker *speaker = visitors_find(room, slice_of(id));
		assert_non_null(speaker);
		speaker->pace.full_at_us = 7;
	}
	assert_int_equal(room->visitor_count, VISITORS);
	assert_int_equal(visitors_find(room, SLICE("v1"))->pace.full_at_us, 7);
	assert_int_equal(visitors_find(room, SLICE("v0"))->pace.full_at_us, 0); /* v2 went for it */
	malloc_fails_at(1);
	assert_null(visitors_find(room, SLICE("v2")));
	char text[] = "{}";
	struct injection injection = {.principal = principal_of("v2"), .text = slice_of(text)};
	text_init(&injection.payload, 0);
	assert_false(injection_run(room, &injection));
	assert_string_equal(injection.gate, "journal");
	assert_non_null(strstr(injection.payload.bytes, "no_memory"));
	text_finish(&injection.payload);
	principal_drop((struct principal *)injection.principal);
	malloc_fails_at(0);
	guest_finish(&alice);
	scene_close(&scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_longest_silent_goes_and_memory_may_run_out)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
