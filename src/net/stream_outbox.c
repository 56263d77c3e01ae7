/* SPDX-License-Identifier: Apache-2.0 */
/* Stream outbox: an array of ranges that grows at its end and is eaten from its beginning. */
#include "net/stream_outbox.h"

#include <stdlib.h>

#define FIRST_RANGES 4
#define COPY_FRAME 2048 /* of small copied octets, which gather in one */

void stream_outbox_drop(struct stream_outbox *outbox) {
	if (!outbox) return;
	struct stream_range *first = outbox->ranges + outbox->first;
	for (uint32_t i = 0; i < outbox->count; i++) frame_drop(first[i].frame);
	free(outbox);
}

static struct stream_range *outbox_last(struct stream_outbox *outbox) {
	return outbox ? &outbox->ranges[outbox->first + outbox->count - 1] : NULL;
}

bool stream_outbox_ends_with(const struct stream_outbox *outbox, const struct frame *frame) {
	return outbox && outbox->count && outbox->ranges[outbox->first + outbox->count - 1].frame == frame;
}

/* Room for one more range at the end. */
static bool outbox_grow(struct stream_outbox **held) {
	struct stream_outbox *outbox = *held;
	if (outbox && outbox->first + outbox->count < outbox->capacity) return true;
	if (outbox && outbox->first >= outbox->capacity / 2 && outbox->first > 0) {
		struct stream_range *first = outbox->ranges + outbox->first;
		memmove(outbox->ranges, first, outbox->count * sizeof(*first));
		outbox->first = 0;
		return true;
	}
	uint32_t capacity = outbox ? outbox->capacity * 2 : FIRST_RANGES;
	struct stream_outbox *grown =
		realloc(outbox, sizeof(*grown) + capacity * sizeof(grown->ranges[0]));
	if (!grown) return false;
	if (!outbox) *grown = (struct stream_outbox){0};
	grown->capacity = capacity;
	*held = grown;
	return true;
}

bool stream_outbox_append(struct stream_outbox **held, struct frame *frame, size_t offset,
	size_t length) {
	struct stream_range *last = outbox_last(*held);
	if (last && last->frame == frame && last->offset + last->length == offset) {
		last->length += (uint32_t)length;
		(*held)->behind += length;
		return true;
	}
	if (!outbox_grow(held)) return false;
	struct stream_outbox *outbox = *held;
	outbox->ranges[outbox->first + outbox->count++] =
		(struct stream_range){frame_keep(frame), (uint32_t)offset, (uint32_t)length};
	outbox->behind += length;
	return true;
}

/* Copied octets that wait gather in a frame that nobody else holds. */
bool stream_outbox_copy(struct stream_outbox **held, struct slice bytes) {
	struct stream_range *last = outbox_last(*held);
	bool is_ours = last && last->frame->references == 1 && !last->frame->pool &&
		last->offset + last->length == last->frame->used;
	if (is_ours && frame_room(last->frame) >= bytes.length) {
		frame_add(last->frame, bytes.bytes, bytes.length);
		last->length += (uint32_t)bytes.length;
		(*held)->behind += bytes.length;
		return true;
	}
	AUTO(frame) frame = frame_open(NULL, bytes.length > COPY_FRAME ? bytes.length : COPY_FRAME);
	if (!frame) return false;
	frame_add(frame, bytes.bytes, bytes.length);
	return stream_outbox_append(held, frame, 0, bytes.length);
}

void stream_outbox_sent(struct stream_outbox *outbox, size_t sent) {
	struct stream_range *range = &outbox->ranges[outbox->first];
	outbox->behind -= sent;
	range->offset += (uint32_t)sent;
	range->length -= (uint32_t)sent;
	if (range->length > 0) return;
	frame_drop(range->frame);
	outbox->first++;
	outbox->count--;
}
