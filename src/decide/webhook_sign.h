/* SPDX-License-Identifier: Apache-2.0 */
/* Webhook sign: the key and the headers of a signed message (Standard Webhooks 1.0). */
#ifndef HUSTINGS_DECIDE_WEBHOOK_SIGN_H
#define HUSTINGS_DECIDE_WEBHOOK_SIGN_H

#include "base/text.h"

/* "whsec_" and Base64, else the text itself. FAULT_BAD_INPUT: too short, or no Base64. */
bool webhook_key(struct slice secret, size_t least, struct text *key, struct fault *why) MUST_USE;
/* "v1," and the Base64 of the HMAC over "id.seconds.body". False: no memory. */
bool webhook_sign(struct slice key, struct slice id, int64_t seconds, struct slice body,
	struct text *signature) MUST_USE;

#endif
