/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signer: HMAC-SHA-256 with one key, many times: what secret_sign() does, without setting the key up
 * anew for each text. One thread's at a time. Owned; the key is wiped with it.
 */
#ifndef HUSTINGS_BASE_SIGNER_H
#define HUSTINGS_BASE_SIGNER_H

#include "base/secret.h"

struct signer;

struct signer *signer_open(struct slice key, struct fault *why) MUST_USE; /* FAULT_BAD_INPUT: an empty key */
void signer_close(struct signer *signer);                                 /* NULL is fine */
AUTO_RELEASE(signer, signer_close)

/* Of the parts as if they were one text. */
bool signer_sign(struct signer *signer, const struct slice *parts, size_t count,
	uint8_t mac[SECRET_HASH_SIZE]) MUST_USE;

#endif
