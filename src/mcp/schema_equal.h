/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema equal: values of JSON compared as JSON Schema wants it: 1 and 1.0 are equal, members have no
 * order, escapes are read. The values are text that wire/scan has checked; nothing is copied. Plain
 * functions, any thread.
 *
 * What can take long takes from *steps; where they run out they are 0 and the answer means nothing.
 */
#ifndef HUSTINGS_MCP_SCHEMA_EQUAL_H
#define HUSTINGS_MCP_SCHEMA_EQUAL_H

#include "wire/scan_value.h"

/* False: there were not so many; now there are none. */
static inline bool schema_steps_take(uint64_t *steps, uint64_t some) {
	bool is_enough = *steps > some;
	*steps = is_enough ? *steps - some : 0;
	return is_enough;
}

bool schema_equal(const struct scan_value *a, const struct scan_value *b, uint64_t *steps);
/* The same for values that are equal. */
uint64_t schema_hash(const struct scan_value *value, uint64_t *steps);
/* Characters of a string: code points, not octets. */
size_t schema_length(const struct scan_value *string);
/* The first member whose key, escapes read, is `name`. */
bool schema_member_find(const struct scan_value *object, struct slice name,
	struct scan_value *value, uint64_t *steps);

#endif
