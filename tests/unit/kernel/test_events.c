/* SPDX-License-Identifier: Apache-2.0 */
/* Events: who hears what, in which order, and what is left of it when its client went. */
#include "events_rig.h"

static void calls_are_told_without_their_arguments(void **state) {
	char id[EVENTS_ID];
	(void)state;
	begin(CAN, &free_policy);
	subscribe(&ann, "{\"channels\":[\"tool.started\",\"tool.completed\",\"tool.failed\"]}", id);
	has(asked.result, "\"subscribed\":[\"tool.started\",\"tool.completed\",\"tool.failed\"],\"unsupported\":[]");
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	assert_int_equal(times(&ann, "\"seq\":1,\"channel\":\"tool.started\""), 1);
	assert_int_equal(times(&ann, "\"seq\":2,\"channel\":\"tool.completed\""), 1);
	assert_int_equal(times(&ann, "\"tool_name\":\"read\",\"agent_id\":\"ann\",\"trace_id\":"), 2);
	assert_int_equal(times(&ann, "duration_ms"), 1);
	assert_int_equal(times(&ann, id), 2);
	assert_int_equal(times(&ann, "hidden"), 0);
	fake_write(&rig, "read.call", "\"error\":{\"code\":-32000,\"message\":\"hidden too\"}");
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	assert_int_equal(times(&ann, "\"channel\":\"tool.failed\",\"timestamp\""), 1);
	assert_int_equal(times(&ann, "\"code\":-32000"), 1);
	assert_int_equal(times(&ann, "hidden"), 0);
	/* A call that is refused has not started. */
	kernel_rig_grant(&rig, "bob", NULL, false);
	kernel_rig_call(&rig, &made, mgp_asker("bob"), READ);
	assert_int_equal(made.code, 1001);
	assert_int_equal(times(&ann, "tool.started"), 2);
}

static void who_may_not_use_a_tool_hears_nothing_of_it(void **state) {
	char id[EVENTS_ID];
	(void)state;
	begin(CAN, &free_policy);
	kernel_rig_grant(&rig, "bob", "read", false);
	subscribe(&bob, "{\"channels\":[\"*\"]}", id);
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	assert_int_equal(bob.heard.length, 0);
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"other\"}");
	assert_int_equal(times(&bob, "\"seq\":1,\"channel\":\"tool.started\""), 1);
	/* At the time of the event. */
	kernel_rig_grant(&rig, "bob", NULL, false);
	kernel_rig_grant(&rig, "bob", "other", false);
	bob.heard.length = 0;
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"other\"}");
	assert_int_equal(bob.heard.length, 0);
}

static void security_is_for_administrators(void **state) {
	char id[EVENTS_ID], other[EVENTS_ID];
	struct call_asker root;
	(void)state;
	begin(CAN, &free_policy);
	root = asker_of(&bob);
	root.is_admin = true;
	start_as(&asked, root, &bob, "mgp/events/subscribe", "{\"channels\":[\"security.*\"]}");
	rig_until(&rig.of, asked.answered);
	id_of(id);
	subscribe(&ann, "{\"channels\":[\"*\",\"security.access_denied\"]}", other);
	kernel_rig_grant(&rig, "eve", NULL, false);
	kernel_rig_call(&rig, &made, mgp_asker("eve"), READ);
	kernel_rig_call(&rig, &made, mgp_asker("eve"), READ); /* counted with the first */
	assert_int_equal(times(&bob, "\"channel\":\"security.access_denied\""), 1);
	assert_int_equal(times(&bob, "\"agent_id\":\"eve\""), 1);
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"read\",\"arguments\":[]}");
	assert_int_equal(times(&bob, "\"channel\":\"security.validation_failed\""), 1);
	assert_int_equal(times(&ann, "security"), 0);
	assert_int_equal(ann.client.event_count, 0);
}

static void severity_filters_and_leaves_no_gap(void **state) {
	char id[EVENTS_ID];
	(void)state;
	begin(CAN, &free_policy);
	subscribe(&ann, "{\"channels\":[\"system.*\"],\"filter\":{\"min_severity\":\"warning\"}}", id);
	raise_named("system.one", EVENT_INFO, "{}");
	raise_named("system.two", EVENT_WARNING, "{\"n\":2}");
	raise_named("model.three", EVENT_CRITICAL, "{}");
	raise_named("system.four", EVENT_CRITICAL, "{}");
	assert_int_equal(times(&ann, "\n"), 2);
	assert_int_equal(times(&ann, "\"seq\":1,\"channel\":\"system.two\""), 1);
	assert_int_equal(times(&ann, "\"severity\":\"warning\",\"data\":{\"n\":2}}"), 1);
	assert_int_equal(times(&ann, "\"seq\":2,\"channel\":\"system.four\""), 1);
}

static void malformed_wishes_name_what_is_due(void **state) {
	static const char *const channels[] = {"{}", "{\"channels\":\"tool.*\"}", "{\"channels\":[]}", "{\"channels\":[7]}",
		"{\"channels\":[\"\"]}", "{\"channels\":[\"a..b\"]}", "{\"channels\":[\"*.a\"]}", "{\"channels\":[\"a*\"]}",
		"{\"channels\":[\"a b\"]}"};
	AUTO_TEXT struct text many = {0};
	(void)state;
	begin(CAN, &free_policy);
	for (size_t i = 0; i < COUNT_OF(channels); i++)
		refused(&ann, "mgp/events/subscribe", channels[i], -32602, "params.channels");
	text_init(&many, 0);
	text_add_cstr(&many, "{\"channels\":[\"");
	for (int i = 0; i <= EVENT_CHANNEL; i++) text_add_char(&many, 'x');
	text_add_cstr(&many, "\"]}");
	refused(&ann, "mgp/events/subscribe", many.bytes, -32602, "1 to 128");
	text_clear(&many);
	for (int i = 0; i <= EVENT_CHANNELS; i++) text_printf(&many, "%s\"a.%d\"", i ? "," : "{\"channels\":[", i);
	text_add_cstr(&many, "]}");
	refused(&ann, "mgp/events/subscribe", many.bytes, -32602, "at most 64");
	refused(&ann, "mgp/events/subscribe", "{\"channels\":[\"*\"],\"filter\":7}", -32602, "params.filter");
	refused(&ann, "mgp/events/subscribe", "{\"channels\":[\"*\"],\"filter\":{\"min_severity\":\"loud\"}}", -32602,
		"params.filter.min_severity");
	refused(&ann, "mgp/events/subscribe", "{\"channels\":[\"*\"],\"server_id\":\"none\"}", 1001, "nothing");
	refused(&ann, "mgp/events/unsubscribe", "{}", -32602, "params.subscription_id");
	refused(&ann, "mgp/events/replay", "{\"subscription_id\":\"sub-none\"}", -32602, "no such subscription");
	assert_false(events_are_wanted(kernel_means(rig.kernel)->events));
	assert_true(list_is_empty(&ann.client.ties));
}

static void a_subscription_is_its_principals_and_sessions(void **state) {
	char id[EVENTS_ID];
	struct hearer other;
	(void)state;
	begin(CAN, &free_policy);
	subscribe(&bob, "{\"channels\":[\"system.*\"]}", id);
	refused(&ann, "mgp/events/replay", about(id, ""), -32602, "no such");
	hear(&other, "bob", "s2");
	refused(&other, "mgp/events/unsubscribe", about(id, ""), -32602, "no such");
	hear(&other, "bob", "");
	refused(&other, "mgp/events/replay", about(id, ""), -32602, "no such");
	raise_named("system.one", EVENT_INFO, "{}");
	has(result(&bob, "mgp/events/replay", about(id, "")), "\"seq\":1");
	has(result(&bob, "mgp/events/unsubscribe", about(id, "")), "\"unsubscribed\":true");
	assert_int_equal(bob.freed, 1);
	refused(&bob, "mgp/events/unsubscribe", about(id, ""), -32602, "no such");
	/* With its session everything ends. */
	subscribe(&bob, "{\"channels\":[\"system.*\"]}", id);
	mgp_client_end(&bob.client);
	assert_false(events_are_wanted(kernel_means(rig.kernel)->events));
	text_finish(&other.heard);
}

static void replay_says_what_is_gone(void **state) {
	char id[EVENTS_ID];
	char more[64];
	(void)state;
	begin(CAN, &free_policy);
	subscribe(&ann, "{\"channels\":[\"system.*\"]}", id);
	mgp_client_end(&ann.client); /* its stream broke off */
	for (int i = 0; i < 3; i++) raise_named("system.one", EVENT_INFO, "{}");
	assert_int_equal(ann.heard.length, 0);
	hear(&ann, "ann", "");
	has(result(&ann, "mgp/events/replay", about(id, ",\"after_seq\":1")), "\"seq\":2,");
	has(asked.result, "\"next_seq\":4,\"gap\":false}");
	assert_null(strstr(asked.result, "\"seq\":1,"));
	has(result(&ann, "mgp/events/replay", about(id, ",\"after_seq\":3")), "{\"events\":[],\"next_seq\":4,\"gap\":false}");
	has(result(&ann, "mgp/events/replay", about(id, ",\"after_seq\":99")), "\"next_seq\":4");
	refused(&ann, "mgp/events/replay", about(id, ",\"after_seq\":-1"), -32602, "params.after_seq");
	for (int i = 3; i < EVENT_WINDOW + 10; i++) raise_named("system.one", EVENT_INFO, "{}");
	has(result(&ann, "mgp/events/replay", about(id, ",\"after_seq\":1")), "\"gap\":true}");
	has(asked.result, "{\"events\":[{\"subscription_id\":");
	has(asked.result, "\"seq\":11,");
	assert_null(strstr(asked.result, "\"seq\":10,"));
	snprintf(more, sizeof more, ",\"after_seq\":%d", EVENT_WINDOW + 9);
	has(result(&ann, "mgp/events/replay", about(id, more)), "\"gap\":false}");
	const struct event_subscription *one = events_next(kernel_means(rig.kernel)->events, NULL);
	assert_int_equal(one->window.count, EVENT_WINDOW);
}

static void a_window_is_bounded_in_octets(void **state) {
	char id[EVENTS_ID];
	AUTO_TEXT struct text data = {0};
	(void)state;
	begin(CAN, &free_policy);
	subscribe(&ann, "{\"channels\":[\"system.*\"]}", id);
	text_init(&data, 0);
	text_add_cstr(&data, "{\"x\":\"");
	for (int i = 0; i < 16000; i++) text_add_char(&data, 'x');
	text_add_cstr(&data, "\"}");
	for (int i = 0; i < 20; i++) raise_named("system.one", EVENT_INFO, data.bytes);
	const struct event_subscription *one = events_next(kernel_means(rig.kernel)->events, NULL);
	assert_int_equal(one->seq, 20);
	assert_true(one->window.octets <= EVENT_WINDOW_OCTETS);
	assert_int_equal(one->window.count, 8);
}

static void all_subscriptions_together_are_bounded(void **state) {
	char id[EVENTS_ID], name[32];
	const struct event_wish wish = {.channels = {SLICE("*")}, .count = 1};
	struct fault why;
	(void)state;
	begin(CAN, &free_policy);
	struct events *events = kernel_means(rig.kernel)->events;
	for (int i = 0; i < EVENTS_SUBSCRIPTIONS; i++) {
		snprintf(name, sizeof name, "p%d", i % (EVENTS_SUBSCRIPTIONS / EVENTS_OF_ONE));
		const struct call_asker asker = {.principal = slice_of(name), .session = SLICE("s")};
		assert_non_null(events_subscribe(events, &asker, NULL, NULL, &wish, &why));
	}
	refused(&ann, "mgp/events/subscribe", "{\"channels\":[\"*\"]}", 3001, "4096 subscriptions");
	events_unsubscribe(events_next(events, NULL));
	subscribe(&ann, "{\"channels\":[\"*\"]}", id);
}

static void what_a_session_missed_is_told_again_in_order(void **state) {
	char one[EVENTS_ID], two[EVENTS_ID];
	struct events *events;
	(void)state;
	begin(CAN, &free_policy);
	events = kernel_means(rig.kernel)->events;
	subscribe(&bob, "{\"channels\":[\"system.*\"]}", one);
	subscribe(&bob, "{\"channels\":[\"system.two\",\"model.*\"]}", two);
	raise_named("system.one", EVENT_INFO, "{}");
	assert_int_equal(bob.last, 1);
	bob.is_deaf = true;
	raise_named("model.two", EVENT_INFO, "{}");
	raise_named("system.three", EVENT_INFO, "{}");
	bob.is_deaf = false;
	bob.heard.length = 0;
	events_tell_again(events, &bob.client, 1);
	assert_int_equal(bob.last, 3);
	assert_int_equal(times(&bob, "\n"), 2);
	assert_true(strstr(bob.heard.bytes, "model.two") < strstr(bob.heard.bytes, "system.three"));
	events_tell_again(events, &bob.client, 3);
	assert_int_equal(times(&bob, "\n"), 2);
}

static void subscriptions_are_bounded(void **state) {
	char id[EVENTS_ID];
	(void)state;
	begin(CAN, &free_policy);
	for (int i = 0; i < EVENTS_OF_ONE; i++) subscribe(&ann, "{\"channels\":[\"system.*\"]}", id);
	refused(&ann, "mgp/events/subscribe", "{\"channels\":[\"system.*\"]}", 3001, "64 subscriptions");
	subscribe(&bob, "{\"channels\":[\"system.*\"]}", id);
	/* Those whose client went give way. */
	mgp_client_end(&ann.client);
	hear(&ann, "ann", "");
	subscribe(&ann, "{\"channels\":[\"system.*\"]}", id);
	mgp_client_end(&bob.client);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
#define TEST(test) cmocka_unit_test_teardown(test, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(calls_are_told_without_their_arguments),
		TEST(who_may_not_use_a_tool_hears_nothing_of_it),
		TEST(security_is_for_administrators),
		TEST(severity_filters_and_leaves_no_gap),
		TEST(malformed_wishes_name_what_is_due),
		TEST(a_subscription_is_its_principals_and_sessions),
		TEST(replay_says_what_is_gone),
		TEST(a_window_is_bounded_in_octets),
		TEST(all_subscriptions_together_are_bounded),
		TEST(what_a_session_missed_is_told_again_in_order),
		TEST(subscriptions_are_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
