/* SPDX-License-Identifier: Apache-2.0 */
#include "base/seal.h"

#include "base/ident.h"
#include "base/secret.h"

#include <limits.h>
#include <openssl/evp.h>

#define VERSION 1
#define NONCE 12
#define TAG 16

struct evp_cipher_ctx_st;
AUTO_RELEASE(evp_cipher_ctx_st, EVP_CIPHER_CTX_free)

bool seal_key(uint8_t key[SEAL_KEY], struct slice secret, const char *purpose) {
	char text[64] = "hustings seal ";
	size_t length = strlen(text), more = strlen(purpose);
	if (more >= sizeof text - length) return false;
	memcpy(text + length, purpose, more + 1);
	return secret_sign(secret, slice_of(text), key);
}

static bool add_about(EVP_CIPHER_CTX *context, struct slice about,
	int (*update)(EVP_CIPHER_CTX *, unsigned char *, int *, const unsigned char *, int)) {
	int done;
	if (about.length > INT_MAX) return false;
	return !about.length || update(context, NULL, &done, (const unsigned char *)about.bytes, (int)about.length) == 1;
}

bool seal_close(struct text *to, const uint8_t key[SEAL_KEY], struct slice about, struct slice text) {
	AUTO(evp_cipher_ctx_st) context = EVP_CIPHER_CTX_new();
	uint8_t head[1 + NONCE] = {VERSION};
	int done = 0, rest = 0;
	size_t before = to->length;
	if (!context || text.length > INT_MAX - SEAL_MORE) return false;
	ident_random(head + 1, NONCE);
	text_reserve(to, text.length + SEAL_MORE);
	text_add(to, slice_make(head, sizeof head));
	if (text_failed(to) || EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, head + 1) != 1 ||
		!add_about(context, about, EVP_EncryptUpdate))
		return false;
	uint8_t *body = (uint8_t *)to->bytes + before + sizeof head;
	if (text.length && EVP_EncryptUpdate(context, body, &done, (const unsigned char *)text.bytes, (int)text.length) != 1) return false;
	if (EVP_EncryptFinal_ex(context, body + done, &rest) != 1 ||
		EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG, body + text.length) != 1)
		return false;
	to->length = before + text.length + SEAL_MORE;
	to->bytes[to->length] = '\0';
	return true;
}

bool seal_open(struct text *to, const uint8_t key[SEAL_KEY], struct slice about, struct slice sealed,
	struct fault *why) {
	AUTO(evp_cipher_ctx_st) context = EVP_CIPHER_CTX_new();
	const uint8_t *octets = (const uint8_t *)sealed.bytes;
	int done = 0, rest = 0;
	size_t before = to->length;
	if (!context) return fault_set(why, FAULT_NO_MEMORY, "no memory to open what is sealed");
	if (sealed.length < SEAL_MORE || sealed.length > INT_MAX || octets[0] != VERSION)
		return fault_set(why, FAULT_BAD_INPUT, "this is nothing that was sealed here");
	size_t length = sealed.length - SEAL_MORE;
	uint8_t tag[TAG];
	memcpy(tag, octets + 1 + NONCE + length, TAG);
	text_reserve(to, length + 1);
	if (text_failed(to)) return fault_set(why, FAULT_NO_MEMORY, "no memory to open what is sealed");
	uint8_t *body = (uint8_t *)to->bytes + before;
	bool is_sound = EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, octets + 1) == 1 &&
		add_about(context, about, EVP_DecryptUpdate) &&
		(!length || EVP_DecryptUpdate(context, body, &done, octets + 1 + NONCE, (int)length) == 1) &&
		EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, TAG, tag) == 1 &&
		EVP_DecryptFinal_ex(context, body + done, &rest) == 1;
	if (!is_sound) secret_wipe(body, length);
	if (is_sound) to->length = before + length;
	to->bytes[to->length] = '\0';
	return is_sound || fault_set(why, FAULT_BAD_INPUT, "what is sealed was changed, or is of another key");
}
