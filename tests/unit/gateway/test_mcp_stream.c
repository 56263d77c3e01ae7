/* SPDX-License-Identifier: Apache-2.0 */
/* The other end of an exchange is a text here: what would have left. */
#include "check.h"

#include "gateway/mcp_stream.h"

#include <stdio.h>

static struct gateway gateway;
static struct exchange exchange;
static struct http1_head head;
static struct text out;
static bool is_ended;
static size_t lagging;

static void answer(struct exchange *of, const struct slice *pieces, size_t count, bool closes) {
	(void)of;
	assert_false(closes);
	for (size_t i = 0; i < count; i++) text_add(&out, pieces[i]);
	is_ended = true;
}

static void begin(struct exchange *of, struct slice first) {
	(void)of;
	text_add(&out, first);
}

static void piece(struct exchange *of, struct slice octets) {
	(void)of;
	assert_false(is_ended);
	text_add(&out, octets);
}

static void end(struct exchange *of) {
	(void)of;
	is_ended = true;
}

static size_t behind(const struct exchange *of) {
	(void)of;
	return lagging;
}

static bool keeps(const struct exchange *of) {
	(void)of;
	return true;
}

static const struct exchange_way way = {
	.answer = answer, .stream = begin, .piece = piece, .stream_end = end, .behind = behind, .keeps = keeps};

struct user {
	struct mcp_stream_user user;
	struct user *ends; /* when it is gone */
	int gone;
};

static void user_gone(struct mcp_stream_user *gone) {
	struct user *user = CONTAINER_OF(gone, struct user, user);
	user->gone++;
	if (!user->ends) return;
	struct mcp_stream_user *other = &user->ends->user;
	assert_false(mcp_stream_is_used(other));
	assert_int_equal(mcp_stream_behind(other), 0);
	assert_false(mcp_stream_events(other));
	assert_false(mcp_stream_say(other, SLICE("{\"late\":1}"), false));
	mcp_stream_only_listens(other);
	mcp_stream_beat(other);
	mcp_stream_finish(other, 200, SLICE("{\"late\":2}"));
	assert_null(other->stream);
}

static int set_up(void **state) {
	(void)state;
	struct fault why;
	memset(&exchange, 0, sizeof exchange);
	memset(&gateway, 0, sizeof gateway);
	assert_non_null(gateway.loop = loop_open(&why));
	head = (struct http1_head){.method = SLICE("POST"), .minor = 1};
	exchange.gateway = &gateway;
	exchange.way = &way;
	exchange.head = &head;
	text_init(&out, 0);
	is_ended = false;
	lagging = 0;
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	text_finish(&out);
	loop_close(gateway.loop);
	return 0;
}

static bool has_said(const char *words) {
	return out.length && memmem(out.bytes, out.length, words, strlen(words));
}

static void who_hears_that_the_client_went_may_end_another_user(void **state) {
	(void)state;
	struct user second = {0}, first = {.ends = &second}, third = {0};
	struct mcp_stream *stream = mcp_stream_open(&exchange, false);
	assert_non_null(stream);
	mcp_stream_join(stream, &first.user, user_gone);
	mcp_stream_join(stream, &second.user, user_gone);
	mcp_stream_join(stream, &third.user, user_gone);
	assert_true(mcp_stream_events(&first.user));
	exchange.gone(&exchange);
	assert_int_equal(first.gone, 1);
	assert_int_equal(second.gone, 0);
	assert_int_equal(third.gone, 1);
	assert_false(has_said("late"));
	assert_false(is_ended);
}

static void an_answer_in_pieces_is_the_same_as_a_whole_one(void **state) {
	static const size_t sizes[] = {10, 70000};
	static char octets[70000];
	(void)state;
	memset(octets, 'x', sizeof octets);
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		for (int events = 0; events < 2; events++) {
			struct user user = {0};
			struct mcp_stream *stream = mcp_stream_open(&exchange, false);
			mcp_stream_join(stream, &user.user, user_gone);
			if (events) assert_true(mcp_stream_events(&user.user));
			const struct exchange_body body = {
				SLICE("{\"a\":\""), slice_make(octets, sizes[i]), SLICE("\"}")};
			mcp_stream_finish_in_pieces(&user.user, 200, &body);
			assert_true(is_ended);
			char end_of_it[16];
			snprintf(end_of_it, sizeof end_of_it, "xx\"}%s", events ? "\n\n" : "");
			assert_int_equal(memcmp(out.bytes + out.length - strlen(end_of_it), end_of_it, strlen(end_of_it)), 0);
			const char *start = memmem(out.bytes, out.length, "{\"a\":\"x", 7);
			assert_non_null(start);
			size_t expected = sizes[i] + 8 + (events ? 2 : 0);
			assert_int_equal((size_t)(out.bytes + out.length - start), expected);
			assert_int_equal(has_said(events ? "event: message\ndata: {" : "Content-Length: "), 1);
			text_clear(&out);
			is_ended = false;
		}
	}
}

static void a_message_on_several_lines_is_one_event(void **state) {
	(void)state;
	struct user user = {0};
	struct mcp_stream *stream = mcp_stream_open(&exchange, false);
	mcp_stream_join(stream, &user.user, user_gone);
	assert_true(mcp_stream_say(&user.user, SLICE("{\n\r\n\"data\":1\r}"), false));
	assert_true(has_said("event: message\ndata: {\ndata: \ndata: \"data\":1\ndata: }\n\n"));
	mcp_stream_finish(&user.user, 200, SLICE_NONE);
}

static void what_may_be_left_out_is_when_the_client_lags(void **state) {
	(void)state;
	struct user user = {0};
	struct mcp_stream *stream = mcp_stream_open(&exchange, false);
	mcp_stream_join(stream, &user.user, user_gone);
	lagging = MCP_STREAM_BEHIND + 1;
	assert_false(mcp_stream_say(&user.user, SLICE("{\"n\":1}"), true));
	assert_true(mcp_stream_say(&user.user, SLICE("{\"n\":2}"), false));
	mcp_stream_finish(&user.user, 200, SLICE("{\"n\":3}"));
	assert_false(has_said("{\"n\":1}"));
	assert_true(has_said("{\"n\":2}"));
	assert_true(has_said("{\"n\":3}"));
}

static struct mcp_stream_user *drained_user;
static unsigned drained_count;

static void user_drained(struct mcp_stream_user *user) {
	drained_user = user;
	drained_count++;
}

static void users_hear_that_the_client_has_taken_everything(void **state) {
	(void)state;
	struct user call = {0}, quiet = {0};
	struct mcp_stream *stream = mcp_stream_open(&exchange, false);
	const struct exchange_body message = {SLICE("{\"n\":"), SLICE("1"), SLICE("}")};
	call.user.drained = user_drained;
	mcp_stream_join(stream, &call.user, user_gone);
	mcp_stream_join(stream, &quiet.user, user_gone);
	assert_true(mcp_stream_say_in_pieces(&call.user, &message, true));
	assert_true(has_said("event: message\ndata: {\"n\":1}\n\n"));
	lagging = MCP_STREAM_BEHIND + 1;
	assert_false(mcp_stream_say_in_pieces(&call.user, &message, true));
	drained_count = 0;
	exchange.drained(&exchange);
	assert_int_equal(drained_count, 1);
	assert_ptr_equal(drained_user, &call.user);
	mcp_stream_finish(&call.user, 200, SLICE_NONE);
	exchange.drained(&exchange);
	assert_int_equal(drained_count, 1);
	mcp_stream_finish(&quiet.user, 200, SLICE_NONE);
	assert_null(exchange.drained);
}

static void a_gateway_that_ends_lets_go_of_who_only_listens(void **state) {
	(void)state;
	struct user ear = {0}, call = {0};
	struct mcp_stream *stream = mcp_stream_open(&exchange, false);
	mcp_stream_join(stream, &ear.user, user_gone);
	mcp_stream_only_listens(&ear.user);
	mcp_stream_join(stream, &call.user, user_gone);
	assert_true(mcp_stream_events(&call.user));
	gateway.is_draining = true;
	assert_false(exchange.owes_nothing);
	mcp_stream_finish(&call.user, 200, SLICE("{\"n\":1}"));
	assert_true(has_said("{\"n\":1}"));
	assert_true(is_ended);
	assert_int_equal(ear.gone, 1);
	assert_false(mcp_stream_is_used(&ear.user));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(who_hears_that_the_client_went_may_end_another_user, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_answer_in_pieces_is_the_same_as_a_whole_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_message_on_several_lines_is_one_event, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_may_be_left_out_is_when_the_client_lags, set_up, tear_down),
		cmocka_unit_test_setup_teardown(users_hear_that_the_client_has_taken_everything, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_gateway_that_ends_lets_go_of_who_only_listens, set_up, tear_down),
	};
	return cmocka_run_group_tests_name("gateway/mcp_stream", tests, NULL, NULL);
}
