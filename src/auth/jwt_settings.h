/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jwt settings: which JSON Web Tokens hold (auth/jwt.h), and what their claims are called.
 */
#ifndef HUSTINGS_AUTH_JWT_SETTINGS_H
#define HUSTINGS_AUTH_JWT_SETTINGS_H

#include "base/slice.h"

struct principal_facts;

#define JWT_KEYS 64
#define JWT_OCTETS (16 * 1024)

struct jwt_settings {                /* [auth.jwt] */
	const char *jwks_url;        /* https, or http on loopback; NULL: none */
	const char *jwks_file;       /* NULL: none */
	const char *secret;          /* HS256: 32 octets or more; NULL: none */
	unsigned algorithms;         /* bits 1 << enum jwt_algorithm */
	const char *issuer;          /* NULL: not asked */
	const char *audience;        /* NULL: not asked */
	const char *claim_id;        /* NULL: "sub" */
	const char *claim_topics;    /* NULL: "topics": an array of strings or one string of blanks */
	const char *claim_privilege; /* NULL: "privilege" */
	const char *claim_kind;      /* NULL: "kind" */
	const char *claim_name;      /* NULL: "name" */
	const char *claim_admin;     /* NULL: no claim makes an administrator */
	int64_t leeway_ms;           /* for exp and nbf; default 30 s set by the configuration */
	bool require_topics;         /* a token without the topics claim enters nowhere */
	/* Asked for every principal before it is made; may change kind and administration. NULL: nobody. */
	void (*dress)(const void *context, struct principal_facts *facts);
	const void *dress_context; /* lives longer than the jwt */
};

enum jwt_algorithm {
	JWT_HS256,
	JWT_RS256,
	JWT_PS256,
	JWT_ES256,
	JWT_EDDSA,
	JWT_ALGORITHMS
};

bool jwt_algorithm_read(struct slice text, enum jwt_algorithm *algorithm) MUST_USE;

#endif
