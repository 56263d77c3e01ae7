/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scan value: a piece of JSON as it stands in the text, and what may be wrong with one (wire/scan.h).
 */
#ifndef HUSTINGS_WIRE_SCAN_VALUE_H
#define HUSTINGS_WIRE_SCAN_VALUE_H

#include "base/slice.h"

enum scan_type {
	SCAN_NONE,
	SCAN_NULL,
	SCAN_BOOLEAN,
	SCAN_NUMBER,
	SCAN_STRING,
	SCAN_ARRAY,
	SCAN_OBJECT,
};

/* A value as it stands: a string's span includes its quotes. */
struct scan_value {
	struct slice text;
	enum scan_type type;
	bool escaped; /* a string with at least one backslash */
};

enum scan_error {
	SCAN_FINE,
	SCAN_SYNTAX,
	SCAN_UTF8,
	SCAN_DEEP,
	SCAN_MANY,
	SCAN_NOT_OBJECT, /* sound JSON, but scan_object() wants an object */
};

#endif
