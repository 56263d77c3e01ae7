/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a bearer read as a JWT, and its claims read as if the signature had held, never touch
 * what is not theirs; a principal that comes of it keeps the rules of its own making.
 */
#include "auth/jwt_claims.h"
#include "base/ident.h"

#include <stdlib.h>

#define MUST(what) \
	do { \
		if (!(what)) abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_topics(struct slice topics) {
	struct slice part;
	while (slice_split(&topics, '\n', &part)) {
		if (part.length > 1 && part.bytes[part.length - 1] == '*') part.length--;
		MUST(ident_is_topic(part));
	}
}

static void check_claims(const struct jwt_token *token, struct arena *arena) {
	static const struct jwt_settings settings = {.claim_admin = "admin", .leeway_ms = 30000};
	struct fault why = {0};
	AUTO(principal) principal = jwt_claims_principal(token, &settings, 1700000000000, arena, &why);
	if (!principal) {
		MUST(why.code == FAULT_REFUSED && why.text[0]);
		return;
	}
	struct slice topics = principal_text(principal, PRINCIPAL_TOPICS);
	MUST(ident_is_identity(principal->id));
	MUST(principal_text(principal, PRINCIPAL_NAME).length <= 256);
	MUST(principal->expires_at > 1700000000000);
	if (topics.length) check_topics(topics);
}

/* The input is a token; and its octets are claims. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static char lent[32 * 1024];
	struct arena arena;
	struct jwt_token token = {0};
	struct fault why = {0};
	arena_init(&arena, lent, sizeof lent, 256 * 1024);
	if (jwt_token_read(&token, slice_make(data, size), &arena, &why)) {
		MUST(token.algorithm < JWT_ALGORITHMS && token.signature.length > 0);
		MUST(token.signed_text.length < size && token.signed_text.bytes == (const char *)data);
		check_claims(&token, &arena);
	} else {
		MUST(why.code == FAULT_REFUSED);
	}
	struct jwt_token claims = {.payload = slice_make(data, size)};
	arena_reset(&arena);
	check_claims(&claims, &arena);
	arena_finish(&arena);
	return 0;
}
