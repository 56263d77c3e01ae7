/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bench stdio: an MCP server started as a child of this process, one JSON-RPC message a line: what
 * a call costs with nothing in between. Owned: bench_stdio_close(), which ends the child.
 */
#ifndef HUSTINGS_CLI_BENCH_STDIO_H
#define HUSTINGS_CLI_BENCH_STDIO_H

#include "base/fault.h"
#include "base/text.h"

typedef void bench_stdio_heard(void *context, struct slice line, uint64_t now_us);

struct bench_stdio {
	int process; /* 0: none */
	int input, output;
	struct text partial; /* a line that is not whole */
	char *buffer;
	bench_stdio_heard *heard;
	void *context;
};

bool bench_stdio_open(struct bench_stdio *stdio, char **command, struct fault *why) MUST_USE;
void bench_stdio_close(struct bench_stdio *stdio);
/* The message and a line end. */
bool bench_stdio_send(struct bench_stdio *stdio, struct slice message, struct fault *why) MUST_USE;
/* One round of waiting and reading. */
bool bench_stdio_step(struct bench_stdio *stdio, int wait_ms, struct fault *why) MUST_USE;

#endif
