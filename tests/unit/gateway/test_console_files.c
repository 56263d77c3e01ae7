/* SPDX-License-Identifier: Apache-2.0 */
/* The console out of the binary; this program has a table of its own in place of the built one. */
#include "gateway_rig.h"

#include "gateway/console_files.h"
#include "gateway/console_table.h"

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const char plain[] = "plain", packed[] = "PACKED";

const struct console_file console_table[] = {
	{"/", "text/html; charset=utf-8", HASH, {plain, 5}, {packed, 6}},
	{"/assets/a-1.js", "text/javascript; charset=utf-8", HASH, {plain, 5}, {packed, 6}},
	{"/assets/font.woff2", "font/woff2", HASH, {plain, 5}, {0}},
	{0},
};

static struct house house;

static int set_up(void **state) {
	(void)state;
	house_open(&house, &(struct house_wish){.is_open = false});
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	house_close(&house);
	return 0;
}

static unsigned get(struct client *client, const char *method, const char *path, const char *fields,
	struct answer *answer) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", method, path, fields);
	client_send_octets(client, text_slice(&text));
	HOUSE_UNTIL(&house, client_has_answer(client, strcmp(method, "HEAD") == 0, answer));
	return answer->status;
}

static bool has_field(const struct answer *answer, const char *name, const char *value) {
	return slice_is(http1_field(&answer->head, name), value);
}

static void who_takes_gzip_gets_it(void **state) {
	(void)state;
	struct client client;
	struct answer answer;
	client_open(&client, &house);
	assert_int_equal(get(&client, "GET", "/", "Accept-Encoding: gzip\r\n", &answer), 200);
	assert_true(slice_is(answer.body, "PACKED"));
	assert_true(has_field(&answer, "Content-Encoding", "gzip"));
	assert_true(has_field(&answer, "ETag", "\"" HASH "-gzip\""));
	assert_true(has_field(&answer, "Vary", "Accept-Encoding"));

	assert_int_equal(get(&client, "GET", "/", "", &answer), 200);
	assert_true(slice_is(answer.body, "plain"));
	assert_null(http1_field(&answer.head, "Content-Encoding").bytes);
	assert_true(has_field(&answer, "ETag", "\"" HASH "\""));

	assert_int_equal(get(&client, "GET", "/assets/font.woff2", "Accept-Encoding: gzip\r\n", &answer), 200);
	assert_true(slice_is(answer.body, "plain"));
	assert_null(http1_field(&answer.head, "Content-Encoding").bytes);
	client_close(&client);
}

static void what_has_a_hash_is_kept_and_the_page_is_not(void **state) {
	(void)state;
	struct client client;
	struct answer answer;
	client_open(&client, &house);
	assert_int_equal(get(&client, "GET", "/assets/a-1.js", "", &answer), 200);
	assert_true(has_field(&answer, "Cache-Control", "public, max-age=31536000, immutable"));
	assert_int_equal(http1_field_count(&answer.head, "Cache-Control"), 1);
	assert_int_equal(get(&client, "GET", "/", "", &answer), 200);
	assert_true(has_field(&answer, "Cache-Control", "no-cache"));
	assert_int_equal(get(&client, "GET", "/healthz", "", &answer), 200); /* on the same connection */
	assert_true(has_field(&answer, "Cache-Control", "no-store"));
	client_close(&client);
}

static void what_one_has_is_not_sent_again(void **state) {
	(void)state;
	struct client client;
	struct answer answer;
	client_open(&client, &house);
	assert_int_equal(get(&client, "GET", "/", "If-None-Match: \"" HASH "\"\r\n", &answer), 304);
	assert_int_equal(answer.body.length, 0);
	assert_null(http1_field(&answer.head, "Content-Length").bytes);
	assert_true(has_field(&answer, "ETag", "\"" HASH "\""));
	/* The compressed form is another thing with another tag. */
	assert_int_equal(get(&client, "GET", "/", "Accept-Encoding: gzip\r\nIf-None-Match: \"" HASH "\"\r\n", &answer), 200);
	assert_int_equal(get(&client, "HEAD", "/", "If-None-Match: *\r\n", &answer), 304);
	client_close(&client);
}

static void a_head_has_no_body(void **state) {
	(void)state;
	struct client client;
	struct answer answer;
	client_open(&client, &house);
	assert_int_equal(get(&client, "HEAD", "/assets/a-1.js", "Accept-Encoding: gzip\r\n", &answer), 200);
	assert_true(has_field(&answer, "Content-Length", "6"));
	assert_true(has_field(&answer, "Content-Type", "text/javascript; charset=utf-8"));
	assert_int_equal(get(&client, "GET", "/assets/a-1.js", "", &answer), 200); /* nothing stood between */
	assert_true(slice_is(answer.body, "plain"));
	client_close(&client);
}

static void what_is_not_in_the_table_is_not_there(void **state) {
	(void)state;
	static const char *const missing[] = {"/assets/b-1.js", "/assets/", "/assets", "/assets/a-1.js/x",
		"/assets/..%2f", "/assets/%2e%2e", "/index.html", "/a-1.js", "/assets/a-1%2ejs"};
	for (size_t i = 0; i < COUNT_OF(missing); i++)
		assert_int_equal(house_ask(&house, "GET", missing[i], NULL, NULL), 404);
	assert_int_equal(house_ask(&house, "POST", "/assets/a-1.js", NULL, ""), 405);
}

static void what_it_holds_is_counted(void **state) {
	(void)state;
	size_t octets;
	assert_int_equal(console_files_count(&octets), 3);
	assert_int_equal(octets, 27);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_takes_gzip_gets_it),
		cmocka_unit_test(what_has_a_hash_is_kept_and_the_page_is_not),
		cmocka_unit_test(what_one_has_is_not_sent_again),
		cmocka_unit_test(a_head_has_no_body),
		cmocka_unit_test(what_is_not_in_the_table_is_not_there),
		cmocka_unit_test(what_it_holds_is_counted),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
