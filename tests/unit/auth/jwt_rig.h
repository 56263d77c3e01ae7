/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JWT rig: tokens made and signed by the test: with a secret (HS256), or with the Ed25519 key of RFC
 * 8037 appendix A, whose public half is in RIG_JWKS.
 */
#ifndef HUSTINGS_TESTS_JWT_RIG_H
#define HUSTINGS_TESTS_JWT_RIG_H

#include "check.h"

#include "auth/jwt.h"
#include "base/clock.h"
#include "base/secret.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define RIG_SECRET "a secret of the test, forty octets long.."
#define RIG_ED25519 "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"ed\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}"
#define RIG_JWKS "{\"keys\":[" RIG_ED25519 "]}"
#define RIG_PATIENCE_MS 30000

static inline void rig_part(struct text *token, struct slice octets) {
	if (token->length) text_add_char(token, '.');
	secret_base64url(token, octets);
}

static inline void rig_hmac(struct text *token, struct slice secret, const char *header, const char *claims) {
	uint8_t mac[SECRET_HASH_SIZE];
	text_clear(token);
	rig_part(token, slice_of(header));
	rig_part(token, slice_of(claims));
	assert_true(secret_sign(secret, text_slice(token), mac));
	rig_part(token, slice_make(mac, sizeof mac));
}

static inline void rig_ed25519(struct text *token, const char *header, const char *claims) {
	AUTO_TEXT struct text seed;
	uint8_t signature[64];
	size_t length = sizeof signature;
	text_init(&seed, 0);
	assert_true(secret_unbase64url(&seed, SLICE("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A")));
	EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, (uint8_t *)seed.bytes, seed.length);
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	text_clear(token);
	rig_part(token, slice_of(header));
	rig_part(token, slice_of(claims));
	assert_int_equal(EVP_DigestSignInit(context, NULL, NULL, NULL, key), 1);
	assert_int_equal(EVP_DigestSign(context, signature, &length, (uint8_t *)token->bytes, token->length), 1);
	rig_part(token, slice_make(signature, length));
	EVP_MD_CTX_free(context);
	EVP_PKEY_free(key);
}

/* {"sub":"ann","exp":in an hour, ...more} */
static inline const char *rig_claims(const char *more) {
	static char claims[2048];
	snprintf(claims, sizeof claims, "{\"sub\":\"ann\",\"exp\":%lld%s}",
		(long long)(clock_wall_ms() / 1000 + 3600), more);
	return claims;
}

struct asked {
	unsigned answers;
	struct principal *principal;
	struct fault why;
};

static inline void rig_found(void *context, struct principal *principal, const struct fault *why) {
	struct asked *asked = context;
	asked->answers++;
	asked->principal = principal;
	if (why) asked->why = *why;
}

static inline void asked_finish(struct asked *asked) {
	principal_drop(asked->principal);
	*asked = (struct asked){0};
}

#endif
