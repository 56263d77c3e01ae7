/* SPDX-License-Identifier: Apache-2.0 */
/* Secret: one-shot uses of OpenSSL's digests; hexadecimal and Base64 without its BIOs. */
#include "base/secret.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>

struct evp_md_ctx_st;
AUTO_RELEASE(evp_md_ctx_st, EVP_MD_CTX_free)

bool secret_hash(struct slice text, uint8_t hash[SECRET_HASH_SIZE]) {
	return secret_hash_parts(&text, 1, hash);
}

bool secret_hash_parts(const struct slice *parts, size_t count, uint8_t hash[SECRET_HASH_SIZE]) {
	uint8_t digest[SECRET_HASH_SIZE];
	AUTO(evp_md_ctx_st) context = EVP_MD_CTX_new();
	if (!context || EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1) return false;

	for (size_t i = 0; i < count; i++) {
		if (!parts[i].length) continue;
		if (EVP_DigestUpdate(context, parts[i].bytes, parts[i].length) != 1) return false;
	}
	if (EVP_DigestFinal_ex(context, digest, NULL) != 1) return false;
	memcpy(hash, digest, sizeof(digest));
	return true;
}

bool secret_sign(struct slice key, struct slice text, uint8_t mac[SECRET_HASH_SIZE]) {
	uint8_t made[EVP_MAX_MD_SIZE];
	unsigned length = 0;
	const unsigned char *octets = (const unsigned char *)(text.bytes ? text.bytes : "");
	if (key.length > INT_MAX) return false;
	if (!HMAC(EVP_sha256(), key.bytes ? key.bytes : "", (int)key.length, octets, text.length, made,
		    &length))
		return false;
	if (length != SECRET_HASH_SIZE) return false;
	memcpy(mac, made, SECRET_HASH_SIZE);
	return true;
}

bool secret_sha1(struct slice text, uint8_t digest[20]) {
	uint8_t made[EVP_MAX_MD_SIZE];
	unsigned length = 0;
	if (EVP_Digest(text.bytes ? text.bytes : "", text.length, made, &length, EVP_sha1(), NULL) != 1)
		return false;
	if (length != 20) return false;
	memcpy(digest, made, 20);
	return true;
}

bool secret_equal(const void *a, const void *b, size_t length) {
	return CRYPTO_memcmp(a, b, length) == 0;
}

void secret_wipe(void *octets, size_t length) {
	OPENSSL_cleanse(octets, length);
}

void secret_free(char *text) {
	if (!text) return;
	OPENSSL_cleanse(text, strlen(text));
	free(text);
}

void secret_hex(const uint8_t *octets, size_t length, char *text) {
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < length; i++) {
		*text++ = digits[octets[i] >> 4];
		*text++ = digits[octets[i] & 15];
	}
	*text = '\0';
}

static int hex_value(char digit) {
	if (digit >= '0' && digit <= '9') return digit - '0';
	if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
	if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
	return -1;
}

bool secret_unhex(struct slice text, uint8_t *octets, size_t length) {
	if (text.length % 2 || text.length / 2 != length) return false;
	for (size_t i = 0; i < text.length; i++)
		if (hex_value(text.bytes[i]) < 0) return false;

	for (size_t i = 0; i < length; i++) {
		int high = hex_value(text.bytes[2 * i]);
		int low = hex_value(text.bytes[2 * i + 1]);
		octets[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

/* The two alphabets differ in the last two digits only. */
struct alphabet {
	char digit62, digit63;
	bool is_padded;
};

static const struct alphabet standard = {'+', '/', true};
static const struct alphabet for_urls = {'-', '_', false};

static char base64_digit(const struct alphabet *alphabet, unsigned value) {
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	value &= 63;
	if (value == 62) return alphabet->digit62;
	if (value == 63) return alphabet->digit63;
	return digits[value];
}

static int base64_value(const struct alphabet *alphabet, char digit) {
	if (digit >= 'A' && digit <= 'Z') return digit - 'A';
	if (digit >= 'a' && digit <= 'z') return digit - 'a' + 26;
	if (digit >= '0' && digit <= '9') return digit - '0' + 52;
	if (digit == alphabet->digit62) return 62;
	if (digit == alphabet->digit63) return 63;
	return -1;
}

static void base64_write(struct text *to, struct slice octets, const struct alphabet *alphabet) {
	for (size_t at = 0; at < octets.length && !text_failed(to); at += 3) {
		const unsigned char *in = (const unsigned char *)octets.bytes + at;
		size_t left = octets.length - at < 3 ? octets.length - at : 3;
		unsigned bits = (unsigned)in[0] << 16;
		if (left > 1) bits |= (unsigned)in[1] << 8;
		if (left > 2) bits |= in[2];

		char group[4] = {'=', '=', '=', '='};
		for (size_t i = 0; i <= left; i++)
			group[i] = base64_digit(alphabet, bits >> (18 - 6 * i));
		text_add(to, slice_make(group, alphabet->is_padded ? 4 : left + 1));
	}
}

/* Two to four digits; bits that stand for no octet must be zero, so that every text of octets has
 * exactly one form. */
static bool base64_group(struct text *to, struct slice digits, const struct alphabet *alphabet) {
	unsigned bits = 0;
	if (digits.length < 2) return false;
	for (size_t i = 0; i < 4; i++) {
		int value = i < digits.length ? base64_value(alphabet, digits.bytes[i]) : 0;
		if (value < 0) return false;
		bits = bits << 6 | (unsigned)value;
	}
	size_t count = digits.length - 1;
	if (bits & (0xffffffu >> (8 * count))) return false;
	char octets[3] = {(char)(bits >> 16), (char)(bits >> 8), (char)bits};
	text_add(to, slice_make(octets, count));
	return true;
}

static bool base64_read(struct text *to, struct slice text, const struct alphabet *alphabet) {
	size_t before = to->length;
	if (alphabet->is_padded) {
		if (text.length % 4) return false;
		for (int i = 0; i < 2 && text.length && text.bytes[text.length - 1] == '='; i++)
			text.length--;
	}
	while (text.length && !text_failed(to)) {
		size_t count = text.length < 4 ? text.length : 4;
		if (!base64_group(to, slice_make(text.bytes, count), alphabet)) {
			to->length = before; /* nothing of a text that is refused stays */
			if (to->bytes) to->bytes[before] = '\0';
			return false;
		}
		text = slice_make(text.bytes + count, text.length - count);
	}
	return !text_failed(to);
}

void secret_base64(struct text *to, struct slice octets) {
	base64_write(to, octets, &standard);
}

void secret_base64url(struct text *to, struct slice octets) {
	base64_write(to, octets, &for_urls);
}

bool secret_unbase64(struct text *to, struct slice text) {
	return base64_read(to, text, &standard);
}

bool secret_unbase64url(struct text *to, struct slice text) {
	return base64_read(to, text, &for_urls);
}
