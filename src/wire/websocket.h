/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Websocket: RFC 6455 framing for both roles, over bytes that arrive in any pieces.
 *
 * The reader works inside the caller's buffer: a whole unfragmented message that lies in it is
 * handed out in place (unmasked there), nothing copied; only a message that is cut by the end of
 * the buffer or fragmented is gathered in memory of the reader's own, at most `max_message`, which
 * goes as soon as the message is handed out. UTF-8 fails as early as it can be seen (1007), sizes
 * before anything is allocated (1009), everything else against the RFC with 1002.
 */
#ifndef HUSTINGS_WIRE_WEBSOCKET_H
#define HUSTINGS_WIRE_WEBSOCKET_H

#include "base/dialect.h"
#include "base/text.h"

enum websocket_role {
	WEBSOCKET_SERVER,
	WEBSOCKET_CLIENT
}; /* who we are */

enum websocket_event {
	WEBSOCKET_MORE, /* nothing whole left; all bytes are consumed */
	WEBSOCKET_TEXT, /* a message: payload valid until the next call */
	WEBSOCKET_BINARY,
	WEBSOCKET_PING, /* payload to be sent back */
	WEBSOCKET_PONG,
	WEBSOCKET_CLOSE,  /* the peer's: code (1005: none) and reason in payload */
	WEBSOCKET_FAILED, /* code and reason to close with; the reader reads no more */
};

enum websocket_close {
	WEBSOCKET_NORMAL = 1000,
	WEBSOCKET_GOING_AWAY = 1001,
	WEBSOCKET_PROTOCOL = 1002,
	WEBSOCKET_UNSUPPORTED = 1003,
	WEBSOCKET_NO_CODE = 1005,
	WEBSOCKET_NOT_TEXT = 1007,
	WEBSOCKET_POLICY = 1008,
	WEBSOCKET_TOO_LARGE = 1009,
	WEBSOCKET_INTERNAL = 1011,
	WEBSOCKET_AGAIN_LATER = 1013,
	WEBSOCKET_REPLACED = 4001,
	WEBSOCKET_REVOKED = 4003,
};

struct websocket_partial; /* what is kept between reads; NULL while nothing is */

struct websocket {
	struct websocket_partial *partial;
	uint32_t max_message;
	uint8_t role;
	bool failed;
	bool closed; /* the peer's close frame was read: what follows it is dropped */
};

struct websocket_message {
	enum websocket_event event;
	struct slice payload;
	uint16_t code;
};

void websocket_init(struct websocket *websocket, enum websocket_role role, size_t max_message);
void websocket_finish(struct websocket *websocket);

/* Takes what it can from the front of `bytes` (writable: masks are undone in place) and moves it
 * on. Call until WEBSOCKET_MORE; the bytes must stay until then. After WEBSOCKET_CLOSE and
 * WEBSOCKET_FAILED everything is dropped: only WEBSOCKET_MORE follows. */
enum websocket_event websocket_next(struct websocket *websocket, struct slice *bytes,
	struct websocket_message *message);

/* Length of the head of an unmasked frame with that much payload: 2, 4 or 10. */
size_t websocket_head_size(size_t payload);
/* Writes such a head (server to client; FIN set) and returns its length. */
size_t websocket_head(char head[10], unsigned opcode, size_t payload);
/* A whole frame into `to`; clients mask with a fresh key. */
void websocket_write(struct text *to, enum websocket_role role, unsigned opcode,
	struct slice payload);
/* A close frame: code and reason (cut to 123 octets at a character; left out when it is not
 * UTF-8). WEBSOCKET_NO_CODE: a frame without either. */
void websocket_write_close(struct text *to, enum websocket_role role, unsigned code,
	struct slice reason);
#define WEBSOCKET_OP_TEXT 1u
#define WEBSOCKET_OP_BINARY 2u
#define WEBSOCKET_OP_CLOSE 8u
#define WEBSOCKET_OP_PING 9u
#define WEBSOCKET_OP_PONG 10u

/* The handshake's Sec-WebSocket-Accept for a key: 28 characters and NUL; false: no such key
 * (16 octets in base64), or no memory. */
bool websocket_accept(struct slice key, char accept[29]) MUST_USE;
bool websocket_new_key(char key[25]) MUST_USE;

#endif
