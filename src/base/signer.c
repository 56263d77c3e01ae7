/* SPDX-License-Identifier: Apache-2.0 */
/* Signer: a context that goes back to its beginning for each text. */
#include "base/signer.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>

/* It is OpenSSL's own context under another name. */
static EVP_MAC_CTX *context_of(struct signer *signer) { return (EVP_MAC_CTX *)signer; }

struct signer *signer_open(struct slice key, struct fault *why) {
	char digest[] = "SHA256";
	OSSL_PARAM parameters[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
	if (key.length == 0) return fault_null(why, FAULT_BAD_INPUT, "a key for signatures is empty");
	EVP_MAC *kind = EVP_MAC_fetch(NULL, "HMAC", NULL);
	EVP_MAC_CTX *context = kind ? EVP_MAC_CTX_new(kind) : NULL;
	EVP_MAC_free(kind);
	if (context && EVP_MAC_init(context, (const unsigned char *)key.bytes, key.length, parameters))
		return (struct signer *)context;
	EVP_MAC_CTX_free(context);
	return fault_null(why, FAULT_NO_MEMORY, "no memory for a key's signatures");
}

void signer_close(struct signer *signer) { EVP_MAC_CTX_free(context_of(signer)); }

bool signer_sign(struct signer *signer, const struct slice *parts, size_t count,
	uint8_t mac[SECRET_HASH_SIZE]) {
	EVP_MAC_CTX *context = context_of(signer);
	uint8_t made[SECRET_HASH_SIZE];
	size_t length = 0;
	if (!EVP_MAC_init(context, NULL, 0, NULL)) return false;
	for (size_t i = 0; i < count; i++)
		if (parts[i].length &&
			!EVP_MAC_update(context, (const unsigned char *)parts[i].bytes, parts[i].length))
			return false;
	if (!EVP_MAC_final(context, made, &length, sizeof made) || length != sizeof made) return false;
	memcpy(mac, made, sizeof made);
	return true;
}
