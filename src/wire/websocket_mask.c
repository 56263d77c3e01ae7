/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Websocket_mask: XOR and UTF-8 in steps of eight octets where that is possible.
 */
#include "wire/websocket_mask.h"

static inline uint64_t mask_word(char *at, uint64_t key) {
	uint64_t word;
	memcpy(&word, at, sizeof word);
	word ^= key;
	memcpy(at, &word, sizeof word);
	return word;
}

uint64_t websocket_mask(char *bytes, size_t length, const uint8_t mask[4]) {
	uint8_t twice[8];
	uint64_t key, seen = 0;
	memcpy(twice, mask, 4);
	memcpy(twice + 4, mask, 4);
	memcpy(&key, twice, sizeof key);

	for (; length >= 32; bytes += 32, length -= 32) {
		uint64_t first = mask_word(bytes, key) | mask_word(bytes + 8, key);
		uint64_t second = mask_word(bytes + 16, key) | mask_word(bytes + 24, key);
		seen |= first | second;
	}
	for (; length >= 8; bytes += 8, length -= 8) seen |= mask_word(bytes, key);
	for (size_t i = 0; i < length; i++) {
		bytes[i] = (char)((uint8_t)bytes[i] ^ twice[i]);
		seen |= (uint8_t)bytes[i];
	}
	return seen;
}

void websocket_mask_turn(uint8_t mask[4], size_t moved) {
	uint8_t turned[4];
	for (size_t i = 0; i < 4; i++) turned[i] = mask[(i + moved) & 3];
	memcpy(mask, turned, 4);
}

/* The first octet of a character says how many follow and what the second may be (Unicode, table
 * 3-7): no overlong forms, no surrogates, nothing above U+10FFFF. */
static bool begin_character(struct websocket_utf8 *state, uint8_t octet) {
	if (octet < 0xC2 || octet > 0xF4) return false;

	state->low = octet == 0xE0 ? 0xA0 : octet == 0xF0 ? 0x90
							  : 0x80;
	state->high = octet == 0xED ? 0x9F : octet == 0xF4 ? 0x8F
							   : 0xBF;
	state->left = octet < 0xE0 ? 1 : octet < 0xF0 ? 2
						      : 3;
	return true;
}

static size_t ascii_run(const char *bytes, size_t length) {
	size_t at = 0;
	for (uint64_t word; length - at >= sizeof word; at += sizeof word) {
		memcpy(&word, bytes + at, sizeof word);
		if (word & WEBSOCKET_MASK_HIGH) break;
	}
	while (at < length && (uint8_t)bytes[at] < 0x80) at++;
	return at;
}

bool websocket_utf8_take(struct websocket_utf8 *state, struct slice piece) {
	for (size_t at = 0; at < piece.length; at++) {
		if (state->left == 0) {
			at += ascii_run(piece.bytes + at, piece.length - at);
			if (at == piece.length) return true;
			if (!begin_character(state, (uint8_t)piece.bytes[at])) return false;
			continue;
		}
		uint8_t octet = (uint8_t)piece.bytes[at];
		if (octet < state->low || octet > state->high) return false;
		state->left--;
		state->low = 0x80;
		state->high = 0xBF;
	}
	return true;
}
