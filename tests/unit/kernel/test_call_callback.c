/* SPDX-License-Identifier: Apache-2.0 */
/* What a server asks during a call (MGP 13.4): whose it is, and that its answer counts once. */
#include "callback_rig.h"

/* The questions of a try would be open at the asker when the next one begins. */
static void a_call_that_has_asked_is_not_tried_again(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, ASKS(CONFIRM));
	fake_write(&rig, "ask.call",
		"\"error\":{\"code\":3000,\"message\":\"busy\",\"data\":{\"_mgp\":{\"category\":\"resource\",\"retryable\":true,"
		"\"retry_after_ms\":1,\"max_retries\":3}}}");
	call_with(&rig, &made, mgp_asker("ann"), HOSTED_CAN_FORM, 0);
	rig_until(&rig.of, made.answered);
	assert_int_equal(made.code, 3000);
	assert_int_equal(made.questioned, 1);
	assert_int_equal(fake_got(&rig, "tools/call"), 1);
	kernel_rig_close(&rig);
}

/* ---- An asker that speaks MGP ---- */

static void an_answer_counts_once_and_only_from_who_was_asked(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	char id[64];
	begin(&rig, ASKS(CONFIRM));
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, made.questioned);
	assert_string_equal(made.asked, MGP_CALLBACK);
	assert_null(strstr(shown, "cb-001"));
	assert_null(strstr(shown, "request_id"));
	read_id(id);
	respond(&rig, "bob", id, "\"confirm\"");
	refused("callback_unknown");
	respond(&rig, "ann", "cb-001", "\"confirm\"");
	refused("callback_unknown");
	respond(&rig, "ann", id, "\"delete\"");
	refused("callback_invalid");
	assert_non_null(strstr(heard.message, "params.response"));
	assert_int_equal(fake_got(&rig, "mgp/callback/respond"), 0);
	respond(&rig, "ann", id, "\"confirm\"");
	assert_string_equal(heard.result, "{\"accepted\":true}");
	assert_int_equal(made.withdrawn, 1);
	respond(&rig, "ann", id, "\"confirm\"");
	refused("callback_answered");
	rig_until(&rig.of, made.answered);
	check_has(&made, "content");
	assert_int_equal(fake_got(&rig, "mgp/callback/respond"), 1);
	assert_int_equal(fake_got(&rig, "{\"callback_id\":\"cb-001\",\"response\":\"confirm\"}"), 1);
	rig_until(&rig.of, kernel_rig_audited(&rig, "dev.hustings.callback_answered  SUCCESS ann ask"));
	assert_true(kernel_rig_audited(&rig, "dev.hustings.callback_asked  PENDING ann ask"));
	kernel_rig_close(&rig);
}

static void what_is_malformed_is_refused_by_name(void **state) {
	(void)state;
	struct kernel_rig rig;
	begin(&rig, ASKS(CONFIRM));
	static const char *const rows[][2] = {
		{"{}", "params.callback_id"},
		{"{\"callback_id\":7,\"response\":1}", "params.callback_id"},
		{"{\"callback_id\":\"cb\"}", "params.response"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		respond_raw(&rig, "ann", rows[i][0]);
		assert_int_equal(heard.code, -32602);
		assert_non_null(strstr(heard.message, rows[i][1]));
	}
	kernel_rig_close(&rig);
}

static void at_its_deadline_the_server_hears_so_once(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	char id[64];
	begin(&rig, ASKS(CONFIRM ",\"timeout_ms\":1"));
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, made.questioned);
	read_id(id);
	rig_until(&rig.of, made.answered);
	check_has(&made, "content");
	assert_int_equal(made.withdrawn, 1);
	assert_int_equal(fake_got(&rig, "{\"callback_id\":\"cb-001\",\"response\":null,\"reason\":\"timeout\"}"), 1);
	assert_int_equal(fake_got(&rig, "mgp/callback/respond"), 1);
	respond(&rig, "ann", id, "\"confirm\"");
	refused("callback_expired");
	rig_until(&rig.of, kernel_rig_audited(&rig, "dev.hustings.callback_answered  BLOCKED ann ask"));
	kernel_rig_close(&rig);
}

static void null_declines(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	char id[64];
	begin(&rig, ASKS("\"callback_id\":5,\"type\":\"input\",\"message\":\"Name?\""));
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, made.questioned);
	read_id(id);
	respond(&rig, "ann", id, "null");
	assert_int_equal(heard.code, 0);
	rig_until(&rig.of, made.answered);
	assert_int_equal(fake_got(&rig, "{\"callback_id\":5,\"response\":null,\"reason\":\"declined\"}"), 1);
	kernel_rig_close(&rig);
}

static void when_the_asker_goes_the_server_hears_that_it_is_over(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	char id[64];
	begin(&rig, ASKS(CONFIRM));
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, made.questioned);
	read_id(id);
	call_cancel(&made.ask, "gone");
	respond(&rig, "ann", id, "\"confirm\"");
	refused("callback_expired");
	rig_until(&rig.of, fake_got(&rig, "\"reason\":\"ended\""));
	assert_int_equal(fake_got(&rig, "mgp/callback/respond"), 1);
	kernel_rig_close(&rig);
}

static void when_the_server_dies_nothing_is_left(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	char id[64];
	begin(&rig, ASKS(CONFIRM));
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, made.questioned);
	read_id(id);
	rig_until(&rig.of, hosted_process(rig.of.hosted) > 1);
	assert_int_equal(kill(hosted_process(rig.of.hosted), SIGKILL), 0);
	rig_until(&rig.of, made.answered);
	respond(&rig, "ann", id, "\"confirm\"");
	refused("callback_expired");
	kernel_rig_close(&rig);
}

static void what_asks_too_often_at_once_is_turned_down(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	AUTO_TEXT struct text says = {0};
	text_init(&says, 0);
	for (int i = 0; i <= HOSTED_QUESTIONS; i++)
		text_printf(&says, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.callback.request\",\"params\":{\"request_id\":$,\"callback_id\":\"c%d\",\"type\":\"input\",\"message\":\"m\"}}\n", i);
	begin(&rig, says.bytes);
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, fake_got(&rig, "\"reason\":\"too_many\""));
	assert_int_equal(made.questioned, HOSTED_QUESTIONS);
	rig_until(&rig.of, made.answered);
	kernel_rig_close(&rig);
}

static void answer_at_once(struct hosted_ask *ask, struct hosted_question *question, struct slice method,
	const struct scan_value *params) {
	rig_questioned(ask, question, method, params);
	call_question_answer(question, SLICE("{\"response\":\"x\"}"));
}

static void one_call_asks_so_often_and_no_more(void **state) {
	(void)state;
	static const struct hosted_ask_events quick = {.answered = rig_answered, .questioned = answer_at_once};
	struct kernel_rig rig;
	struct rig_ask made;
	struct fault why = {0};
	AUTO_TEXT struct text says = {0};
	const struct call_asker asker = mgp_asker("ann");
	text_init(&says, 0);
	for (int i = 0; i <= HOSTED_CALLBACKS; i++)
		text_printf(&says, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.callback.request\",\"params\":{\"request_id\":$,\"callback_id\":\"c%d\",\"type\":\"input\",\"message\":\"m\"}}\n", i);
	begin(&rig, says.bytes);
	fake_write(&rig, "callback.after", "\"result\":{}");
	rig_begin(&made, "ann");
	made.ask.events = &quick;
	made.ask.method = SLICE("tools/call");
	made.ask.params = SLICE(CALL);
	if (!call_start(rig.of.hosted, &asker, &made.ask, &why)) fail_msg("%s", why.text);
	rig_until(&rig.of, fake_got(&rig, "\"reason\":\"too_many\""));
	assert_int_equal(made.questioned, HOSTED_CALLBACKS);
	rig_until(&rig.of, made.answered);
	kernel_rig_close(&rig);
}

/* ---- Whose request ---- */

static void one_that_names_no_request_is_of_the_only_one(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.callback.request\",\"params\":{\"request_id\":\"nobody's\"," CONFIRM "}}");
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, made.questioned);
	call_cancel(&made.ask, "enough");
	kernel_rig_close(&rig);
}

static unsigned declined;

static void note_declined(struct hosted_listener *listener, struct hosted *hosted, struct slice method, unsigned count) {
	(void)listener, (void)hosted;
	check_slice(method, MGP_CALLBACK_REQUEST);
	declined += count;
}

static void one_that_is_of_nobody_is_declined(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made, other;
	declined = 0;
	begin(&rig, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.callback.request\",\"params\":{" CONFIRM "}}");
	fake_write(&rig, "ask.stream", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/none\"}");
	rig.of.listener.declined = note_declined;
	call_with(&rig, &other, mgp_asker("ann"), 0, 0); /* stays open */
	rig_until(&rig.of, fake_got(&rig, "tools/call") == 1);
	fake_write(&rig, "ask.stream", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.callback.request\",\"params\":{" CONFIRM "}}");
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, fake_got(&rig, "\"reason\":\"declined\""));
	assert_int_equal(made.questioned + other.questioned, 0);
	assert_int_equal(declined, 1);
	call_cancel(&other.ask, "enough");
	rig_until(&rig.of, made.answered);
	kernel_rig_close(&rig);
}

static void without_the_extension_it_is_no_callback(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin_as(&rig, "\"streaming\"", ASKS(CONFIRM));
	fake_write(&rig, "ask.call", DONE);
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, made.answered);
	assert_int_equal(made.questioned, 0);
	assert_int_equal(fake_got(&rig, "mgp/callback/respond"), 0);
	kernel_rig_close(&rig);
}

static void one_that_is_malformed_is_told_so(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, ASKS("\"callback_id\":\"x\",\"type\":\"selection\",\"message\":\"m\""));
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, made.answered);
	assert_int_equal(made.questioned, 0);
	assert_int_equal(fake_got(&rig, "{\"callback_id\":\"x\",\"response\":null,\"reason\":\"invalid\"}"), 1);
	kernel_rig_close(&rig);
}

/* ---- The book ---- */

static bool takes_all(const struct callback *callback, const struct scan_value *response, struct fault *why) {
	(void)callback, (void)response, (void)why;
	return true;
}

static void of_those_that_are_over_the_last_are_remembered(void **state) {
	(void)state;
	struct callbacks *callbacks = callbacks_open(NULL);
	struct callback one = {.principal = SLICE("ann"), .accepts = takes_all}, *found;
	char first[sizeof one.id], last[sizeof one.id] = "";
	assert_non_null(callbacks);
	assert_true(callbacks_add(callbacks, &one, NULL));
	memcpy(first, one.id, sizeof first);
	assert_int_equal(callbacks_find(callbacks, slice_of(first), SLICE("ann"), &found), CALLBACK_OPEN);
	assert_ptr_equal(found, &one);
	callbacks_end(callbacks, &one, CALLBACK_ANSWERED);
	callbacks_end(callbacks, &one, CALLBACK_EXPIRED); /* harmless */
	assert_int_equal(callbacks_find(callbacks, slice_of(first), SLICE("ann"), &found), CALLBACK_ANSWERED);
	assert_int_equal(callbacks_find(callbacks, slice_of(first), SLICE("bob"), &found), CALLBACK_UNKNOWN);
	for (int i = 0; i < CALLBACKS_OVER; i++) {
		assert_true(callbacks_add(callbacks, &one, NULL));
		memcpy(last, one.id, sizeof last);
		callbacks_end(callbacks, &one, CALLBACK_EXPIRED);
	}
	assert_int_equal(callbacks_find(callbacks, slice_of(first), SLICE("ann"), &found), CALLBACK_UNKNOWN);
	assert_int_equal(callbacks_find(callbacks, slice_of(last), SLICE("ann"), &found), CALLBACK_EXPIRED);
	callbacks_close(callbacks);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_counts_once_and_only_from_who_was_asked),
		cmocka_unit_test(a_call_that_has_asked_is_not_tried_again),
		cmocka_unit_test(what_is_malformed_is_refused_by_name),
		cmocka_unit_test(at_its_deadline_the_server_hears_so_once),
		cmocka_unit_test(null_declines),
		cmocka_unit_test(when_the_asker_goes_the_server_hears_that_it_is_over),
		cmocka_unit_test(when_the_server_dies_nothing_is_left),
		cmocka_unit_test(what_asks_too_often_at_once_is_turned_down),
		cmocka_unit_test(one_call_asks_so_often_and_no_more),
		cmocka_unit_test(one_that_names_no_request_is_of_the_only_one),
		cmocka_unit_test(one_that_is_of_nobody_is_declined),
		cmocka_unit_test(without_the_extension_it_is_no_callback),
		cmocka_unit_test(one_that_is_malformed_is_told_so),
		cmocka_unit_test(of_those_that_are_over_the_last_are_remembered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
