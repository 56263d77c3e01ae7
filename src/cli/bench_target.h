/* SPDX-License-Identifier: Apache-2.0 */
/* Bench target: where --url leads: a plain address, resolved once. */
#ifndef HUSTINGS_CLI_BENCH_TARGET_H
#define HUSTINGS_CLI_BENCH_TARGET_H

#include "base/fault.h"

#include <netinet/in.h>

struct bench_target {
	char host[256];
	char path[512];
	struct sockaddr_storage address;
	socklen_t address_size;
};

/* url: ws://HOST:PORT[/path] or http://...; without a path: `path`. */
bool bench_target_read(struct bench_target *target, const char *url, const char *path,
	struct fault *why) MUST_USE;
/* As the header Host has it. */
void bench_target_authority(const struct bench_target *target, char *authority, size_t size);
/* A connection, not blocking; -1: `why`. */
int bench_target_connect(const struct bench_target *target, struct fault *why) MUST_USE;
/* As many descriptors as the system allows. */
void bench_target_raise_descriptors(void);

#endif
