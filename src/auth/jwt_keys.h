/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jwt keys: a JWKS document (RFC 7517) as verified keys by kid. Keys of kinds we do not use are left
 * out; a broken key of a kind we do use refuses the document.
 */
#ifndef HUSTINGS_AUTH_JWT_KEYS_H
#define HUSTINGS_AUTH_JWT_KEYS_H

#include "auth/jwt_settings.h"
#include "base/signature.h"

struct jwt_key {
	struct signature_key *key;
	char *kid; /* NULL: none */
	bool has_algorithm;
	enum jwt_algorithm algorithm; /* the one its `alg` names */
};

struct jwt_keys {
	size_t count;
	struct jwt_key list[JWT_KEYS];
};

/* Owned: jwt_keys_free(). */
struct jwt_keys *jwt_keys_read(struct slice document, struct fault *why) MUST_USE;
struct jwt_keys *jwt_keys_secret(struct slice secret, struct fault *why) MUST_USE;
void jwt_keys_free(struct jwt_keys *keys); /* NULL is fine */
/* The next key from *at that may have signed this: the kid (empty: none was said) and algorithm fit.
 * NULL: no more. */
const struct jwt_key *jwt_keys_next(const struct jwt_keys *keys, struct slice kid,
	enum jwt_algorithm algorithm, size_t *at);
enum signature_scheme jwt_scheme(enum jwt_algorithm algorithm);

#endif
