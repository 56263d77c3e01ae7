/* SPDX-License-Identifier: Apache-2.0 */
#include "jwt_rig.h"

#include "net/acceptor.h"
#include "net/stream.h"

#define HS "{\"alg\":\"HS256\",\"typ\":\"JWT\"}"
#define ED "{\"alg\":\"EdDSA\",\"kid\":\"ed\"}"
#define ALL ((1u << JWT_ALGORITHMS) - 1)

static struct loop *loop;
static struct log silent;
static struct text token;
static struct asked asked;

static int set_up(void **state) {
	(void)state;
	log_init(&silent, open("/dev/null", O_WRONLY | O_CLOEXEC), LOG_ERROR);
	loop = loop_open(NULL);
	text_init(&token, 0);
	return loop ? 0 : -1;
}

static int tear_down(void **state) {
	(void)state;
	asked_finish(&asked);
	text_finish(&token);
	loop_close(loop);
	close(silent.descriptor);
	return 0;
}

static struct jwt *open_jwt(struct jwt_settings settings) {
	struct fault why;
	if (!settings.algorithms) settings.algorithms = ALL;
	struct jwt *jwt = jwt_open(loop, &settings, &silent, &why);
	if (!jwt) fail_msg("%s", why.text);
	return jwt;
}

static void ask(struct jwt *jwt) {
	asked_finish(&asked);
	jwt_ask(jwt, text_slice(&token), rig_found, &asked);
}

/* Refused at once, with these words behind "bad_token: " or another word. */
static void check_refused(struct jwt *jwt, const char *words) {
	ask(jwt);
	assert_int_equal(asked.answers, 1);
	assert_null(asked.principal);
	assert_int_equal(asked.why.code, FAULT_REFUSED);
	if (!strstr(asked.why.text, words)) fail_msg("'%s' does not say '%s'", asked.why.text, words);
}

static void check_taken(struct jwt *jwt) {
	ask(jwt);
	assert_int_equal(asked.answers, 1);
	if (!asked.principal) fail_msg("%s", asked.why.text);
}

static void claims_become_a_principal(void **state) {
	(void)state;
	struct jwt *jwt = open_jwt((struct jwt_settings){.secret = RIG_SECRET, .claim_admin = "boss"});
	rig_hmac(&token, SLICE(RIG_SECRET), HS,
		rig_claims(",\"topics\":[\"yard\",\"team-*\"],\"privilege\":\"full\",\"kind\":\"robot\",\"name\":\"Ann\","
			   "\"jti\":\"j-1\",\"boss\":true"));
	check_taken(jwt);
	check_slice(asked.principal->id, "ann");
	check_slice(principal_text(asked.principal, PRINCIPAL_NAME), "Ann");
	check_slice(principal_text(asked.principal, PRINCIPAL_TOKEN_ID), "j-1");
	check_slice(principal_text(asked.principal, PRINCIPAL_TOPICS), "yard\nteam-*");
	assert_int_equal(asked.principal->privilege, PRIVILEGE_FULL);
	assert_int_equal(asked.principal->kind, PRINCIPAL_ROBOT);
	assert_true(asked.principal->is_admin);
	assert_true(principal_may_enter(asked.principal, SLICE("team-7")));
	assert_false(principal_may_enter(asked.principal, SLICE("elsewhere")));
	rig_hmac(&token, SLICE(RIG_SECRET), HS, rig_claims(",\"scope\":\"x\",\"boss\":\"true\""));
	check_taken(jwt);
	assert_false(asked.principal->is_admin);
	assert_int_equal(asked.principal->privilege, PRIVILEGE_UNSAID);
	jwt_close(jwt);
}

static void claims_have_the_names_of_the_configuration(void **state) {
	(void)state;
	struct jwt *jwt = open_jwt((struct jwt_settings){.secret = RIG_SECRET, .claim_id = "user", .claim_topics = "rooms", .claim_privilege = "level", .require_topics = true});
	rig_hmac(&token, SLICE(RIG_SECRET), HS, rig_claims(",\"user\":\"bob\",\"rooms\":\"yard team\",\"level\":\"restricted\""));
	check_taken(jwt);
	check_slice(asked.principal->id, "bob");
	check_slice(principal_text(asked.principal, PRINCIPAL_TOPICS), "yard\nteam");
	rig_hmac(&token, SLICE(RIG_SECRET), HS, rig_claims(",\"user\":\"bob\""));
	check_refused(jwt, "no topic");
	jwt_close(jwt);
}

static void what_is_said_wrongly_is_not_guessed(void **state) {
	(void)state;
	static const char *const wrong[] = {",\"privilege\":\"all\"", ",\"privilege\":[\"full\"]", ",\"privilege\":1",
		",\"kind\":\"cat\"", ",\"kind\":{}", ",\"topics\":[]", ",\"topics\":\"\"", ",\"topics\":[\"a..b\"]",
		",\"topics\":null", ",\"topics\":[7]", ",\"jti\":5", ",\"name\":[]", ",\"nbf\":\"soon\""};
	struct jwt *jwt = open_jwt((struct jwt_settings){.secret = RIG_SECRET});
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		rig_hmac(&token, SLICE(RIG_SECRET), HS, rig_claims(wrong[i]));
		check_refused(jwt, "bad_token: ");
	}
	static const char *const nobody[] = {"{}", "[]", "{\"sub\":\"\",\"exp\":99999999999}", "{\"sub\":7,\"exp\":99999999999}",
		"{\"sub\":\"a b\",\"exp\":99999999999}", "{\"sub\":\"system:x\",\"exp\":99999999999}", "{\"sub\":\"ann\"}",
		"{\"sub\":\"ann\",\"exp\":\"99999999999\"}", "{\"sub\":\"ann\",\"exp\":1e400}", "{\"sub\":\"ann\",\"exp\":-1}"};
	for (size_t i = 0; i < COUNT_OF(nobody); i++) {
		rig_hmac(&token, SLICE(RIG_SECRET), HS, nobody[i]);
		check_refused(jwt, "bad_token: ");
	}
	jwt_close(jwt);
}

static void a_key_that_stands_twice_is_refused(void **state) {
	(void)state;
	struct jwt *jwt = open_jwt((struct jwt_settings){.secret = RIG_SECRET});
	rig_hmac(&token, SLICE(RIG_SECRET), HS, rig_claims(",\"sub\":\"root\""));
	check_refused(jwt, "no JSON object");
	rig_hmac(&token, SLICE(RIG_SECRET), HS, rig_claims(",\"s\\u0075b\":\"root\""));
	check_refused(jwt, "no JSON object");
	rig_hmac(&token, SLICE(RIG_SECRET), "{\"alg\":\"HS256\",\"alg\":\"none\"}", rig_claims(""));
	check_refused(jwt, "no JSON object");
	jwt_close(jwt);
}

static void times_are_held_within_the_leeway(void **state) {
	(void)state;
	char claims[200];
	long long now = (long long)(clock_wall_ms() / 1000);
	struct jwt *jwt = open_jwt((struct jwt_settings){.secret = RIG_SECRET, .leeway_ms = 600 * 1000});
	snprintf(claims, sizeof claims, "{\"sub\":\"ann\",\"exp\":%lld}", now - 3600);
	rig_hmac(&token, SLICE(RIG_SECRET), HS, claims);
	check_refused(jwt, "expired_token: ");
	snprintf(claims, sizeof claims, "{\"sub\":\"ann\",\"exp\":%lld.5,\"nbf\":%lld}", now - 60, now + 60);
	rig_hmac(&token, SLICE(RIG_SECRET), HS, claims);
	check_taken(jwt);
	assert_true(asked.principal->expires_at > clock_wall_ms()); /* let in late, and not sent away at once */
	snprintf(claims, sizeof claims, "{\"sub\":\"ann\",\"exp\":%lld,\"nbf\":%lld}", now + 9000, now + 3600);
	rig_hmac(&token, SLICE(RIG_SECRET), HS, claims);
	check_refused(jwt, "not valid yet");
	jwt_close(jwt);
}

static void issuer_and_audience_are_held(void **state) {
	(void)state;
	struct jwt *jwt = open_jwt((struct jwt_settings){.secret = RIG_SECRET, .issuer = "idp", .audience = "gate"});
	rig_hmac(&token, SLICE(RIG_SECRET), HS, rig_claims(",\"iss\":\"idp\",\"aud\":[\"other\",\"gate\"]"));
	check_taken(jwt);
	static const char *const wrong[] = {"", ",\"iss\":\"idp\"", ",\"iss\":\"idp\",\"aud\":\"gates\"",
		",\"iss\":\"idp\",\"aud\":[]", ",\"iss\":\"idp2\",\"aud\":\"gate\"", ",\"aud\":\"gate\"",
		",\"iss\":{\"idp\":1},\"aud\":\"gate\""};
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		rig_hmac(&token, SLICE(RIG_SECRET), HS, rig_claims(wrong[i]));
		check_refused(jwt, "another");
	}
	jwt_close(jwt);
}

static void a_token_without_a_signature_is_none(void **state) {
	(void)state;
	static const char *const headers[] = {"{\"alg\":\"none\"}", "{\"alg\":\"None\"}", "{\"alg\":\"\"}", "{}",
		"{\"alg\":7}", "{\"alg\":\"HS512\"}", "{\"alg\":\"hs256\"}", "{\"alg\":[\"HS256\"]}", "[]",
		"{\"alg\":\"HS256\",\"crit\":[\"exp\"]}", "{\"alg\":\"HS256\",\"kid\":7}"};
	struct jwt *jwt = open_jwt((struct jwt_settings){.secret = RIG_SECRET});
	for (size_t i = 0; i < COUNT_OF(headers); i++) {
		rig_hmac(&token, SLICE(RIG_SECRET), headers[i], rig_claims(""));
		check_refused(jwt, "bad_token: ");
		*strrchr(token.bytes, '.') = '\0';
		token.length = strlen(token.bytes);
		check_refused(jwt, "bad_token: ");
		text_add_char(&token, '.');
		check_refused(jwt, "bad_token: ");
	}
	rig_hmac(&token, SLICE("another secret, of just as many octets.."), HS, rig_claims(""));
	check_refused(jwt, "signature does not hold");
	jwt_close(jwt);
}

static void base64_has_one_form(void **state) {
	(void)state;
	struct jwt *jwt = open_jwt((struct jwt_settings){.secret = RIG_SECRET});
	static const char *const behind[] = {"=", "==", ".", ".x", "\n", " ", "A", "+/"};
	for (size_t i = 0; i < COUNT_OF(behind); i++) {
		rig_hmac(&token, SLICE(RIG_SECRET), HS, rig_claims(""));
		check_taken(jwt);
		text_add_cstr(&token, behind[i]);
		check_refused(jwt, "bad_token: ");
	}
	rig_hmac(&token, SLICE(RIG_SECRET), HS, rig_claims(""));
	while (token.length <= JWT_OCTETS) text_add_char(&token, 'A');
	check_refused(jwt, "larger than 16 KiB");
	jwt_close(jwt);
}

/* The key file of a test; removed by the caller. */
static void write_keys(char path[64], const char *keys) {
	snprintf(path, 64, "/tmp/hustings-jwks-XXXXXX");
	int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, keys, strlen(keys)), (ssize_t)strlen(keys));
	close(file);
}

static void a_public_key_is_no_secret(void **state) {
	(void)state;
	char path[64];
	AUTO_TEXT struct text octets;
	text_init(&octets, 0);
	assert_true(secret_unbase64url(&octets, SLICE("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")));
	write_keys(path, RIG_JWKS);
	struct jwt *jwt = open_jwt((struct jwt_settings){.jwks_file = path});
	unlink(path);
	rig_ed25519(&token, ED, rig_claims(""));
	check_taken(jwt);
	rig_hmac(&token, text_slice(&octets), HS, rig_claims(""));
	check_refused(jwt, "signature does not hold");
	rig_hmac(&token, text_slice(&octets), "{\"alg\":\"HS256\",\"kid\":\"ed\"}", rig_claims(""));
	check_refused(jwt, "signature does not hold");
	rig_ed25519(&token, "{\"alg\":\"RS256\",\"kid\":\"ed\"}", rig_claims(""));
	check_refused(jwt, "signature does not hold");
	rig_ed25519(&token, "{\"alg\":\"EdDSA\",\"kid\":\"other\"}", rig_claims(""));
	check_refused(jwt, "signature does not hold");
	rig_ed25519(&token, "{\"alg\":\"EdDSA\"}", rig_claims(""));
	check_taken(jwt);
	jwt_close(jwt);
}

static void only_the_configured_algorithms_are_taken(void **state) {
	(void)state;
	struct jwt *jwt = open_jwt((struct jwt_settings){.secret = RIG_SECRET, .algorithms = 1u << JWT_EDDSA});
	rig_hmac(&token, SLICE(RIG_SECRET), HS, rig_claims(""));
	check_refused(jwt, "not in auth.jwt.algorithms");
	jwt_close(jwt);
}

static void check_unopened(struct jwt_settings settings, const char *words) {
	struct fault why;
	settings.algorithms = ALL;
	assert_null(jwt_open(loop, &settings, &silent, &why));
	if (!strstr(why.text, words)) fail_msg("'%s' does not say '%s'", why.text, words);
}

static void settings_that_cannot_work_are_refused(void **state) {
	(void)state;
	char path[64];
	check_unopened((struct jwt_settings){0}, "needs secret");
	check_unopened((struct jwt_settings){.secret = "short"}, "32 octets");
	check_unopened((struct jwt_settings){.jwks_file = "/nowhere/at/all"}, "/nowhere/at/all");
	check_unopened((struct jwt_settings){.jwks_url = "http://192.0.2.1/keys"}, "https");
	check_unopened((struct jwt_settings){.jwks_url = "http://localhost.example/keys"}, "https");
	check_unopened((struct jwt_settings){.jwks_url = "ftp://127.0.0.1/keys"}, "https");
	write_keys(path, "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}");
	check_unopened((struct jwt_settings){.jwks_file = path}, "RSA");
	unlink(path);
}

/* ---- Keys by URL: a server of one answer on the same loop ---- */

static unsigned served;
static const char *served_body;
static unsigned served_status;

static void request_arrived(struct stream *stream, struct slice bytes) {
	AUTO_TEXT struct text reply;
	if (!memmem(bytes.bytes, bytes.length, "\r\n\r\n", 4)) return;
	served++;
	text_init(&reply, 0);
	text_printf(&reply, "HTTP/1.1 %u Keys\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s", served_status,
		strlen(served_body), served_body);
	stream_write(stream, text_slice(&reply));
	stream_finish(stream, RIG_PATIENCE_MS);
}

static void request_ended(struct stream *stream, const struct fault *why) {
	(void)why;
	stream_close(stream);
}

static const struct stream_events server_events = {.arrived = request_arrived, .ended = request_ended};

static void server_accepted(void *context, int descriptor, const char *address) {
	(void)context, (void)address;
	assert_non_null(stream_open(loop, descriptor, NULL, NULL, &server_events, NULL, NULL));
}

static struct acceptor *serve(const char *body, unsigned status, char url[64]) {
	struct acceptor *acceptor = acceptor_open(loop, "127.0.0.1", 0, server_accepted, NULL, NULL);
	assert_non_null(acceptor);
	served = 0;
	served_body = body;
	served_status = status;
	snprintf(url, 64, "http://127.0.0.1:%u/keys", acceptor_port(acceptor));
	return acceptor;
}

static void until_answered(void) {
	uint64_t until = clock_monotonic_ms() + RIG_PATIENCE_MS;
	while (!asked.answers) {
		assert_true(clock_monotonic_ms() < until);
		loop_step(loop, 20);
	}
}

static void keys_are_fetched_when_they_are_wanted(void **state) {
	(void)state;
	char url[64];
	struct acceptor *acceptor = serve(RIG_JWKS, 200, url);
	struct jwt *jwt = open_jwt((struct jwt_settings){.jwks_url = url});
	rig_ed25519(&token, ED, rig_claims(""));
	ask(jwt);
	assert_int_equal(asked.answers, 0);
	until_answered();
	assert_non_null(asked.principal);
	assert_int_equal(served, 1);
	check_taken(jwt);
	/* An unknown kid is not asked for again at once, however often it comes. */
	rig_ed25519(&token, "{\"alg\":\"EdDSA\",\"kid\":\"new\"}", rig_claims(""));
	for (int i = 0; i < 5; i++) check_refused(jwt, "signature does not hold");
	assert_int_equal(served, 1);
	jwt_close(jwt);
	acceptor_close(acceptor);
}

static void without_keys_it_is_not_the_tokens_fault(void **state) {
	(void)state;
	static const struct {
		const char *body;
		unsigned status;
	} table[] = {{"gone", 404}, {"not JSON", 200}, {"{\"keys\":{}}", 200}};
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		char url[64];
		struct acceptor *acceptor = serve(table[i].body, table[i].status, url);
		struct jwt *jwt = open_jwt((struct jwt_settings){.jwks_url = url});
		rig_ed25519(&token, ED, rig_claims(""));
		ask(jwt);
		until_answered();
		assert_null(asked.principal);
		assert_int_equal(asked.why.code, FAULT_NOT_READY);
		jwt_close(jwt);
		acceptor_close(acceptor);
	}
}

static void whoever_waits_is_told_when_the_settings_go(void **state) {
	(void)state;
	char url[64];
	struct asked other = {0};
	struct acceptor *acceptor = serve(RIG_JWKS, 200, url);
	struct jwt *jwt = open_jwt((struct jwt_settings){.jwks_url = url});
	rig_ed25519(&token, ED, rig_claims(""));
	ask(jwt);
	jwt_ask(jwt, text_slice(&token), rig_found, &other);
	jwt_forget(jwt, &other);
	jwt_close(jwt);
	assert_int_equal(asked.answers, 1);
	assert_int_equal(asked.why.code, FAULT_NOT_READY);
	assert_int_equal(other.answers, 0);
	acceptor_close(acceptor);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(claims_become_a_principal, set_up, tear_down),
		cmocka_unit_test_setup_teardown(claims_have_the_names_of_the_configuration, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_said_wrongly_is_not_guessed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_key_that_stands_twice_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(times_are_held_within_the_leeway, set_up, tear_down),
		cmocka_unit_test_setup_teardown(issuer_and_audience_are_held, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_token_without_a_signature_is_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(base64_has_one_form, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_public_key_is_no_secret, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_the_configured_algorithms_are_taken, set_up, tear_down),
		cmocka_unit_test_setup_teardown(settings_that_cannot_work_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(keys_are_fetched_when_they_are_wanted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_keys_it_is_not_the_tokens_fault, set_up, tear_down),
		cmocka_unit_test_setup_teardown(whoever_waits_is_told_when_the_settings_go, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
