/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bubblewrap: a PID namespace of its own for a child, made by the program `bwrap`: the child sees
 * no process but its own, and all of them die with the first one.
 *
 * Whether it works here (it may be missing, or namespaces may be forbidden, as in many containers)
 * is tried once in a process, with our own program inside it.
 */
#ifndef HUSTINGS_NET_BUBBLEWRAP_H
#define HUSTINGS_NET_BUBBLEWRAP_H

#include "net/launcher_order.h"

/* The path of bwrap when it works here, else NULL with why. The first call runs it (some 20 ms, at
 * most 10 s). Any thread. */
const char *bubblewrap_find(const char *program, struct fault *why) MUST_USE;

/* The arguments that run `command` (NULL ended) inside, by this order; one block from malloc that
 * borrows all strings. NULL: no memory. */
const char **bubblewrap_arguments(const struct launcher_order *order,
	const char *const *command) MUST_USE;

/* Runs our program inside, by this order, as `child-exec WORD`, with its memory file and at most
 * 10 s. False: it did not exit with 0, and why says what it wrote to stderr (FAULT_UNSUPPORTED). */
bool bubblewrap_try(const struct launcher_order *order, const char *word, const char *program,
	struct fault *why) MUST_USE;

#endif
