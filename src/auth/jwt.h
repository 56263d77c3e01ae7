/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jwt: verified JSON Web Tokens (HS256, RS256, PS256, ES256, EdDSA), keys from configuration or one
 * fixed JWKS URL. The header's `alg` must be in the configured list and fit the key before anything
 * is computed; no claim is read before the signature held. Loop 0 alone.
 */
#ifndef HUSTINGS_AUTH_JWT_H
#define HUSTINGS_AUTH_JWT_H

#include "auth/jwt_settings.h"
#include "auth/principal.h"
#include "base/log.h"
#include "net/loop.h"

struct jwt;

struct jwt *jwt_open(struct loop *loop, const struct jwt_settings *settings, struct log *log,
	struct fault *why) MUST_USE;
void jwt_close(struct jwt *jwt); /* whoever waits hears FAULT_NOT_READY first */

/* As identity_found. Keys are fetched anew when a kid is unknown, at most once in 30 s. */
typedef void jwt_found(void *context, struct principal *principal, const struct fault *why);
void jwt_ask(struct jwt *jwt, struct slice bearer, jwt_found *found, void *context);
void jwt_forget(struct jwt *jwt, void *context);

#endif
