/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Websocket_write: frames as bytes, and the two keys of the opening handshake.
 */
#include "wire/websocket.h"

#include "base/ident.h"
#include "base/secret.h"
#include "wire/scan.h"
#include "wire/websocket_mask.h"

#define FIN 0x80u
#define MASKED 0x80u
#define KEY_OCTETS 16
#define KEY_TEXT 24
#define REASON_LONGEST 123

size_t websocket_head_size(size_t payload) {
	return payload < 126 ? 2 : payload <= UINT16_MAX ? 4
							 : 10;
}

size_t websocket_head(char head[10], unsigned opcode, size_t payload) {
	size_t size = websocket_head_size(payload);
	head[0] = (char)(FIN | opcode);
	head[1] = (char)(size == 2 ? payload : size == 4 ? 126
							 : 127);
	for (size_t i = size; i > 2; i--, payload >>= 8) head[i - 1] = (char)(payload & 0xFFu);
	return size;
}

void websocket_write(struct text *to, enum websocket_role role, unsigned opcode,
	struct slice payload) {
	char head[10];
	uint8_t mask[4];
	size_t size = websocket_head(head, opcode, payload.length);
	if (role == WEBSOCKET_CLIENT) head[1] = (char)((uint8_t)head[1] | MASKED);
	text_add(to, slice_make(head, size));
	if (role == WEBSOCKET_CLIENT) {
		ident_random(mask, sizeof mask);
		text_add(to, slice_make(mask, sizeof mask));
	}
	size_t at = to->length;
	text_add(to, payload);
	if (role == WEBSOCKET_CLIENT && payload.length > 0 && !text_failed(to))
		websocket_mask(to->bytes + at, payload.length, mask);
}

void websocket_write_close(struct text *to, enum websocket_role role, unsigned code,
	struct slice reason) {
	char payload[2 + REASON_LONGEST];
	if (code == WEBSOCKET_NO_CODE) {
		websocket_write(to, role, WEBSOCKET_OP_CLOSE, SLICE_NONE);
		return;
	}
	if (!scan_is_utf8(reason)) reason = SLICE_NONE;
	reason.length = slice_cut(reason, REASON_LONGEST);
	payload[0] = (char)(code >> 8);
	payload[1] = (char)(code & 0xFFu);
	if (reason.length > 0) memcpy(payload + 2, reason.bytes, reason.length);
	websocket_write(to, role, WEBSOCKET_OP_CLOSE, slice_make(payload, 2 + reason.length));
}

bool websocket_accept(struct slice key, char accept[29]) {
	uint8_t digest[20];
	AUTO_TEXT struct text octets = {0};
	AUTO_TEXT struct text joined = {0};
	AUTO_TEXT struct text answer = {0};
	text_init(&octets, 64);
	text_init(&joined, 128);
	text_init(&answer, 64);
	if (key.length != KEY_TEXT || !secret_unbase64(&octets, key)) return false;
	if (text_failed(&octets) || octets.length != KEY_OCTETS) return false;

	text_add(&joined, key);
	text_add_cstr(&joined, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"); /* RFC 6455 1.3 */
	if (text_failed(&joined) || !secret_sha1(text_slice(&joined), digest)) return false;

	secret_base64(&answer, slice_make(digest, sizeof digest));
	if (text_failed(&answer) || answer.length != 28) return false;
	memcpy(accept, answer.bytes, 29);
	return true;
}

bool websocket_new_key(char key[25]) {
	uint8_t octets[KEY_OCTETS];
	AUTO_TEXT struct text text = {0};
	text_init(&text, 64);
	ident_random(octets, sizeof octets);
	secret_base64(&text, slice_make(octets, sizeof octets));
	if (text_failed(&text) || text.length != KEY_TEXT) return false;
	memcpy(key, text.bytes, 25);
	return true;
}
