/* SPDX-License-Identifier: Apache-2.0 */
#include "hosted_rig.h"

#define TEST_TOOLS 16

struct listed {
	unsigned count;
	size_t items;
	bool has_echo, has_grown;
	struct fault why;
};

static void took(void *context, struct hosted_items *items, const struct fault *why) {
	struct listed *listed = context;
	assert_true((items == NULL) == (why != NULL));
	listed->count++;
	if (why) listed->why = *why;
	if (!items) return;
	listed->items = hosted_items_count(items);
	listed->has_echo = hosted_items_find(items, SLICE("echo")) != NULL;
	listed->has_grown = hosted_items_find(items, SLICE("grown")) != NULL;
}

static void list(struct hosted_rig *rig, struct listed *listed, enum hosted_era era,
	enum hosted_kind kind) {
	memset(listed, 0, sizeof *listed);
	assert_non_null(hosted_items_ask(rig->hosted, era, kind, RIG_PATIENCE_MS, took, listed, NULL));
	assert_int_equal(listed->count, 0);
	rig_until(rig, listed->count);
}

static void all_pages_come_in_both_eras(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct listed listed;
	rig_run(&rig, (struct hosted_settings){.idle_ms = 0}, WORDS("--era", "dual", "--pages", "5"));
	assert_null(hosted_items_known(rig.hosted, HOSTED_LEGACY, HOSTED_TOOLS));
	for (int era = 0; era < HOSTED_ERAS; era++) {
		list(&rig, &listed, (enum hosted_era)era, HOSTED_TOOLS);
		assert_int_equal(listed.items, TEST_TOOLS);
		assert_true(listed.has_echo);
		list(&rig, &listed, (enum hosted_era)era, HOSTED_TOOLS);
		assert_int_equal(listed.items, TEST_TOOLS);
	}
	struct hosted_items *items = hosted_items_known(rig.hosted, HOSTED_LEGACY, HOSTED_TOOLS);
	assert_non_null(items);
	check_slice(hosted_items_at(items, 0)->definition,
		"{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}");
	rig_close(&rig);
}

static void who_asks_before_the_eras_are_known_gets_the_list_that_there_is(void **state) {
	(void)state;
	static const char *const eras[] = {"legacy", "modern", "dual"};
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		struct hosted_rig rig;
		struct listed listed[HOSTED_ERAS] = {{0}};
		rig_open(&rig);
		rig.hosted = rig_add(&rig, "test", (struct hosted_settings){.idle_ms = 0}, WORDS("--era", eras[i]));
		assert_true(hosted_start(rig.hosted, NULL));
		for (int era = 0; era < HOSTED_ERAS; era++)
			assert_non_null(hosted_items_ask(rig.hosted, (enum hosted_era)era, HOSTED_TOOLS, RIG_PATIENCE_MS,
				took, &listed[era], NULL));
		rig_until(&rig, listed[HOSTED_LEGACY].count && listed[HOSTED_MODERN].count);
		assert_int_equal(listed[HOSTED_LEGACY].items, TEST_TOOLS);
		assert_int_equal(listed[HOSTED_MODERN].items, TEST_TOOLS);
		rig_close(&rig);
	}
}

static void what_is_not_offered_is_an_empty_list(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct listed listed;
	rig_run(&rig, (struct hosted_settings){.idle_ms = 0}, NULL);
	list(&rig, &listed, HOSTED_LEGACY, HOSTED_PROMPTS);
	assert_int_equal(listed.items, 0);
	assert_int_equal(listed.why.code, FAULT_NONE);
	list(&rig, &listed, HOSTED_MODERN, HOSTED_RESOURCES); /* offered, but not known: -32601 */
	assert_int_equal(listed.items, 0);
	rig_close(&rig);
}

static void a_change_makes_the_list_old(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct listed listed;
	struct rig_ask made;
	static const char *const eras[] = {"legacy", "modern"};
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		rig_run(&rig, (struct hosted_settings){.idle_ms = 0}, WORDS("--era", eras[i]));
		list(&rig, &listed, HOSTED_LEGACY, HOSTED_TOOLS);
		assert_false(listed.has_grown);
		rig_ask(&rig, &made, "ann", "grow");
		assert_int_equal(rig.changed, 1);
		list(&rig, &listed, HOSTED_LEGACY, HOSTED_TOOLS);
		assert_true(listed.has_grown);
		rig_close(&rig);
	}
}

static void a_server_that_is_gone_lists_what_is_known(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct listed listed;
	struct rig_ask made;
	struct fault why;
	rig_run(&rig, (struct hosted_settings){.restart = HOSTED_RESTART_NEVER}, NULL);
	list(&rig, &listed, HOSTED_LEGACY, HOSTED_TOOLS);
	rig_ask(&rig, &made, "ann", "die");
	rig_until(&rig, hosted_state(rig.hosted) == HOSTED_ERROR);
	list(&rig, &listed, HOSTED_LEGACY, HOSTED_TOOLS);
	assert_int_equal(listed.items, TEST_TOOLS);
	assert_null(hosted_items_ask(rig.hosted, HOSTED_LEGACY, HOSTED_PROMPTS, 0, took, &listed, &why));
	assert_int_equal(why.code, FAULT_NOT_READY);
	rig_close(&rig);
}

static void who_waits_is_answered_at_its_deadline(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct listed listed = {0}, given_up = {0};
	struct hosted_settings settings = {.id = "mute", .arguments = WORDS("sleep", "600")};
	rig_open(&rig);
	rig.hosted = hosted_add(rig.servers, &settings, NULL);
	assert_non_null(rig.hosted);
	assert_true(hosted_start(rig.hosted, NULL));
	struct hosted_wait *wait = hosted_items_ask(rig.hosted, HOSTED_LEGACY, HOSTED_TOOLS, 0, took,
		&given_up, NULL);
	assert_non_null(wait);
	assert_non_null(hosted_items_ask(rig.hosted, HOSTED_LEGACY, HOSTED_TOOLS, 20, took, &listed, NULL));
	rig_until(&rig, listed.count);
	assert_int_equal(listed.why.code, FAULT_TIMEOUT);
	hosted_items_cancel(wait);
	rig_close(&rig);
	assert_int_equal(given_up.count, 0);
}

static void updates_reach_who_subscribed_through_a_restart(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	static const char *const eras[] = {"legacy", "modern"};
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		rig_run(&rig, (struct hosted_settings){.back_off_ms = 1}, WORDS("--era", eras[i]));
		assert_true(hosted_subscribe(rig.hosted, SLICE("ann"), SLICE("test://one"), NULL));
		assert_true(hosted_subscribe(rig.hosted, SLICE("ann"), SLICE("test://one"), NULL));
		rig_ask(&rig, &made, "ann", "touch");
		assert_int_equal(rig.updated, 1);
		assert_string_equal(rig.updated_for, "ann");
		rig_ask(&rig, &made, "ann", "die");
		rig_ask(&rig, &made, "ann", "touch");
		assert_int_equal(rig.updated, 2);
		hosted_unsubscribe(rig.hosted, SLICE("ann"), SLICE("test://one"));
		rig_ask(&rig, &made, "ann", "touch");
		assert_int_equal(rig.updated, 3);
		hosted_unsubscribe(rig.hosted, SLICE("ann"), SLICE("test://one"));
		rig_ask(&rig, &made, "ann", "touch");
		assert_int_equal(rig.updated, 3);
		rig_close(&rig);
	}
}

static void facts_are_what_the_server_said(void **state) {
	(void)state;
	struct hosted_rig rig;
	rig_run(&rig, (struct hosted_settings){.idle_ms = 0}, NULL);
	const struct hosted_facts *facts = hosted_facts(rig.hosted, HOSTED_LEGACY);
	assert_non_null(facts);
	check_slice(facts->version, "2025-11-25");
	check_slice(facts->name, "test A");
	check_slice(facts->server_info, "{\"name\":\"test \\u0041\",\"version\":\"1\"}");
	check_slice(facts->instructions, "Be kind.");
	assert_true(hosted_offers(rig.hosted, HOSTED_LEGACY, "resources", "subscribe"));
	assert_false(hosted_offers(rig.hosted, HOSTED_LEGACY, "resources", "listChanged"));
	assert_false(hosted_offers(rig.hosted, HOSTED_LEGACY, "prompts", NULL));
	assert_null(hosted_facts(rig.hosted, HOSTED_MODERN));
	assert_int_equal(hosted_era_for(rig.hosted, HOSTED_MODERN), HOSTED_LEGACY);
	rig_close(&rig);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_pages_come_in_both_eras),
		cmocka_unit_test(who_asks_before_the_eras_are_known_gets_the_list_that_there_is),
		cmocka_unit_test(what_is_not_offered_is_an_empty_list),
		cmocka_unit_test(a_change_makes_the_list_old),
		cmocka_unit_test(a_server_that_is_gone_lists_what_is_known),
		cmocka_unit_test(who_waits_is_answered_at_its_deadline),
		cmocka_unit_test(updates_reach_who_subscribed_through_a_restart),
		cmocka_unit_test(facts_are_what_the_server_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
