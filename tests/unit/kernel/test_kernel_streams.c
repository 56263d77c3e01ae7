/* SPDX-License-Identifier: Apache-2.0 */
/* Streams through the kernel (MGP 12): to whom chunks and progress go, how a call is stopped, and how one that is not read rests. */
#include "kernel_rig.h"

#include "hosted/hosted_parts.h"
#include "kernel/call.h"
#include "kernel/mgp_client.h"
#include "kernel/mgp_method.h"
#include "mcp/mgp_chunk.h"

#define TOOLS \
	"[{\"name\":\"think\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"}}," \
	"{\"name\":\"other\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"}}," \
	"{\"name\":\"wipe\",\"annotations\":{\"destructiveHint\":true},\"inputSchema\":{\"type\":\"object\"}}]"
#define CHUNK(index, text) \
	"{\"jsonrpc\":\"2.0\",\"method\":\"" MGP_CHUNK_METHOD "\",\"params\":{\"request_id\":$,\"index\":" index \
	",\"content\":{\"type\":\"text\",\"text\":\"" text "\"},\"done\":false}}\n"
#define PROGRESS(progress) \
	"{\"jsonrpc\":\"2.0\",\"method\":\"" MGP_PROGRESS_METHOD "\",\"params\":{\"request_id\":$,\"progress\":" progress "}}\n"
#define STREAMED "{\"name\":\"think\",\"_mgp\":{\"stream\":true}}"
#define FLOOD 4000 /* chunks; many times what a pipe holds */

static const struct policy free_policy = {
	.permissions = PERMISSION_AUTO_APPROVE,
	.access = ACCESS_OPT_OUT,
	.approval = APPROVAL_AUTO_APPROVE,
};
static const struct policy asking_policy = {
	.permissions = PERMISSION_AUTO_APPROVE,
	.access = ACCESS_OPT_OUT,
	.approval = APPROVAL_INTERACTIVE,
};

static struct kernel_rig rig;

/* One call of a stream, and what it heard. */
struct streaming {
	struct rig_ask made;
	unsigned chunks, words, at_answer; /* chunks when it was answered */
	char heard[1000];
	unsigned stopped;
	char partial[500];
	size_t partial_length;
	bool cancels_when_stopped;
};

static struct streaming one, other;

static void streamed(struct hosted_ask *ask, struct slice method, const struct scan_value *params) {
	struct streaming *streaming = CONTAINER_OF(ask, struct streaming, made.ask);
	size_t length = strlen(streaming->heard);
	assert_int_equal(streaming->made.answered, 0);
	streaming->chunks += slice_is(method, MGP_CHUNK_METHOD);
	streaming->words += slice_is(method, MGP_PROGRESS_METHOD);
	snprintf(streaming->heard + length, sizeof streaming->heard - length, "%.*s;", SLICE_ARGS(params->text));
}

static void answered(struct hosted_ask *ask, const struct hosted_answer *answer, const struct fault *why) {
	struct streaming *streaming = CONTAINER_OF(ask, struct streaming, made.ask);
	rig_answered(ask, answer, why);
	streaming->at_answer = streaming->chunks;
}

static const struct hosted_ask_events streaming_events = {.answered = answered, .streamed = streamed};

static void stopped(void *context, struct slice partial) {
	struct streaming *streaming = context;
	streaming->stopped++;
	streaming->partial_length = partial.length;
	snprintf(streaming->partial, sizeof streaming->partial, "%.*s", partial.bytes ? (int)partial.length : 4, partial.bytes ? partial.bytes : "none");
	if (streaming->cancels_when_stopped) call_cancel(&streaming->made.ask, "gone");
}

static void begin(const char *capabilities, const struct policy *policy) {
	kernel_rig_open(&rig, NULL);
	memset(&one, 0, sizeof one);
	memset(&other, 0, sizeof other);
	fake_write(&rig, "capabilities", capabilities);
	fake_write(&rig, "tools", TOOLS);
	fake_run(&rig, policy);
}

static void begin_mgp(void) { begin(FAKE_CAN("\"streaming\"", ""), &free_policy); }

static void start(struct streaming *streaming, struct call_asker asker, const char *params) {
	char lent[600];
	struct fault why = {0};
	snprintf(lent, sizeof lent, "%s", params);
	memset(streaming, 0, sizeof *streaming);
	rig_begin(&streaming->made, "ann");
	asker.principal = streaming->made.ask.principal;
	streaming->made.ask.method = SLICE("tools/call");
	streaming->made.ask.params = slice_of(lent);
	streaming->made.ask.events = &streaming_events;
	if (!call_start(rig.of.hosted, &asker, &streaming->made.ask, &why)) fail_msg("%s", why.text);
	memset(lent, '?', sizeof lent);
}

static void finish(struct streaming *streaming) { rig_until(&rig.of, streaming->made.answered); }

static int tear_down(void **state) {
	(void)state;
	if (one.made.ask.call) call_cancel(&one.made.ask, "over");
	if (other.made.ask.call) call_cancel(&other.made.ask, "over");
	kernel_rig_close(&rig);
	return 0;
}

/* Until the server has spoken: its chunks come in one piece. */
static void start_silent(const char *chunks) {
	fake_write(&rig, "think.stream", chunks);
	fake_write(&rig, "think.call", "silent");
	start(&one, mgp_asker("ann"), STREAMED);
	rig_until(&rig.of, one.chunks);
}

static bool stop(struct streaming *streaming) {
	return call_stop(&streaming->made.ask, SLICE("user_cancelled"), stopped, streaming);
}

/* Exactly one of each, the cancel's first. */
static void ends_cancelled(struct streaming *streaming, const char *partial) {
	finish(streaming);
	assert_int_equal(streaming->stopped, 1);
	assert_string_equal(streaming->partial, partial);
	check_has(&streaming->made, "\"cancelled\":true");
	for (int i = 0; i < 20; i++) loop_step(rig.of.loop, 1);
	assert_int_equal(streaming->made.answered, 1);
	assert_int_equal(streaming->stopped, 1);
	assert_false(stop(streaming));
	assert_int_equal(hosted_asks(rig.of.hosted), 0);
}

/* ---- What is heard ---- */

static void chunks_come_in_order_before_the_answer(void **state) {
	(void)state;
	begin_mgp();
	fake_write(&rig, "think.stream", CHUNK("0", "Quan") PROGRESS("0.5") CHUNK("1", "tum"));
	start(&one, mgp_asker("ann"), STREAMED);
	finish(&one);
	assert_int_equal(one.chunks, 2);
	assert_int_equal(one.words, 1);
	assert_int_equal(one.at_answer, 2);
	const char *first = strstr(one.heard, "Quan"), *second = strstr(one.heard, "tum");
	assert_true(first && second && first < second);
	check_has(&one.made, "\\\"stream\\\":true"); /* it got that */
	check_has(&one.made, "\"_mgp\":{\"streamed\":true,\"chunks_sent\":2,\"duration_ms\":");
}

static void what_the_server_says_of_its_stream_stays(void **state) {
	(void)state;
	begin_mgp();
	fake_write(&rig, "think.stream", CHUNK("0", "a"));
	fake_write(&rig, "think.call", "\"result\":{\"content\":[],\"_mgp\":{\"streamed\":true,\"chunks_sent\":15,\"duration_ms\":3200}}");
	start(&one, mgp_asker("ann"), STREAMED);
	finish(&one);
	check_has(&one.made, "\"_mgp\":{\"streamed\":true,\"chunks_sent\":15,\"duration_ms\":3200}");
	start(&one, (struct call_asker){.principal = SLICE("ann")}, STREAMED);
	finish(&one);
	assert_null(strstr(one.made.result, "_mgp"));
	assert_int_equal(one.chunks, 0);
}

static void chunks_go_to_who_asked_for_them_alone(void **state) {
	(void)state;
	static const char *const not_asked[] = {"{\"name\":\"think\"}", "{\"name\":\"think\",\"_mgp\":{\"stream\":false}}",
		"{\"name\":\"think\",\"_mgp\":{\"stream\":\"true\"}}", "{\"name\":\"think\",\"_mgp\":true}"};
	begin_mgp();
	fake_write(&rig, "think.stream", CHUNK("0", "a") PROGRESS("0.5"));
	for (size_t i = 0; i < COUNT_OF(not_asked); i++) {
		start(&one, mgp_asker("ann"), not_asked[i]);
		finish(&one);
		assert_int_equal(one.chunks, 0);
		assert_int_equal(one.words, 1);
	}
	struct call_asker without = mgp_asker("ann");
	without.mgp.extensions &= ~(unsigned)MGP_STREAMING;
	fake_write(&rig, "think.call", "\"result\":{\"content\":[]}");
	start(&one, without, "{\"name\":\"think\",\"_mgp\":{\"stream\":true,\"kept\":1}}");
	finish(&one);
	assert_int_equal(one.chunks, 0);
	assert_int_equal(fake_got(&rig, "\"_mgp\":{\"kept\":1}"), 1);
	assert_null(strstr(one.made.result, "_mgp"));
}

static void a_server_without_streaming_is_not_asked_for_it(void **state) {
	(void)state;
	begin(FAKE_CAN("\"security\"", ""), &free_policy);
	fake_write(&rig, "think.stream", CHUNK("0", "a"));
	start(&one, mgp_asker("ann"), STREAMED);
	finish(&one);
	assert_int_equal(one.chunks, 0);
	assert_int_equal(fake_got(&rig, "_mgp\":{\"stream"), 0);
	assert_null(strstr(one.made.result, "streamed"));
}

static void what_fits_no_request_is_left_out(void **state) {
	(void)state;
	begin_mgp();
	fake_write(&rig, "think.stream",
		"{\"jsonrpc\":\"2.0\",\"method\":\"" MGP_CHUNK_METHOD "\",\"params\":{\"request_id\":1,\"index\":0,\"content\":{\"type\":\"text\",\"text\":\"strange\"}}}\n"
		"{\"jsonrpc\":\"2.0\",\"method\":\"" MGP_CHUNK_METHOD "\",\"params\":{\"request_id\":\"$\",\"index\":0,\"content\":{\"type\":\"text\",\"text\":\"text id\"}}}\n"
		"{\"jsonrpc\":\"2.0\",\"method\":\"" MGP_CHUNK_METHOD "\",\"params\":{\"request_id\":$,\"index\":-1,\"content\":{\"type\":\"text\",\"text\":\"malformed\"}}}\n"
		"{\"jsonrpc\":\"2.0\",\"method\":\"" MGP_CHUNK_METHOD "\"}\n"
		"{\"jsonrpc\":\"2.0\",\"method\":\"" MGP_PROGRESS_METHOD "\",\"params\":{\"request_id\":$,\"progress\":2}}\n"
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.stream.else\",\"params\":{\"request_id\":$}}\n" CHUNK("0", "mine"));
	start(&one, mgp_asker("ann"), STREAMED);
	finish(&one);
	assert_int_equal(one.chunks, 1);
	assert_int_equal(one.words, 0);
	assert_non_null(strstr(one.heard, "mine"));
	AUTO_TEXT struct text log = {0};
	text_init(&log, 0);
	hosted_write_log(rig.of.hosted, &log);
	assert_non_null(strstr(log.bytes, "of no open request"));
	assert_non_null(strstr(log.bytes, "malformed or too large"));
	assert_non_null(strstr(log.bytes, "not agreed on"));
}

/* ---- Stopped ---- */

static void a_server_says_what_it_has_done(void **state) {
	(void)state;
	begin_mgp();
	fake_write(&rig, "cancel", "{\"cancelled\":true,\"partial_result\":{\"content\":[{\"type\":\"text\",\"text\":\"so far\"}]}}");
	start_silent(CHUNK("0", "a"));
	assert_true(stop(&one));
	assert_false(stop(&one)); /* a second one finds it stopped */
	assert_int_equal(one.stopped, 0);
	ends_cancelled(&one, "{\"content\":[{\"type\":\"text\",\"text\":\"so far\"}]}");
	check_has(&one.made, "so far");
	check_has(&one.made, "\"chunks_sent\":1");
	assert_int_equal(fake_got(&rig, "\"method\":\"mgp/stream/cancel\""), 1);
	assert_int_equal(fake_got(&rig, "\"reason\":\"user_cancelled\""), 1);
	rig_until(&rig.of, kernel_rig_audited(&rig, "TOOL_EXECUTED  CANCELLED ann think\n"));
	fake_write(&rig, "other.call", "\"result\":{\"content\":[]}");
	start(&other, mgp_asker("ann"), "{\"name\":\"other\"}");
	finish(&other);
}

static void a_plain_server_is_told_and_its_chunks_are_the_part(void **state) {
	(void)state;
	begin("{\"tools\":{}}", &free_policy);
	fake_write(&rig, "think.call", "silent");
	start(&one, mgp_asker("ann"), STREAMED);
	rig_until(&rig.of, fake_got(&rig, "tools/call"));
	assert_true(stop(&one));
	ends_cancelled(&one, "{\"content\":[]}");
	rig_until(&rig.of, fake_got(&rig, "notifications/cancelled"));
	assert_int_equal(fake_got(&rig, "mgp/stream/cancel"), 0);
}

static void a_server_that_knows_no_cancel_is_told_the_plain_way(void **state) {
	(void)state;
	begin_mgp();
	start_silent(CHUNK("0", "Quan\\u00e4") CHUNK("1", "tum\\n"));
	rig_until(&rig.of, one.chunks == 2);
	assert_true(stop(&one));
	ends_cancelled(&one, "{\"content\":[{\"type\":\"text\",\"text\":\"Quan\\u00e4tum\\n\"}]}");
	rig_until(&rig.of, fake_got(&rig, "notifications/cancelled"));
}

static void a_silent_server_has_its_time(void **state) {
	(void)state;
	begin_mgp();
	fake_write(&rig, "cancel", "silent");
	start_silent(CHUNK("0", "a"));
	assert_true(stop(&one));
	ends_cancelled(&one, "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}");
}

/* The request's answer and the cancel's, in either order; what the server confirms counts. */
static void both_answers_come(void **state) {
	(void)state;
	static const struct {
		const char *cancel, *before, *after, *partial;
	} rows[] = {
		{"{\"cancelled\":true}", "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"b\"}]}", "", "{\"content\":[{\"type\":\"text\",\"text\":\"b\"}]}"},
		{"{\"cancelled\":true}", "\"result\":{\"content\":[],\"_mgp\":{\"cancelled\":true}}", "", "{\"content\":[]}"},
		{"{\"cancelled\":true}", "\"error\":{\"code\":-32800,\"message\":\"cancelled\"}", "", "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}"},
		{"{\"cancelled\":true}", "", "\"result\":{\"content\":[]}", "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}"},
		{"{\"cancelled\":true,\"partial_result\":7}", "", "", "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		begin_mgp();
		fake_write(&rig, "cancel", rows[i].cancel);
		if (rows[i].before[0]) fake_write(&rig, "cancel.before", rows[i].before);
		if (rows[i].after[0]) fake_write(&rig, "cancel.after", rows[i].after);
		start_silent(CHUNK("0", "a"));
		assert_true(stop(&one));
		ends_cancelled(&one, rows[i].partial);
		if (i + 1 < COUNT_OF(rows)) tear_down(NULL);
	}
}

static void an_answer_that_came_first_is_the_answer(void **state) {
	(void)state;
	static const char *const order[] = {"cancel.before", "cancel.after"};
	for (size_t i = 0; i < COUNT_OF(order); i++) {
		begin_mgp();
		fake_write(&rig, "cancel", "{\"cancelled\":false}");
		fake_write(&rig, order[i], "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"whole\"}]}");
		start_silent(CHUNK("0", "a"));
		assert_true(stop(&one));
		finish(&one);
		assert_string_equal(one.partial, "none");
		assert_int_equal(one.stopped, 1);
		check_has(&one.made, "whole");
		assert_null(strstr(one.made.result, "cancelled"));
		rig_until(&rig.of, kernel_rig_audited(&rig, "TOOL_EXECUTED  SUCCESS ann think\n"));
		if (i + 1 < COUNT_OF(order)) tear_down(NULL);
	}
}

static void a_server_that_dies_meanwhile_has_stopped(void **state) {
	(void)state;
	begin_mgp();
	fake_write(&rig, "cancel", "die");
	start_silent(CHUNK("0", "a"));
	assert_true(stop(&one));
	ends_cancelled(&one, "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}");
}

static void an_asker_may_go_at_any_time(void **state) {
	(void)state;
	begin_mgp();
	fake_write(&rig, "cancel", "{\"cancelled\":true}");
	start_silent(CHUNK("0", "a"));
	assert_true(stop(&one));
	call_cancel(&one.made.ask, "gone"); /* the cancel hears of its end all the same */
	assert_int_equal(one.stopped, 1);
	assert_string_equal(one.partial, "{\"content\":[]}");
	assert_int_equal(one.made.answered, 0);
	start(&one, mgp_asker("ann"), STREAMED);
	rig_until(&rig.of, one.chunks);
	one.cancels_when_stopped = true;
	assert_true(stop(&one));
	rig_until(&rig.of, one.stopped);
	for (int i = 0; i < 20; i++) loop_step(rig.of.loop, 1);
	assert_int_equal(one.stopped, 1);
	assert_int_equal(one.made.answered, 0);
	assert_int_equal(hosted_asks(rig.of.hosted), 0);
}

static void a_call_at_a_gate_has_done_nothing(void **state) {
	(void)state;
	begin(FAKE_CAN("\"streaming\"", ""), &asking_policy);
	start(&one, mgp_asker("ann"), "{\"name\":\"wipe\",\"_mgp\":{\"stream\":true}}");
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_CALL));
	assert_true(stop(&one));
	assert_int_equal(one.stopped, 0); /* not from inside */
	ends_cancelled(&one, "{\"content\":[]}");
	assert_null(kernel_rig_open_decision(&rig, DECISION_CALL));
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
	rig_until(&rig.of, kernel_rig_audited(&rig, "TOOL_EXECUTED  CANCELLED ann wipe\n"));
	start(&one, mgp_asker("ann"), "{\"name\":\"wipe\"}");
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_CALL));
	one.cancels_when_stopped = true;
	assert_true(stop(&one));
	rig_until(&rig.of, one.stopped);
	assert_int_equal(one.made.answered, 0);
}

static void a_server_that_is_removed_answers_both(void **state) {
	(void)state;
	begin_mgp();
	fake_write(&rig, "cancel", "silent");
	start_silent(CHUNK("0", "a"));
	assert_true(stop(&one));
	hosted_remove(TAKE(rig.of.hosted));
	finish(&one);
	assert_int_equal(one.stopped, 1);
	assert_int_equal(one.made.answered, 1);
}

static void what_was_said_in_part_is_not_asked_again(void **state) {
	(void)state;
	begin_mgp();
	fake_write(&rig, "think.stream", CHUNK("0", "a"));
	fake_write(&rig, "think.call",
		"\"error\":{\"code\":3000,\"message\":\"busy\",\"data\":{\"_mgp\":{\"category\":\"resource\",\"retryable\":true,\"retry_after_ms\":1,\"max_retries\":3}}}");
	start(&one, mgp_asker("ann"), STREAMED);
	finish(&one);
	assert_int_equal(one.made.code, 3000);
	assert_int_equal(fake_got(&rig, "tools/call"), 1);
	start(&one, mgp_asker("ann"), "{\"name\":\"think\"}");
	finish(&one);
	assert_int_equal(fake_got(&rig, "tools/call"), 5);
}

/* ---- The method ---- */

static struct hosted_ask *find_one(struct mgp_client *client, struct slice id) {
	(void)client;
	return slice_is(id, "20") && one.made.ask.call ? &one.made.ask : NULL;
}

static const struct mgp_client_face face = {.find = find_one};
static struct mgp_client client = {.face = &face};
static struct mgp_ask asked;
static struct arena words;
static unsigned results;
static int64_t refusal;
static char result[500];

static void method_answered(struct mgp_ask *ask, const struct hosted_answer *answer) {
	(void)ask;
	results++;
	refusal = answer->code;
	snprintf(result, sizeof result, "%.*s", SLICE_ARGS(answer->result));
}

static void cancel(const char *params, bool has_client) {
	asked = (struct mgp_ask){
		.means = kernel_means(rig.kernel),
		.asker = mgp_asker("ann"),
		.client = has_client ? &client : NULL,
		.params = {.text = slice_of(params), .type = SCAN_OBJECT},
		.arena = &words,
		.answered = method_answered,
	};
	results = 0;
	mgp_method_ask(&asked, SLICE("mgp/stream/cancel"));
}

static void the_method_stops_a_request_of_its_client(void **state) {
	(void)state;
	begin_mgp();
	arena_init(&words, NULL, 0, 0);
	fake_write(&rig, "cancel", "{\"cancelled\":true}");
	start_silent(CHUNK("0", "a"));
	cancel("{\"request_id\":21}", true);
	assert_string_equal(result, "{\"cancelled\":false}");
	cancel("{\"request_id\":20}", false);
	assert_string_equal(result, "{\"cancelled\":false}");
	cancel("{\"request_id\":null}", true);
	assert_int_equal(refusal, -32602);
	cancel("{\"request_id\":20,\"reason\":7}", true);
	assert_int_equal(refusal, -32602);
	cancel("{\"request_id\":20,\"reason\":\"user_cancelled\"}", true);
	assert_int_equal(results, 0);
	rig_until(&rig.of, results);
	assert_string_equal(result, "{\"cancelled\":true,\"partial_result\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}");
	finish(&one);
	cancel("{\"request_id\":20}", true);
	assert_string_equal(result, "{\"cancelled\":false}");
	start(&one, mgp_asker("ann"), STREAMED);
	rig_until(&rig.of, one.chunks);
	cancel("{\"request_id\":20}", true);
	mgp_ask_cancel(&asked); /* nobody waits for that any more; the request ends as it was wished */
	finish(&one);
	check_has(&one.made, "\"cancelled\":true");
	assert_int_equal(results, 0);
	asked.asker.mgp.extensions = 0;
	mgp_method_ask(&asked, SLICE("mgp/stream/cancel"));
	assert_int_equal(refusal, -32601);
	arena_finish(&words);
}

/* ---- Not read ---- */

static void flood(void) {
	char count[20];
	snprintf(count, sizeof count, "%d", FLOOD);
	begin_mgp();
	fake_write(&rig, "think.flood", count);
	fake_write(&rig, "think.call", "\"result\":{\"content\":[]}");
	start(&one, mgp_asker("ann"), STREAMED);
}

/* Nothing more comes: whatever was on the way has come. */
static void settle(void) {
	for (unsigned before = ~0U; before != one.chunks;) {
		before = one.chunks;
		for (int i = 0; i < 20; i++) loop_step(rig.of.loop, 10);
	}
}

static void who_does_not_read_holds_its_server_back(void **state) {
	(void)state;
	flood();
	call_extend(&one.made.ask, 300);
	rig_until(&rig.of, one.chunks);
	call_hold_back(&one.made.ask, true);
	settle();
	unsigned held = one.chunks;
	assert_true(held < FLOOD / 2);
	uint64_t end = clock_monotonic_ms() + 700; /* its deadline rests too */
	while (clock_monotonic_ms() < end) loop_step(rig.of.loop, 20);
	assert_int_equal(one.chunks, held);
	assert_int_equal(one.made.answered, 0);
	call_extend(&one.made.ask, RIG_PATIENCE_MS);
	call_hold_back(&one.made.ask, false);
	finish(&one);
	assert_int_equal(one.chunks, FLOOD);
	assert_string_equal(one.made.why.text, "");
}

/* Its time is shortened: what it has rested before counts. */
static void nobody_rests_for_ever(void **state) {
	(void)state;
	flood();
	rig_until(&rig.of, one.chunks);
	call_hold_back(&one.made.ask, true);
	settle();
	assert_int_equal(one.made.answered, 0);
	call_hold_back(&one.made.ask, false);
	one.made.ask.call->inner.run->rested_ms = HOSTED_PAUSE_MS - 1;
	call_hold_back(&one.made.ask, true);
	finish(&one);
	assert_int_equal(one.made.code, MGP_TIMEOUT);
	assert_non_null(strstr(one.made.message, "was not read for"));
	start(&other, mgp_asker("ann"), "{\"name\":\"other\"}"); /* and its conversation goes on */
	finish(&other);
	assert_string_equal(other.made.why.text, "");
}

/* A pause gives a call no more time to be answered in than it had. */
static void a_pause_gives_no_new_time(void **state) {
	(void)state;
	flood();
	fake_write(&rig, "think.call", "silent");
	rig_until(&rig.of, one.chunks);
	call_extend(&one.made.ask, 400);
	uint64_t end = clock_monotonic_ms() + RIG_PATIENCE_MS;
	while (!one.made.answered && clock_monotonic_ms() < end) {
		call_hold_back(&one.made.ask, true);
		call_hold_back(&one.made.ask, false);
		loop_step(rig.of.loop, 20);
	}
	assert_int_equal(one.made.code, MGP_TIMEOUT);
}

static void others_in_its_conversation_keep_it_going(void **state) {
	(void)state;
	flood();
	rig_until(&rig.of, one.chunks);
	call_hold_back(&one.made.ask, true);
	settle();
	assert_int_equal(one.made.answered, 0);
	start(&other, mgp_asker("ann"), "{\"name\":\"other\"}");
	finish(&other);
	finish(&one);
	assert_int_equal(one.chunks, FLOOD); /* what is left out is for who holds back to say */
}

static void a_held_stream_can_be_stopped_and_given_up(void **state) {
	(void)state;
	flood();
	fake_write(&rig, "cancel", "{\"cancelled\":true}");
	rig_until(&rig.of, one.chunks);
	call_hold_back(&one.made.ask, true);
	settle();
	assert_true(stop(&one));
	rig_until(&rig.of, one.stopped && one.made.answered);
	start(&one, mgp_asker("ann"), STREAMED);
	rig_until(&rig.of, one.chunks);
	call_hold_back(&one.made.ask, true);
	settle();
	call_cancel(&one.made.ask, "gone");
	start(&other, mgp_asker("ann"), "{\"name\":\"other\"}");
	finish(&other);
}

static void what_is_kept_of_a_stream_is_bounded(void **state) {
	(void)state;
	flood();
	fake_write(&rig, "think.call", "silent");
	rig_until(&rig.of, one.chunks == FLOOD);
	assert_true(stop(&one));
	rig_until(&rig.of, one.made.answered);
	assert_true(one.partial_length <= HOSTED_PARTIAL + 100);
	assert_true(one.partial_length > HOSTED_PARTIAL - 1000);
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	const struct CMUnitTest tests[] = {
		TEST(chunks_come_in_order_before_the_answer),
		TEST(what_the_server_says_of_its_stream_stays),
		TEST(chunks_go_to_who_asked_for_them_alone),
		TEST(a_server_without_streaming_is_not_asked_for_it),
		TEST(what_fits_no_request_is_left_out),
		TEST(a_server_says_what_it_has_done),
		TEST(a_plain_server_is_told_and_its_chunks_are_the_part),
		TEST(a_server_that_knows_no_cancel_is_told_the_plain_way),
		TEST(a_silent_server_has_its_time),
		TEST(both_answers_come),
		TEST(an_answer_that_came_first_is_the_answer),
		TEST(a_server_that_dies_meanwhile_has_stopped),
		TEST(an_asker_may_go_at_any_time),
		TEST(a_call_at_a_gate_has_done_nothing),
		TEST(a_server_that_is_removed_answers_both),
		TEST(what_was_said_in_part_is_not_asked_again),
		TEST(the_method_stops_a_request_of_its_client),
		TEST(who_does_not_read_holds_its_server_back),
		TEST(nobody_rests_for_ever),
		TEST(a_pause_gives_no_new_time),
		TEST(others_in_its_conversation_keep_it_going),
		TEST(what_is_kept_of_a_stream_is_bounded),
		TEST(a_held_stream_can_be_stopped_and_given_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
