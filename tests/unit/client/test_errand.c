/* SPDX-License-Identifier: Apache-2.0 */
#include "room_rig.h"

#include "client/errand.h"
#include "client/guest.h"

static struct loop *loop;
static struct room_rig rig;

/* Two guests: ann calls, bob has tools. */
struct person {
	struct guest *guest;
	struct mcp_server *server;
	unsigned joined, arrived, changes, chats;
};

static struct person ann, bob;

/* What bob's tools were asked, and what ann's errands came to. */
static struct {
	struct peer_question *held;
	unsigned runs, cancelled, done, progressed, was_held;
	bool is_reply;
	int64_t code;
	enum fault_code why;
	size_t tools;
	double progress;
	char result[1024];
} seen;

/* ---- Bob's tools ---- */

static void run_echo(void *context, struct peer_question *question,
	const struct scan_value *arguments) {
	(void)context;
	seen.runs++;
	mcp_server_answer_json(question, arguments->text);
}

static void run_hold(void *context, struct peer_question *question,
	const struct scan_value *arguments) {
	(void)context;
	(void)arguments;
	seen.runs++;
	seen.held = question;
}

static void run_slow(void *context, struct peer_question *question,
	const struct scan_value *arguments) {
	(void)context;
	(void)arguments;
	peer_progress(question, 0.5, 2, SLICE("half"));
	mcp_server_answer_text(question, SLICE("done"), false);
}

static void offer(struct mcp_server *server, const char *name, mcp_server_run *run) {
	struct fault why;
	struct mcp_offer offered = {.name = slice_of(name), .run = run};
	assert_true(mcp_server_offer(server, &offered, &why));
}

static void on_cancelled(void *context, struct peer_question *question) {
	(void)context;
	assert_ptr_equal(question, seen.held);
	seen.cancelled++;
}

/* ---- Guests ---- */

static void on_joined(void *context, const struct envelope *welcome, bool again) {
	(void)welcome;
	(void)again;
	((struct person *)context)->joined++;
}
static void on_arrived(void *context, const struct roster_entry *entry) {
	(void)entry;
	((struct person *)context)->arrived++;
}
static void on_tools_changed(void *context, struct slice id) {
	check_slice(id, "bob");
	((struct person *)context)->changes++;
}
static void on_chat(void *context, const struct guest_chat *chat) {
	(void)chat;
	((struct person *)context)->chats++;
}
static const struct guest_events person_events = {
	.joined = on_joined,
	.arrived = on_arrived,
	.tools_changed = on_tools_changed,
	.chat = on_chat,
};

static struct guest_options options_of(const char *id) {
	return (struct guest_options){
		.membership = {.url = rig.url, .topic = "demo", .id = id, .backoff_ms = 20, .is_mcp = true, .stays = true, .dialect = ENVELOPE_V01},
		.cancelled = on_cancelled,
	};
}

static void enter(struct person *person, const struct guest_options *options) {
	struct fault why;
	person->guest = guest_open(loop, options, &person_events, person, &why);
	assert_non_null(person->guest);
	RIG_UNTIL(loop, person->joined);
}

static int set_up(void **state) {
	struct fault why;
	(void)state;
	memset(&seen, 0, sizeof seen);
	memset(&ann, 0, sizeof ann);
	memset(&bob, 0, sizeof bob);
	loop = loop_open(&why);
	assert_non_null(loop);
	room_rig_open(&rig, loop);
	bob.server = mcp_server_open(SLICE("bob"), SLICE("1"), SLICE_NONE, ERA_ROOMS, &why);
	assert_non_null(bob.server);
	offer(bob.server, "echo", run_echo);
	offer(bob.server, "hold", run_hold);
	offer(bob.server, "slow", run_slow);
	struct guest_options options = options_of("bob");
	options.server = bob.server;
	enter(&bob, &options);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	guest_close(ann.guest);
	guest_close(bob.guest);
	loop_step(loop, 0);
	if (seen.held) peer_answer(seen.held, SLICE("{}"));
	mcp_server_close(bob.server);
	room_rig_close(&rig);
	loop_close(loop);
	return 0;
}

static void ann_comes(enum guest_strategy strategy) {
	struct guest_options options = options_of("ann");
	options.strategy = strategy;
	enter(&ann, &options);
}

/* ---- Errands ---- */

static void on_done(void *context, const struct errand_result *result, const struct fault *why) {
	assert_ptr_equal(context, &seen);
	assert_true((result == NULL) == (why != NULL));
	seen.done++;
	seen.is_reply = result && result->reply;
	seen.why = why ? why->code : FAULT_NONE;
	if (result && result->listing) seen.tools = mcp_listing_count(result->listing);
	if (!seen.is_reply) return;
	seen.code = result->reply->code;
	snprintf(seen.result, sizeof seen.result, "%.*s", SLICE_ARGS(result->reply->result));
}

static void on_progress(void *context, const struct scan_value *params) {
	struct scan_value value;
	assert_ptr_equal(context, &seen);
	assert_true(scan_find(params, "progress", &value));
	assert_true(scan_number(&value, &seen.progress));
	seen.progressed++;
}

static struct errand *go(enum errand_kind kind, const char *to, const char *name, const char *body,
	uint64_t deadline_ms) {
	struct fault why;
	struct errand_options options = {
		.kind = kind,
		.to = slice_of(to),
		.name = slice_of(name),
		.body = slice_of(body),
		.deadline_ms = deadline_ms,
		.done = on_done,
		.progressed = on_progress,
		.context = &seen,
	};
	unsigned before = seen.done;
	struct errand *errand = errand_open(ann.guest, &options, &why);
	assert_non_null(errand);
	assert_int_equal(seen.done, before);
	return errand;
}

static void a_call_shakes_hands_first_and_brings_the_result(void **state) {
	(void)state;
	ann_comes(GUEST_LAZY);
	(void)go(ERRAND_CALL, "bob", "echo", "{\"n\":1e400}", 0);
	RIG_UNTIL(loop, seen.done);
	assert_int_equal(rig.handshakes, 1);
	assert_true(seen.is_reply);
	assert_non_null(strstr(seen.result, "\"structuredContent\":{\"n\":1e400}"));
	(void)go(ERRAND_CALL, "bob", "echo", "{}", 0);
	RIG_UNTIL(loop, seen.done == 2);
	assert_int_equal(rig.handshakes, 1);
}

static void one_handshake_serves_all_who_wait_for_it(void **state) {
	(void)state;
	ann_comes(GUEST_LAZY);
	for (int i = 0; i < 5; i++) (void)go(ERRAND_CALL, "bob", "echo", "{}", 0);
	RIG_UNTIL(loop, seen.done == 5);
	assert_int_equal(rig.handshakes, 1);
	assert_int_equal(seen.runs, 5);
}

static void an_errand_may_begin_before_the_room_is_reached(void **state) {
	struct fault why;
	struct guest_options options = options_of("ann");
	(void)state;
	ann.guest = guest_open(loop, &options, &person_events, &ann, &why);
	assert_non_null(ann.guest);
	(void)go(ERRAND_CALL, "bob", "echo", "{}", 0);
	RIG_UNTIL(loop, seen.done);
	assert_true(seen.is_reply);
}

static void an_eager_guest_shakes_hands_on_sight(void **state) {
	(void)state;
	ann_comes(GUEST_EAGER);
	RIG_UNTIL(loop, rig.handshakes == 1);
	assert_int_equal(seen.done, 0);
}

static bool choose_nobody(void *context, const struct roster_entry *entry) {
	(void)entry;
	++*(unsigned *)context;
	return false;
}

static void a_choosing_guest_is_asked_about_everyone(void **state) {
	unsigned asked = 0;
	struct guest_options options = options_of("ann");
	(void)state;
	options.strategy = GUEST_CHOSEN;
	options.choose = choose_nobody;
	options.choose_context = &asked;
	enter(&ann, &options);
	RIG_UNTIL(loop, asked == 1);
	(void)go(ERRAND_CALL, "bob", "echo", "{}", 0);
	RIG_UNTIL(loop, seen.done);
	assert_int_equal(rig.handshakes, 1);
}

static void the_list_follows_every_page_and_is_remembered_until_it_changes(void **state) {
	struct fault why;
	(void)state;
	for (int i = 0; i < 247; i++) {
		char name[32];
		snprintf(name, sizeof name, "tool_%d", i);
		offer(bob.server, name, run_echo);
	}
	ann_comes(GUEST_LAZY);
	(void)go(ERRAND_LIST, "bob", NULL, NULL, 0);
	RIG_UNTIL(loop, seen.done == 1);
	assert_int_equal(seen.tools, 250);
	unsigned before = rig.messages;
	(void)go(ERRAND_LIST, "bob", NULL, NULL, 0);
	RIG_UNTIL(loop, seen.done == 2);
	assert_int_equal(rig.messages, before);
	offer(bob.server, "late", run_echo);
	assert_true(guest_tools_changed(bob.guest, &why));
	RIG_UNTIL(loop, ann.changes == 1);
	(void)go(ERRAND_LIST, "bob", NULL, NULL, 0);
	RIG_UNTIL(loop, seen.done == 3);
	assert_int_equal(seen.tools, 251);
}

static void progress_comes_to_who_asked_for_it(void **state) {
	(void)state;
	ann_comes(GUEST_LAZY);
	(void)go(ERRAND_CALL, "bob", "slow", NULL, 0);
	RIG_UNTIL(loop, seen.done);
	assert_int_equal(seen.progressed, 1);
	assert_true(seen.progress == 0.5);
}

static void an_unknown_method_is_answered_and_an_unknown_tool_too(void **state) {
	(void)state;
	ann_comes(GUEST_LAZY);
	(void)go(ERRAND_ASK, "bob", "resources/read", "{}", 0);
	RIG_UNTIL(loop, seen.done == 1);
	assert_int_equal(seen.code, JSONRPC_METHOD_NOT_FOUND);
	(void)go(ERRAND_CALL, "bob", "dance", "{}", 0);
	RIG_UNTIL(loop, seen.done == 2);
	assert_int_equal(seen.code, JSONRPC_INVALID_PARAMS);
}

/* ---- Ends ---- */

static void one_deadline_covers_all_of_it(void **state) {
	(void)state;
	ann_comes(GUEST_LAZY);
	(void)go(ERRAND_CALL, "bob", "hold", "{}", 50);
	RIG_UNTIL(loop, seen.done == 1);
	assert_int_equal(seen.why, FAULT_TIMEOUT);
}

static void a_room_that_is_not_reached_in_time_ends_the_errand(void **state) {
	struct fault why;
	struct guest_options options = options_of("ann");
	(void)state;
	rig.refuses = UINT32_MAX;
	rig.status = 503;
	options.membership.is_patient = true;
	ann.guest = guest_open(loop, &options, &person_events, &ann, &why);
	assert_non_null(ann.guest);
	(void)go(ERRAND_CALL, "bob", "echo", "{}", 50);
	RIG_UNTIL(loop, seen.done == 1);
	assert_int_equal(seen.why, FAULT_TIMEOUT);
	assert_int_equal(seen.runs, 0);
}

static void a_cancel_reaches_the_tool_and_nobody_else_is_called(void **state) {
	struct errand *errand;
	(void)state;
	ann_comes(GUEST_LAZY);
	errand = go(ERRAND_CALL, "bob", "hold", "{}", 0);
	RIG_UNTIL(loop, seen.held);
	errand_cancel(errand, SLICE("changed my mind"));
	RIG_UNTIL(loop, seen.cancelled == 1);
	assert_true(peer_is_cancelled(seen.held));
	assert_int_equal(seen.done, 0);
}

static void a_call_ends_when_its_peer_leaves(void **state) {
	(void)state;
	ann_comes(GUEST_LAZY);
	(void)go(ERRAND_CALL, "bob", "hold", "{}", 0);
	RIG_UNTIL(loop, seen.held);
	guest_close(bob.guest);
	bob.guest = NULL;
	RIG_UNTIL(loop, seen.done);
	assert_int_equal(seen.why, FAULT_CLOSED);
}

static void a_call_survives_a_break_of_the_callers_connection(void **state) {
	(void)state;
	rig.is_quiet = true; /* nobody sees the break */
	ann_comes(GUEST_LAZY);
	(void)go(ERRAND_CALL, "bob", "hold", "{}", 0);
	RIG_UNTIL(loop, seen.held);
	rig_cut(&rig, "ann");
	RIG_UNTIL(loop, ann.joined == 2);
	mcp_server_answer_text(TAKE(seen.held), SLICE("still here"), false);
	RIG_UNTIL(loop, seen.done);
	assert_non_null(strstr(seen.result, "still here"));
}

static void nobody_of_that_name_is_said_at_once(void **state) {
	(void)state;
	ann_comes(GUEST_LAZY);
	(void)go(ERRAND_CALL, "zoe", "echo", "{}", 0);
	RIG_UNTIL(loop, seen.done);
	assert_int_equal(seen.why, FAULT_NOT_FOUND);
}

static void arguments_that_are_no_object_are_refused_before_they_leave(void **state) {
	struct fault why;
	struct errand_options options = {
		.kind = ERRAND_CALL,
		.to = SLICE("bob"),
		.name = SLICE("echo"),
		.done = on_done,
	};
	static const char *const bad[] = {"[]", "{", "1", "{} {}", ""};
	(void)state;
	ann_comes(GUEST_LAZY);
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		options.body = slice_of(bad[i]);
		assert_null(errand_open(ann.guest, &options, &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
	}
}

/* The gateway answers in the target's place (MCPx v0.1 4.4.2). */
static void a_privilege_violation_ends_the_call_with_its_code(void **state) {
	char id[64], text[512];
	(void)state;
	ann_comes(GUEST_LAZY);
	(void)go(ERRAND_CALL, "bob", "hold", "{}", 0);
	RIG_UNTIL(loop, seen.held && strstr(rig.last, "\"hold\""));
	const char *at = strstr(rig.last, "\"id\":\"");
	snprintf(id, sizeof id, "%.36s", at + 6);
	snprintf(text, sizeof text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"v1\",\"from\":\"system:gateway\",\"to\":[\"ann\"],"
				    "\"kind\":\"mcp\",\"correlation_id\":\"%s\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":"
				    "{\"code\":-32001,\"message\":\"Privilege violation\"}}}",
		id);
	rig_tell_all(&rig, text, NULL);
	RIG_UNTIL(loop, seen.done);
	assert_true(seen.is_reply);
	assert_int_equal(seen.code, -32001);
}

/* ---- Addressing ---- */

static void tell_bob(const char *to) {
	char text[512];
	snprintf(text, sizeof text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"r-%s\",\"from\":\"zoe\",\"to\":[%s],"
				    "\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"method\":\"ping\"}}",
		*to ? "x" : "y", to);
	rig_tell_all(&rig, text, NULL);
}

static void on_held(void *context, struct slice reason, uint64_t wait_ms) {
	assert_ptr_equal(context, &seen);
	check_slice(reason, "it is dangerous");
	assert_in_range(wait_ms, 1, 24 * 3600 * 1000 + 30000);
	seen.was_held++;
}

static void that_somebody_is_asked_first_is_heard_once(void **state) {
	static const char data[] = "{\"authorizationRequest\":{\"id\":\"a\",\"tool\":\"hold\",\"arguments\":{},\"requester\":\"ann\","
				   "\"reason\":\"it is dangerous\",\"expiresAt\":\"2999-01-01T00:00:00Z\"}}";
	struct fault why;
	const struct errand_options options = {
		.kind = ERRAND_CALL,
		.to = SLICE("bob"),
		.name = SLICE("hold"),
		.body = SLICE("{}"),
		.done = on_done,
		.held = on_held,
		.context = &seen,
	};
	(void)state;
	ann_comes(GUEST_LAZY);
	assert_non_null(errand_open(ann.guest, &options, &why));
	RIG_UNTIL(loop, seen.held);
	for (unsigned i = 0; i < 5; i++)
		peer_question_warn(seen.held, -32001, SLICE("Authorization required"), slice_of(data));
	RIG_UNTIL(loop, seen.was_held);
	mcp_server_answer_text(TAKE(seen.held), SLICE("at last"), false);
	RIG_UNTIL(loop, seen.done);
	assert_non_null(strstr(seen.result, "at last"));
	assert_int_equal(seen.was_held, 1);
}

static void only_requests_to_us_are_answered_with_their_own_id_and_envelope(void **state) {
	(void)state;
	tell_bob("");
	tell_bob("\"carol\"");
	tell_bob("\"bob\"");
	RIG_UNTIL(loop, rig.messages);
	loop_step(loop, 50);
	assert_int_equal(rig.messages, 1);
	assert_non_null(strstr(rig.last, "\"id\":\"7\",\"result\":{}"));
	assert_non_null(strstr(rig.last, "\"correlation_id\":\"r-x\""));
	assert_non_null(strstr(rig.last, "\"to\":[\"zoe\"]"));
}

static void a_silent_guest_beside_answers_nothing_and_hears_its_own_answers(void **state) {
	struct person beside = {.guest = NULL};
	struct guest_options options = options_of("bob");
	(void)state;
	options.membership.is_beside = true;
	options.is_silent = true;
	enter(&beside, &options);
	assert_non_null(strstr(rig.target, "&beside=1"));
	ann = beside; /* errands are ann's */
	ann.guest = beside.guest;
	(void)go(ERRAND_CALL, "bob", "echo", "{\"self\":true}", 0);
	RIG_UNTIL(loop, seen.done);
	assert_int_equal(seen.runs, 1);
	assert_non_null(strstr(seen.result, "\"self\":true"));
}

static void a_fulfilment_names_its_proposal(void **state) {
	struct fault why;
	struct errand_options options = {
		.kind = ERRAND_ASK,
		.to = SLICE("bob"),
		.name = SLICE("tools/call"),
		.body = SLICE("{\"name\":\"hold\"}"),
		.about = SLICE("proposal-1"),
		.done = on_done,
		.context = &seen,
	};
	(void)state;
	ann_comes(GUEST_LAZY);
	assert_non_null(errand_open(ann.guest, &options, &why));
	RIG_UNTIL(loop, seen.held);
	assert_non_null(strstr(rig.last, "\"correlation_id\":\"proposal-1\""));
	assert_non_null(strstr(rig.last, "\"params\":{\"name\":\"hold\"}"));
}

static void chat_and_presence_are_tools_on_wish(void **state) {
	struct fault why;
	(void)state;
	assert_true(guest_offer_chat(bob.guest, &why));
	ann_comes(GUEST_LAZY);
	(void)go(ERRAND_CALL, "bob", "chat.say", "{\"text\":\"through bob\"}", 0);
	RIG_UNTIL(loop, seen.done == 1 && ann.chats == 1);
	assert_non_null(strstr(seen.result, "{\"status\":\"broadcasted\"}"));
	(void)go(ERRAND_CALL, "bob", "presence.get", "{}", 0);
	RIG_UNTIL(loop, seen.done == 2);
	assert_non_null(strstr(seen.result, "\"structuredContent\":{\"participants\":[{\"id\":\"ann\""));
	(void)go(ERRAND_CALL, "bob", "chat.say", "{\"format\":\"plain\"}", 0);
	RIG_UNTIL(loop, seen.done == 3);
	assert_non_null(strstr(seen.result, "\"isError\":true"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_call_shakes_hands_first_and_brings_the_result),
		TEST(one_handshake_serves_all_who_wait_for_it),
		TEST(an_errand_may_begin_before_the_room_is_reached),
		TEST(an_eager_guest_shakes_hands_on_sight),
		TEST(a_choosing_guest_is_asked_about_everyone),
		TEST(the_list_follows_every_page_and_is_remembered_until_it_changes),
		TEST(progress_comes_to_who_asked_for_it),
		TEST(an_unknown_method_is_answered_and_an_unknown_tool_too),
		TEST(one_deadline_covers_all_of_it),
		TEST(a_room_that_is_not_reached_in_time_ends_the_errand),
		TEST(a_cancel_reaches_the_tool_and_nobody_else_is_called),
		TEST(a_call_ends_when_its_peer_leaves),
		TEST(a_call_survives_a_break_of_the_callers_connection),
		TEST(nobody_of_that_name_is_said_at_once),
		TEST(arguments_that_are_no_object_are_refused_before_they_leave),
		TEST(a_privilege_violation_ends_the_call_with_its_code),
		TEST(that_somebody_is_asked_first_is_heard_once),
		TEST(only_requests_to_us_are_answered_with_their_own_id_and_envelope),
		TEST(a_silent_guest_beside_answers_nothing_and_hears_its_own_answers),
		TEST(a_fulfilment_names_its_proposal),
		TEST(chat_and_presence_are_tools_on_wish),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
