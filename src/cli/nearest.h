/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest: which known word somebody meant. */
#ifndef HUSTINGS_CLI_NEAREST_H
#define HUSTINGS_CLI_NEAREST_H

#include "base/text.h"

/* How many letters differ (a swap of neighbours is one); more than `most`: most + 1. */
unsigned nearest_distance(struct slice a, struct slice b, unsigned most);

struct nearest {
	struct slice meant;
	const char *best; /* NULL: nothing is near enough */
	unsigned distance;
};
void nearest_init(struct nearest *nearest, struct slice meant);
void nearest_try(struct nearest *nearest, const char *word);

#endif
