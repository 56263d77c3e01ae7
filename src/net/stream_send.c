/* SPDX-License-Identifier: Apache-2.0 */
/* Stream, sending: at once what the socket takes; only what it did not take waits in an outbox. */
#include "net/stream.h"
#include "net/stream_parts.h"

#include <stdlib.h>

#define FLUSH_SENDS 4 /* of one stream in one turn */
#define FIRST_RANGES 4
#define COPY_FRAME 2048 /* of small copied octets, which gather in one */

static const struct fault cannot_wait = {FAULT_NO_MEMORY, "no memory for what must wait"};

void outbox_drop(struct outbox *outbox) {
	if (!outbox) return;
	struct outbox_range *first = outbox->ranges + outbox->first;
	for (uint32_t i = 0; i < outbox->count; i++) frame_drop(first[i].frame);
	free(outbox);
}

static struct outbox_range *outbox_last(const struct stream *stream) {
	struct outbox *outbox = stream->outbox;
	return outbox ? &outbox->ranges[outbox->first + outbox->count - 1] : NULL;
}

/* Room for one more range at the end. */
static bool outbox_grow(struct stream *stream) {
	struct outbox *outbox = stream->outbox;
	if (outbox && outbox->first + outbox->count < outbox->capacity) return true;
	if (outbox && outbox->first >= outbox->capacity / 2 && outbox->first > 0) {
		struct outbox_range *first = outbox->ranges + outbox->first;
		memmove(outbox->ranges, first, outbox->count * sizeof(*first));
		outbox->first = 0;
		return true;
	}
	uint32_t capacity = outbox ? outbox->capacity * 2 : FIRST_RANGES;
	struct outbox *grown = realloc(outbox, sizeof(*grown) + capacity * sizeof(grown->ranges[0]));
	if (!grown) return false;
	if (!outbox) *grown = (struct outbox){0};
	grown->capacity = capacity;
	stream->outbox = grown;
	return true;
}

static bool outbox_append(struct stream *stream, struct frame *frame, size_t offset, size_t length) {
	struct outbox_range *last = outbox_last(stream);
	if (last && last->frame == frame && last->offset + last->length == offset) {
		last->length += (uint32_t)length;
		stream->outbox->behind += length;
		return true;
	}
	if (!outbox_grow(stream)) return false;
	struct outbox *outbox = stream->outbox;
	outbox->ranges[outbox->first + outbox->count++] =
		(struct outbox_range){frame_keep(frame), (uint32_t)offset, (uint32_t)length};
	outbox->behind += length;
	return true;
}

/* Copied octets that wait gather in a frame that nobody else holds. */
static bool outbox_copy(struct stream *stream, struct slice bytes) {
	struct outbox_range *last = outbox_last(stream);
	bool is_ours = last && last->frame->references == 1 && !last->frame->pool &&
		last->offset + last->length == last->frame->used;
	if (is_ours && frame_room(last->frame) >= bytes.length) {
		frame_add(last->frame, bytes.bytes, bytes.length);
		last->length += (uint32_t)bytes.length;
		stream->outbox->behind += bytes.length;
		return true;
	}
	AUTO(frame) frame = frame_open(NULL, bytes.length > COPY_FRAME ? bytes.length : COPY_FRAME);
	if (!frame) return false;
	frame_add(frame, bytes.bytes, bytes.length);
	return outbox_append(stream, frame, 0, bytes.length);
}

/* One send; an outbox of what is left over is the caller's business. False: broken. */
static bool stream_send_once(struct stream *stream, const char *bytes, size_t length, size_t *sent) {
	struct fault why;
	*sent = 0;
	if (length > FRAME_USUAL) length = FRAME_USUAL;
	enum channel_result result = stream->channel->send(stream, bytes, length, sent, &why);
	if (*sent > 0) counters_add(&stream->loop->counters, COUNTER_OCTETS_OUT, (int64_t)*sent);
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
		return outbox_append(stream, frame, offset, length) || stream_cannot_keep(stream);

	size_t sent;
	if (!stream_send_once(stream, frame->bytes + offset, length, &sent)) return true;
	if (sent == length) return true;
	if (!outbox_append(stream, frame, offset + sent, length - sent))
		return stream_cannot_keep(stream);
	stream_watch(stream);
	return true;
}

bool stream_write(struct stream *stream, struct slice bytes) {
	if (bytes.length == 0) return true;
	bool only_waits = stream->peer_done &&
		(stream->state == STREAM_BROKEN || stream->state == STREAM_ENDED);
	if (only_waits) return outbox_copy(stream, bytes);
	if (stream->state != STREAM_OPEN) return true;
	if (stream->outbox) return outbox_copy(stream, bytes) || stream_cannot_keep(stream);

	size_t sent;
	if (!stream_send_once(stream, bytes.bytes, bytes.length, &sent)) return true;
	if (sent == bytes.length) return true;
	struct slice left = slice_make(bytes.bytes + sent, bytes.length - sent);
	if (!outbox_copy(stream, left)) return stream_cannot_keep(stream);
	stream_watch(stream);
	return true;
}

/* False: the socket takes no more now, or it is broken. */
static bool stream_send_range(struct stream *stream) {
	struct outbox *outbox = stream->outbox;
	struct outbox_range *range = &outbox->ranges[outbox->first];
	size_t sent;
	if (!stream_send_once(stream, range->frame->bytes + range->offset, range->length, &sent))
		return false;
	outbox->behind -= sent;
	range->offset += (uint32_t)sent;
	range->length -= (uint32_t)sent;
	if (range->length > 0) return sent == FRAME_USUAL;
	frame_drop(range->frame);
	outbox->first++;
	outbox->count--;
	return true;
}

void stream_flush(struct stream *stream) {
	for (unsigned sends = 0; sends < FLUSH_SENDS; sends++) {
		if (!stream->outbox || stream->outbox->count == 0 || !stream_send_range(stream)) break;
	}
	if (stream->state != STREAM_OPEN && stream->state != STREAM_FINISHING) return;

	bool drained = stream->outbox && stream->outbox->count == 0;
	if (drained) {
		outbox_drop(stream->outbox);
		stream->outbox = NULL;
	}
	if (stream->state == STREAM_FINISHING && !stream->outbox) {
		stream_linger(stream);
		return;
	}
	stream_watch(stream);
	if (drained && stream->events->drained) stream->events->drained(stream);
}

size_t stream_behind(const struct stream *stream) {
	return stream->outbox ? stream->outbox->behind : 0;
}
