/* SPDX-License-Identifier: Apache-2.0 */
#include "decide_rig.h"

#include "decide/webhook.h"
#include "decide/webhook_sign.h"

#include "base/secret.h"
#include "store/decision_rows.h"

#define SECRET "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

static struct desk desk;
static struct receiver receiver;
static char url[64];
static const int64_t quick[] = {5, 5, 5, 5, 5, 5, 5, 0};
static struct inbox_settings settings;

static int set_up(void **state) {
	(void)state;
	receiver_open(&receiver);
	snprintf(url, sizeof url, "http://127.0.0.1:%u/hook?a=b", receiver.port);
	settings = (struct inbox_settings){
		.webhook_url = url,
		.webhook_secret = SECRET,
		.webhook_pauses_ms = quick,
	};
	desk_open(&desk, &settings);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	desk_close(&desk);
	receiver_close(&receiver);
	return 0;
}

static void header(const struct received *received, const char *name, char value[256]) {
	char wanted[64];
	snprintf(wanted, sizeof wanted, "\r\n%s: ", name);
	const char *at = strcasestr(received->head, wanted);
	assert_non_null(at);
	at += strlen(wanted);
	size_t length = strcspn(at, "\r");
	assert_true(length < 256);
	snprintf(value, 256, "%.*s", (int)length, at);
}

/* The signature as a receiver checks it. */
static void check_signature(const struct received *received) {
	char id[256], time[256], signature[256], signed_text[10000];
	uint8_t mac[SECRET_HASH_SIZE];
	AUTO_TEXT struct text key = {0}, wanted = {0};
	text_init(&key, 0);
	text_init(&wanted, 0);
	header(received, "webhook-id", id);
	header(received, "webhook-timestamp", time);
	header(received, "webhook-signature", signature);
	assert_true(secret_unbase64(&key, slice_of(&SECRET[6])));
	snprintf(signed_text, sizeof signed_text, "%s.%s.%s", id, time, received->body);
	assert_true(secret_sign(text_slice(&key), slice_of(signed_text), mac));
	secret_base64(&wanted, slice_make(mac, sizeof mac));
	assert_string_equal(signature + 3, wanted.bytes);
	assert_memory_equal(signature, "v1,", 3);
	assert_null(strstr(received->head, SECRET));
	assert_null(strchr(id, '.'));
}

static bool tells(const struct received *received, const char *id, const char *type) {
	char wanted[128];
	snprintf(wanted, sizeof wanted, "{\"type\":\"decision.%s\",\"timestamp\":\"", type);
	return strncmp(received->body, wanted, strlen(wanted)) == 0 && strstr(received->body, id);
}

static bool is_noted(void *context, const struct decision_row *row, struct fault *why) {
	(void)why;
	*(bool *)context &= row->told == row->version;
	return true;
}

static bool all_are_noted(void) {
	bool are_noted = true;
	struct fault why;
	assert_true(decision_row_each(desk.state, is_noted, &are_noted, &why));
	return are_noted;
}

static void a_known_signature_comes_out(void **state) {
	(void)state;
	/* The example of the Standard Webhooks text. */
	AUTO_TEXT struct text key = {0}, signature = {0};
	struct fault why;
	text_init(&key, 0);
	text_init(&signature, 0);
	assert_true(webhook_key(SLICE(SECRET), WEBHOOK_SECRET_LEAST, &key, &why));
	assert_true(webhook_sign(text_slice(&key), SLICE("msg_p5jXN8AQM9LWM0D4loKWxJek"), 1614265330,
		SLICE("{\"test\": 2432232314}"), &signature));
	check_text(&signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

static void every_change_is_told_in_order_and_signed(void **state) {
	(void)state;
	struct hearer bot;
	struct decision_wish wish = call_wish("bot", "{\"path\": \"a\"}");
	const char *id = ask(&desk, &wish, &bot);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_NONE);
	DESK_UNTIL(&desk, receiver_count(&receiver) == 3);
	assert_true(tells(&receiver.received[0], id, "opened"));
	assert_true(tells(&receiver.received[1], id, "approved"));
	assert_true(tells(&receiver.received[2], id, "used"));
	assert_non_null(strstr(receiver.received[0].body, "\"arguments\":{\"path\": \"a\"}"));
	assert_memory_equal(receiver.received[0].head, "POST /hook?a=b ", 15);
	char first[256], second[256];
	for (int i = 0; i < 3; i++) check_signature(&receiver.received[i]);
	header(&receiver.received[0], "webhook-id", first);
	header(&receiver.received[1], "webhook-id", second);
	assert_string_not_equal(first, second);
}

/* A permission that takes effect is no news: it was approved, and that was told. */
static void an_approval_is_told_once(void **state) {
	(void)state;
	const struct slice names[] = {SLICE("shell.execute")};
	struct decision_wish wish = {.kind = DECISION_PERMISSION,
		.requester = SLICE("server:files"),
		.permissions = names,
		.permission_count = 1};
	struct decision_wish next = call_wish("bot", "{}");
	struct hearer server;
	const char *id = ask(&desk, &wish, &server);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_NONE);
	DESK_UNTIL(&desk, server.told);
	assert_true(find(&desk, id)->used_at > 0);
	DESK_UNTIL(&desk, receiver_count(&receiver) == 2 && all_are_noted());
	id = ask(&desk, &next, NULL);
	DESK_UNTIL(&desk, receiver_count(&receiver) == 3);
	assert_true(tells(&receiver.received[2], id, "opened"));
}

static void what_is_refused_is_told_again_before_what_follows(void **state) {
	(void)state;
	struct decision_wish wish = call_wish("bot", "{}");
	receiver.statuses[0] = 500;
	receiver.statuses[1] = 302; /* not followed */
	receiver.statuses[2] = 404;
	const char *id = ask(&desk, &wish, NULL);
	assert_int_equal(answer_as(&desk, id, no_of("ann")), FAULT_NONE);
	DESK_UNTIL(&desk, receiver_count(&receiver) == 5);
	char first[256], again[256];
	for (int i = 0; i < 4; i++) assert_true(tells(&receiver.received[i], id, "opened"));
	assert_true(tells(&receiver.received[4], id, "denied"));
	header(&receiver.received[0], "webhook-id", first);
	header(&receiver.received[3], "webhook-id", again);
	assert_string_equal(first, again); /* so a receiver knows it */
}

static void eight_tries_and_the_next_has_its_turn(void **state) {
	(void)state;
	struct decision_wish wish = call_wish("bot", "{}"), other = call_wish("bob", "{}");
	for (int i = 0; i < WEBHOOK_TRIES; i++) receiver.statuses[i] = 503;
	const char *id = ask(&desk, &wish, NULL);
	DESK_UNTIL(&desk, receiver_count(&receiver) == WEBHOOK_TRIES);
	assert_int_equal(answer_as(&desk, id, no_of("ann")), FAULT_NONE);
	DESK_UNTIL(&desk, receiver_count(&receiver) == WEBHOOK_TRIES + 1);
	assert_true(tells(&receiver.received[WEBHOOK_TRIES], id, "denied"));
	/* Gone: no more tries. */
	receiver.statuses[WEBHOOK_TRIES + 1] = 410;
	ask(&desk, &other, NULL);
	DESK_UNTIL(&desk, receiver_count(&receiver) == WEBHOOK_TRIES + 2);
	id = ask(&desk, &wish, NULL);
	DESK_UNTIL(&desk, receiver_count(&receiver) == WEBHOOK_TRIES + 3);
	assert_true(tells(&receiver.received[WEBHOOK_TRIES + 2], id, "opened"));
}

static void what_was_not_told_is_told_after_a_restart(void **state) {
	(void)state;
	static const int64_t long_ms[] = {3600000, 0};
	struct inbox_settings slow = settings;
	struct decision_wish wish = call_wish("bot", "{}"), told = call_wish("bob", "{}");
	slow.webhook_pauses_ms = long_ms;
	ask(&desk, &told, NULL);
	DESK_UNTIL(&desk, receiver_count(&receiver) == 1);
	DESK_UNTIL(&desk, all_are_noted());
	desk_restart(&desk, &slow);
	receiver.statuses[1] = 500;
	const char *id = ask(&desk, &wish, NULL);
	DESK_UNTIL(&desk, receiver_count(&receiver) == 2);
	assert_int_equal(answer_as(&desk, id, no_of("ann")), FAULT_NONE);
	desk_restart(&desk, &settings);
	DESK_UNTIL(&desk, receiver_count(&receiver) == 3);
	assert_true(tells(&receiver.received[2], id, "denied"));
}

static void a_reload_changes_where_it_goes(void **state) {
	(void)state;
	struct inbox_settings other = settings, none = {0}, bad = settings;
	struct fault why;
	struct decision_wish wish = call_wish("bot", "{}");
	char place[64];
	snprintf(place, sizeof place, "http://127.0.0.1:%u/other", receiver.port);
	other.webhook_url = place;
	assert_true(inbox_change(desk.inbox, &other, &why));
	ask(&desk, &wish, NULL);
	DESK_UNTIL(&desk, receiver_count(&receiver) == 1);
	assert_memory_equal(receiver.received[0].head, "POST /other ", 12);
	bad.webhook_secret = "short";
	assert_false(inbox_change(desk.inbox, &bad, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_null(strstr(why.text, "'short'"));
	bad.webhook_secret = NULL;
	assert_false(inbox_change(desk.inbox, &bad, &why));
	bad.webhook_secret = "whsec_!!!!";
	assert_false(inbox_change(desk.inbox, &bad, &why));
	bad = settings;
	bad.webhook_url = "ftp://example";
	assert_false(inbox_change(desk.inbox, &bad, &why));
	assert_true(inbox_change(desk.inbox, &none, &why));
	struct decision_wish quiet = call_wish("bob", "{}");
	ask(&desk, &quiet, NULL);
	assert_true(inbox_change(desk.inbox, &settings, &why));
	struct decision_wish loud = call_wish("ben", "{}");
	const char *id = ask(&desk, &loud, NULL);
	DESK_UNTIL(&desk, receiver_count(&receiver) == 2);
	assert_true(tells(&receiver.received[1], id, "opened"));
}

static unsigned dones;
static void note_done(void *context, struct slice id, uint64_t version, const struct fault *why) {
	(void)context, (void)id, (void)version, (void)why;
	dones++;
}

static void what_waits_is_bounded(void **state) {
	(void)state;
	struct fault why;
	struct fetch_desk *fetches = fetch_desk_open(desk.loop, &why);
	const struct webhook_options options = {
		.loop = desk.loop,
		.desk = fetches,
		.url = url,
		.secret = SECRET,
		.done = note_done,
	};
	struct webhook *webhook = webhook_open(&options, &why);
	assert_non_null(webhook);
	struct decision_wish wish = call_wish("bot", "{}");
	struct decision *decision = decision_make(&wish, 1, &why);
	assert_non_null(decision);
	for (int i = 0; i < WEBHOOK_WAITING; i++) {
		snprintf(decision->id, sizeof decision->id, "d-%08d", i / 2);
		assert_true(webhook_tell(webhook, decision, &why));
	}
	assert_int_equal(webhook_waiting(webhook), WEBHOOK_WAITING);
	assert_false(webhook_tell(webhook, decision, &why));
	assert_int_equal(why.code, FAULT_FULL);
	webhook_close(webhook); /* with requests not begun */
	assert_int_equal(dones, 0);
	decision_free(decision);
	fetch_desk_close(fetches);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(a_known_signature_comes_out),
		TEST(every_change_is_told_in_order_and_signed),
		TEST(an_approval_is_told_once),
		TEST(what_is_refused_is_told_again_before_what_follows),
		TEST(eight_tries_and_the_next_has_its_turn),
		TEST(what_was_not_told_is_told_after_a_restart),
		TEST(a_reload_changes_where_it_goes),
		TEST(what_waits_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
