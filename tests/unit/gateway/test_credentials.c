/* SPDX-License-Identifier: Apache-2.0 */
#include "gateway_rig.h"

#include "base/secret.h"

static struct house house;
static const char *ann;

static int set_up(void **state) {
	(void)state;
	house_open(&house, &(struct house_wish){.is_open = false});
	struct gateway_settings *settings = &house.gateway.settings;
	settings->allowed_hosts[0] = "gate.example";
	settings->allowed_hosts[1] = "other.example:8443";
	settings->allowed_origins[0] = "https://app.example";
	settings->allowed_origins[1] = "http://app.example:8080";
	ann = house_full(&house, "ann");
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	house_close(&house);
	return 0;
}

static unsigned status_with(const char *host, const char *fields) {
	struct client client;
	struct answer answer;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "GET /healthz HTTP/1.1\r\nHost: %s\r\n%s\r\n", host, fields);
	client_open(&client, &house);
	client_send_octets(&client, text_slice(&text));
	client_answer(&client, &answer);
	client_close(&client);
	return answer.status;
}

static void only_hosts_of_ours_are_answered(void **state) {
	(void)state;
	static const struct {
		const char *host;
		unsigned status;
	} table[] = {{"127.0.0.1", 200}, {"localhost:7410", 200}, {"LOCALHOST", 200}, {"[::1]:1", 200},
		{"gate.example", 200}, {"GATE.example:9", 200}, {"other.example:8443", 200},
		{"other.example", 403}, {"other.example:80", 403}, {"evil.example", 403},
		{"gate.example.evil.example", 403}, {"xgate.example", 403}, {"127.0.0.1.evil.example", 403},
		{"localhost@evil.example", 400}, {"", 400}};
	for (size_t i = 0; i < COUNT_OF(table); i++)
		assert_int_equal(status_with(table[i].host, ""), table[i].status);
}

static void only_origins_of_ours_are_answered(void **state) {
	(void)state;
	static const struct {
		const char *origin;
		unsigned status;
	} table[] = {{"http://localhost:5173", 200}, {"https://127.0.0.1", 200}, {"http://[::1]:3000", 200},
		{"https://app.example", 200}, {"https://app.example:443", 200}, {"http://app.example:8080", 200},
		{"http://app.example", 403}, {"https://app.example:8080", 403}, {"null", 403},
		{"https://app.example.evil.example", 403}, {"https://app.example@evil.example", 403},
		{"file://", 403}, {"app.example", 403}, {"", 403}};
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		char field[128];
		snprintf(field, sizeof field, "Origin: %s\r\n", table[i].origin);
		assert_int_equal(status_with("127.0.0.1", field), table[i].status);
	}
	assert_int_equal(status_with("127.0.0.1", "Origin: http://localhost\r\nOrigin: http://localhost\r\n"), 403);
}

static unsigned upgrade_with(const char *target, const char *fields) {
	struct client client;
	client_open(&client, &house);
	unsigned status = client_upgrade(&client, target, fields);
	client_close(&client);
	return status;
}

static void a_browser_brings_its_token_as_a_subprotocol(void **state) {
	(void)state;
	AUTO_TEXT struct text coded = {0}, fields = {0};
	text_init(&coded, 0);
	text_init(&fields, 0);
	secret_base64url(&coded, slice_of(ann));
	text_printf(&fields, "Sec-WebSocket-Protocol: mcpx, bearer.%s\r\n", coded.bytes);
	struct client client;
	client_open(&client, &house);
	assert_int_equal(client_upgrade(&client, "/v0/ws?topic=a", fields.bytes), 101);
	assert_non_null(memmem(client.got.bytes, client.got.length, "Sec-WebSocket-Protocol: mcpx\r\n", 30));
	assert_null(memmem(client.got.bytes, client.got.length, "bearer", 6));
	client_close(&client);

	text_clear(&fields);
	text_printf(&fields, "Sec-WebSocket-Protocol: mcpx\r\nSec-WebSocket-Protocol: bearer.%s\r\n", coded.bytes);
	assert_int_equal(upgrade_with("/v0/ws?topic=a", fields.bytes), 101);
	text_clear(&fields);
	text_printf(&fields, "Sec-WebSocket-Protocol: mcpx, bearer.%s=\r\n", coded.bytes);
	assert_int_equal(upgrade_with("/v0/ws?topic=a", fields.bytes), 401);
	assert_int_equal(upgrade_with("/v0/ws?topic=a", "Sec-WebSocket-Protocol: mcpx, bearer.\r\n"), 401);
	assert_int_equal(upgrade_with("/v0/ws?topic=a", "Sec-WebSocket-Protocol: mcpx\r\n"), 401);
}

static void a_malformed_bearer_is_refused(void **state) {
	(void)state;
	static const char *const bearers[] = {"Authorization:\r\n", "Authorization: Bearer\r\n",
		"Authorization: Bearer  \r\n", "Authorization: Basic abc\r\n",
		"Authorization: Bearer a\r\nAuthorization: Bearer a\r\n", "Authorization: Bearer a.b.c\r\n"};
	for (size_t i = 0; i < COUNT_OF(bearers); i++)
		assert_int_equal(upgrade_with("/v0/ws?topic=a", bearers[i]), 401);
}

/* A WebSocket that needs no token: refused before it is one. */
static void a_handshake_is_checked_word_by_word(void **state) {
	(void)state;
	char bearer[128];
	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", ann);
	assert_int_equal(upgrade_with("/v0/ws", bearer), 400);
	assert_int_equal(upgrade_with("/v0/ws?topic=", bearer), 400);
	assert_int_equal(upgrade_with("/v0/ws?topic=a..b", bearer), 400);
	assert_int_equal(upgrade_with("/v0/ws?topic=a&history=1001", bearer), 400);
	assert_int_equal(upgrade_with("/v0/ws?topic=a&echo=yes", bearer), 400);
	assert_int_equal(upgrade_with("/v0/ws?topic=a&protocol=mcpx/v9", bearer), 400);
	assert_int_equal(upgrade_with("/v0/ws?topic=a&kind=cat", bearer), 400);
	assert_int_equal(upgrade_with("/v0/ws?topic=a&ticket=nonsense", bearer), 401);
	assert_int_equal(upgrade_with("/v0/ws?topic=a", ""), 401);
	assert_int_equal(upgrade_with("/v0/ws?topic=a&history=5&echo=0&protocol=mcp-x/v0", bearer), 101);
	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\nSec-WebSocket-Version: 13\r\n", ann);
	assert_int_equal(upgrade_with("/v0/ws?topic=a", bearer), 426);
}

/* A session of Ann's, made over HTTP; its cookie, as the browser sends it back. */
static void sign_in(const char *host, const char *fields, char cookie[160]) {
	struct client client;
	struct answer answer;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "POST /v0/session HTTP/1.1\r\nHost: %s\r\n%sContent-Length: %zu\r\n\r\n{\"token\":\"%s\"}", host, fields,
		strlen(ann) + 12, ann);
	client_open(&client, &house);
	client_send_octets(&client, text_slice(&text));
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 201);
	struct slice set = http1_field(&answer.head, "Set-Cookie"), pair;
	assert_true(slice_split(&set, ';', &pair));
	snprintf(cookie, 160, "%.*s", SLICE_ARGS(pair));
	client_close(&client);
}

static unsigned status_by_cookie(const char *method, const char *host, const char *cookie, const char *fields) {
	struct client client;
	struct answer answer;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	bool has_body = strcmp(method, "POST") == 0;
	text_printf(&text, "%s /v0/%s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n%s%s\r\n%s", method, has_body ? "tickets" : "topics",
		host, cookie, fields, has_body ? "Content-Length: 13\r\n" : "", has_body ? "{\"topic\":\"a\"}" : "");
	client_open(&client, &house);
	client_send_octets(&client, text_slice(&text));
	HOUSE_UNTIL(&house, client_has_answer(&client, strcmp(method, "HEAD") == 0, &answer));
	client_close(&client);
	return answer.status;
}

static void a_cookie_counts_from_the_page_of_this_very_place(void **state) {
	(void)state;
	char cookie[160];
	static const struct {
		const char *method, *host, *fields;
		unsigned status;
	} table[] = {
		{"GET", "127.0.0.1", "", 200},
		{"HEAD", "127.0.0.1", "", 200},
		{"GET", "127.0.0.1:7410", "Origin: http://127.0.0.1:7410\r\n", 200},
		{"GET", "127.0.0.1:80", "Origin: http://127.0.0.1\r\n", 200},
		{"GET", "127.0.0.1", "Sec-Fetch-Site: same-origin\r\n", 200},
		{"GET", "127.0.0.1", "Sec-Fetch-Site: none\r\n", 200},
		{"GET", "127.0.0.1", "Sec-Fetch-Site: same-site\r\n", 403},
		{"GET", "127.0.0.1", "Sec-Fetch-Site: Same-Origin\r\n", 403},
		{"GET", "127.0.0.1", "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: same-origin\r\n", 403},
		{"GET", "127.0.0.1:7410", "Origin: http://127.0.0.1:7411\r\n", 403},
		{"GET", "127.0.0.1:7410", "Origin: http://localhost:7410\r\n", 403},
		{"GET", "127.0.0.1:7410", "Origin: https://127.0.0.1:7410\r\n", 403},
		{"POST", "127.0.0.1", "", 403},
		{"POST", "127.0.0.1", "Sec-Fetch-Site: none\r\n", 403},
		{"POST", "127.0.0.1", "Sec-Fetch-Site: same-origin\r\n", 201},
		{"POST", "localhost", "Origin: http://LOCALHOST\r\n", 201},
		{"POST", "127.0.0.1:7410", "Origin: http://127.0.0.1:7410\r\nSec-Fetch-Site: same-site\r\n", 403},
	};
	sign_in("127.0.0.1", "Origin: http://127.0.0.1\r\n", cookie);
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		unsigned status = status_by_cookie(table[i].method, table[i].host, cookie, table[i].fields);
		if (status != table[i].status) fail_msg("row %zu: %u", i, status);
	}
}

/* A proxy speaks TLS, and leaves Host as it is. */
static void behind_a_proxy_the_public_origin_is_the_place(void **state) {
	(void)state;
	char cookie[160];
	house.gateway.settings.public_origin = "https://app.example";
	house.gateway.settings.allowed_hosts[2] = "app.example";
	sign_in("app.example", "Origin: https://app.example\r\n", cookie);
	assert_int_equal(strncmp(cookie, "__Host-hustings_", 16), 0);
	assert_int_equal(status_by_cookie("POST", "app.example", cookie, "Origin: https://app.example\r\n"), 201);
	assert_int_equal(status_by_cookie("POST", "app.example:8080", cookie, "Origin: http://app.example:8080\r\n"), 401);
	assert_int_equal(status_by_cookie("POST", "127.0.0.1", cookie, "Origin: https://app.example\r\n"), 401);
	house.gateway.settings.public_origin = NULL;
	house.gateway.settings.allowed_hosts[2] = NULL;
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_hosts_of_ours_are_answered),
		cmocka_unit_test(only_origins_of_ours_are_answered),
		cmocka_unit_test(a_browser_brings_its_token_as_a_subprotocol),
		cmocka_unit_test(a_malformed_bearer_is_refused),
		cmocka_unit_test(a_handshake_is_checked_word_by_word),
		cmocka_unit_test(a_cookie_counts_from_the_page_of_this_very_place),
		cmocka_unit_test(behind_a_proxy_the_public_origin_is_the_place),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
