/* SPDX-License-Identifier: Apache-2.0 */
/* Stream: reading, sending and ending; opening and moving is net/stream_open.c. */
#include "net/stream.h"
#include "net/stream_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define FLUSH_SENDS 4 /* of one stream in one turn */

static const struct fault peer_closed = {FAULT_CLOSED, "the peer closed the connection"};
static const struct fault too_late = {FAULT_TIMEOUT, "the peer took too long"};
static const struct fault cannot_wait = {FAULT_NO_MEMORY, "no memory for what must wait"};
static const struct fault no_memory = {FAULT_NO_MEMORY, "no memory for the connection"};

/* From which states each may be entered, as bits. */
#define FROM(state) (1u << (state))
static const unsigned enters[STREAM_STATES] = {
	[STREAM_BROKEN] = FROM(STREAM_OPEN),
	[STREAM_ENDED] = FROM(STREAM_BROKEN),
	[STREAM_FINISHING] = FROM(STREAM_OPEN) | FROM(STREAM_BROKEN) | FROM(STREAM_ENDED),
	[STREAM_LINGERING] = FROM(STREAM_FINISHING),
	[STREAM_CLOSED] = FROM(STREAM_OPEN) | FROM(STREAM_BROKEN) | FROM(STREAM_ENDED) |
		FROM(STREAM_FINISHING) | FROM(STREAM_LINGERING),
};

static bool stream_enter(struct stream *stream, enum stream_state state) {
	if (!(enters[state] & FROM(stream->state))) return false;
	stream->state = (uint8_t)state;
	return true;
}

static bool is_live(const struct stream *stream) {
	return stream->state == STREAM_OPEN || stream->state == STREAM_FINISHING;
}

/* What libuv waits for */

static bool stream_reads(const struct stream *stream) {
	switch ((enum stream_state)stream->state) {
	case STREAM_OPEN: return !stream->paused || stream->send_needs_read;
	case STREAM_FINISHING: return !stream->peer_done;
	case STREAM_LINGERING: return true;
	default: return false;
	}
}

static bool stream_writes(const struct stream *stream) {
	if (!is_live(stream)) return false;
	bool waits = stream->outbox || stream->state == STREAM_FINISHING;
	return stream->receive_needs_write || (waits && !stream->send_needs_read);
}

static void stream_ready(uv_poll_t *poll, int status, int ready);

void stream_watch(struct stream *stream) {
	int wanted = stream_reads(stream) ? UV_READABLE : 0;
	if (stream_writes(stream)) wanted |= UV_WRITABLE;
	if (wanted == stream->interest) return;
	stream->interest = (uint8_t)wanted;
	if (wanted) uv_poll_start(&stream->poll, wanted, stream_ready);
	else uv_poll_stop(&stream->poll);
}

/* Ending */

static void stream_tell_ended(struct task *task) {
	struct stream *stream = CONTAINER_OF(task, struct stream, task);
	if (stream_enter(stream, STREAM_ENDED)) stream->events->ended(stream, stream->fault);
}

static void stream_end(struct stream *stream, const struct fault *lasting) {
	if (stream->state == STREAM_FINISHING || stream->state == STREAM_LINGERING) {
		stream_close(stream);
		return;
	}
	if (!stream_enter(stream, STREAM_BROKEN)) return;

	/* After an end of file the other direction may still work: stream_finish() will use it. */
	if (!stream->peer_done) {
		stream_outbox_drop(stream->outbox);
		stream->outbox = NULL;
	}
	stream->fault = lasting;
	stream_watch(stream);
	deadline_clear(&stream->deadline);
	loop_later(stream_home(stream), &stream->task, stream_tell_ended);
}

void stream_break(struct stream *stream, const struct fault *why) {
	struct fault *kept = stream->state == STREAM_OPEN ? malloc(sizeof(*kept)) : NULL;
	if (!kept) {
		stream_end(stream, &no_memory);
		return;
	}
	*kept = *why;
	stream->fault_is_ours = true;
	stream_end(stream, kept);
}

static void stream_freed(uv_handle_t *handle) {
	struct stream *stream = CONTAINER_OF(handle, struct stream, poll);
	if (stream->fault_is_ours) free((struct fault *)stream->fault);
	free(stream);
}

void stream_close(struct stream *stream) {
	if (!stream || !stream_enter(stream, STREAM_CLOSED)) return;
	stream_outbox_drop(stream->outbox);
	stream->outbox = NULL;
	task_clear(&stream->task);
	deadline_clear(&stream->deadline);
	uv_close((uv_handle_t *)&stream->poll, stream_freed);
	if (stream->session) stream->channel->drop(stream->session);
	stream->session = NULL;
	if (stream->descriptor >= 0) close(stream->descriptor);
	stream->descriptor = -1;
	counters_add(&stream_home(stream)->counters, COUNTER_CONNECTIONS, -1);
}

static void stream_patience_ends(struct deadline *deadline) {
	stream_close(CONTAINER_OF(deadline, struct stream, deadline));
}

static void stream_loop_closes(struct task *task) {
	stream_close(CONTAINER_OF(task, struct stream, task));
}

static void stream_linger(struct stream *stream) {
	if (stream->channel->leave(stream) == CHANNEL_AGAIN) {
		stream_watch(stream);
		return;
	}
	/* A peer that has said all it had to say sends nothing that would turn our end into a reset. */
	if (shutdown(stream->descriptor, SHUT_WR) < 0 || stream->peer_done) {
		stream_close(stream);
		return;
	}
	stream_enter(stream, STREAM_LINGERING);
	stream_watch(stream);
}

void stream_finish(struct stream *stream, uint64_t patience_ms) {
	if (!stream) return;
	bool broken = stream->state != STREAM_OPEN && !stream->peer_done;
	if (broken || !stream_enter(stream, STREAM_FINISHING)) {
		stream_close(stream);
		return;
	}
	task_clear(&stream->task);
	loop_at_close(stream_home(stream), &stream->task, stream_loop_closes);
	deadline_set(stream_home(stream), &stream->deadline, patience_ms, stream_patience_ends);
	if (!stream->outbox) stream_linger(stream);
	else stream_watch(stream);
}

/* Sending: at once what the socket takes; only what it did not take waits. */

/* One send; an outbox of what is left over is the caller's business. False: broken. */
static bool stream_send_once(struct stream *stream, const char *bytes, size_t length, size_t *sent) {
	struct fault why;
	*sent = 0;
	if (length > FRAME_USUAL) length = FRAME_USUAL;
	enum channel_result result = stream->channel->send(stream, bytes, length, sent, &why);
	if (*sent > 0) counters_add(&stream_home(stream)->counters, COUNTER_OCTETS_OUT, (int64_t)*sent);
	if (result != CHANNEL_FAILED) return true;
	stream_break(stream, &why);
	return false;
}

static bool stream_cannot_keep(struct stream *stream) {
	stream_end(stream, &cannot_wait);
	return false;
}

bool stream_send(struct stream *stream, struct frame *frame, size_t offset, size_t length) {
	if (stream->state != STREAM_OPEN || length == 0) return true;
	if (stream->outbox)
		return stream_outbox_append(&stream->outbox, frame, offset, length) ||
			stream_cannot_keep(stream);

	size_t sent;
	if (!stream_send_once(stream, frame->bytes + offset, length, &sent)) return true;
	if (sent == length) return true;
	if (!stream_outbox_append(&stream->outbox, frame, offset + sent, length - sent))
		return stream_cannot_keep(stream);
	stream_watch(stream);
	return true;
}

/* Octets of the frame that is lent stay in it; others are copied, and so are few of a large frame:
 * what waits must not hold much more than is counted. */
static bool stream_keep(struct stream *stream, struct slice bytes) {
	struct frame *lent = stream_home(stream)->lent;
	uintptr_t start = lent ? (uintptr_t)lent->bytes : 0, at = (uintptr_t)bytes.bytes;
	bool is_lent = lent && at >= start && at < start + lent->used;
	bool is_worth_it = is_lent && (bytes.length >= lent->capacity / 4 || stream_outbox_ends_with(stream->outbox, lent));
	return is_worth_it ? stream_outbox_append(&stream->outbox, lent, at - start, bytes.length)
			   : stream_outbox_copy(&stream->outbox, bytes);
}

/* An answer with a hole in it is worse than none. */
static bool stream_gives_up(struct stream *stream) {
	stream_outbox_drop(stream->outbox);
	stream->outbox = NULL;
	stream->peer_done = false;
	return false;
}

bool stream_write(struct stream *stream, struct slice bytes) {
	if (bytes.length == 0) return true;
	bool only_waits = stream->peer_done &&
		(stream->state == STREAM_BROKEN || stream->state == STREAM_ENDED);
	if (only_waits) return stream_keep(stream, bytes) || stream_gives_up(stream);
	if (stream->state != STREAM_OPEN) return true;
	if (stream->outbox)
		return stream_keep(stream, bytes) || stream_cannot_keep(stream);

	size_t sent;
	if (!stream_send_once(stream, bytes.bytes, bytes.length, &sent)) return true;
	if (sent == bytes.length) return true;
	struct slice left = slice_make(bytes.bytes + sent, bytes.length - sent);
	if (!stream_keep(stream, left)) return stream_cannot_keep(stream);
	stream_watch(stream);
	return true;
}

/* False: the socket takes no more now, or it is broken. */
static bool stream_send_range(struct stream *stream) {
	struct stream_outbox *outbox = stream->outbox;
	struct stream_range *range = &outbox->ranges[outbox->first];
	size_t sent;
	if (!stream_send_once(stream, range->frame->bytes + range->offset, range->length, &sent))
		return false;
	bool is_whole = sent == range->length;
	stream_outbox_sent(outbox, sent);
	return is_whole || sent == FRAME_USUAL;
}

static void stream_flush(struct stream *stream) {
	for (unsigned sends = 0; sends < FLUSH_SENDS; sends++) {
		if (!stream->outbox || stream->outbox->count == 0 || !stream_send_range(stream)) break;
	}
	if (stream->state != STREAM_OPEN && stream->state != STREAM_FINISHING) return;

	bool drained = stream->outbox && stream->outbox->count == 0;
	if (drained) {
		stream_outbox_drop(stream->outbox);
		stream->outbox = NULL;
	}
	if (stream->state == STREAM_FINISHING && !stream->outbox) {
		stream_linger(stream);
		return;
	}
	stream_watch(stream);
	if (drained && stream->events->drained) stream->events->drained(stream);
}

/* Reading */

static void stream_throw_away(struct stream *stream) {
	ssize_t got;
	do {
		got = recv(stream->descriptor, stream_home(stream)->buffer, LOOP_BUFFER, 0);
	} while (got < 0 && errno == EINTR);
	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) stream_close(stream);
}

static void stream_ends_reading(struct stream *stream, enum channel_result result,
	const struct fault *why) {
	if (result == CHANNEL_FAILED) {
		stream_break(stream, why);
		return;
	}
	stream->peer_done = true;
	if (stream->state == STREAM_FINISHING) stream_watch(stream);
	else stream_end(stream, &peer_closed);
}

/* True: there may be more in the socket. */
static bool stream_read(struct stream *stream) {
	struct fault why;
	size_t length = 0;
	char *buffer = stream_home(stream)->buffer;
	enum channel_result result =
		stream->channel->receive(stream, buffer, LOOP_BUFFER, &length, &why);
	if (length > 0) {
		counters_add(&stream_home(stream)->counters, COUNTER_OCTETS_IN, (int64_t)length);
		if (stream->state == STREAM_OPEN)
			stream->events->arrived(stream, slice_make(buffer, length));
	}
	/* The callee may have closed it, or given the socket away. */
	if (!is_live(stream)) return false;
	if (result == CHANNEL_CLOSED || result == CHANNEL_FAILED) {
		stream_ends_reading(stream, result, &why);
		return false;
	}
	return length > 0;
}

/* libuv stops at an error; what the peer said before it is still there to be read. */
static void stream_erred(struct stream *stream) {
	stream->interest = 0;
	if (stream->state == STREAM_LINGERING) {
		stream_close(stream);
		return;
	}
	while (!stream->paused && stream_read(stream)) {}
	if (!is_live(stream)) return;

	int error = 0;
	socklen_t size = sizeof(error);
	getsockopt(stream->descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
	struct fault why;
	fault_errno(&why, error ? error : ECONNRESET, "the connection broke");
	stream_break(stream, &why);
}

/* A paused stream reads no further than its handshake, which sending waits for. */
static void stream_go_on_reading(struct stream *stream) {
	bool stuck = stream->send_needs_read;
	stream->receive_needs_write = false;
	stream->send_needs_read = false;
	if (stream->paused && stream->state == STREAM_OPEN) {
		struct fault why;
		if (stream->channel->start(stream, &why) == CHANNEL_FAILED) stream_break(stream, &why);
	} else {
		stream_read(stream);
	}
	if (!is_live(stream)) return;
	if (stuck) stream_flush(stream);
	else stream_watch(stream);
}

static void stream_ready(uv_poll_t *poll, int status, int ready) {
	struct stream *stream = CONTAINER_OF(poll, struct stream, poll);
	if (status < 0) {
		stream_erred(stream);
		return;
	}
	if (stream->state == STREAM_LINGERING) {
		stream_throw_away(stream);
		return;
	}
	bool reads = (ready & UV_READABLE) || stream->receive_needs_write;
	if ((ready & UV_WRITABLE) && !stream->send_needs_read) stream_flush(stream);
	if (reads && is_live(stream) && !stream->peer_done) stream_go_on_reading(stream);
}

/* What the channel took off the socket during a handshake that sending waited for, or before the
 * stream moved: the socket will not tell of it. */
static void stream_read_held(struct task *task) {
	struct stream *stream = CONTAINER_OF(task, struct stream, task);
	if (stream->state == STREAM_OPEN && !stream->paused) stream_go_on_reading(stream);
}

void stream_look_inside(struct stream *stream) {
	if (stream->state == STREAM_OPEN && stream->channel->holds(stream))
		loop_later(stream_home(stream), &stream->task, stream_read_held);
}

/* The rest */

void *stream_context(const struct stream *stream) { return stream->poll.data; }
struct loop *stream_loop(const struct stream *stream) {
	return stream_home(stream);
}
bool stream_is_secure(const struct stream *stream) { return stream->channel->is_secure; }

void stream_set(struct stream *stream, const struct stream_events *events, void *context) {
	stream->events = events;
	stream->poll.data = context;
}

void stream_pause(struct stream *stream) {
	stream->paused = true;
	stream_watch(stream);
}

void stream_resume(struct stream *stream) {
	stream->paused = false;
	stream_look_inside(stream);
	stream_watch(stream);
}

static void stream_late(struct deadline *deadline) {
	struct stream *stream = CONTAINER_OF(deadline, struct stream, deadline);
	if (stream->events->late) stream->events->late(stream);
	else stream_end(stream, &too_late);
}

void stream_deadline(struct stream *stream, uint64_t in_ms) {
	if (stream->state != STREAM_OPEN) return;
	if (in_ms) deadline_set(stream_home(stream), &stream->deadline, in_ms, stream_late);
	else deadline_clear(&stream->deadline);
}

size_t stream_behind(const struct stream *stream) {
	return stream->outbox ? stream->outbox->behind : 0;
}
