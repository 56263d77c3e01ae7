/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Secret: hashes, signatures and comparisons that leak nothing. The only home of OpenSSL's EVP.
 */
#ifndef HUSTINGS_BASE_SECRET_H
#define HUSTINGS_BASE_SECRET_H

#include "base/dialect.h"
#include "base/fault.h"
#include "base/text.h"

#define SECRET_HASH_SIZE 32

bool secret_hash(struct slice text, uint8_t hash[SECRET_HASH_SIZE]) MUST_USE; /* SHA-256 */
bool secret_hash_parts(const struct slice *parts, size_t count, uint8_t hash[SECRET_HASH_SIZE]) MUST_USE;
bool secret_sign(struct slice key, struct slice text, uint8_t mac[SECRET_HASH_SIZE]) MUST_USE; /* HMAC-SHA-256 */
bool secret_sha1(struct slice text, uint8_t digest[20]) MUST_USE;                              /* RFC 6455's accept key alone */
bool secret_equal(const void *a, const void *b, size_t length);                                /* constant time */
void secret_wipe(void *octets, size_t length);
void secret_free(char *text); /* wipes up to its NUL, then frees; NULL is fine */

void secret_hex(const uint8_t *octets, size_t length, char *text); /* 2 * length + NUL */
bool secret_unhex(struct slice text, uint8_t *octets, size_t length) MUST_USE;

/* Base64, of either alphabet, strict about padding: url is without padding. */
void secret_base64(struct text *to, struct slice octets);
void secret_base64url(struct text *to, struct slice octets);
bool secret_unbase64(struct text *to, struct slice text) MUST_USE;
bool secret_unbase64url(struct text *to, struct slice text) MUST_USE;

/* Octets kept in a file of mode 0600, made at the first call (then synced). */
bool secret_file(const char *path, uint8_t *octets, size_t length, struct fault *why) MUST_USE;

#endif
