/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the WebSocket reader. The first octet chooses role, limit and how the rest is cut: read
 * whole and read in pieces must tell the same, and what is told must hold the reader's promises.
 */
#include "wire/scan.h"
#include "wire/websocket.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const size_t limits[] = {0, 10, 300, 70000};

static void require(bool holds) {
	if (!holds) abort();
}

/* What was handed out, written as a server would, comes back as it is. */
static void write_and_read(const struct websocket_message *message, unsigned opcode) {
	struct websocket reader;
	struct websocket_message again;
	AUTO_TEXT struct text out = {0};
	websocket_write(&out, WEBSOCKET_SERVER, opcode, message->payload);
	require(!text_failed(&out));
	struct slice bytes = text_slice(&out);
	websocket_init(&reader, WEBSOCKET_CLIENT, message->payload.length);
	require(websocket_next(&reader, &bytes, &again) == message->event);
	require(slice_equal(again.payload, message->payload) && bytes.length == 0);
	websocket_finish(&reader);
}

static void check(const struct websocket_message *message, size_t limit) {
	switch (message->event) {
	case WEBSOCKET_TEXT:
		require(message->payload.length <= limit && scan_is_utf8(message->payload));
		write_and_read(message, WEBSOCKET_OP_TEXT);
		break;
	case WEBSOCKET_BINARY:
		require(message->payload.length <= limit);
		write_and_read(message, WEBSOCKET_OP_BINARY);
		break;
	case WEBSOCKET_PING:
	case WEBSOCKET_PONG: require(message->payload.length <= 125); break;
	case WEBSOCKET_CLOSE:
		require(message->payload.length <= 123 && scan_is_utf8(message->payload));
		require(message->code >= 1000 && message->code < 5000 && message->code != 1006);
		break;
	case WEBSOCKET_FAILED:
		require(message->code == 1002 || message->code == 1007 ||
			message->code == 1009);
		break;
	default: abort();
	}
}

static void note(struct text *trace, const struct websocket_message *message) {
	text_printf(trace, "%d %u ", (int)message->event, message->code);
	if (message->event != WEBSOCKET_FAILED) text_add(trace, message->payload);
}

static void read_in_pieces(uint8_t choice, const uint8_t *data, size_t size, size_t piece,
	struct text *trace) {
	struct websocket websocket;
	size_t limit = limits[choice >> 1 & 3];
	websocket_init(&websocket, choice & 1 ? WEBSOCKET_CLIENT : WEBSOCKET_SERVER, limit);
	for (size_t at = 0; at < size; at += piece) {
		struct websocket_message message;
		size_t length = size - at < piece ? size - at : piece;
		char *copy = malloc(length);
		if (!copy) abort();
		memcpy(copy, data + at, length);
		struct slice bytes = slice_make(copy, length);
		while (websocket_next(&websocket, &bytes, &message) != WEBSOCKET_MORE) {
			check(&message, limit);
			note(trace, &message);
		}
		require(bytes.length == 0);
		free(copy);
	}
	websocket_finish(&websocket);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	AUTO_TEXT struct text whole = {0};
	AUTO_TEXT struct text cut = {0};
	if (size < 2) return 0;
	read_in_pieces(data[0], data + 1, size - 1, size, &whole);
	read_in_pieces(data[0], data + 1, size - 1, (data[0] >> 3) + 1u, &cut);
	require(slice_equal(text_slice(&whole), text_slice(&cut)));
	return 0;
}
