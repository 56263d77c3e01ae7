/* SPDX-License-Identifier: Apache-2.0 */
/* Bench run: what all benchmarks share: their common options, the server's usage, the report. */
#ifndef HUSTINGS_CLI_BENCH_RUN_H
#define HUSTINGS_CLI_BENCH_RUN_H

#include "cli/bench_peers.h"
#include "cli/bench_process.h"
#include "cli/bench_report.h"
#include "cli/command.h"

#define BENCH_COMMON_OPTIONS \
	{"url", "URL", "the gateway: ws://HOST:PORT (required); a path other than /v0/ws may follow"}, \
		{"token", "TOKEN", "a token for all peers; default: open mode, each peer names itself"}, \
	{ "pid", "PID", "the server's process: its CPU time and memory are printed" }

struct bench_run {
	struct command_line line;
	struct bench_peers peers;
	struct bench_report report;
	struct bench_times times;
	unsigned process; /* 0: not looked at */
	struct bench_usage before;
	uint64_t began_us;
};

/* Numbers of a form's options, each with its limits; `otherwise` where it is not given. */
struct bench_number {
	const char *name;
	uint64_t least, most, otherwise;
	uint64_t *value;
};

/* Reads the command line. False: *status. */
bool bench_run_open(struct bench_run *run, const struct command_form *form,
	const struct bench_number *numbers, int argc, char **argv, int *status) MUST_USE;
void bench_run_close(struct bench_run *run);
/* The server's usage from here ... */
bool bench_run_begin(struct bench_run *run, struct fault *why) MUST_USE;
/* ... to here: seconds, and with --pid CPU time and CPU per `what` (of which there were `count`). */
bool bench_run_end(struct bench_run *run, uint64_t count, const char *what, struct fault *why) MUST_USE;
int bench_run_print(struct bench_run *run);
/* An envelope of a talker: "bench-id-NUMBER" is in its id; `filler` octets of text. */
void bench_envelope(const struct bench_run *run, struct text *to, uint64_t number, size_t filler);
/* The number in an envelope's id. */
bool bench_number_of(struct slice text, uint64_t *number) MUST_USE;

#endif
