/* SPDX-License-Identifier: Apache-2.0 */
/* A tool's owner, a caller and a decider in one room (MCPx ADR-001), and guided sessions there (MCP Flow). */
#include "room_rig.h"

#include "client/authorization_book.h"
#include "client/flow_desk.h"
#include "client/library_call.h"

static struct hustings *decider, *owner, *caller;
static struct hustings_room *decider_room, *owner_room, *caller_room;
static struct room_rig rig;

static struct {
	unsigned joined, asked, own_asked, ran, answered;
	enum hustings_status status;
	int64_t code, valid_until;
	bool approves, decides, permits;
	const char *reason;
	char id[64], owner[64], tool[64], requester[64], arguments[200], text[400], data[400], json[4000];
} seen;

#define UNTIL(condition) \
	do { \
		uint64_t end_ = clock_monotonic_ms() + RIG_PATIENCE_MS; \
		while (!(condition)) { \
			assert_true(clock_monotonic_ms() < end_); \
			hustings_step(decider, 3); \
			hustings_step(owner, 3); \
			hustings_step(caller, 3); \
		} \
	} while (0)

/* ---- The three ---- */

static void on_joined(void *context, struct hustings_room *room, bool again) {
	(void)context;
	(void)room;
	(void)again;
	seen.joined++;
}

static void note_asked(const struct hustings_asked *asked) {
	snprintf(seen.id, sizeof seen.id, "%s", asked->id);
	snprintf(seen.owner, sizeof seen.owner, "%s", asked->owner);
	snprintf(seen.tool, sizeof seen.tool, "%s", asked->tool);
	snprintf(seen.requester, sizeof seen.requester, "%s", asked->requester);
	snprintf(seen.arguments, sizeof seen.arguments, "%.*s", (int)asked->arguments.length, asked->arguments.text);
}

static void on_asked(void *context, struct hustings_room *room, const struct hustings_asked *asked) {
	struct hustings_error error;
	(void)context;
	assert_true(asked->expires_at > clock_wall_ms() - RIG_PATIENCE_MS);
	note_asked(asked);
	seen.asked++;
	if (!seen.decides) return;
	assert_true(hustings_decide(room, asked->owner, asked->id, seen.approves, seen.reason, seen.valid_until, &error));
}

static void on_own_asked(void *context, const struct hustings_asked *asked) {
	struct hustings_error error;
	assert_ptr_equal(context, &seen);
	note_asked(asked);
	seen.own_asked++;
	if (seen.permits) assert_true(hustings_permit(owner, asked->id, seen.approves, seen.reason, 0, &error));
}

static struct hustings_room *join(struct hustings *hustings, const char *id, bool decides) {
	static const struct hustings_room_events quiet = {.joined = on_joined};
	static const struct hustings_room_events deciding = {.joined = on_joined, .authorization_asked = on_asked};
	struct hustings_error error;
	struct hustings_room_options options = {.url = rig.url, .topic = "demo", .id = id};
	unsigned before = seen.joined;
	struct hustings_room *room = hustings_join(hustings, &options, decides ? &deciding : &quiet, NULL, &error);
	assert_non_null(room);
	UNTIL(seen.joined == before + 1);
	return room;
}

static void run_launch(void *context, struct hustings_request *request, struct hustings_json arguments) {
	(void)context;
	(void)arguments;
	seen.ran++;
	assert_string_equal(hustings_request_from(request), hustings_request_room(request) ? "caller" : "");
	hustings_answer_text(request, "launched");
}

/* Names the function was called with, one a character. */
static char names[16];

/* Asks a name, then whether it is right; no leads back to the name. */
static void run_form(void *context, struct hustings_flow *flow) {
	static const struct hustings_field name = {.message = "Which name?", .has_least = true, .least = 2};
	static const struct hustings_field right = {.message = "Is it right?"};
	const char *words;
	bool is_right;
	(void)context;
	assert_string_equal(hustings_flow_from(flow), "caller");
	if (!hustings_ask_text(flow, "name", &name, &words)) return;
	if (strlen(names) + 1 < sizeof names) names[strlen(names)] = words[0];
	if (!hustings_ask_confirm(flow, "right", &right, &is_right)) return;
	if (is_right) hustings_flow_text(flow, words);
	else assert_true(hustings_flow_back(flow, "name"));
}

static int set_up(void **state) {
	struct hustings_error error;
	struct hustings_tool launch = {.name = "launch", .run = run_launch, .authorization = "{\"required\":true,\"mode\":\"user_approval\",\"timeout\":300,\"message\":\"It flies\"}"};
	struct hustings_tool bad = {.name = "bad", .run = run_launch, .authorization = "[]"};
	struct hustings_flow_tool form = {.name = "form", .run = run_form};
	(void)state;
	memset(&seen, 0, sizeof seen);
	memset(names, 0, sizeof names);
	decider = hustings_open("decider", NULL, &error);
	owner = hustings_open("owner", NULL, &error);
	caller = hustings_open("caller", NULL, &error);
	assert_true(decider && owner && caller);
	room_rig_open(&rig, decider->loop);
	assert_true(hustings_offer(owner, &launch, &error));
	assert_false(hustings_offer(owner, &bad, &error));
	assert_true(hustings_offer_flow(owner, &form, &error));
	owner_room = join(owner, "owner", false);
	caller_room = join(caller, "caller", false);
	decider_room = join(decider, "decider", true);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	hustings_close(caller);
	hustings_close(owner);
	hustings_leave(decider_room);
	room_rig_close(&rig);
	hustings_close(decider);
	return 0;
}

static void on_answered(void *context, const struct hustings_answer *answer, const struct hustings_error *error) {
	(void)context;
	seen.answered++;
	seen.status = error ? error->status : HUSTINGS_FINE;
	seen.code = answer ? answer->code : 0;
	if (!answer) return;
	snprintf(seen.text, sizeof seen.text, "%s", answer->text);
	snprintf(seen.data, sizeof seen.data, "%.*s", (int)answer->data.length, answer->data.text);
	snprintf(seen.json, sizeof seen.json, "%.*s", (int)answer->json.length, answer->json.text);
}

static void call(const char *arguments) {
	struct hustings_error error;
	assert_non_null(hustings_call(caller_room, "owner", "launch", arguments, 0, on_answered, NULL, NULL, &error));
}

static void call_and_wait(const char *arguments) {
	unsigned before = seen.answered;
	call(arguments);
	UNTIL(seen.answered == before + 1);
	assert_int_equal(seen.status, HUSTINGS_FINE);
}

static void settle(struct hustings_authorization settings) {
	struct hustings_error error;
	assert_true(hustings_authorize(owner, &settings, &error));
}

/* ---- Authorization ---- */

static void an_approval_is_for_one_call(void **state) {
	(void)state;
	seen.decides = seen.approves = true;
	call_and_wait("{\"target\":\"moon\"}");
	assert_string_equal(seen.text, "launched");
	assert_string_equal(seen.owner, "owner");
	assert_string_equal(seen.tool, "launch");
	assert_string_equal(seen.requester, "caller");
	assert_string_equal(seen.arguments, "{\"target\":\"moon\"}");
	call_and_wait("{\"target\":\"moon\"}");
	assert_int_equal(seen.asked, 2);
	assert_int_equal(seen.ran, 2);
}

static void a_denial_says_why(void **state) {
	(void)state;
	seen.decides = true;
	seen.reason = "not today";
	call_and_wait("{}");
	assert_int_equal(seen.code, -32002);
	assert_string_equal(seen.data, "{\"reason\":\"not today\",\"type\":\"authorization_denied\"}");
	assert_int_equal(seen.ran, 0);
}

static void an_approval_until_later_holds_for_the_same_arguments_until_it_is_revoked(void **state) {
	struct hustings_error error;
	(void)state;
	seen.decides = seen.approves = true;
	seen.valid_until = clock_wall_ms() + 3600000;
	call_and_wait("{\"n\": 1}");
	call_and_wait("{ \"n\":1 }");
	assert_int_equal(seen.asked, 1);
	char first[64];
	memcpy(first, seen.id, sizeof first);
	seen.valid_until = 0;
	call_and_wait("{\"n\":2}");
	assert_int_equal(seen.asked, 2);
	assert_true(hustings_revoke(caller_room, "owner", first, "by the caller itself", &error));
	call_and_wait("{\"n\":1}");
	assert_int_equal(seen.asked, 2); /* which counted for nothing */
	assert_true(hustings_revoke(decider_room, "owner", first, "enough", &error));
	UNTIL(!list_is_empty(&decider->rooms) && strstr(rig.last, "enough"));
	seen.approves = false;
	call_and_wait("{\"n\":1}");
	assert_int_equal(seen.asked, 3);
	assert_int_equal(seen.code, -32002);
	assert_int_equal(seen.ran, 4);
}

static void the_caller_cannot_approve_itself_nor_can_strangers(void **state) {
	static const char *const deciders[] = {"boss", "caller", NULL};
	struct hustings_error error;
	(void)state;
	settle((struct hustings_authorization){.mode = HUSTINGS_ALWAYS_PROMPT, .deciders = deciders});
	seen.decides = seen.approves = true; /* the decider is not listed */
	call("{}");
	UNTIL(seen.asked == 1);
	assert_true(hustings_decide(caller_room, "owner", seen.id, true, NULL, 0, &error));
	assert_true(hustings_say(caller_room, NULL, "said behind it", false, &error));
	UNTIL(strstr(rig.last, "said behind it"));
	for (int i = 0; i < 20; i++) hustings_step(owner, 5);
	assert_int_equal(seen.ran, 0);
	assert_true(hustings_permit(owner, "auth-unknown", true, NULL, 0, &error) == false);
	assert_int_equal(error.status, HUSTINGS_NOT_FOUND);
	/* What still waits ends with the owner's room. */
	hustings_leave(owner_room);
	UNTIL(seen.answered == 1);
}

static void a_delegate_alone_decides(void **state) {
	(void)state;
	settle((struct hustings_authorization){.mode = HUSTINGS_DELEGATED, .delegate = "caller"});
	call_and_wait("{}");
	assert_int_equal(seen.code, -32002); /* it would decide about itself */
	settle((struct hustings_authorization){.mode = HUSTINGS_DELEGATED, .delegate = "decider"});
	seen.decides = seen.approves = true;
	call_and_wait("{}");
	assert_string_equal(seen.text, "launched");
	assert_int_equal(seen.asked, 1);
}

static void no_answer_in_time_is_a_denial(void **state) {
	(void)state;
	settle((struct hustings_authorization){.mode = HUSTINGS_ALWAYS_PROMPT, .timeout = 20});
	call_and_wait("{}");
	assert_int_equal(seen.code, -32002);
	assert_non_null(strstr(seen.data, "\"type\":\"authorization_timeout\""));
	assert_int_equal(seen.ran, 0);
}

static void rules_decide_by_argument(void **state) {
	static const struct hustings_rule rules[] = {
		{.argument = "target", .value = "prod*", .action = HUSTINGS_DENY}, {.argument = "force", .action = HUSTINGS_DENY}};
	static const struct hustings_rule bare[] = {{.value = "prod*", .action = HUSTINGS_DENY}};
	const struct hustings_authorization unsound = {.mode = HUSTINGS_SELECTIVE, .rules = bare, .rule_count = 1};
	struct hustings_error error;
	(void)state;
	assert_false(hustings_authorize(owner, &unsound, &error));
	settle((struct hustings_authorization){.mode = HUSTINGS_SELECTIVE, .rules = rules, .rule_count = 2});
	call_and_wait("{\"target\":\"production\"}");
	assert_int_equal(seen.code, -32002);
	call_and_wait("{\"force\":null}");
	assert_int_equal(seen.code, -32002);
	assert_int_equal(seen.ran, 0);
}

static void rules_decide_by_caller_and_tool(void **state) {
	static const struct hustings_rule rules[] = {
		{.tool = "launch", .caller = "bad*", .action = HUSTINGS_ALLOW},
		{.tool = "lau*", .caller = "caller", .action = HUSTINGS_DENY}};
	(void)state;
	settle((struct hustings_authorization){.mode = HUSTINGS_SELECTIVE, .rules = rules, .rule_count = 2});
	call_and_wait("{}");
	assert_int_equal(seen.code, -32002);
	settle((struct hustings_authorization){.mode = HUSTINGS_ALWAYS_ALLOW});
	call_and_wait("{}");
	assert_int_equal(seen.ran, 1);
	assert_int_equal(seen.asked, 0);
}

static void the_author_may_decide_itself(void **state) {
	struct hustings_error error;
	(void)state;
	settle((struct hustings_authorization){.authorize = on_own_asked, .context = &seen});
	seen.permits = seen.approves = true;
	call_and_wait("{\"a\":1}");
	assert_int_equal(seen.own_asked, 1);
	assert_int_equal(seen.asked, 0);
	assert_string_equal(seen.owner, "");
	assert_string_equal(seen.text, "launched");
	seen.permits = false;
	call("{\"a\":2}");
	UNTIL(seen.own_asked == 2);
	/* Nobody in the room may, when the author was asked. */
	assert_true(hustings_decide(decider_room, "owner", seen.id, true, NULL, 0, &error));
	UNTIL(strstr(rig.last, "authorization/respond"));
	assert_true(hustings_permit(owner, seen.id, false, "no", 0, &error));
	UNTIL(seen.answered == 2);
	assert_int_equal(seen.code, -32002);
	assert_int_equal(seen.ran, 1);
}

static void only_so_many_calls_of_one_caller_wait(void **state) {
	(void)state;
	for (int i = 0; i <= AUTHORIZATION_BOOK_OWN; i++) {
		char arguments[32];
		snprintf(arguments, sizeof arguments, "{\"n\":%d}", i);
		call(arguments);
	}
	UNTIL(seen.answered == 1 && seen.asked == AUTHORIZATION_BOOK_OWN);
	assert_int_equal(seen.code, -32002);
	assert_non_null(strstr(seen.data, "too many calls"));
}

static void a_call_given_up_is_not_run_when_it_is_approved_still(void **state) {
	struct hustings_error error;
	(void)state;
	struct hustings_call *held = hustings_call(caller_room, "owner", "launch", "{}", 0, on_answered, NULL, NULL, &error);
	assert_non_null(held);
	UNTIL(seen.asked == 1 && held->authorization);
	hustings_cancel(held, "never mind");
	UNTIL(list_is_empty(&owner->requests));
	assert_true(hustings_decide(decider_room, "owner", seen.id, true, NULL, 0, &error));
	UNTIL(strstr(rig.last, "authorization/respond"));
	/* One whose own time is over: the same. */
	assert_non_null(hustings_call(caller_room, "owner", "launch", "{\"b\":1}", 300, on_answered, NULL, NULL, &error));
	UNTIL(seen.answered == 1);
	assert_int_equal(seen.status, HUSTINGS_TIMEOUT);
	UNTIL(list_is_empty(&owner->requests));
	assert_int_equal(seen.ran, 0);
}

/* The answer of an owner that holds to ADR-001 alone. */
static void owner_answers(int64_t id, const char *member, const char *text) {
	char payload[300];
	struct fault why;
	struct slice to = SLICE("caller");
	snprintf(payload, sizeof payload, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"%s\":%s}", (long long)id, member, text);
	assert_true(membership_send(guest_membership(owner_room->guest), ENVELOPE_MCP, &to, 1, SLICE("e"), slice_of(payload), NULL, &why));
}

static void the_outcome_may_be_a_second_answer_of_the_call(void **state) {
	struct hustings_error error;
	(void)state;
	struct hustings_call *held = hustings_call(caller_room, "owner", "launch", "{}", 0, on_answered, NULL, NULL, &error);
	UNTIL(seen.asked == 1 && held->authorization);
	int64_t id = held->asked_as;
	owner_answers(id + 1, "result", "{\"content\":[]}"); /* of another call */
	owner_answers(id, "error", "{\"code\":-32001,\"message\":\"Authorization required\",\"data\":{\"authorizationRequest\":{\"id\":\"a\",\"tool\":\"launch\",\"arguments\":{},\"requester\":\"caller\"}}}");
	owner_answers(id, "error", "{\"code\":-32002,\"message\":\"Authorization denied\",\"data\":{\"reason\":\"no\"}}");
	UNTIL(seen.answered == 1);
	assert_int_equal(seen.code, -32002);
	assert_string_equal(seen.data, "{\"reason\":\"no\"}");
	held = hustings_call(caller_room, "owner", "launch", "{}", 0, on_answered, NULL, NULL, &error);
	UNTIL(seen.asked == 2 && held->authorization);
	owner_answers(held->asked_as, "result", "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}");
	UNTIL(seen.answered == 2);
	assert_string_equal(seen.text, "done");
}

static void a_call_that_waits_ends_with_its_owner(void **state) {
	struct hustings_error error;
	(void)state;
	struct hustings_call *held = hustings_call(caller_room, "owner", "launch", "{}", 0, on_answered, NULL, NULL, &error);
	UNTIL(seen.asked == 1 && held->authorization);
	rig_dismiss(&rig, "owner", 4001);
	UNTIL(seen.answered == 1);
	assert_int_equal(seen.status, HUSTINGS_CLOSED);
}

static void hosts_ask_their_users_themselves_unless_the_author_settled_it(void **state) {
	struct hustings_error error;
	(void)state;
	assert_true(hustings_serve_http(owner, NULL, &error));
	const struct hustings_server_options options = {.url = hustings_http_url(owner)};
	struct hustings_server *server = hustings_connect(caller, &options, NULL, NULL, &error);
	assert_non_null(hustings_server_call(server, "launch", "{}", 0, on_answered, NULL, NULL, &error));
	UNTIL(seen.answered == 1);
	assert_string_equal(seen.text, "launched");
	settle((struct hustings_authorization){.mode = HUSTINGS_AS_THE_TOOL_SAYS});
	assert_non_null(hustings_server_call(server, "launch", "{}", 0, on_answered, NULL, NULL, &error));
	UNTIL(seen.answered == 2);
	assert_int_equal(seen.code, -32002);
	seen.permits = seen.approves = true;
	settle((struct hustings_authorization){.authorize = on_own_asked, .context = &seen});
	assert_non_null(hustings_server_call(server, "launch", "{}", 0, on_answered, NULL, NULL, &error));
	UNTIL(seen.answered == 3);
	assert_string_equal(seen.requester, "");
	assert_int_equal(seen.ran, 2);
	assert_int_equal(seen.asked, 0);
	hustings_disconnect(server);
}

static void ambiguous_arguments_are_refused(void **state) {
	(void)state;
	call_and_wait("{\"a\":{\"b\":1,\"b\":2}}");
	assert_int_equal(seen.code, -32602);
	assert_int_equal(seen.asked, 0);
}

/* ---- Guided sessions ---- */

static void ask(struct hustings_room *room, const char *method, const char *format, const char *one, const char *two) {
	struct hustings_error error;
	char params[500];
	unsigned before = seen.answered;
	snprintf(params, sizeof params, format, one, two);
	assert_non_null(hustings_ask(room, "owner", method, params, 0, on_answered, NULL, &error));
	UNTIL(seen.answered == before + 1);
	assert_int_equal(seen.status, HUSTINGS_FINE);
}

static void begin(char id[64]) {
	struct scan_value root, value;
	struct scan_fault fault;
	ask(caller_room, "interaction.start", "{\"toolName\":\"%s\"%s}", "form", "");
	assert_true(scan_check(slice_of(seen.json), SCAN_DEPTH, &root, &fault) && scan_find(&root, "sessionId", &value));
	snprintf(id, 64, "%.*s", (int)value.text.length - 2, value.text.bytes + 1);
	assert_non_null(strstr(seen.json, "\"state\":\"idle\""));
}

#define RESPOND "{\"sessionId\":\"%s\",\"response\":{\"value\":%s}}"

static void a_session_asks_goes_back_and_completes(void **state) {
	char id[64];
	(void)state;
	begin(id);
	ask(caller_room, "interaction.respond", RESPOND, id, "\"x\"");
	assert_non_null(strstr(seen.json, "\"accepted\":false"));
	ask(caller_room, "interaction.respond", RESPOND, id, "\"Ann\"");
	assert_non_null(strstr(seen.json, "\"accepted\":true"));
	ask(caller_room, "interaction.respond", RESPOND, id, "false");
	ask(caller_room, "interaction.getState", "{\"sessionId\":\"%s\"%s}", id, "");
	assert_non_null(strstr(seen.json, "\"message\":\"Which name?\""));
	assert_non_null(strstr(seen.json, "\"history\":[]"));
	ask(caller_room, "interaction.respond", RESPOND, id, "\"Bob\"");
	ask(caller_room, "interaction.respond", RESPOND, id, "true");
	ask(caller_room, "interaction.complete", "{\"sessionId\":\"%s\"%s}", id, "");
	assert_non_null(strstr(seen.json, "\"text\":\"Bob\""));
	ask(caller_room, "interaction.respond", RESPOND, id, "true");
	assert_int_equal(seen.code, -32003);
}

static void a_session_is_its_callers_alone(void **state) {
	char id[64];
	(void)state;
	begin(id);
	ask(decider_room, "interaction.getState", "{\"sessionId\":\"%s\"%s}", id, "");
	assert_int_equal(seen.code, -32001);
	ask(decider_room, "interaction.cancel", "{\"sessionId\":\"%s\"%s}", id, "");
	assert_int_equal(seen.code, -32001);
	ask(caller_room, "interaction.cancel", "{\"sessionId\":\"%s\"%s}", id, "");
	assert_non_null(strstr(seen.json, "\"cancelled\":true"));
	ask(caller_room, "interaction.cancel", "{\"sessionId\":\"%s\"%s}", id, "");
	assert_int_equal(seen.code, -32006);
	ask(caller_room, "interaction.prompt", "{\"sessionId\":\"%s\"%s}", id, "");
	assert_int_equal(seen.code, -32601);
	ask(caller_room, "interaction.start", "{\"toolName\":\"%s\"%s}", "launch", "");
	assert_int_equal(seen.code, -32007);
	ask(caller_room, "interaction.start", "{\"toolName\":\"%s\"%s}", "nothing", "");
	assert_int_equal(seen.code, -32602);
}

static void sessions_are_bounded_and_end_with_their_tool(void **state) {
	char id[64];
	(void)state;
	for (int i = 0; i < FLOW_DESK_OPEN; i++) begin(id);
	ask(caller_room, "interaction.start", "{\"toolName\":\"%s\"%s}", "form", "");
	assert_int_equal(seen.code, -32000);
	assert_true(hustings_withdraw_tool(owner, "form"));
	ask(caller_room, "interaction.respond", RESPOND, id, "\"Ann\"");
	assert_int_equal(seen.code, -32003);
	ask(caller_room, "interaction.start", "{\"toolName\":\"%s\"%s}", "form", "");
	assert_int_equal(seen.code, -32602);
}

static void a_session_that_nobody_answers_expires(void **state) {
	struct hustings_error error;
	struct hustings_flow_tool brief = {.name = "brief", .run = run_form, .timeout = 1};
	char id[64];
	struct scan_value root, value;
	struct scan_fault fault;
	(void)state;
	assert_true(hustings_offer_flow(owner, &brief, &error));
	ask(caller_room, "interaction.start", "{\"toolName\":\"%s\"%s}", "brief", "");
	assert_true(scan_check(slice_of(seen.json), SCAN_DEPTH, &root, &fault) && scan_find(&root, "sessionId", &value));
	snprintf(id, sizeof id, "%.*s", (int)value.text.length - 2, value.text.bytes + 1);
	UNTIL(list_is_empty(&owner->flows->sessions));
	ask(caller_room, "interaction.getState", "{\"sessionId\":\"%s\"%s}", id, "");
	assert_int_equal(seen.code, -32002);
}

static void a_session_waits_for_the_approval_of_its_tool(void **state) {
	char id[64];
	(void)state;
	settle((struct hustings_authorization){.mode = HUSTINGS_ALWAYS_PROMPT});
	seen.decides = true;
	ask(caller_room, "interaction.start", "{\"toolName\":\"%s\"%s}", "form", "");
	assert_int_equal(seen.code, -32002);
	seen.approves = true;
	begin(id);
	assert_int_equal(seen.asked, 2);
	ask(caller_room, "interaction.respond", RESPOND, id, "\"Ann\"");
	assert_non_null(strstr(seen.json, "\"accepted\":true"));
}

/* Whatever it asks: the function never sees an answer that a rule denies. */
static void rules_see_what_a_session_was_told_before_its_tool_does(void **state) {
	static const struct hustings_rule rules[] = {{.argument = "name", .value = "E*", .action = HUSTINGS_DENY}, {.action = HUSTINGS_ALLOW}};
	char id[64];
	(void)state;
	settle((struct hustings_authorization){.mode = HUSTINGS_SELECTIVE, .rules = rules, .rule_count = 2});
	begin(id);
	ask(caller_room, "interaction.respond", RESPOND, id, "\"Ann\"");
	ask(caller_room, "interaction.respond", RESPOND, id, "false"); /* back */
	ask(caller_room, "interaction.respond", RESPOND, id, "\"Eve\"");
	ask(caller_room, "interaction.getState", "{\"sessionId\":\"%s\"%s}", id, "");
	assert_non_null(strstr(seen.json, "\"state\":\"error\""));
	assert_non_null(strstr(seen.json, "denies it with these arguments"));
	ask(caller_room, "interaction.start", "{\"toolName\":\"%s\",\"initialParams\":{\"name\":\"Eve\"}%s}", "form", "");
	assert_int_equal(seen.code, -32002);
	assert_null(strchr(names, 'E'));
	assert_non_null(strchr(names, 'A'));
	assert_int_equal(seen.asked, 0);
}

static void a_rule_that_may_come_to_ask_asks_before_the_first_question(void **state) {
	static const struct hustings_rule rules[] = {{.argument = "name", .value = "E*", .action = HUSTINGS_DENY},
		{.argument = "name", .value = "B*", .action = HUSTINGS_ASK_FIRST}, {.action = HUSTINGS_ALLOW}};
	static const struct hustings_rule closed[] = {{.argument = "name", .value = "Ann", .action = HUSTINGS_ALLOW}, {.action = HUSTINGS_DENY}};
	char id[64];
	(void)state;
	settle((struct hustings_authorization){.mode = HUSTINGS_SELECTIVE, .rules = rules, .rule_count = 3});
	seen.decides = seen.approves = true;
	begin(id);
	assert_int_equal(seen.asked, 1);
	ask(caller_room, "interaction.respond", RESPOND, id, "\"Bob\"");
	ask(caller_room, "interaction.respond", RESPOND, id, "false");
	ask(caller_room, "interaction.respond", RESPOND, id, "\"Eve\"");
	ask(caller_room, "interaction.getState", "{\"sessionId\":\"%s\"%s}", id, "");
	assert_non_null(strstr(seen.json, "\"state\":\"error\"")); /* approved or not */
	assert_int_equal(seen.asked, 1);
	assert_string_equal(names, "BB");
	/* What no rule allows without an answer that is not there yet is denied at once. */
	settle((struct hustings_authorization){.mode = HUSTINGS_SELECTIVE, .rules = closed, .rule_count = 2});
	ask(caller_room, "interaction.start", "{\"toolName\":\"%s\"%s}", "form", "");
	assert_int_equal(seen.code, -32002);
	ask(caller_room, "interaction.start", "{\"toolName\":\"%s\",\"initialParams\":{\"name\":\"Ann\"}%s}", "form", "");
	assert_non_null(strstr(seen.json, "Is it right?"));
}

static void tokens_are_spent_once(void **state) {
	uint8_t hash[SECRET_HASH_SIZE] = {1};
	int64_t later = clock_wall_ms() + 60000;
	(void)state;
	assert_true(flow_desk_spend(owner->flows, hash, later));
	assert_false(flow_desk_spend(owner->flows, hash, later));
	for (unsigned i = 1; i < FLOW_DESK_SPENT; i++) {
		memcpy(hash + 1, &i, sizeof i);
		assert_true(flow_desk_spend(owner->flows, hash, later));
	}
	hash[10] = 1;
	assert_false(flow_desk_spend(owner->flows, hash, later)); /* no more are remembered */
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(an_approval_is_for_one_call),
		TEST(a_denial_says_why),
		TEST(an_approval_until_later_holds_for_the_same_arguments_until_it_is_revoked),
		TEST(the_caller_cannot_approve_itself_nor_can_strangers),
		TEST(a_delegate_alone_decides),
		TEST(no_answer_in_time_is_a_denial),
		TEST(rules_decide_by_argument),
		TEST(rules_decide_by_caller_and_tool),
		TEST(the_author_may_decide_itself),
		TEST(only_so_many_calls_of_one_caller_wait),
		TEST(a_call_given_up_is_not_run_when_it_is_approved_still),
		TEST(the_outcome_may_be_a_second_answer_of_the_call),
		TEST(a_call_that_waits_ends_with_its_owner),
		TEST(hosts_ask_their_users_themselves_unless_the_author_settled_it),
		TEST(ambiguous_arguments_are_refused),
		TEST(a_session_asks_goes_back_and_completes),
		TEST(a_session_is_its_callers_alone),
		TEST(sessions_are_bounded_and_end_with_their_tool),
		TEST(a_session_that_nobody_answers_expires),
		TEST(a_session_waits_for_the_approval_of_its_tool),
		TEST(rules_see_what_a_session_was_told_before_its_tool_does),
		TEST(a_rule_that_may_come_to_ask_asks_before_the_first_question),
		TEST(tokens_are_spent_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
