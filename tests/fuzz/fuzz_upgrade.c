/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: a gateway's answer to the opening handshake, whole and octet by octet: the same comes
 * of it, and nothing opens without the right key. */
#include "client/upgrade.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static enum upgrade_result feed(struct slice bytes, size_t piece, unsigned *status) {
	struct upgrade upgrade;
	struct slice rest = SLICE_NONE;
	struct fault why = {.code = FAULT_NONE};
	enum upgrade_result result = UPGRADE_MORE;
	require(upgrade_init(&upgrade, "a", SLICE("/"), SLICE_NONE, &why));
	while (bytes.length && result == UPGRADE_MORE) {
		size_t length = piece && piece < bytes.length ? piece : bytes.length;
		result = upgrade_take(&upgrade, slice_make(bytes.bytes, length), &rest, &why);
		bytes = slice_make(bytes.bytes + length, bytes.length - length);
	}
	if (result == UPGRADE_MORE && upgrade_end(&upgrade, &why)) result = UPGRADE_REFUSED;
	require(result != UPGRADE_REFUSED || why.code != FAULT_NONE);
	*status = upgrade.status;
	upgrade_finish(&upgrade);
	return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	unsigned whole, pieces;
	if (size > 4096) return 0; /* octet by octet it is read anew each time */
	enum upgrade_result at_once = feed(slice_make(data, size), 0, &whole);
	enum upgrade_result slowly = feed(slice_make(data, size), 1, &pieces);
	require(at_once != UPGRADE_DONE); /* nobody guesses the key */
	require(at_once == slowly && whole == pieces);
	return 0;
}
