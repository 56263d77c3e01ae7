/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Websocket_mask: what RFC 6455 does to payloads octet by octet, in wide steps: masks, and UTF-8
 * over pieces that may end in the middle of a character.
 */
#ifndef HUSTINGS_WIRE_WEBSOCKET_MASK_H
#define HUSTINGS_WIRE_WEBSOCKET_MASK_H

#include "base/text.h"

/* Applies the mask in place and returns all octets of the result ORed together somewhere in the
 * eight octets of the answer: without a bit of WEBSOCKET_MASK_HIGH the result is plain ASCII. */
#define WEBSOCKET_MASK_HIGH 0x8080808080808080u
uint64_t websocket_mask(char *bytes, size_t length, const uint8_t mask[4]);
/* The mask as it stands `moved` octets further on. */
void websocket_mask_turn(uint8_t mask[4], size_t moved);

/* Where a text stands between two pieces; all zero: at the beginning. */
struct websocket_utf8 {
	uint8_t left;      /* octets that the character at hand still needs */
	uint8_t low, high; /* the bounds of the next of them */
};
/* False at the first octet that no UTF-8 text can have there. */
bool websocket_utf8_take(struct websocket_utf8 *state, struct slice piece) MUST_USE;

#endif
