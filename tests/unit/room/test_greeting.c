/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "room/greeting.h"

static void a_welcome_lists_a_thousand_and_counts_the_rest(void **state) {
	(void)state;
	struct scene scene;
	struct guest *crowd = calloc(GREETING_PARTICIPANTS + 5, sizeof *crowd), last;
	assert_non_null(crowd);
	scene_open(&scene);
	for (int i = 0; i < GREETING_PARTICIPANTS + 5; i++) {
		char id[16];
		snprintf(id, sizeof id, "g%d", i);
		guest_init(&crowd[i], &scene, id);
		guest_start(&crowd[i], "room:a");
		if (i == 0) scene_pass(&scene);
		guest_clear(&crowd[i]);
	}
	guest_comes(&last, &scene, "last");
	assert_int_equal(guest_heard(&last, "\"participants_total\":1005"), 1);
	assert_int_equal(guest_heard(&last, "\"g999\""), 1);
	assert_int_equal(guest_heard(&last, "\"g1000\""), 0);
	guest_finish(&last);
	for (int i = 0; i < GREETING_PARTICIPANTS + 5; i++) guest_finish(&crowd[i]);
	scene_close(&scene);
	free(crowd);
}

static void a_joining_of_many_costs_each_one_small_text(void **state) {
	(void)state;
	struct scene scene;
	struct guest first, crowd[20];
	scene_open(&scene);
	guest_comes(&first, &scene, "first");
	scene_pass(&scene);
	guest_clear(&first);
	for (size_t i = 0; i < COUNT_OF(crowd); i++) {
		char id[16];
		snprintf(id, sizeof id, "g%zu", i);
		guest_init(&crowd[i], &scene, id);
		guest_start(&crowd[i], "room:a");
	}
	scene_pass(&scene);
	assert_int_equal(first.sends, 1);
	assert_int_equal(guest_heard(&first, "\"event\":\"join\""), COUNT_OF(crowd));
	assert_int_equal(guest_heard(&crowd[19], "\"event\":\"join\""), 0);
	assert_int_equal(guest_heard(&crowd[0], "\"event\":\"join\""), 19);
	guest_finish(&first);
	for (size_t i = 0; i < COUNT_OF(crowd); i++) guest_finish(&crowd[i]);
	scene_close(&scene);
}

static void stored_envelopes_are_written_in_either_dialect_or_not_at_all(void **state) {
	(void)state;
	char scratch[4096];
	struct arena arena;
	AUTO_TEXT struct text text;
	text_init(&text, 0);
	arena_init(&arena, scratch, sizeof scratch, 0);
	struct slice stored = SLICE("{\"protocol\":\"mcpx/v0.1\",\"id\":\"a\",\"ts\":\"2025-08-17T14:00:00Z\","
				    "\"from\":\"x\",\"kind\":\"chat\",\"payload\":{\"text\":\"hi\"}}");
	assert_true(greeting_write_stored(&text, stored, ENVELOPE_V01, &arena));
	check_slice(text_slice(&text), stored.bytes);
	text_clear(&text);
	assert_true(greeting_write_stored(&text, stored, ENVELOPE_V0, &arena));
	assert_non_null(strstr(text.bytes, "\"params\":{\"text\":\"hi\"}}}"));
	assert_false(greeting_write_stored(&text, SLICE("{}"), ENVELOPE_V0, &arena));
	arena_finish(&arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_welcome_lists_a_thousand_and_counts_the_rest),
		cmocka_unit_test(a_joining_of_many_costs_each_one_small_text),
		cmocka_unit_test(stored_envelopes_are_written_in_either_dialect_or_not_at_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
