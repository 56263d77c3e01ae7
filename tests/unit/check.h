/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Check: cmocka with the headers it wants before it, and the comparisons it lacks.
 */
#ifndef HUSTINGS_TESTS_CHECK_H
#define HUSTINGS_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

/* The slice's octets are the string's. */
#define check_slice(got, string) \
	do { \
		struct slice checked_ = (got); \
		const char *wanted_ = (string); \
		assert_int_equal(checked_.length, strlen(wanted_)); \
		if (checked_.length) assert_memory_equal(checked_.bytes, wanted_, checked_.length); \
	} while (0)

/* What a builder holds, which has not failed. */
#define check_text(text, string) \
	do { \
		assert_false(text_failed(text)); \
		check_slice(text_slice(text), string); \
	} while (0)

#endif
