/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a JWKS document becomes keys or a fault; whatever key comes of it is found by its kid
 * and algorithm, and verifies nothing by chance.
 */
#include "auth/jwt_keys.h"

#include <stdlib.h>

#define MUST(what) \
	do { \
		if (!(what)) abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_key(const struct jwt_keys *keys, const struct jwt_key *key) {
	static const char zeros[64];
	for (int algorithm = 0; algorithm < JWT_ALGORITHMS; algorithm++) {
		const struct jwt_key *found;
		struct slice kid = slice_of(key->kid);
		for (size_t at = 0; (found = jwt_keys_next(keys, kid, (enum jwt_algorithm)algorithm, &at));) {
			MUST(!found->has_algorithm || found->algorithm == (enum jwt_algorithm)algorithm);
			MUST(!kid.length || slice_is(kid, found->kid));
		}
		MUST(!signature_holds(key->key, jwt_scheme((enum jwt_algorithm)algorithm), SLICE("text"),
			slice_make(zeros, algorithm == JWT_HS256 ? 32 : 64)));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct fault why = {0};
	struct jwt_keys *keys = jwt_keys_read(slice_make(data, size), &why);
	if (!keys) {
		MUST(why.code == FAULT_BAD_INPUT || why.code == FAULT_TOO_LARGE);
		return 0;
	}
	MUST(keys->count <= JWT_KEYS);
	for (size_t i = 0; i < keys->count; i++) check_key(keys, &keys->list[i]);
	jwt_keys_free(keys);
	return 0;
}
