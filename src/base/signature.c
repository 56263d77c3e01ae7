/* SPDX-License-Identifier: Apache-2.0 */
/* Signature: OpenSSL's EVP behind five schemes. */
#include "base/signature.h"

#include "base/secret.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <stdlib.h>

#define P256_OCTETS 32

struct signature_key {
	enum signature_kind kind;
	EVP_PKEY *public_key; /* NULL for secrets */
	size_t length;
	uint8_t secret[];
};

static struct signature_key *key_make(enum signature_kind kind, EVP_PKEY *public_key,
	struct slice secret, struct fault *why) {
	struct signature_key *key = malloc(sizeof *key + secret.length);
	if (!key) {
		EVP_PKEY_free(public_key);
		return fault_null(why, FAULT_NO_MEMORY, "no memory for a key");
	}
	key->kind = kind;
	key->public_key = public_key;
	key->length = secret.length;
	if (secret.length) memcpy(key->secret, secret.bytes, secret.length);
	return key;
}

void signature_key_free(struct signature_key *key) {
	if (!key) return;
	EVP_PKEY_free(key->public_key);
	secret_wipe(key->secret, key->length);
	free(key);
}

enum signature_kind signature_key_kind(const struct signature_key *key) { return key->kind; }

struct signature_key *signature_key_secret(struct slice secret, struct fault *why) {
	if (secret.length < 32)
		return fault_null(why, FAULT_BAD_INPUT, "a secret for HS256 has 32 octets or more");
	return key_make(SIGNATURE_HMAC, NULL, secret, why);
}

/* Takes the parameters. */
static EVP_PKEY *from_parameters(const char *type, OSSL_PARAM *parameters) {
	EVP_PKEY *key = NULL;
	EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
	if (context && parameters && EVP_PKEY_fromdata_init(context) == 1 &&
		EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
		key = NULL;
	EVP_PKEY_CTX_free(context);
	OSSL_PARAM_free(parameters);
	if (!key) ERR_clear_error();
	return key;
}

struct signature_key *signature_key_rsa(struct slice modulus, struct slice exponent,
	struct fault *why) {
	if (modulus.length < 256 || modulus.length > 1024 || exponent.length < 1 || exponent.length > 8)
		return fault_null(why, FAULT_BAD_INPUT, "an RSA key has 2048 to 8192 bits");
	BIGNUM *n = BN_bin2bn((const uint8_t *)modulus.bytes, (int)modulus.length, NULL);
	BIGNUM *e = BN_bin2bn((const uint8_t *)exponent.bytes, (int)exponent.length, NULL);
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	OSSL_PARAM *parameters = NULL;
	if (n && e && build && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
		OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e) == 1)
		parameters = OSSL_PARAM_BLD_to_param(build);
	bool is_sound = n && e && BN_num_bits(n) >= 2048 && BN_is_odd(e) && BN_num_bits(e) > 1;
	EVP_PKEY *key = from_parameters("RSA", parameters);
	OSSL_PARAM_BLD_free(build);
	BN_free(n);
	BN_free(e);
	if (!key || !is_sound) {
		EVP_PKEY_free(key);
		return fault_null(why, FAULT_BAD_INPUT, "n and e are no RSA key of 2048 to 8192 bits");
	}
	return key_make(SIGNATURE_RSA, key, SLICE_NONE, why);
}

struct signature_key *signature_key_p256(struct slice x, struct slice y, struct fault *why) {
	uint8_t point[1 + 2 * P256_OCTETS] = {4}; /* uncompressed */
	if (x.length != P256_OCTETS || y.length != P256_OCTETS)
		return fault_null(why, FAULT_BAD_INPUT, "x and y of a P-256 key have 32 octets");
	memcpy(point + 1, x.bytes, P256_OCTETS);
	memcpy(point + 1 + P256_OCTETS, y.bytes, P256_OCTETS);
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	OSSL_PARAM *parameters = NULL;
	if (build &&
		OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1 &&
		OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point) == 1)
		parameters = OSSL_PARAM_BLD_to_param(build);
	EVP_PKEY *key = from_parameters("EC", parameters);
	OSSL_PARAM_BLD_free(build);
	if (!key) return fault_null(why, FAULT_BAD_INPUT, "x and y are no point of P-256");
	return key_make(SIGNATURE_EC_P256, key, SLICE_NONE, why);
}

struct signature_key *signature_key_ed25519(struct slice x, struct fault *why) {
	EVP_PKEY *key = x.length == 32
		? EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, (const uint8_t *)x.bytes, x.length)
		: NULL;
	if (!key) return fault_null(why, FAULT_BAD_INPUT, "x of an Ed25519 key has 32 octets");
	return key_make(SIGNATURE_ED25519, key, SLICE_NONE, why);
}

static bool hmac_holds(const struct signature_key *key, struct slice text, struct slice signature) {
	uint8_t mac[SECRET_HASH_SIZE];
	if (signature.length != sizeof mac) return false;
	if (!secret_sign(slice_make(key->secret, key->length), text, mac)) return false;
	return secret_equal(mac, signature.bytes, sizeof mac);
}

static bool verify(const struct signature_key *key, bool has_digest, bool is_pss, struct slice text,
	struct slice signature) {
	EVP_PKEY_CTX *options = NULL;
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	bool holds = context && EVP_DigestVerifyInit(context, &options, has_digest ? EVP_sha256() : NULL, NULL, key->public_key) == 1;
	if (holds && is_pss)
		holds = EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1 &&
			EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1;
	holds = holds && EVP_DigestVerify(context, (const uint8_t *)signature.bytes, signature.length, (const uint8_t *)text.bytes, text.length) == 1;
	EVP_MD_CTX_free(context);
	if (!holds) ERR_clear_error(); /* a TLS connection of this thread would take it for its own */
	return holds;
}

/* r and s become the DER form that OpenSSL verifies. */
static bool ecdsa_holds(const struct signature_key *key, struct slice text, struct slice signature) {
	if (signature.length != 2 * P256_OCTETS) return false;
	const uint8_t *octets = (const uint8_t *)signature.bytes;
	uint8_t *der = NULL;
	int length = -1;
	ECDSA_SIG *pair = ECDSA_SIG_new();
	BIGNUM *r = BN_bin2bn(octets, P256_OCTETS, NULL);
	BIGNUM *s = BN_bin2bn(octets + P256_OCTETS, P256_OCTETS, NULL);
	if (pair && r && s && ECDSA_SIG_set0(pair, r, s) == 1) {
		r = s = NULL; /* the pair's now */
		length = i2d_ECDSA_SIG(pair, &der);
	}
	bool holds = length > 0 && verify(key, true, false, text, slice_make(der, (size_t)length));
	OPENSSL_free(der);
	BN_free(r);
	BN_free(s);
	ECDSA_SIG_free(pair);
	return holds;
}

bool signature_holds(const struct signature_key *key, enum signature_scheme scheme,
	struct slice text, struct slice signature) {
	switch (scheme) {
	case SIGNATURE_HMAC_SHA256:
		return key->kind == SIGNATURE_HMAC && hmac_holds(key, text, signature);
	case SIGNATURE_RSA_SHA256:
		return key->kind == SIGNATURE_RSA && verify(key, true, false, text, signature);
	case SIGNATURE_RSA_PSS_SHA256:
		return key->kind == SIGNATURE_RSA && verify(key, true, true, text, signature);
	case SIGNATURE_ECDSA_SHA256:
		return key->kind == SIGNATURE_EC_P256 && ecdsa_holds(key, text, signature);
	case SIGNATURE_EDDSA:
		return key->kind == SIGNATURE_ED25519 && verify(key, false, false, text, signature);
	}
	return false;
}
