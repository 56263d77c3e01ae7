/* SPDX-License-Identifier: Apache-2.0 */
/* Outlet: the texts in a range of unmasked WebSocket frames, for outlets that are none. */
#include "room/outlet.h"

bool outlet_text(struct slice range, size_t *at, struct slice *text) {
	if (*at >= range.length) return false;
	const uint8_t *head = (const uint8_t *)range.bytes + *at;
	size_t length = head[1] & 127, size = 2;
	if (length == 126) {
		length = (size_t)head[2] << 8 | head[3];
		size = 4;
	} else if (length == 127) {
		length = 0;
		for (int i = 2; i < 10; i++) length = length << 8 | head[i];
		size = 10;
	}
	*text = slice_make(head + size, length);
	*at += size + length;
	return true;
}
