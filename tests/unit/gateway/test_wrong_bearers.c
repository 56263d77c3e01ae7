/* SPDX-License-Identifier: Apache-2.0 */
#include "gateway_rig.h"

#include "gateway/sign_in_pace.h"
#include "gateway/wrong_bearers.h"

static struct house house;
static const char *ann;

static int set_up(void **state) {
	(void)state;
	house_open(&house, &(struct house_wish){.is_open = false});
	ann = house_full(&house, "ann");
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	house_close(&house);
	return 0;
}

/* By its own address, so that no answer has to be waited for. */
static bool may_guess(const char *address) {
	uint64_t retry;
	return wrong_bearers_count(house.gateway.wrong_bearers, address, true, &retry);
}

static void a_right_token_passes_where_others_guessed_too_often(void **state) {
	(void)state;
	struct client client;
	struct answer answer;
	unsigned status = 0;
	client_open(&client, &house);
	assert_int_equal(client_ask(&client, "GET", "/v0/topics", "nonsense", NULL, &answer), 401);
	while (may_guess("127.0.0.1")) continue;
	for (int i = 0; i < 1000 && status != 429; i++) /* one more may be due by now */
		status = client_ask(&client, "GET", "/v0/topics", "nonsense", NULL, &answer);
	assert_int_equal(status, 429);
	assert_true(answer_has(&answer, "\"retry_after_ms\":"));
	client_until_end(&client); /* the next guess needs another connection */
	client_close(&client);
	assert_int_equal(house_ask(&house, "GET", "/v0/topics", ann, NULL), 200);
	assert_int_equal(house_ask(&house, "GET", "/v0/topics", NULL, NULL), 401); /* no token is no guess */
}

static void a_token_that_was_right_once_costs_nothing(void **state) {
	(void)state;
	uint64_t retry;
	for (int i = 0; i < 2 * WRONG_BEARERS_UNITS; i++)
		assert_true(wrong_bearers_count(house.gateway.wrong_bearers, "10.0.0.1", false, &retry));
	assert_true(may_guess("10.0.0.1"));
	assert_true(wrong_bearers_count(house.gateway.wrong_bearers, "10.0.0.1", false, &retry));
}

static void an_address_has_so_many_guesses(void **state) {
	(void)state;
	int guesses = 0;
	while (may_guess("10.0.0.1")) guesses++;
	assert_true(guesses >= WRONG_BEARERS_UNITS);
	assert_true(may_guess("10.0.0.2"));
}

static void the_sign_ins_of_an_address_are_not_its_guesses(void **state) {
	(void)state;
	uint64_t retry;
	while (may_guess("10.0.0.1")) continue;
	assert_true(sign_in_pace_take(house.gateway.sign_in_pace, "10.0.0.1", SIGN_IN_COST,
		loop_now(house.gateway.loop), &retry));
}

static size_t times(struct slice text, const char *words) {
	size_t count = 0;
	const char *at = text.bytes, *end = text.bytes + text.length;
	while ((at = memmem(at, (size_t)(end - at), words, strlen(words)))) {
		at += strlen(words);
		count++;
	}
	return count;
}

static void the_trail_hears_of_so_many_addresses_once(void **state) {
	(void)state;
	struct answer answer;
	struct client client;
	char address[32];
	const char *root = house_admin(&house);
	for (int i = 0; i < WRONG_BEARERS_SOURCES + 50; i++) {
		snprintf(address, sizeof address, "10.1.%d.%d", i / 200, i % 200);
		assert_true(may_guess(address));
		assert_true(may_guess(address));
	}
	client_open(&client, &house);
	assert_int_equal(client_ask(&client, "GET", "/admin/audit?event=refused&limit=1000", root, NULL, &answer), 200);
	assert_int_equal(times(answer.body, "\"gate\":\"token\""), WRONG_BEARERS_SOURCES + 1);
	assert_int_equal(times(answer.body, "\"10.1.0.7\""), 1);
	assert_int_equal(times(answer.body, "\"other addresses\""), 1);
	client_close(&client);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_right_token_passes_where_others_guessed_too_often, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_token_that_was_right_once_costs_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_address_has_so_many_guesses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_sign_ins_of_an_address_are_not_its_guesses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_trail_hears_of_so_many_addresses_once, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
