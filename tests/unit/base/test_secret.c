/* SPDX-License-Identifier: Apache-2.0 */
#include "base/secret.h"

#include <stdlib.h>

#include "check.h"

static void check_hex(const uint8_t *octets, size_t length, const char *wanted) {
	char text[2 * 64 + 1];
	secret_hex(octets, length, text);
	assert_string_equal(text, wanted);
}

static void sha_256_agrees_with_fips_180(void **state) {
	(void)state;
	uint8_t hash[SECRET_HASH_SIZE];
	assert_true(secret_hash(SLICE("abc"), hash));
	check_hex(hash, sizeof(hash),
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_true(secret_hash(SLICE_NONE, hash));
	check_hex(hash, sizeof(hash),
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void parts_hash_as_their_whole(void **state) {
	(void)state;
	uint8_t whole[SECRET_HASH_SIZE], parts[SECRET_HASH_SIZE];
	const struct slice pieces[] = {SLICE("a"), SLICE_NONE, SLICE("bc"), SLICE("")};
	assert_true(secret_hash(SLICE("abc"), whole));
	assert_true(secret_hash_parts(pieces, COUNT_OF(pieces), parts));
	assert_memory_equal(whole, parts, sizeof(whole));
	assert_true(secret_hash_parts(NULL, 0, parts));
	assert_memory_not_equal(whole, parts, sizeof(whole));
}

static void hmac_agrees_with_rfc_4231(void **state) {
	(void)state;
	uint8_t mac[SECRET_HASH_SIZE];
	assert_true(secret_sign(SLICE("Jefe"), SLICE("what do ya want for nothing?"), mac));
	check_hex(mac, sizeof(mac), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	assert_true(secret_sign(SLICE_NONE, SLICE_NONE, mac));
	check_hex(mac, sizeof(mac), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

static void sha_1_makes_the_accept_key_of_rfc_6455(void **state) {
	(void)state;
	uint8_t digest[20];
	AUTO_TEXT struct text key = {0};
	text_init(&key, 0);
	assert_true(secret_sha1(SLICE("dGhlIHNhbXBsZSBub25jZQ=="
				      "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"),
		digest));
	secret_base64(&key, slice_make(digest, sizeof(digest)));
	check_text(&key, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

static void comparisons_see_every_octet(void **state) {
	(void)state;
	char a[32] = {0}, b[32] = {0};
	assert_true(secret_equal(a, b, sizeof(a)));
	assert_true(secret_equal(a, b, 0));
	for (size_t i = 0; i < sizeof(a); i++) {
		b[i] = 1;
		assert_false(secret_equal(a, b, sizeof(a)));
		b[i] = 0;
	}
}

static void wiped_octets_are_gone(void **state) {
	(void)state;
	static const char zeros[8];
	char octets[8] = "secret!";
	secret_wipe(octets, sizeof(octets));
	assert_memory_equal(octets, zeros, sizeof(octets));
	secret_free(slice_copy(SLICE("token")));
	secret_free(NULL);
}

static void hexadecimal_is_read_whole_or_not(void **state) {
	(void)state;
	uint8_t octets[3] = {9, 9, 9};
	assert_true(secret_unhex(SLICE("00fFa5"), octets, 3));
	check_hex(octets, 3, "00ffa5");
	assert_false(secret_unhex(SLICE("00ff"), octets, 3));
	assert_false(secret_unhex(SLICE("00ffa"), octets, 3));
	assert_false(secret_unhex(SLICE("1122g3"), octets, 3));
	assert_false(secret_unhex(SLICE("1122 3"), octets, 3));
	check_hex(octets, 3, "00ffa5");
	assert_true(secret_unhex(SLICE_NONE, octets, 0));
}

static const struct {
	const char *octets, *standard, *for_urls;
} rfc_4648[] = {
	{"", "", ""},
	{"f", "Zg==", "Zg"},
	{"fo", "Zm8=", "Zm8"},
	{"foo", "Zm9v", "Zm9v"},
	{"foob", "Zm9vYg==", "Zm9vYg"},
	{"fooba", "Zm9vYmE=", "Zm9vYmE"},
	{"foobar", "Zm9vYmFy", "Zm9vYmFy"},
	{"\xfb\xff\xfe", "+//+", "-__-"},
};

static void base64_agrees_with_rfc_4648(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(rfc_4648); i++) {
		AUTO_TEXT struct text text = {0};
		text_init(&text, 0);
		secret_base64(&text, slice_of(rfc_4648[i].octets));
		check_text(&text, rfc_4648[i].standard);
		text_clear(&text);
		secret_base64url(&text, slice_of(rfc_4648[i].octets));
		check_text(&text, rfc_4648[i].for_urls);
		text_clear(&text);
		assert_true(secret_unbase64(&text, slice_of(rfc_4648[i].standard)));
		check_text(&text, rfc_4648[i].octets);
		text_clear(&text);
		assert_true(secret_unbase64url(&text, slice_of(rfc_4648[i].for_urls)));
		check_text(&text, rfc_4648[i].octets);
	}
}

static void base64_has_one_form_only(void **state) {
	(void)state;
	static const char *const standard[] = {"Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm9v=", "=", "====",
		"Z", "Z===", "Zm9v\n", "Zm 9", "-__-", "Zg==Zg==", "Z=g="};
	static const char *const for_urls[] = {"Zg==", "Zh", "Zm9", "Z", "Zm9vZ", "+//+", "Zm9v ", "."};
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_add_cstr(&text, "kept");
	for (size_t i = 0; i < COUNT_OF(standard); i++)
		assert_false(secret_unbase64(&text, slice_of(standard[i])));
	for (size_t i = 0; i < COUNT_OF(for_urls); i++)
		assert_false(secret_unbase64url(&text, slice_of(for_urls[i])));
	check_text(&text, "kept");
}

static void base64_goes_round_at_every_length(void **state) {
	(void)state;
	char octets[256];
	for (size_t i = 0; i < sizeof(octets); i++) octets[i] = (char)i;
	for (size_t length = 0; length <= sizeof(octets); length++) {
		AUTO_TEXT struct text text = {0}, back = {0};
		text_init(&text, 0);
		text_init(&back, 0);
		secret_base64url(&text, slice_make(octets, length));
		assert_true(secret_unbase64url(&back, text_slice(&text)));
		assert_true(slice_equal(text_slice(&back), slice_make(octets, length)));
	}
}

static void a_full_builder_refuses_what_it_cannot_hold(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 4);
	assert_false(secret_unbase64(&text, SLICE("Zm9vYmFy")));
	assert_true(text_failed(&text));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sha_256_agrees_with_fips_180),
		cmocka_unit_test(parts_hash_as_their_whole),
		cmocka_unit_test(hmac_agrees_with_rfc_4231),
		cmocka_unit_test(sha_1_makes_the_accept_key_of_rfc_6455),
		cmocka_unit_test(comparisons_see_every_octet),
		cmocka_unit_test(wiped_octets_are_gone),
		cmocka_unit_test(hexadecimal_is_read_whole_or_not),
		cmocka_unit_test(base64_agrees_with_rfc_4648),
		cmocka_unit_test(base64_has_one_form_only),
		cmocka_unit_test(base64_goes_round_at_every_length),
		cmocka_unit_test(a_full_builder_refuses_what_it_cannot_hold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
