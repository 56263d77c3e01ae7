/* SPDX-License-Identifier: Apache-2.0 */
#include "base/signer.h"

#include "check.h"

/* RFC 4231, test case 2. */
static void it_signs_as_the_standard_says(void **state) {
	(void)state;
	static const char wanted[] = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
	const struct slice parts[] = {SLICE("what do ya want "), SLICE(""), SLICE_NONE, SLICE("for nothing?")};
	uint8_t mac[SECRET_HASH_SIZE];
	char hex[2 * SECRET_HASH_SIZE + 1];
	AUTO(signer) signer = signer_open(SLICE("Jefe"), NULL);
	assert_non_null(signer);
	for (int round = 0; round < 3; round++) {
		assert_true(signer_sign(signer, parts, COUNT_OF(parts), mac));
		secret_hex(mac, sizeof mac, hex);
		assert_string_equal(hex, wanted);
	}
}

static void it_agrees_with_secret_sign_for_every_length(void **state) {
	(void)state;
	static char text[300];
	uint8_t one[SECRET_HASH_SIZE], other[SECRET_HASH_SIZE];
	struct slice key = SLICE("a key of some thirty-two octets..");
	AUTO(signer) signer = signer_open(key, NULL);
	for (size_t length = 0; length <= sizeof text; length++) {
		struct slice parts[] = {slice_make(text, length / 3), slice_make(text + length / 3, length - length / 3)};
		assert_true(signer_sign(signer, parts, 2, one));
		assert_true(secret_sign(key, slice_make(text, length), other));
		assert_memory_equal(one, other, sizeof one);
	}
}

static void without_a_key_there_is_none(void **state) {
	(void)state;
	struct fault why = {0};
	assert_null(signer_open(SLICE_NONE, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	signer_close(NULL);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_signs_as_the_standard_says),
		cmocka_unit_test(it_agrees_with_secret_sign_for_every_length),
		cmocka_unit_test(without_a_key_there_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
