/* SPDX-License-Identifier: Apache-2.0 */
/* What a peer hears of MGP during a call (MGP 12.4). */
#include "peer_rig.h"

static struct peer_rig rig;
static unsigned streamed;
static char heard[200];

static int set_up(void **state) {
	(void)state;
	streamed = 0;
	peer_rig_open(&rig);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	peer_rig_close(&rig);
	return 0;
}

static void on_streamed(void *context, struct slice method, const struct scan_value *params) {
	assert_ptr_equal(context, &rig);
	streamed++;
	snprintf(heard, sizeof heard, "%.*s %.*s", SLICE_ARGS(method), SLICE_ARGS(params->text));
}

static void call(bool streams) {
	struct fault why;
	const struct peer_request request = {
		.method = SLICE("tools/call"),
		.params = SLICE("{}"),
		.answered = rig_answered,
		.streamed = streams ? on_streamed : NULL,
		.context = &rig,
	};
	assert_non_null(peer_ask(rig.peer, &request, &why));
}

static void hear(const char *method, long long id) {
	char message[300];
	snprintf(message, sizeof message,
		"{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"request_id\":%lld,\"index\":0}}", method, id);
	rig_hear(&rig, message);
}

static void a_part_goes_to_the_call_that_it_names(void **state) {
	char words[200];
	(void)state;
	call(true);
	hear("notifications/mgp.stream.chunk", rig_id(&rig, 0));
	assert_int_equal(streamed, 1);
	snprintf(words, sizeof words, "notifications/mgp.stream.chunk {\"request_id\":%lld,\"index\":0}", rig_id(&rig, 0));
	assert_string_equal(heard, words);
	hear("notifications/mgp.stream.chunk", rig_id(&rig, 0) + 1);
	hear("notifications/other", rig_id(&rig, 0));
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.stream.chunk\"}");
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.stream.chunk\",\"params\":{\"request_id\":\"1\"}}");
	assert_int_equal(streamed, 1);
}

static void a_call_that_does_not_want_any_gets_none(void **state) {
	(void)state;
	call(false);
	hear("notifications/mgp.stream.chunk", rig_id(&rig, 0));
	assert_int_equal(streamed, 0);
}

static void behind_the_answer_nothing_comes(void **state) {
	char message[100];
	(void)state;
	call(true);
	snprintf(message, sizeof message, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"result\":{}}", rig_id(&rig, 0));
	rig_hear(&rig, message);
	hear("notifications/mgp.stream.chunk", rig_id(&rig, 0));
	assert_int_equal(streamed, 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_part_goes_to_the_call_that_it_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_call_that_does_not_want_any_gets_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(behind_the_answer_nothing_comes, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
