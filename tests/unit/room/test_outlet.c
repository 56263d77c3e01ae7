/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "room/outlet.h"
#include "wire/websocket.h"

#include <stdlib.h>

static void texts_of_all_lengths_are_walked(void **state) {
	(void)state;
	static const size_t lengths[] = {0, 1, 125, 126, 127, 65535, 65536, 70000};
	AUTO_TEXT struct text range = {0};
	text_init(&range, 0);
	char *filler = malloc(70000);
	assert_non_null(filler);
	for (size_t i = 0; i < COUNT_OF(lengths); i++) {
		memset(filler, 'a' + (int)i, lengths[i]);
		websocket_write(&range, WEBSOCKET_SERVER, WEBSOCKET_OP_TEXT, slice_make(filler, lengths[i]));
	}
	size_t at = 0, seen = 0;
	for (struct slice text; outlet_text(text_slice(&range), &at, &text); seen++) {
		assert_int_equal(text.length, lengths[seen]);
		if (text.length) assert_int_equal(text.bytes[text.length - 1], 'a' + (int)seen);
	}
	assert_int_equal(seen, COUNT_OF(lengths));
	assert_int_equal(at, range.length);
	free(filler);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(texts_of_all_lengths_are_walked)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
