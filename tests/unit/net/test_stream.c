/* SPDX-License-Identifier: Apache-2.0 */
#include "stream_rig.h"

#include "net/mailbox.h"
#include "net/stream_parts.h"

#include <pthread.h>

static struct loop *loop;
static struct owner owner;
static int peer;

static int set_up(void **state) {
	(void)state;
	int ends[2];
	loop = rig_loop();
	rig_tcp_pair(ends);
	owner_open(&owner, loop, ends[0], NULL, NULL);
	peer = ends[1];
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	owner_close(&owner);
	if (peer >= 0) close(peer);
	loop_close(loop);
	return 0;
}

static void peer_closes(void) {
	close(peer);
	peer = -1;
}

/* A close that throws away what was not read: the other side gets a reset. */
static void peer_resets(void) {
	struct linger at_once = {.l_onoff = 1, .l_linger = 0};
	setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	peer_closes();
}

static void send_frame(struct frame *frame, size_t offset, size_t length) {
	owner.inside_send = true;
	assert_true(stream_send(owner.stream, frame, offset, length));
	owner.inside_send = false;
}

/* Reading */

static void octets_arrive_as_they_were_sent(void **state) {
	(void)state;
	assert_int_equal(write(peer, "hustings", 8), 8);
	RIG_UNTIL(loop, owner.arrived == 8);
	assert_true(owner_has(&owner, "hustings"));
	assert_int_equal(counters_read(loop_counters(loop), COUNTER_OCTETS_IN), 8);
}

static void the_peers_end_of_file_is_told_once_after_its_octets(void **state) {
	(void)state;
	assert_int_equal(write(peer, "last", 4), 4);
	peer_closes();
	RIG_UNTIL(loop, owner.ended);
	assert_true(owner_has(&owner, "last"));
	assert_int_equal(owner.why.code, FAULT_CLOSED);
	for (int i = 0; i < 3; i++) loop_step(loop, 0);
	assert_int_equal(owner.ended, 1);
}

static void what_is_written_behind_the_end_of_file_goes_with_the_finish(void **state) {
	(void)state;
	char got[16];
	shutdown(peer, SHUT_WR);
	RIG_UNTIL(loop, owner.ended);
	assert_true(stream_write(owner.stream, SLICE("still ")));
	assert_true(stream_write(owner.stream, SLICE("here")));
	assert_int_equal(stream_behind(owner.stream), 10);
	stream_finish(owner.stream, RIG_PATIENCE_MS);
	owner.stream = NULL;
	ssize_t length = 0, more = -1;
	RIG_UNTIL(loop, (more = read(peer, got + length, sizeof(got) - (size_t)length)) == 0 || (length += more > 0 ? more : 0, false));
	assert_int_equal(length, 10);
	assert_memory_equal(got, "still here", 10);
}

static void a_reset_is_told(void **state) {
	(void)state;
	loop_step(loop, 0);
	peer_resets();
	RIG_UNTIL(loop, owner.ended);
	assert_int_equal(owner.why.code, FAULT_CLOSED);
	assert_non_null(strstr(owner.why.text, "reset"));
}

static void a_stream_may_be_closed_while_octets_arrive(void **state) {
	(void)state;
	owner.closes_on_arrival = true;
	assert_int_equal(write(peer, "bye", 3), 3);
	peer_closes();
	RIG_UNTIL(loop, owner.arrived == 3);
	for (int i = 0; i < 3; i++) loop_step(loop, 0);
	assert_int_equal(owner.ended, 0);
}

static void a_paused_stream_reads_nothing_until_it_is_resumed(void **state) {
	(void)state;
	stream_pause(owner.stream);
	assert_int_equal(write(peer, "wait", 4), 4);
	for (int i = 0; i < 5; i++) loop_step(loop, 5);
	assert_int_equal(owner.arrived, 0);
	stream_resume(owner.stream);
	RIG_UNTIL(loop, owner.arrived == 4);
}

static void a_stream_that_is_too_late_ends(void **state) {
	(void)state;
	stream_deadline(owner.stream, 60 * 60 * 1000);
	stream_deadline(owner.stream, 5);
	RIG_UNTIL(loop, owner.ended);
	assert_int_equal(owner.why.code, FAULT_TIMEOUT);
}

static unsigned times_late;

static void owner_is_late(struct stream *stream) {
	if (++times_late < 3) stream_deadline(stream, 5);
}

static void a_deadline_of_the_owners_rings_and_ends_nothing(void **state) {
	(void)state;
	static const struct stream_events late_events = {
		.arrived = owner_arrived,
		.drained = owner_drained,
		.ended = owner_ended,
		.late = owner_is_late,
	};
	times_late = 0;
	stream_set(owner.stream, &late_events, &owner);
	stream_deadline(owner.stream, 5);
	RIG_UNTIL(loop, times_late == 3);
	assert_int_equal(owner.ended, 0);
	assert_int_equal(write(peer, "here", 4), 4);
	RIG_UNTIL(loop, owner.arrived == 4);
}

static void a_cleared_deadline_ends_nothing(void **state) {
	(void)state;
	struct deadline later = {0};
	stream_deadline(owner.stream, 5);
	stream_deadline(owner.stream, 0);
	deadline_set(loop, &later, 40, deadline_clear);
	RIG_UNTIL(loop, !later.at);
	assert_int_equal(owner.ended, 0);
}

/* Sending */

static void what_the_socket_takes_is_sent_at_once_and_not_kept(void **state) {
	(void)state;
	AUTO(frame) frame = rig_frame(0, 1000);
	send_frame(frame, 0, 600);
	assert_true(stream_write(owner.stream, slice_make(frame->bytes + 600, 400)));
	assert_int_equal(frame->references, 1);
	assert_int_equal(stream_behind(owner.stream), 0);
	size_t position = 0;
	RIG_UNTIL(loop, rig_read(peer, &position, 1000) && position == 1000);
	assert_int_equal(owner.drained, 0);
	assert_int_equal(counters_read(loop_counters(loop), COUNTER_OCTETS_OUT), 1000);
}

#define LARGE (4u * 1024 * 1024)

static void a_short_send_keeps_the_rest(void **state) {
	(void)state;
	struct frame *frame = rig_frame(0, LARGE);
	send_frame(frame, 0, LARGE);
	assert_int_equal(frame->references, 2);
	assert_true(stream_behind(owner.stream) >= LARGE - FRAME_USUAL);
	assert_true(stream_behind(owner.stream) < LARGE);
	frame_drop(frame);
	size_t position = 0;
	RIG_UNTIL(loop, rig_read(peer, &position, LARGE) && position == LARGE);
	RIG_UNTIL(loop, owner.drained);
	assert_int_equal(owner.drained, 1);
	assert_int_equal(stream_behind(owner.stream), 0);
}

static void octets_of_a_lent_frame_wait_in_it_and_are_not_copied(void **state) {
	(void)state;
	AUTO(frame) frame = rig_frame(0, LARGE);
	AUTO(frame) other = rig_frame(LARGE, 1000);
	assert_null(loop_lend(loop, frame));
	assert_true(stream_write(owner.stream, slice_make(frame->bytes, LARGE / 2)));
	assert_true(stream_write(owner.stream, slice_make(frame->bytes + LARGE / 2, LARGE / 2)));
	assert_int_equal(frame->references, 2);
	assert_true(stream_write(owner.stream, slice_make(other->bytes, 1000)));
	assert_int_equal(other->references, 1);
	assert_ptr_equal(loop_lend(loop, NULL), frame);
	size_t position = 0;
	RIG_UNTIL(loop, rig_read(peer, &position, LARGE + 1000) && position == LARGE + 1000);
	RIG_UNTIL(loop, frame->references == 1);
}

static void a_few_octets_that_wait_do_not_keep_a_large_lent_frame(void **state) {
	(void)state;
	AUTO(frame) before = rig_frame(0, LARGE);
	AUTO(frame) frame = rig_frame(LARGE, LARGE);
	assert_true(stream_write(owner.stream, slice_make(before->bytes, LARGE)));
	loop_lend(loop, frame);
	assert_true(stream_write(owner.stream, slice_make(frame->bytes, 100)));
	assert_int_equal(frame->references, 1);
	assert_true(stream_write(owner.stream, slice_make(frame->bytes + 100, LARGE - 200)));
	assert_int_equal(frame->references, 2);
	assert_true(stream_write(owner.stream, slice_make(frame->bytes + LARGE - 100, 100)));
	assert_int_equal(frame->references, 2);
	loop_lend(loop, NULL);
	size_t position = 0;
	RIG_UNTIL(loop, rig_read(peer, &position, 2 * LARGE) && position == 2 * LARGE);
	RIG_UNTIL(loop, frame->references == 1);
}

static void a_lagging_reader_keeps_a_frame_once_and_lets_go_of_it(void **state) {
	(void)state;
	AUTO(frame) blocker = rig_frame(0, LARGE);
	AUTO(frame) frame = rig_frame(LARGE, 3000);
	send_frame(blocker, 0, LARGE);
	size_t behind = stream_behind(owner.stream);
	for (size_t offset = 0; offset < 3000; offset += 300) send_frame(frame, offset, 300);
	assert_int_equal(frame->references, 2); /* neighbouring ranges are one */
	assert_int_equal(stream_behind(owner.stream), behind + 3000);
	size_t position = 0;
	RIG_UNTIL(loop, rig_read(peer, &position, LARGE) && position == LARGE + 3000);
	RIG_UNTIL(loop, owner.drained);
	assert_int_equal(frame->references, 1);
	assert_int_equal(blocker->references, 1);
}

/* Frames, copied octets and odd sizes, with a reader that takes a little at a time. */
static void everything_arrives_in_order_whatever_it_was_sent_as(void **state) {
	(void)state;
	size_t sent = 0, position = 0;
	srand(3);
	while (sent < LARGE) {
		size_t length = 1 + (size_t)rand() % 5000;
		AUTO(frame) frame = rig_frame(sent, length);
		size_t half = (size_t)rand() % length;
		if (rand() % 2) {
			send_frame(frame, 0, half);
			send_frame(frame, half, length - half);
		} else {
			assert_true(stream_write(owner.stream, slice_make(frame->bytes, half)));
			assert_true(stream_write(owner.stream, slice_make(frame->bytes + half, length - half)));
		}
		sent += length;
		if (rand() % 4 == 0) loop_step(loop, 0);
		assert_true(rig_read(peer, &position, (size_t)rand() % 8000));
	}
	RIG_UNTIL(loop, rig_read(peer, &position, LARGE) && position == sent);
	assert_true(stream_behind(owner.stream) == 0);
}

static void copied_octets_that_wait_gather_in_one_frame(void **state) {
	(void)state;
	struct frame *blocker = rig_frame(0, LARGE);
	send_frame(blocker, 0, LARGE);
	frame_drop(blocker);
	for (size_t i = 0; i < 100; i++) {
		char octet = rig_octet(LARGE + i);
		assert_true(stream_write(owner.stream, slice_make(&octet, 1)));
	}
	assert_int_equal(owner.stream->outbox->count, 2);
	size_t position = 0;
	RIG_UNTIL(loop, rig_read(peer, &position, LARGE) && position == LARGE + 100);
}

/* SIGPIPE has its deadly default here. */
static void a_peer_that_is_gone_is_told_later_and_never_by_a_signal(void **state) {
	(void)state;
	AUTO(frame) frame = rig_frame(0, 5000);
	stream_pause(owner.stream); /* so that sending finds out first */
	peer_resets();
	struct pollfd broken = {.fd = owner.stream->descriptor};
	assert_int_equal(poll(&broken, 1, RIG_PATIENCE_MS), 1);
	send_frame(frame, 0, 5000);
	assert_int_equal(owner.stream->state, STREAM_BROKEN);
	assert_int_equal(owner.ended, 0);
	send_frame(frame, 0, 5000); /* swallowed */
	assert_int_equal(stream_behind(owner.stream), 0);
	assert_int_equal(frame->references, 1);
	loop_step(loop, 0);
	assert_int_equal(owner.ended, 1);
	assert_int_equal(owner.why.code, FAULT_CLOSED);
}

static void a_stream_closed_before_its_end_is_told_hears_nothing(void **state) {
	(void)state;
	AUTO(frame) frame = rig_frame(0, 5000);
	stream_pause(owner.stream);
	peer_resets();
	struct pollfd broken = {.fd = owner.stream->descriptor};
	assert_int_equal(poll(&broken, 1, RIG_PATIENCE_MS), 1);
	send_frame(frame, 0, 5000);
	assert_int_equal(owner.stream->state, STREAM_BROKEN);
	stream_close(owner.stream);
	owner.stream = NULL;
	loop_step(loop, 0);
	assert_int_equal(owner.ended, 0);
}

/* Finishing */

static void finishing_sends_what_waits_and_reads_the_peers_last_words(void **state) {
	(void)state;
	struct frame *frame = rig_frame(0, LARGE);
	send_frame(frame, 0, LARGE);
	frame_drop(frame);
	assert_int_equal(write(peer, "unread", 6), 6);
	stream_finish(owner.stream, 10 * 60 * 1000);
	owner.stream = NULL;
	size_t position = 0;
	RIG_UNTIL(loop, !rig_read(peer, &position, LARGE)); /* an end of file, no reset */
	assert_int_equal(position, LARGE);
	assert_int_equal(counters_read(loop_counters(loop), COUNTER_CONNECTIONS), 1);
	peer_closes();
	RIG_UNTIL(loop, counters_read(loop_counters(loop), COUNTER_CONNECTIONS) == 0);
	assert_int_equal(owner.arrived, 0);
	assert_int_equal(owner.ended, 0);
}

static void finishing_gives_up_when_patience_ends(void **state) {
	(void)state;
	struct frame *frame = rig_frame(0, LARGE);
	send_frame(frame, 0, LARGE);
	frame_drop(frame);
	stream_finish(owner.stream, 20);
	owner.stream = NULL;
	RIG_UNTIL(loop, counters_read(loop_counters(loop), COUNTER_CONNECTIONS) == 0);
	assert_int_equal(owner.ended, 0);
}

/* A client that shuts its side after the question still gets the whole answer. */
static void finishing_after_the_peers_end_of_file_still_sends_what_waits(void **state) {
	(void)state;
	struct frame *frame = rig_frame(0, LARGE);
	send_frame(frame, 0, LARGE);
	frame_drop(frame);
	shutdown(peer, SHUT_WR);
	RIG_UNTIL(loop, owner.ended);
	stream_finish(owner.stream, 10 * 60 * 1000);
	owner.stream = NULL;
	size_t position = 0;
	RIG_UNTIL(loop, !rig_read(peer, &position, LARGE));
	assert_int_equal(position, LARGE);
	RIG_UNTIL(loop, counters_read(loop_counters(loop), COUNTER_CONNECTIONS) == 0);
}

static void a_loop_closes_what_is_still_finishing(void **state) {
	(void)state;
	struct loop *other = rig_loop();
	struct owner brief;
	int ends[2];
	rig_tcp_pair(ends);
	owner_open(&brief, other, ends[0], NULL, NULL);
	stream_finish(brief.stream, 10 * 60 * 1000);
	loop_close(other);
	size_t position = 0;
	struct pollfd ready = {.fd = ends[1], .events = POLLIN};
	assert_int_equal(poll(&ready, 1, RIG_PATIENCE_MS), 1);
	assert_false(rig_read(ends[1], &position, 1));
	close(ends[1]);
}

/* Moving */

struct move {
	struct letter letter;
	struct loop *to;
	struct stream_socket socket;
	struct owner owner;
	pthread_t thread;
};

static void move_done(struct stream *stream, const struct fault *why) {
	owner_ended(stream, why);
	struct move *move = CONTAINER_OF(stream_context(stream), struct move, owner);
	stream_close(stream);
	move->owner.stream = NULL;
	loop_stop(move->to);
}

static const struct stream_events move_events = {
	.arrived = owner_arrived,
	.drained = owner_drained,
	.ended = move_done,
};

static void move_arrives(struct letter *letter) {
	struct move *move = CONTAINER_OF(letter, struct move, letter);
	struct fault why;
	move->owner.echoes = true;
	move->owner.stream =
		stream_adopt(move->to, &move->socket, &move_events, &move->owner, &why);
	assert_non_null(move->owner.stream);
	assert_int_equal(move->socket.descriptor, -1);
}

static void *move_run(void *context) {
	loop_run(((struct move *)context)->to);
	return NULL;
}

static void a_stream_moves_to_the_loop_of_another_thread(void **state) {
	(void)state;
	struct move move = {.to = rig_loop()};
	text_init(&move.owner.got, 0);
	assert_int_equal(pthread_create(&move.thread, NULL, move_run, &move), 0);
	assert_int_equal(write(peer, "here", 4), 4);
	RIG_UNTIL(loop, owner.arrived == 4);
	assert_true(stream_release(owner.stream, &move.socket));
	owner.stream = NULL;
	assert_true(mailbox_post(move.to, &move.letter, move_arrives));

	assert_int_equal(write(peer, "there", 5), 5);
	struct pollfd ready = {.fd = peer, .events = POLLIN};
	assert_int_equal(poll(&ready, 1, RIG_PATIENCE_MS), 1);
	char answer[6] = "";
	assert_int_equal(recv(peer, answer, 5, 0), 5);
	assert_string_equal(answer, "there");
	peer_closes();
	pthread_join(move.thread, NULL);
	assert_int_equal(move.owner.ended, 1);
	assert_true(owner_has(&move.owner, "there"));
	assert_int_equal(counters_read(loop_counters(loop), COUNTER_CONNECTIONS), 0);
	loop_close(move.to);
	text_finish(&move.owner.got);
}

static void a_stream_that_lags_cannot_be_moved(void **state) {
	(void)state;
	struct frame *frame = rig_frame(0, LARGE);
	send_frame(frame, 0, LARGE);
	frame_drop(frame);
	struct stream_socket socket;
	assert_false(stream_release(owner.stream, &socket));
}

static void a_released_socket_can_be_dropped(void **state) {
	(void)state;
	struct stream_socket socket;
	assert_true(stream_release(owner.stream, &socket));
	owner.stream = NULL;
	stream_socket_drop(&socket);
	size_t position = 0;
	RIG_UNTIL(loop, !rig_read(peer, &position, 1));
}

static void a_descriptor_that_cannot_be_watched_is_closed(void **state) {
	(void)state;
	struct fault why;
	int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_true(file >= 0);
	assert_null(stream_open(loop, file, NULL, NULL, &owner_events, NULL, &why));
	assert_int_equal(fcntl(file, F_GETFD), -1);
}

static void an_idle_stream_is_small(void **state) {
	(void)state;
	assert_in_range(sizeof(struct stream), 1, 312);
	assert_null(owner.stream->outbox);
	assert_null(owner.stream->session);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(octets_arrive_as_they_were_sent),
		TEST(the_peers_end_of_file_is_told_once_after_its_octets),
		TEST(what_is_written_behind_the_end_of_file_goes_with_the_finish),
		TEST(a_reset_is_told),
		TEST(a_stream_may_be_closed_while_octets_arrive),
		TEST(a_paused_stream_reads_nothing_until_it_is_resumed),
		TEST(a_stream_that_is_too_late_ends),
		TEST(a_deadline_of_the_owners_rings_and_ends_nothing),
		TEST(a_cleared_deadline_ends_nothing),
		TEST(what_the_socket_takes_is_sent_at_once_and_not_kept),
		TEST(a_short_send_keeps_the_rest),
		TEST(octets_of_a_lent_frame_wait_in_it_and_are_not_copied),
		TEST(a_few_octets_that_wait_do_not_keep_a_large_lent_frame),
		TEST(a_lagging_reader_keeps_a_frame_once_and_lets_go_of_it),
		TEST(everything_arrives_in_order_whatever_it_was_sent_as),
		TEST(copied_octets_that_wait_gather_in_one_frame),
		TEST(a_peer_that_is_gone_is_told_later_and_never_by_a_signal),
		TEST(a_stream_closed_before_its_end_is_told_hears_nothing),
		TEST(finishing_sends_what_waits_and_reads_the_peers_last_words),
		TEST(finishing_gives_up_when_patience_ends),
		TEST(finishing_after_the_peers_end_of_file_still_sends_what_waits),
		TEST(a_loop_closes_what_is_still_finishing),
		TEST(a_stream_moves_to_the_loop_of_another_thread),
		TEST(a_stream_that_lags_cannot_be_moved),
		TEST(a_released_socket_can_be_dropped),
		TEST(a_descriptor_that_cannot_be_watched_is_closed),
		TEST(an_idle_stream_is_small),
	};
	return cmocka_run_group_tests_name("net/stream", tests, NULL, NULL);
}
