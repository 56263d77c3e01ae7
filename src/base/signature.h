/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signature: public keys and what they verify: RSA (PKCS #1 1.5 and PSS with SHA-256), ECDSA on
 * P-256 with SHA-256, Ed25519, and HMAC-SHA-256. Keys are immutable and owned; any thread.
 */
#ifndef HUSTINGS_BASE_SIGNATURE_H
#define HUSTINGS_BASE_SIGNATURE_H

#include "base/dialect.h"
#include "base/fault.h"
#include "base/text.h"

enum signature_kind {
	SIGNATURE_HMAC,
	SIGNATURE_RSA,
	SIGNATURE_EC_P256,
	SIGNATURE_ED25519
};
enum signature_scheme {
	SIGNATURE_HMAC_SHA256,
	SIGNATURE_RSA_SHA256,
	SIGNATURE_RSA_PSS_SHA256,
	SIGNATURE_ECDSA_SHA256,
	SIGNATURE_EDDSA,
};

struct signature_key;

/* Raw octets, as base64url in a JWK stands for them. RSA of 2048 to 8192 bits; a secret of 32 octets
 * or more. NULL: FAULT_BAD_INPUT in words, or no memory. */
struct signature_key *signature_key_secret(struct slice secret, struct fault *why) MUST_USE;
struct signature_key *signature_key_rsa(struct slice modulus, struct slice exponent,
	struct fault *why) MUST_USE;
struct signature_key *signature_key_p256(struct slice x, struct slice y, struct fault *why) MUST_USE;
struct signature_key *signature_key_ed25519(struct slice x, struct fault *why) MUST_USE;
void signature_key_free(struct signature_key *key); /* NULL is fine */
enum signature_kind signature_key_kind(const struct signature_key *key);

/* Whether the scheme fits the key and the signature holds. ECDSA signatures are r and s, 32 octets
 * each, as RFC 7518 3.4 has them. */
bool signature_holds(const struct signature_key *key, enum signature_scheme scheme,
	struct slice text, struct slice signature) MUST_USE;

#endif
