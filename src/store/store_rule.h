/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Store rule: how long a store keeps things, and how surely: what its options and its rooms say.
 */
#ifndef HUSTINGS_STORE_STORE_RULE_H
#define HUSTINGS_STORE_STORE_RULE_H

#include "base/dialect.h"

enum store_durability {
	STORE_PROCESS,
	STORE_POWER
};

/* What a topic keeps; 0: no such bound. */
struct store_retention {
	int64_t age_ms;
	int64_t count;
	int64_t bytes;
};

/* The retention of a topic, asked on the store's thread: must not change while the store is open
 * except through store_retain(). */
struct store_rule {
	char topic[136]; /* a name, or a pattern with one * at its end */
	struct store_retention retention;
};

#endif
