/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest: the distance of Damerau and Levenshtein over short words. */
#include "cli/nearest.h"

#define LONGEST 64

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

unsigned nearest_distance(struct slice a, struct slice b, unsigned most) {
	unsigned rows[3][LONGEST + 1];
	if (a.length > LONGEST || b.length > LONGEST) return most + 1;
	for (unsigned j = 0; j <= b.length; j++) rows[0][j] = j;
	for (unsigned i = 1; i <= a.length; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *over = rows[(i + 1) % 3];
		row[0] = i;
		for (unsigned j = 1; j <= b.length; j++) {
			unsigned differs = a.bytes[i - 1] != b.bytes[j - 1];
			row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + differs);
			if (i > 1 && j > 1 && a.bytes[i - 1] == b.bytes[j - 2] && a.bytes[i - 2] == b.bytes[j - 1])
				row[j] = least(row[j], over[j - 2] + 1);
		}
	}
	return least(rows[a.length % 3][b.length], most + 1);
}

void nearest_init(struct nearest *nearest, struct slice meant) {
	unsigned beyond = meant.length < 4 ? 2 : meant.length < 8 ? 3
								  : 4;
	*nearest = (struct nearest){.meant = meant, .distance = beyond};
}

void nearest_try(struct nearest *nearest, const char *word) {
	unsigned distance = nearest_distance(nearest->meant, slice_of(word), nearest->distance);
	if (distance >= nearest->distance) return;
	nearest->distance = distance;
	nearest->best = word;
}
