/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "base/seal.h"

static void what_was_sealed_opens(void **state) {
	(void)state;
	static const char *const texts[] = {"", "x", "{\"answer\":\"my secret\"}"};
	uint8_t key[SEAL_KEY];
	struct fault why;
	assert_true(seal_key(key, SLICE("the house's own"), "flow"));
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		AUTO_TEXT struct text sealed = {0}, again = {0}, other = {0};
		assert_true(seal_close(&sealed, key, SLICE("session_1"), slice_of(texts[i])));
		assert_int_equal(sealed.length, strlen(texts[i]) + SEAL_MORE);
		if (texts[i][0]) assert_null(memmem(sealed.bytes, sealed.length, "secret", 6));
		assert_true(seal_open(&again, key, SLICE("session_1"), text_slice(&sealed), &why));
		assert_int_equal(again.length, strlen(texts[i]));
		assert_memory_equal(again.bytes, texts[i], again.length);
		assert_true(seal_close(&other, key, SLICE("session_1"), slice_of(texts[i])));
		assert_memory_not_equal(sealed.bytes, other.bytes, sealed.length); /* no nonce comes twice */
	}
}

static void what_was_changed_does_not(void **state) {
	(void)state;
	uint8_t key[SEAL_KEY], another[SEAL_KEY];
	struct fault why;
	AUTO_TEXT struct text sealed = {0}, opened = {0};
	text_add_cstr(&opened, "before");
	assert_true(seal_key(key, SLICE("the house's own"), "flow"));
	assert_true(seal_key(another, SLICE("the house's own"), "other"));
	assert_true(seal_close(&sealed, key, SLICE("session_1"), SLICE("some text")));
	for (size_t i = 0; i < sealed.length; i++) {
		sealed.bytes[i] ^= 1;
		assert_false(seal_open(&opened, key, SLICE("session_1"), text_slice(&sealed), &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
		sealed.bytes[i] ^= 1;
	}
	for (size_t i = 0; i < sealed.length; i++)
		assert_false(seal_open(&opened, key, SLICE("session_1"), slice_make(sealed.bytes, i), &why));
	assert_false(seal_open(&opened, key, SLICE("session_2"), text_slice(&sealed), &why));
	assert_false(seal_open(&opened, another, SLICE("session_1"), text_slice(&sealed), &why));
	check_text(&opened, "before");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_sealed_opens),
		cmocka_unit_test(what_was_changed_does_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
