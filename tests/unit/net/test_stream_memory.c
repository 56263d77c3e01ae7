/* SPDX-License-Identifier: Apache-2.0 */
/* Memory runs out in the files of a stream: it is told, nothing leaks and nobody crashes. */
#include "stream_rig.h"

#include "failing_malloc.h"

#include "../../../src/net/stream.c"
#include "../../../src/net/stream_open.c"
#include "../../../src/net/stream_outbox.c"

#define LARGE (4u * 1024 * 1024)

static struct loop *loop;
static struct owner owner;
static int peer;

static int set_up(void **state) {
	(void)state;
	int ends[2];
	malloc_fails_at(0);
	loop = rig_loop();
	rig_tcp_pair(ends);
	owner_open(&owner, loop, ends[0], NULL, NULL);
	peer = ends[1];
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	malloc_fails_at(0);
	owner_close(&owner);
	if (peer >= 0) close(peer);
	loop_close(loop);
	return 0;
}

static void check_broken(void) {
	assert_int_equal(owner.ended, 0);
	loop_step(loop, 0);
	assert_int_equal(owner.ended, 1);
	assert_int_equal(owner.why.code, FAULT_NO_MEMORY);
	assert_int_equal(stream_behind(owner.stream), 0);
}

static void a_send_that_must_wait_without_memory_breaks_the_stream(void **state) {
	(void)state;
	AUTO(frame) frame = rig_frame(0, LARGE);
	malloc_fails_at(1);
	assert_false(stream_send(owner.stream, frame, 0, LARGE));
	assert_int_equal(frame->references, 1);
	assert_true(stream_send(owner.stream, frame, 0, 10)); /* swallowed */
	check_broken();
}

static void a_write_that_must_wait_without_memory_breaks_the_stream(void **state) {
	(void)state;
	AUTO(frame) frame = rig_frame(0, LARGE);
	malloc_fails_at(1);
	assert_false(stream_write(owner.stream, slice_make(frame->bytes, LARGE)));
	check_broken();
}

/* The outbox is there, but cannot grow: what it keeps is let go of. */
static void an_outbox_that_cannot_grow_breaks_the_stream(void **state) {
	(void)state;
	AUTO(frame) first = rig_frame(0, LARGE);
	AUTO(frame) second = rig_frame(0, 100);
	assert_true(stream_send(owner.stream, first, 0, LARGE));
	malloc_fails_at(1);
	unsigned taken = 0;
	while (stream_send(owner.stream, second, (taken % 2) * 50, 10)) taken++;
	assert_int_equal(taken, FIRST_RANGES - 1);
	assert_int_equal(first->references, 1);
	assert_int_equal(second->references, 1);
	check_broken();
}

static void a_stream_that_cannot_be_made_closes_its_descriptor(void **state) {
	(void)state;
	struct fault why;
	int ends[2];
	rig_pair(ends);
	malloc_fails_at(1);
	assert_null(stream_open(loop, ends[0], NULL, NULL, &owner_events, &owner, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	assert_int_equal(fcntl(ends[0], F_GETFD), -1);

	struct stream_socket socket = {.descriptor = ends[1]};
	assert_null(stream_adopt(loop, &socket, &owner_events, &owner, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	assert_int_equal(socket.descriptor, -1);
	assert_int_equal(fcntl(ends[1], F_GETFD), -1);
}

static void an_end_of_file_needs_no_memory(void **state) {
	(void)state;
	shutdown(peer, SHUT_WR);
	malloc_fails_at(1);
	RIG_UNTIL(loop, owner.ended);
	assert_int_equal(owner.why.code, FAULT_CLOSED);
}

static void the_end_is_told_even_when_its_reason_cannot_be_kept(void **state) {
	(void)state;
	struct linger at_once = {.l_onoff = 1, .l_linger = 0};
	setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(peer);
	peer = -1;
	malloc_fails_at(1);
	RIG_UNTIL(loop, owner.ended);
	assert_int_equal(owner.why.code, FAULT_NO_MEMORY);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(a_send_that_must_wait_without_memory_breaks_the_stream),
		TEST(a_write_that_must_wait_without_memory_breaks_the_stream),
		TEST(an_outbox_that_cannot_grow_breaks_the_stream),
		TEST(a_stream_that_cannot_be_made_closes_its_descriptor),
		TEST(an_end_of_file_needs_no_memory),
		TEST(the_end_is_told_even_when_its_reason_cannot_be_kept),
	};
	return cmocka_run_group_tests_name("net/stream_memory", tests, NULL, NULL);
}
