/* SPDX-License-Identifier: Apache-2.0 */
#include "room_rig.h"

#include "client/library.h"

#include <poll.h>
#include <sys/wait.h>

static struct hustings *one, *two;
static struct room_rig rig;

static struct {
	unsigned joined, ended, arrived, left, chats, answered, listed, cancelled;
	struct hustings_request *held;
	struct hustings_room *from_room;
	enum hustings_status status;
	bool is_error;
	int64_t code;
	size_t tools;
	char text[256];
	char from[64];
} seen;

static int set_up(void **state) {
	struct hustings_error error;
	(void)state;
	memset(&seen, 0, sizeof seen);
	one = hustings_open("one", NULL, &error);
	two = hustings_open("two", "2", &error);
	assert_non_null(one);
	assert_non_null(two);
	room_rig_open(&rig, one->loop);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	hustings_close(two);
	room_rig_close(&rig);
	hustings_close(one);
	return 0;
}

/* Two loops in turns: one of them is the gateway's as well. */
#define UNTIL(condition) \
	do { \
		uint64_t end_ = clock_monotonic_ms() + RIG_PATIENCE_MS; \
		while (!(condition)) { \
			assert_true(clock_monotonic_ms() < end_); \
			hustings_step(one, 5); \
			hustings_step(two, 5); \
		} \
	} while (0)

static void on_joined(void *context, struct hustings_room *room, bool again) {
	assert_ptr_equal(context, &seen);
	assert_false(again);
	assert_true(*hustings_id(room));
	assert_string_equal(hustings_privilege(room), "full");
	seen.joined++;
}
static void on_ended(void *context, struct hustings_room *room, const struct hustings_error *why) {
	(void)context;
	(void)room;
	seen.ended++;
	seen.status = why->status;
}
static void on_arrived(void *context, struct hustings_room *room,
	const struct hustings_participant *participant) {
	(void)context;
	struct hustings_participant found;
	assert_true(hustings_find(room, participant->id, &found));
	assert_string_equal(found.mcp_version, "2025-06-18");
	seen.arrived++;
}
static void on_left(void *context, struct hustings_room *room,
	const struct hustings_participant *participant) {
	(void)context;
	(void)room;
	(void)participant;
	seen.left++;
}
static void on_chat(void *context, struct hustings_room *room, const struct hustings_chat *chat) {
	(void)context;
	(void)room;
	seen.chats++;
	snprintf(seen.text, sizeof seen.text, "%s", chat->text);
	snprintf(seen.from, sizeof seen.from, "%s", chat->from);
}
static const struct hustings_room_events events = {
	.joined = on_joined,
	.ended = on_ended,
	.arrived = on_arrived,
	.left = on_left,
	.chat = on_chat,
};

static struct hustings_room *join(struct hustings *hustings, const char *id) {
	struct hustings_error error;
	struct hustings_room_options options = {.url = rig.url, .topic = "demo", .id = id, .name = "N"};
	unsigned before = seen.joined;
	struct hustings_room *room = hustings_join(hustings, &options, &events, &seen, &error);
	assert_non_null(room);
	assert_string_equal(hustings_topic(room), "demo");
	UNTIL(seen.joined == before + 1);
	assert_string_equal(hustings_id(room), id);
	return room;
}

/* ---- Tools ---- */

static void run_greet(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	struct hustings_json value;
	assert_ptr_equal(context, &seen);
	snprintf(seen.from, sizeof seen.from, "%s", hustings_request_from(request));
	seen.from_room = hustings_request_room(request);
	assert_string_equal(hustings_request_tool(request), "greet");
	char *name = hustings_json_find(arguments, "name", &value) ? hustings_json_string(value) : NULL;
	if (name) hustings_answer_text(request, name);
	else hustings_answer_failure(request, "%s: a string is due", "name");
	free(name);
}
static void run_hold(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	(void)context;
	(void)arguments;
	seen.held = request;
}
static void on_cancelled(void *context, struct hustings_request *request) {
	(void)context;
	assert_ptr_equal(request, seen.held);
	assert_true(hustings_is_cancelled(request));
	seen.cancelled++;
}

static void offer(struct hustings *hustings) {
	struct hustings_error error;
	struct hustings_tool greet = {
		.name = "greet",
		.description = "Greets.",
		.run = run_greet,
		.context = &seen,
		.effect = HUSTINGS_EFFECT_NONE,
	};
	struct hustings_tool hold = {.name = "hold", .run = run_hold, .cancelled = on_cancelled};
	assert_true(hustings_offer(hustings, &greet, &error));
	assert_true(hustings_offer(hustings, &hold, &error));
	assert_false(hustings_offer(hustings, &hold, &error));
	assert_int_equal(error.status, HUSTINGS_EXISTS);
}

static void on_answered(void *context, const struct hustings_answer *answer,
	const struct hustings_error *error) {
	assert_ptr_equal(context, &seen);
	seen.answered++;
	seen.status = error ? error->status : HUSTINGS_FINE;
	if (!answer) return;
	seen.is_error = answer->is_error;
	seen.code = answer->code;
	snprintf(seen.text, sizeof seen.text, "%s", answer->text);
}

static void on_listed(void *context, const struct hustings_tool_seen *tools, size_t count,
	const struct hustings_error *error) {
	(void)context;
	assert_null(error);
	seen.listed++;
	seen.tools = count;
	if (count == 0) return;
	assert_string_equal(tools[0].name, "greet");
	assert_string_equal(tools[0].description, "Greets.");
	assert_string_equal(tools[0].title, "");
	assert_true(tools[0].only_reads);
	assert_false(tools[0].may_destroy);
}

static void two_programs_meet_talk_and_call(void **state) {
	struct hustings_error error;
	struct hustings_participant participant;
	size_t at = 0;
	(void)state;
	offer(two);
	struct hustings_room *server = join(two, "server");
	struct hustings_room *caller = join(one, "caller");
	UNTIL(seen.arrived == 2);
	assert_true(hustings_roster(caller, &at, &participant));
	assert_string_equal(participant.id, "server");
	assert_false(hustings_roster(caller, &at, &participant));

	assert_true(hustings_say(caller, NULL, "hello", false, &error));
	UNTIL(seen.chats == 2);
	assert_string_equal(seen.text, "hello");
	assert_true(*hustings_last(server));

	assert_non_null(hustings_list(caller, "server", 0, on_listed, NULL, &error));
	UNTIL(seen.listed == 1);
	assert_int_equal(seen.tools, 2);
	assert_non_null(hustings_call(caller, "server", "greet", "{\"name\":\"Zo\xc3\xab\"}", 0, on_answered, NULL,
		&seen, &error));
	UNTIL(seen.answered == 1);
	assert_string_equal(seen.text, "Zo\xc3\xab");
	assert_string_equal(seen.from, "caller");
	assert_ptr_equal(seen.from_room, server);
	assert_false(seen.is_error);
	assert_non_null(hustings_call(caller, "server", "greet", NULL, 0, on_answered, NULL, &seen, &error));
	UNTIL(seen.answered == 2);
	assert_true(seen.is_error);
	assert_string_equal(seen.text, "name: a string is due");
	assert_non_null(hustings_ask(caller, "server", "prompts/list", NULL, 0, on_answered, &seen, &error));
	UNTIL(seen.answered == 3);
	assert_int_equal(seen.code, -32601);
}

static void a_cancelled_call_tells_the_tool(void **state) {
	struct hustings_error error;
	(void)state;
	offer(two);
	(void)join(two, "server");
	struct hustings_room *caller = join(one, "caller");
	struct hustings_call *call =
		hustings_call(caller, "server", "hold", NULL, 0, on_answered, NULL, &seen, &error);
	assert_non_null(call);
	UNTIL(seen.held);
	hustings_cancel(call, "enough");
	UNTIL(seen.cancelled == 1);
	hustings_answer_text(seen.held, "too late");
	assert_int_equal(seen.answered, 0);
}

static void requests_outlive_their_room_but_not_the_library(void **state) {
	struct hustings_error error;
	(void)state;
	offer(two);
	struct hustings_room *server = join(two, "server");
	struct hustings_room *caller = join(one, "caller");
	assert_non_null(hustings_call(caller, "server", "hold", NULL, 0, on_answered, NULL, &seen, &error));
	UNTIL(seen.held);
	hustings_leave(server);
	UNTIL(seen.cancelled == 1);
	assert_null(hustings_request_room(seen.held));
	assert_string_equal(hustings_request_from(seen.held), "");
	UNTIL(seen.answered == 1);
	assert_int_equal(seen.status, HUSTINGS_CLOSED);
	/* tear_down closes the library with the request unanswered. */
}

static void bad_wishes_are_refused_at_once(void **state) {
	struct hustings_error error;
	struct hustings_room_options options = {.url = rig.url};
	(void)state;
	assert_null(hustings_join(one, &options, NULL, NULL, &error));
	assert_int_equal(error.status, HUSTINGS_BAD_INPUT);
	options.topic = "demo";
	options.url = "gopher://x";
	assert_null(hustings_join(one, &options, NULL, NULL, &error));
	assert_int_equal(error.status, HUSTINGS_BAD_INPUT);
	options.url = rig.url;
	options.id = "a b";
	assert_null(hustings_join(one, &options, NULL, NULL, NULL));
}

static bool no_token(void *context, char *token, size_t size) {
	(void)context;
	(void)token;
	assert_true(size >= 1024);
	return false;
}

static void a_room_ends_when_there_is_no_gateway_or_no_token(void **state) {
	struct hustings_error error;
	struct hustings_room_options options = {.url = rig.url, .topic = "demo", .give_token = no_token};
	(void)state;
	assert_non_null(hustings_join(one, &options, &events, &seen, &error));
	UNTIL(seen.ended == 1);
	assert_int_equal(seen.status, HUSTINGS_NOT_READY);
}

/* ---- Stdin and stdout ---- */

static void serve_child(int in, int out) {
	struct hustings_error error;
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	for (int i = 3; i < 64; i++) close(i);
	struct hustings *hustings = hustings_open("face", "3", &error);
	struct hustings_tool greet = {.name = "greet", .run = run_greet, .context = &seen};
	bool is_fine = hustings && hustings_offer(hustings, &greet, &error) &&
		hustings_serve_stdio(hustings, &error);
	hustings_close(hustings);
	_exit(is_fine ? 0 : 1);
}

static void read_all(int from, char *to, size_t size) {
	size_t length = 0;
	uint64_t end = clock_monotonic_ms() + RIG_PATIENCE_MS;
	for (;;) {
		struct pollfd ready = {.fd = from, .events = POLLIN};
		assert_true(clock_monotonic_ms() < end);
		if (poll(&ready, 1, 1000) <= 0) continue;
		ssize_t got = read(from, to + length, size - 1 - length);
		assert_true(got >= 0);
		if (got == 0) break;
		length += (size_t)got;
	}
	to[length] = 0;
}

static void converse(int in, char *heard, size_t size) {
	int out[2], status = 0;
	assert_int_equal(pipe(out), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) serve_child(in, out[1]);
	close(in);
	close(out[1]);
	read_all(out[0], heard, size);
	close(out[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

#define LINES "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"}}\r\n" \
	      "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n" \
	      "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tools/call\",\"params\":{\"name\":\"greet\"," \
	      "\"arguments\":{\"name\":\"host\"}}}"

static void check_answers(const char *heard) {
	assert_non_null(strstr(heard, "\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\""));
	assert_non_null(strstr(heard, "\"serverInfo\":{\"name\":\"face\",\"version\":\"3\"}"));
	assert_non_null(strstr(heard, "\"id\":\"x\",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"host\"}]"));
	assert_int_equal(heard[strlen(heard) - 1], '\n');
}

static void tools_are_served_on_a_pipe_until_its_end(void **state) {
	char heard[4096];
	int in[2];
	(void)state;
	assert_int_equal(pipe(in), 0);
	assert_int_equal(write(in[1], LINES, strlen(LINES)), (ssize_t)strlen(LINES));
	close(in[1]);
	converse(in[0], heard, sizeof heard);
	check_answers(heard);
}

static void tools_are_served_on_a_file_too(void **state) {
	char heard[4096], name[] = "/tmp/hustings-stdin-XXXXXX";
	(void)state;
	int file = mkstemp(name);
	assert_true(file >= 0);
	unlink(name);
	assert_int_equal(write(file, LINES, strlen(LINES)), (ssize_t)strlen(LINES));
	assert_int_equal(lseek(file, 0, SEEK_SET), 0);
	converse(file, heard, sizeof heard);
	check_answers(heard);
}

static void every_status_has_a_word(void **state) {
	(void)state;
	for (int i = HUSTINGS_FINE; i <= HUSTINGS_UNSUPPORTED; i++)
		assert_string_not_equal(hustings_status_word((enum hustings_status)i), "unknown");
	assert_string_equal(hustings_status_word((enum hustings_status)99), "unknown");
	assert_string_equal(hustings_status_word(HUSTINGS_TIMEOUT), "timeout");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(two_programs_meet_talk_and_call),
		TEST(a_cancelled_call_tells_the_tool),
		TEST(requests_outlive_their_room_but_not_the_library),
		TEST(bad_wishes_are_refused_at_once),
		TEST(a_room_ends_when_there_is_no_gateway_or_no_token),
		cmocka_unit_test(tools_are_served_on_a_pipe_until_its_end),
		cmocka_unit_test(tools_are_served_on_a_file_too),
		cmocka_unit_test(every_status_has_a_word),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
