/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spawned: an MCP server that we start, and talk to over its stdin and stdout, one message a line
 * (MCP transports, stdio). It lives in a session of its own and with our environment; its stderr is
 * ours.
 *
 * Its end is the end of its stdout. To end it: its stdin is closed; after SPAWNED_PATIENCE_MS comes
 * SIGTERM to its session, after as long again SIGKILL; the same at once, and waited for, when the loop
 * is closed first. One thread.
 */
#ifndef HUSTINGS_CLIENT_SPAWNED_H
#define HUSTINGS_CLIENT_SPAWNED_H

#include "client/carrier.h"
#include "net/loop.h"

#define SPAWNED_PATIENCE_MS 2000

struct spawned_options {
	const char *const *command;     /* NULL ended; [0] is looked up in PATH */
	const char *const *environment; /* "NAME=value", NULL ended, in place of ours; may be NULL */
	const char *directory;          /* NULL: ours */
	unsigned *alive;                /* counted up, and down when its memory has gone */
};

struct carrier *spawned_open(struct loop *loop, const struct spawned_options *options,
	const struct carrier_events *events, void *context, struct fault *why) MUST_USE;

#endif
