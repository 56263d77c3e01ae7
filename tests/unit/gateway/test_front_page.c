/* SPDX-License-Identifier: Apache-2.0 */
/* What a browser gets of a binary without the console: this program's table is empty. */
#include "gateway_rig.h"

#include "gateway/console_files.h"
#include "gateway/console_table.h"

const struct console_file console_table[] = {{0}};

static void it_says_how_to_get_the_console(void **state) {
	(void)state;
	struct house house;
	struct client client;
	struct answer answer;
	size_t octets;
	house_open(&house, &(struct house_wish){.is_open = false});
	client_open(&client, &house);
	assert_int_equal(client_ask(&client, "GET", "/", NULL, NULL, &answer), 200);
	assert_true(answer_has(&answer, "The web console is not in this binary"));
	assert_true(answer_has(&answer, "apt-get install npm"));
	assert_true(slice_is(http1_field(&answer.head, "Cache-Control"), "no-store"));
	assert_int_equal(client_ask(&client, "GET", "/assets/a-1.js", NULL, NULL, &answer), 404);
	assert_int_equal(console_files_count(&octets), 0);
	assert_int_equal(octets, 0);
	client_close(&client);
	house_close(&house);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_says_how_to_get_the_console),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
