/* SPDX-License-Identifier: Apache-2.0 */
/* Error lines: a token bucket in thousandths of a line, which is lines per second times ms. */
#include "net/error_lines.h"

#define FULL ((uint64_t)ERROR_LINES_BURST * 1000)

void error_lines_init(struct error_lines *lines, uint64_t now) {
	*lines = (struct error_lines){.tokens = FULL, .at = now};
}

bool error_lines_allow(struct error_lines *lines, uint64_t now, uint64_t *left_out) {
	uint64_t passed = now > lines->at ? now - lines->at : 0;
	uint64_t most = FULL / ERROR_LINES_PER_SECOND;
	uint64_t gained = (passed < most ? passed : most) * ERROR_LINES_PER_SECOND;
	lines->at = now;
	lines->tokens = lines->tokens + gained < FULL ? lines->tokens + gained : FULL;
	*left_out = 0;
	if (lines->tokens < 1000) {
		lines->left_out++;
		return false;
	}

	lines->tokens -= 1000;
	*left_out = error_lines_take(lines);
	return true;
}

uint64_t error_lines_take(struct error_lines *lines) {
	uint64_t left_out = lines->left_out;
	lines->left_out = 0;
	return left_out;
}
