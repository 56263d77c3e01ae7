/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Web guard: who may ask over HTTP at all: by Host and Origin, which a page of elsewhere cannot
 * choose (DNS rebinding), and by the token where there is one. A plain struct in its owner's, whose
 * strings are copied.
 */
#ifndef HUSTINGS_CLIENT_WEB_GUARD_H
#define HUSTINGS_CLIENT_WEB_GUARD_H

#include "base/arena.h"
#include "base/secret.h"
#include "wire/http1.h"

struct web_guard {
	struct arena words;
	const char **hosts; /* names without port, NULL ended; as the next */
	const char **origins;
	bool has_token;
	uint8_t token[SECRET_HASH_SIZE];
};

/* `address`: where is listened; hosts, origins and token may be NULL. */
bool web_guard_init(struct web_guard *guard, const char *address, const char *const *hosts,
	const char *const *origins, const char *token, struct fault *why) MUST_USE;
void web_guard_finish(struct web_guard *guard);
/* 0: come in; else the HTTP status, and `what` says why. */
unsigned web_guard_refuses(const struct web_guard *guard, const struct http1_head *head,
	const char **what);

#endif
