/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jwt claims: a token's three parts, and from its verified claims a principal.
 */
#ifndef HUSTINGS_AUTH_JWT_CLAIMS_H
#define HUSTINGS_AUTH_JWT_CLAIMS_H

#include "auth/jwt_settings.h"
#include "auth/principal.h"
#include "wire/scan.h"

struct jwt_token {
	struct slice signed_text; /* header.payload as it came */
	struct slice signature;   /* decoded, in the arena */
	struct slice payload;     /* decoded, in the arena: not to be read before the signature held */
	struct slice kid;         /* empty: none */
	enum jwt_algorithm algorithm;
};

/* FAULT_REFUSED, "bad_token: ...". The header's alg must be one we know; crit is refused. */
bool jwt_token_read(struct jwt_token *token, struct slice bearer, struct arena *arena,
	struct fault *why) MUST_USE;
/* Of a token whose signature held: time, issuer, audience, then who it is. */
struct principal *jwt_claims_principal(const struct jwt_token *token,
	const struct jwt_settings *settings, int64_t now, struct arena *arena,
	struct fault *why) MUST_USE;

#endif
