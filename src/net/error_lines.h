/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Error lines: how many lines of a child's stderr are told: a burst, then so many a second; what is
 * left out is counted and told as one line. Plain value, no clock of its own.
 */
#ifndef HUSTINGS_NET_ERROR_LINES_H
#define HUSTINGS_NET_ERROR_LINES_H

#include "base/dialect.h"

#define ERROR_LINES_BURST 400
#define ERROR_LINES_PER_SECOND 100
#define ERROR_LINES_LENGTH 8192 /* octets of one; its rest is left out */

struct error_lines {
	uint64_t tokens; /* thousandths of a line */
	uint64_t at;     /* ms */
	uint64_t left_out;
};

void error_lines_init(struct error_lines *lines, uint64_t now);
/* Whether one more may be told. `left_out`: how many were not since the last one (else 0); they are
 * told first. */
bool error_lines_allow(struct error_lines *lines, uint64_t now, uint64_t *left_out);
/* How many were left out since; the count starts anew. */
uint64_t error_lines_take(struct error_lines *lines);

#endif
