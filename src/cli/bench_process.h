/* SPDX-License-Identifier: Apache-2.0 */
/* Bench process: what a server process used, as the kernel counts it (/proc). */
#ifndef HUSTINGS_CLI_BENCH_PROCESS_H
#define HUSTINGS_CLI_BENCH_PROCESS_H

#include "base/fault.h"

struct bench_usage {
	uint64_t cpu_ns;    /* of all its threads: schedstat's, of nanoseconds; else stat's, of ticks */
	bool is_exact;      /* schedstat's */
	uint64_t resident;  /* octets */
	uint64_t anonymous; /* octets of it that are its own and no file's */
};

bool bench_usage_read(unsigned process, struct bench_usage *usage, struct fault *why) MUST_USE;

#endif
