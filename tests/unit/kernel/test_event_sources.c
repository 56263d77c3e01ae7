/* SPDX-License-Identifier: Apache-2.0 */
/* Event sources: what servers are asked for, and what they tell. */
#include "events_rig.h"

#include "kernel/event_demand.h"

static void a_servers_channel_is_asked_of_it(void **state) {
	char id[EVENTS_ID];
	(void)state;
	begin(CAN, &free_policy);
	assert_int_equal(fake_got(&rig, "mgp/events/subscribe"), 0); /* nobody wants anything */
	subscribe(&ann, "{\"channels\":[\"model.own\",\"model.none\",\"model.*\"],\"filter\":{\"min_severity\":\"warning\"}}", id);
	has(asked.result, "\"subscribed\":[\"model.own\",\"model.*\"],\"unsupported\":[\"model.none\"]");
	assert_int_equal(fake_got(&rig, "\"channels\":[\"model.own\",\"model.none\",\"model.*\"],\"filter\":{\"min_severity\":\"warning\"}"), 1);
	fake_write(&rig, "say",
		CLAIM("model.own", "\"severity\":\"error\",\"timestamp\":\"2026-02-27T12:05:00.000Z\",\"data\":{\"n\":1}")
			CLAIM("model.own", "\"data\":{\"n\":2}") CLAIM("foreign.x", "\"severity\":\"error\"")
				CLAIM("model.other", "\"severity\":\"critical\",\"timestamp\":\"yesterday\""));
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	assert_int_equal(times(&ann, "\n"), 2);
	assert_int_equal(times(&ann, "\"seq\":1,\"channel\":\"model.own\",\"timestamp\":\"2026-02-27T12:05:00.000Z\",\"severity\":\"error\",\"server_id\":\"fake\",\"source\":\"server:fake\",\"data\":{\"n\":1}}"), 1);
	assert_int_equal(times(&ann, "yesterday"), 0);
	/* What is wanted less is asked for anew, and what nobody wants is given back. */
	result(&ann, "mgp/events/unsubscribe", about(id, ""));
	rig_until(&rig.of, fake_got(&rig, "mgp/events/unsubscribe") == 1);
	ann.heard.length = 0;
	fake_write(&rig, "say", CLAIM("model.own", "\"severity\":\"error\""));
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	assert_int_equal(ann.heard.length, 0);
}

static void a_server_speaks_in_its_own_name_alone(void **state) {
	char id[EVENTS_ID];
	(void)state;
	begin(CAN, &free_policy);
	subscribe(&ann, "{\"channels\":[\"tool.*\"]}", id);
	rig_until(&rig.of, fake_got(&rig, "mgp/events/subscribe") == 1);
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	ann.heard.length = 0;
	fake_write(&rig, "say",
		CLAIM("tool.completed", "\"data\":{\"server_id\":\"other\"}") "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.event\",\"params\":{\"subscription_id\":\"own-2\",\"channel\":\"tool.x\"}}\n"
									      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.event\",\"params\":{\"channel\":\"tool.x\"}}\n" CLAIM("tool.*", "\"data\":{}") CLAIM("tool.x", "\"data\":[]"));
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	assert_int_equal(times(&ann, "\"source\":\"server:fake\""), 1);
	assert_int_equal(times(&ann, "\n"), 3);
	assert_int_equal(times(&ann, "tool.x"), 0);
	/* Of a tool that one may not use nothing is heard, whoever tells of it. */
	kernel_rig_grant(&rig, "ann", "other", false);
	ann.heard.length = 0;
	fake_write(&rig, "say", CLAIM("tool.completed", "\"data\":{\"tool_name\":\"other\"}"));
	kernel_rig_call(&rig, &made, (struct call_asker){.principal = SLICE("root"), .is_admin = true}, "{\"name\":\"other\"}");
	assert_int_equal(ann.heard.length, 0);
}

static void what_is_asked_of_a_server_is_bounded(void **state) {
	AUTO_TEXT struct text params = {0}, data = {0};
	char id[EVENTS_ID];
	struct event_demand demand = {0};
	(void)state;
	begin(CAN, &free_policy);
	for (int i = 0; i < 5; i++) {
		text_init(&params, 0);
		for (int j = 0; j < EVENT_CHANNELS; j++)
			text_printf(&params, "%s\"model.c%d-%d\"", j ? "," : "{\"channels\":[", i, j);
		text_add_cstr(&params, "]}");
		start(&ann, "mgp/events/subscribe", params.bytes); /* the server does not say that it has them */
		event_demand_gather(&demand, kernel_means(rig.kernel)->events, rig.of.hosted, EVENT_SOURCE_CHANNELS);
		rig_until(&rig.of, asked.answered);
		text_finish(&params);
		if (i < 4) continue;
		assert_int_equal(demand.count, EVENT_SOURCE_CHANNELS);
	}
	event_demand_finish(&demand);
	/* An event of 16 KiB is one, more is none. */
	subscribe(&ann, "{\"channels\":[\"model.own\"]}", id);
	text_init(&data, 0);
	for (int more = 0; more < 2; more++) {
		text_add_cstr(&data,
			"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.event\",\"params\":{\"subscription_id\":\"own-1\","
			"\"channel\":\"model.own\",\"data\":{\"n\":\"");
		for (int i = 0; i < EVENT_DATA - 8 + more; i++) text_add_char(&data, 'x');
		text_add_cstr(&data, "\"}}}\n");
	}
	fake_write(&rig, "say", data.bytes);
	ann.heard.length = 0;
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	assert_int_equal(times(&ann, id), 1);
	has(result(&ann, "mgp/events/replay", about(id, ",\"after_seq\":1")), "{\"events\":[],\"next_seq\":3,\"gap\":true}");
}

static void what_is_too_much_is_left_out(void **state) {
	char id[EVENTS_ID], more[40];
	AUTO_TEXT struct text flood = {0};
	(void)state;
	begin(CAN, &free_policy);
	subscribe(&ann, "{\"channels\":[\"model.*\"]}", id);
	rig_until(&rig.of, fake_got(&rig, "mgp/events/subscribe") == 1);
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	text_init(&flood, 0);
	for (int i = 0; i < EVENTS_A_MINUTE + 5; i++) text_add_cstr(&flood, CLAIM("model.own", "\"data\":{}"));
	fake_write(&rig, "say", flood.bytes);
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	assert_int_equal(times(&ann, "\n"), EVENTS_A_MINUTE);
	/* Who listens is told so. */
	snprintf(more, sizeof more, ",\"after_seq\":%d", EVENTS_A_MINUTE);
	has(result(&ann, "mgp/events/replay", about(id, more)), "{\"events\":[],\"next_seq\":606,\"gap\":true}");
	rig_until(&rig.of, kernel_rig_audited(&rig, "dev.hustings.events_left_out  BLOCKED fake"));
}

static void a_server_that_is_silent_has_nothing(void **state) {
	struct asked pattern;
	char id[EVENTS_ID];
	(void)state;
	begin(CAN, &free_policy);
	fake_write(&rig, "events", "silent");
	start(&ann, "mgp/events/subscribe", "{\"channels\":[\"model.own\",\"tool.started\"]}");
	assert_int_equal(asked.answered, 0);
	assert_int_equal(list_is_empty(&ann.client.ties), false);
	/* Nobody waits for it who wants no channel of its own. */
	start_as(&pattern, asker_of(&bob), &bob, "mgp/events/subscribe", "{\"channels\":[\"model.*\",\"tool.failed\"]}");
	assert_int_equal(pattern.answered, 1);
	rig_until(&rig.of, asked.answered);
	has(asked.result, "\"subscribed\":[\"tool.started\"],\"unsupported\":[\"model.own\"]");
	/* The next does not wait at all. */
	start(&ann, "mgp/events/subscribe", "{\"channels\":[\"model.again\"]}");
	assert_int_equal(asked.answered, 1);
	id_of(id);
}

static void who_goes_while_servers_are_asked_leaves_nothing(void **state) {
	(void)state;
	begin(CAN, &free_policy);
	fake_write(&rig, "events", "silent");
	start(&ann, "mgp/events/subscribe", "{\"channels\":[\"model.own\"]}");
	assert_int_equal(asked.answered, 0);
	mgp_ask_cancel(&asked.ask);
	assert_true(list_is_empty(&ann.client.ties));
	assert_false(events_are_wanted(kernel_means(rig.kernel)->events));
	/* The same of a session that ends: the request is answered, and nothing is left. */
	start(&bob, "mgp/events/subscribe", "{\"channels\":[\"model.own\"]}");
	mgp_client_end(&bob.client);
	assert_false(events_are_wanted(kernel_means(rig.kernel)->events));
	hosted_remove(rig.of.hosted);
	rig_until(&rig.of, asked.answered);
	assert_int_equal(asked.code, -32603);
}

static void a_subscription_survives_its_server(void **state) {
	char id[EVENTS_ID];
	struct fault why;
	(void)state;
	begin(CAN, &free_policy);
	subscribe(&ann, "{\"channels\":[\"model.own\",\"system.server_connected\",\"system.server_disconnected\"]}", id);
	assert_true(hosted_restart(rig.of.hosted, &why));
	rig_until(&rig.of, fake_got(&rig, "mgp/events/subscribe") == 2);
	rig_until(&rig.of, times(&ann, "system.server_connected") == 1);
	assert_int_equal(times(&ann, "system.server_disconnected"), 1);
	fake_write(&rig, "say", CLAIM("model.own", "\"data\":{}"));
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	assert_int_equal(times(&ann, "model.own"), 1);
	/* Removed and added again. */
	hosted_remove(rig.of.hosted);
	assert_int_equal(times(&ann, "system.server_disconnected"), 2);
	fake_run(&rig, &free_policy);
	rig_until(&rig.of, fake_got(&rig, "mgp/events/subscribe") == 3);
}

static void servers_are_asked_for_what_they_agreed_on_alone(void **state) {
	char id[EVENTS_ID];
	(void)state;
	begin(FAKE_CAN("\"security\"", ""), &free_policy);
	subscribe(&ann, "{\"channels\":[\"model.own\",\"model.*\"]}", id);
	has(asked.result, "\"unsupported\":[\"model.own\"]");
	fake_write(&rig, "say", CLAIM("model.own", "\"data\":{}"));
	kernel_rig_call(&rig, &made, mgp_asker("ann"), READ);
	assert_int_equal(ann.heard.length, 0);
	assert_int_equal(fake_got(&rig, "mgp/events/"), 0);
}

static void who_may_not_use_a_server_learns_nothing_of_its_channels(void **state) {
	char id[EVENTS_ID];
	(void)state;
	begin(CAN, &free_policy);
	kernel_rig_grant(&rig, "bob", NULL, false);
	subscribe(&bob, "{\"channels\":[\"model.own\"]}", id);
	has(asked.result, "\"unsupported\":[\"model.own\"]");
	assert_int_equal(fake_got(&rig, "mgp/events/"), 0);
	refused(&bob, "mgp/events/subscribe", "{\"channels\":[\"model.*\"],\"server_id\":\"fake\"}", 1001, "nothing");
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
#define TEST(test) cmocka_unit_test_teardown(test, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_servers_channel_is_asked_of_it),
		TEST(a_server_speaks_in_its_own_name_alone),
		TEST(what_is_asked_of_a_server_is_bounded),
		TEST(what_is_too_much_is_left_out),
		TEST(a_server_that_is_silent_has_nothing),
		TEST(who_goes_while_servers_are_asked_leaves_nothing),
		TEST(a_subscription_survives_its_server),
		TEST(servers_are_asked_for_what_they_agreed_on_alone),
		TEST(who_may_not_use_a_server_learns_nothing_of_its_channels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
