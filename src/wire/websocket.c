/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Websocket: the reader. A frame that lies whole in the caller's bytes never touches the partial;
 * everything that must wait for more bytes lives in it and nowhere else.
 */
#include "wire/websocket.h"

#include "wire/scan.h"
#include "wire/websocket_mask.h"

#include <stdlib.h>

#define HEAD_LONGEST 14
#define CONTROL_LONGEST 125
#define GATHER_FIRST 512

#define FIN 0x80u
#define RESERVED 0x70u
#define OPCODE 0x0Fu
#define MASKED 0x80u
#define OP_CONTINUED 0u

struct frame_head {
	uint64_t length;
	uint8_t size; /* octets of the head itself */
	uint8_t opcode;
	bool is_final;
	bool is_masked;
	uint8_t mask[4];
};

struct websocket_partial {
	char head[HEAD_LONGEST];
	uint8_t head_length; /* octets of a head that was cut; 0: none */
	bool in_frame;       /* `frame` was read, `left` octets of its payload were not */
	struct frame_head frame;
	uint64_t left;
	uint8_t control_length;
	char control[CONTROL_LONGEST];

	uint8_t opcode; /* of the message under way; 0: none */
	bool is_single; /* it is one frame, so its length is known */
	struct websocket_utf8 utf8;
	char *gathered;
	size_t length;
	size_t capacity;
};

enum head_result {
	HEAD_CUT,
	HEAD_READ,
	HEAD_BAD
};

static bool is_control(uint8_t opcode) { return opcode & 8u; }

static void advance(struct slice *bytes, size_t length) {
	bytes->bytes += length;
	bytes->length -= length;
}

void websocket_init(struct websocket *websocket, enum websocket_role role, size_t max_message) {
	*websocket = (struct websocket){
		.max_message = max_message < UINT32_MAX ? (uint32_t)max_message : UINT32_MAX,
		.role = (uint8_t)role,
	};
}

void websocket_finish(struct websocket *websocket) {
	struct websocket_partial *partial = TAKE(websocket->partial);
	if (!partial) return;
	free(partial->gathered);
	free(partial);
}

static enum websocket_event fail(struct websocket *websocket, struct websocket_message *message,
	uint16_t code, const char *reason) {
	websocket_finish(websocket);
	websocket->failed = true;
	*message = (struct websocket_message){
		.event = WEBSOCKET_FAILED, .payload = slice_of(reason), .code = code};
	return WEBSOCKET_FAILED;
}

static enum websocket_event refuse(struct websocket *websocket, struct websocket_message *message,
	const char *reason) {
	return fail(websocket, message, WEBSOCKET_PROTOCOL, reason);
}

static bool keep_partial(struct websocket *websocket) {
	if (!websocket->partial) websocket->partial = calloc(1, sizeof *websocket->partial);
	return websocket->partial;
}

/* ---- Heads ---- */

/* NULL: the first octet is fine here, else why not. */
static const char *first_octet_fault(const struct websocket *websocket, uint8_t octet) {
	bool is_under_way = websocket->partial && websocket->partial->opcode;
	uint8_t opcode = octet & OPCODE;
	if (octet & RESERVED) return "a reserved bit is set";
	if ((opcode & 7u) > 2) return "a reserved opcode";
	if (is_control(opcode)) return octet & FIN ? NULL : "a fragmented control frame";
	if (opcode == OP_CONTINUED) return is_under_way ? NULL : "a continuation of nothing";
	return is_under_way ? "a new message inside a fragmented one" : NULL;
}

static uint64_t big_endian(const uint8_t *octets, size_t count) {
	uint64_t number = 0;
	for (size_t i = 0; i < count; i++) number = number << 8 | octets[i];
	return number;
}

/* The length, from as many octets as its form has. */
static enum head_result read_length(const uint8_t *octets, size_t available,
	struct frame_head *head, const char **fault) {
	uint8_t form = octets[1] & 0x7Fu;
	head->size = form < 126 ? 2 : form == 126 ? 4
						  : 10;
	if (form > CONTROL_LONGEST && is_control(head->opcode)) {
		*fault = "a control frame over 125 octets";
		return HEAD_BAD;
	}
	if (available < head->size) return HEAD_CUT;

	head->length = form < 126 ? form : big_endian(octets + 2, head->size - 2u);
	uint64_t least = form < 126 ? 0 : form == 126 ? 126
						      : UINT16_MAX + 1u;
	if (head->length >> 63) *fault = "a length with its highest bit set";
	else if (head->length < least) *fault = "a length in more octets than it needs";
	return *fault ? HEAD_BAD : HEAD_READ;
}

/* A head at the front of `at`, refused at the first octet that shows why. */
static enum head_result read_head(struct websocket *websocket, struct slice at,
	struct frame_head *head, struct websocket_message *message) {
	const uint8_t *octets = (const uint8_t *)at.bytes;
	const char *fault = first_octet_fault(websocket, octets[0]);
	enum head_result result = HEAD_CUT;
	head->opcode = octets[0] & OPCODE;
	head->is_final = octets[0] & FIN;
	if (!fault && at.length >= 2) {
		head->is_masked = octets[1] & MASKED;
		if (head->is_masked != (websocket->role == WEBSOCKET_SERVER))
			fault = head->is_masked ? "a masked frame from a server"
						: "an unmasked frame from a client";
		else
			result = read_length(octets, at.length, head, &fault);
	}
	if (fault) {
		refuse(websocket, message, fault);
		return HEAD_BAD;
	}
	if (result != HEAD_READ) return result;

	uint64_t before = websocket->partial ? websocket->partial->length : 0;
	if (!is_control(head->opcode) && head->length > websocket->max_message - before) {
		fail(websocket, message, WEBSOCKET_TOO_LARGE, "the message is over the size limit");
		return HEAD_BAD;
	}
	if (!head->is_masked) return HEAD_READ;
	if (at.length < head->size + 4u) return HEAD_CUT;
	memcpy(head->mask, octets + head->size, 4);
	head->size += 4;
	return HEAD_READ;
}

/* ---- Events ---- */

static bool is_close_code(unsigned code) {
	if (code >= 3000) return code < 5000;
	return code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
}

static enum websocket_event hand_close(struct websocket *websocket,
	struct websocket_message *message, struct slice payload) {
	message->event = WEBSOCKET_CLOSE;
	message->code = WEBSOCKET_NO_CODE;
	message->payload = SLICE_NONE;
	if (payload.length == 1) return refuse(websocket, message, "a close code of one octet");
	if (payload.length >= 2) {
		uint64_t code = big_endian((const uint8_t *)payload.bytes, 2);
		advance(&payload, 2);
		if (!is_close_code((unsigned)code)) return refuse(websocket, message, "not a close code");
		if (!scan_is_utf8(payload))
			return fail(websocket, message, WEBSOCKET_NOT_TEXT, "the close reason is not UTF-8");
		message->code = (uint16_t)code;
		message->payload = payload;
	}
	websocket->closed = true;
	return WEBSOCKET_CLOSE;
}

static enum websocket_event hand_control(struct websocket *websocket,
	struct websocket_message *message, uint8_t opcode, struct slice payload) {
	if (opcode == WEBSOCKET_OP_CLOSE) return hand_close(websocket, message, payload);
	message->event = opcode == WEBSOCKET_OP_PING ? WEBSOCKET_PING : WEBSOCKET_PONG;
	message->code = 0;
	message->payload = payload;
	return message->event;
}

static enum websocket_event hand_data(struct websocket_message *message, uint8_t opcode,
	struct slice payload) {
	message->event = opcode == WEBSOCKET_OP_TEXT ? WEBSOCKET_TEXT : WEBSOCKET_BINARY;
	message->code = 0;
	message->payload = payload;
	return message->event;
}

/* A frame whose payload lies whole in `bytes`: a control frame or a whole message. */
static enum websocket_event hand_in_place(struct websocket *websocket, struct slice *bytes,
	struct websocket_message *message, const struct frame_head *head) {
	struct slice payload = slice_make(bytes->bytes, head->length);
	uint64_t seen = WEBSOCKET_MASK_HIGH;
	advance(bytes, head->length);
	if (head->is_masked)
		seen = websocket_mask((char *)payload.bytes, payload.length, head->mask);
	if (is_control(head->opcode)) return hand_control(websocket, message, head->opcode, payload);

	bool is_ascii = !(seen & WEBSOCKET_MASK_HIGH);
	if (head->opcode == WEBSOCKET_OP_TEXT && !is_ascii && !scan_is_utf8(payload))
		return fail(websocket, message, WEBSOCKET_NOT_TEXT, "the text is not UTF-8");
	return hand_data(message, head->opcode, payload);
}

/* ---- What has to wait ---- */

static bool reserve(struct websocket_partial *partial, size_t more, size_t max_message) {
	size_t needed = partial->length + more;
	if (needed <= partial->capacity) return true;

	size_t most = partial->is_single ? partial->length + (size_t)partial->left : max_message;
	size_t capacity = partial->capacity ? partial->capacity * 2 : GATHER_FIRST;
	if (capacity < needed) capacity = needed;
	if (capacity > most) capacity = most;
	char *gathered = realloc(partial->gathered, capacity);
	if (!gathered) return false;
	partial->gathered = gathered;
	partial->capacity = capacity;
	return true;
}

static enum websocket_event finish_message(struct websocket *websocket,
	struct websocket_message *message) {
	struct websocket_partial *partial = websocket->partial;
	uint8_t opcode = partial->opcode;
	if (opcode == WEBSOCKET_OP_TEXT && partial->utf8.left > 0)
		return fail(websocket, message, WEBSOCKET_NOT_TEXT, "the text ends inside a character");
	partial->opcode = 0;
	return hand_data(message, opcode, slice_make(partial->gathered, partial->length));
}

static enum websocket_event take_control(struct websocket *websocket, struct slice piece,
	struct websocket_message *message) {
	struct websocket_partial *partial = websocket->partial;
	char *at = partial->control + partial->control_length;
	memcpy(at, piece.bytes, piece.length);
	if (partial->frame.is_masked) websocket_mask(at, piece.length, partial->frame.mask);
	partial->control_length += (uint8_t)piece.length;
	if (partial->left > piece.length) return WEBSOCKET_MORE;
	return hand_control(websocket, message, partial->frame.opcode,
		slice_make(partial->control, partial->control_length));
}

static enum websocket_event take_data(struct websocket *websocket, struct slice piece,
	struct websocket_message *message) {
	struct websocket_partial *partial = websocket->partial;
	if (piece.length > 0) {
		if (!reserve(partial, piece.length, websocket->max_message))
			return fail(websocket, message, WEBSOCKET_INTERNAL, "no memory for the message");
		char *at = partial->gathered + partial->length;
		memcpy(at, piece.bytes, piece.length);
		partial->length += piece.length;
		if (partial->frame.is_masked) websocket_mask(at, piece.length, partial->frame.mask);
		if (partial->opcode == WEBSOCKET_OP_TEXT &&
			!websocket_utf8_take(&partial->utf8, slice_make(at, piece.length)))
			return fail(websocket, message, WEBSOCKET_NOT_TEXT, "the text is not UTF-8");
	}
	if (partial->left > piece.length || !partial->frame.is_final) return WEBSOCKET_MORE;
	return finish_message(websocket, message);
}

/* Payload of the frame at hand, as far as it has come. */
static enum websocket_event take_payload(struct websocket *websocket, struct slice *bytes,
	struct websocket_message *message) {
	struct websocket_partial *partial = websocket->partial;
	struct slice piece = *bytes;
	if (piece.length > partial->left) piece.length = (size_t)partial->left;

	enum websocket_event event = is_control(partial->frame.opcode)
		? take_control(websocket, piece, message)
		: take_data(websocket, piece, message);
	advance(bytes, piece.length);
	partial = websocket->partial; /* gone after a failure */
	if (!partial) return event;
	partial->left -= piece.length;
	partial->in_frame = partial->left > 0;
	websocket_mask_turn(partial->frame.mask, piece.length);
	return event;
}

static enum websocket_event begin_partial(struct websocket *websocket, struct slice *bytes,
	struct websocket_message *message, const struct frame_head *head) {
	if (!keep_partial(websocket))
		return fail(websocket, message, WEBSOCKET_INTERNAL, "no memory for the message");
	struct websocket_partial *partial = websocket->partial;
	partial->frame = *head;
	partial->left = head->length;
	if (is_control(head->opcode)) {
		partial->control_length = 0;
	} else if (head->opcode != OP_CONTINUED) {
		partial->opcode = head->opcode;
		partial->is_single = head->is_final;
	}
	return take_payload(websocket, bytes, message);
}

/* Keeps the octets of a head that is not whole yet. */
static enum websocket_event keep_head(struct websocket *websocket, struct slice *bytes,
	struct websocket_message *message, size_t held) {
	if (!keep_partial(websocket))
		return fail(websocket, message, WEBSOCKET_INTERNAL, "no memory for a frame");
	struct websocket_partial *partial = websocket->partial;
	memcpy(partial->head + held, bytes->bytes, bytes->length);
	partial->head_length = (uint8_t)(held + bytes->length);
	advance(bytes, bytes->length);
	return WEBSOCKET_MORE;
}

static enum websocket_event begin_frame(struct websocket *websocket, struct slice *bytes,
	struct websocket_message *message) {
	struct websocket_partial *partial = websocket->partial;
	size_t held = partial ? partial->head_length : 0;
	struct frame_head head = {0};
	struct slice at = *bytes;
	if (held > 0) {
		size_t more = HEAD_LONGEST - held < bytes->length ? HEAD_LONGEST - held : bytes->length;
		memcpy(partial->head + held, bytes->bytes, more);
		at = slice_make(partial->head, held + more);
	}
	switch (read_head(websocket, at, &head, message)) {
	case HEAD_CUT: return keep_head(websocket, bytes, message, held);
	case HEAD_BAD: return WEBSOCKET_FAILED;
	case HEAD_READ: break;
	}
	advance(bytes, head.size - held);
	if (partial) partial->head_length = 0;
	bool is_whole = is_control(head.opcode) || (head.is_final && head.opcode != OP_CONTINUED);
	if (is_whole && head.length <= bytes->length)
		return hand_in_place(websocket, bytes, message, &head);
	return begin_partial(websocket, bytes, message, &head);
}

static bool is_idle(const struct websocket_partial *partial) {
	return !partial->in_frame && partial->head_length == 0 && partial->opcode == 0;
}

enum websocket_event websocket_next(struct websocket *websocket, struct slice *bytes,
	struct websocket_message *message) {
	bool is_over = websocket->failed || websocket->closed;
	if (websocket->partial && (is_over || is_idle(websocket->partial))) websocket_finish(websocket);
	if (is_over) advance(bytes, bytes->length);

	while (bytes->length > 0) {
		bool in_frame = websocket->partial && websocket->partial->in_frame;
		enum websocket_event event = in_frame ? take_payload(websocket, bytes, message)
						      : begin_frame(websocket, bytes, message);
		if (event != WEBSOCKET_MORE) return event;
	}
	if (websocket->partial && is_idle(websocket->partial)) websocket_finish(websocket);
	*message = (struct websocket_message){.event = WEBSOCKET_MORE};
	return WEBSOCKET_MORE;
}
