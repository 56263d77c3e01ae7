/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seal: what is stored and must be read by nobody else, and changed by nobody: AES-256-GCM under a key of our
 * own. A sealed text holds a version, a nonce that is never used twice, the text and a mark of its soundness.
 * Plain functions, any thread.
 */
#ifndef HUSTINGS_BASE_SEAL_H
#define HUSTINGS_BASE_SEAL_H

#include "base/fault.h"
#include "base/text.h"

#define SEAL_KEY 32
#define SEAL_MORE (1 + 12 + 16) /* octets that a sealed text is longer */

/* A key for one purpose ("flow"), from the house's secret. */
bool seal_key(uint8_t key[SEAL_KEY], struct slice secret, const char *purpose) MUST_USE;
/* `about` is not in it, and has to be the same when it is opened: what the text belongs to. */
bool seal_close(struct text *to, const uint8_t key[SEAL_KEY], struct slice about, struct slice text) MUST_USE;
/* FAULT_BAD_INPUT: it was changed, is another key's, or belongs to something else; FAULT_NO_MEMORY. */
bool seal_open(struct text *to, const uint8_t key[SEAL_KEY], struct slice about, struct slice sealed,
	struct fault *why) MUST_USE;

#endif
