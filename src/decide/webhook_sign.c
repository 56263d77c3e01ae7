/* SPDX-License-Identifier: Apache-2.0 */
/* Webhook sign: what is signed is put together once. */
#include "decide/webhook_sign.h"

#include "base/secret.h"

bool webhook_key(struct slice secret, size_t least, struct text *key, struct fault *why) {
	static const char prefix[] = "whsec_";
	if (slice_starts_with(secret, prefix)) {
		size_t length = sizeof prefix - 1;
		if (!secret_unbase64(key, slice_make(secret.bytes + length, secret.length - length)))
			return fault_set(why, FAULT_BAD_INPUT, "decide.webhook_secret: what stands behind whsec_ is no Base64");
	} else {
		text_add(key, secret);
	}
	if (text_failed(key)) return fault_set(why, FAULT_NO_MEMORY, "no memory for the webhook's secret");
	if (key->length < least)
		return fault_set(why, FAULT_BAD_INPUT,
			"decide.webhook_secret: %zu octets, at least %zu: `openssl rand -base64 24` behind whsec_ makes one",
			key->length, least);
	return true;
}

bool webhook_sign(struct slice key, struct slice id, int64_t seconds, struct slice body,
	struct text *signature) {
	uint8_t mac[SECRET_HASH_SIZE];
	AUTO_TEXT struct text signed_text = {0};
	text_init(&signed_text, 0);
	text_add(&signed_text, id);
	text_add_char(&signed_text, '.');
	text_number(&signed_text, seconds);
	text_add_char(&signed_text, '.');
	text_add(&signed_text, body);
	if (text_failed(&signed_text) || !secret_sign(key, text_slice(&signed_text), mac)) return false;
	text_add_cstr(signature, "v1,");
	secret_base64(signature, slice_make(mac, sizeof mac));
	return !text_failed(signature);
}
