/* SPDX-License-Identifier: Apache-2.0 */
/* Jwt keys: from JSON to keys. */
#include "auth/jwt_keys.h"

#include "base/secret.h"
#include "wire/scan.h"

#include <stdlib.h>

static const struct {
	const char *name;
	enum signature_scheme scheme;
	enum signature_kind kind;
} algorithms[JWT_ALGORITHMS] = {
	[JWT_HS256] = {"HS256", SIGNATURE_HMAC_SHA256, SIGNATURE_HMAC},
	[JWT_RS256] = {"RS256", SIGNATURE_RSA_SHA256, SIGNATURE_RSA},
	[JWT_PS256] = {"PS256", SIGNATURE_RSA_PSS_SHA256, SIGNATURE_RSA},
	[JWT_ES256] = {"ES256", SIGNATURE_ECDSA_SHA256, SIGNATURE_EC_P256},
	[JWT_EDDSA] = {"EdDSA", SIGNATURE_EDDSA, SIGNATURE_ED25519},
};

bool jwt_algorithm_read(struct slice text, enum jwt_algorithm *algorithm) {
	for (int which = 0; which < JWT_ALGORITHMS; which++) {
		if (!slice_is(text, algorithms[which].name)) continue;
		*algorithm = (enum jwt_algorithm)which;
		return true;
	}
	return false;
}

enum signature_scheme jwt_scheme(enum jwt_algorithm algorithm) { return algorithms[algorithm].scheme; }

void jwt_keys_free(struct jwt_keys *keys) {
	if (!keys) return;
	for (size_t i = 0; i < keys->count; i++) {
		signature_key_free(keys->list[i].key);
		free(keys->list[i].kid);
	}
	free(keys);
}
AUTO_RELEASE(jwt_keys, jwt_keys_free)

/* A member's characters, or SLICE_NONE. */
static struct slice member(const struct scan_value *key, const char *name, struct arena *arena) {
	struct scan_value value;
	struct slice string;
	if (!scan_find(key, name, &value) || !scan_string(&value, arena, &string)) return SLICE_NONE;
	return string;
}

/* The same, decoded from base64url. */
static struct slice octets(const struct scan_value *key, const char *name, struct arena *arena) {
	AUTO_TEXT struct text decoded = {0};
	struct slice copy;
	text_init(&decoded, 0);
	struct slice encoded = member(key, name, arena);
	if (!encoded.bytes || !secret_unbase64url(&decoded, encoded)) return SLICE_NONE;
	if (!arena_copy(arena, text_slice(&decoded), &copy)) return SLICE_NONE;
	return copy;
}

/* *key stays NULL for kinds that are left out. */
static bool read_key(const struct scan_value *jwk, struct arena *arena, struct signature_key **key,
	struct fault *why) {
	struct slice kind = member(jwk, "kty", arena), curve = member(jwk, "crv", arena);
	if (slice_is(member(jwk, "use", arena), "enc")) return true;
	if (slice_is(kind, "RSA"))
		*key = signature_key_rsa(octets(jwk, "n", arena), octets(jwk, "e", arena), why);
	else if (slice_is(kind, "EC") && slice_is(curve, "P-256"))
		*key = signature_key_p256(octets(jwk, "x", arena), octets(jwk, "y", arena), why);
	else if (slice_is(kind, "OKP") && slice_is(curve, "Ed25519"))
		*key = signature_key_ed25519(octets(jwk, "x", arena), why);
	else if (slice_is(kind, "oct"))
		*key = signature_key_secret(octets(jwk, "k", arena), why);
	else
		return true;
	return *key != NULL;
}

static bool add_key(struct jwt_keys *keys, const struct scan_value *jwk, struct arena *arena,
	struct fault *why) {
	struct jwt_key *place = &keys->list[keys->count];
	struct slice kid = member(jwk, "kid", arena), algorithm = member(jwk, "alg", arena);
	*place = (struct jwt_key){0};
	if (!read_key(jwk, arena, &place->key, why)) return false;
	if (!place->key) return true;
	keys->count++;
	if (kid.length && !(place->kid = slice_copy(kid)))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for keys");
	if (!algorithm.length) return true;
	place->has_algorithm = jwt_algorithm_read(algorithm, &place->algorithm);
	if (place->has_algorithm) return true;
	/* For an algorithm we do not speak: of no use. */
	signature_key_free(place->key);
	free(place->kid);
	keys->count--;
	return true;
}

static bool add_keys(struct jwt_keys *keys, const struct scan_value *list, struct arena *arena,
	struct fault *why) {
	struct scan_walk walk;
	struct scan_member element;
	scan_open(&walk, list);
	while (scan_next(&walk, &element)) {
		if (element.value.type != SCAN_OBJECT)
			return fault_set(why, FAULT_BAD_INPUT, "JWKS: keys must be objects");
		if (keys->count == JWT_KEYS)
			return fault_set(why, FAULT_TOO_LARGE, "JWKS: more than %d keys", JWT_KEYS);
		if (!add_key(keys, &element.value, arena, why)) return false;
	}
	return true;
}

struct jwt_keys *jwt_keys_read(struct slice document, struct fault *why) {
	struct scan_value root, list;
	struct scan_fault fault;
	struct arena arena;
	char lent[4096];
	if (!scan_check(document, SCAN_DEPTH, &root, &fault))
		return fault_null(why, FAULT_BAD_INPUT, "JWKS: octet %zu: %s", fault.offset, fault.what);
	if (!scan_find(&root, "keys", &list) || list.type != SCAN_ARRAY)
		return fault_null(why, FAULT_BAD_INPUT, "JWKS: it has no array `keys`");
	AUTO(jwt_keys) keys = calloc(1, sizeof *keys);
	if (!keys) return fault_null(why, FAULT_NO_MEMORY, "no memory for keys");
	arena_init(&arena, lent, sizeof lent, 1024 * 1024);
	bool is_read = add_keys(keys, &list, &arena, why);
	arena_finish(&arena);
	return is_read ? TAKE(keys) : NULL;
}

struct jwt_keys *jwt_keys_secret(struct slice secret, struct fault *why) {
	AUTO(jwt_keys) keys = calloc(1, sizeof *keys);
	if (!keys) return fault_null(why, FAULT_NO_MEMORY, "no memory for keys");
	keys->list[0].key = signature_key_secret(secret, why);
	if (!keys->list[0].key) return NULL;
	keys->count = 1;
	return TAKE(keys);
}

const struct jwt_key *jwt_keys_next(const struct jwt_keys *keys, struct slice kid,
	enum jwt_algorithm algorithm, size_t *at) {
	while (keys && *at < keys->count) {
		const struct jwt_key *key = &keys->list[(*at)++];
		if (signature_key_kind(key->key) != algorithms[algorithm].kind) continue;
		if (key->has_algorithm && key->algorithm != algorithm) continue;
		if (kid.length && (!key->kid || !slice_is(kid, key->kid))) continue;
		return key;
	}
	return NULL;
}
