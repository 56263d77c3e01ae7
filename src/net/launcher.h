/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launcher: what happens between fork and exec of a child, in the same binary run again as
 * `hustings child-exec` (and `hustings child-keep` for the keeper), so that no code of the gateway
 * runs in a forked copy of it.
 */
#ifndef HUSTINGS_NET_LAUNCHER_H
#define HUSTINGS_NET_LAUNCHER_H

#include "base/fault.h"

/* The two inner commands, for cli/main.c: argv[1] is "child-exec" or "child-keep". Return the exit
 * status; child-exec returns only when exec failed. */
bool launcher_is_inner(int argc, char **argv);
int launcher_inner(int argc, char **argv);

/* The program that is run again: "/proc/self/exe" unless set (tests and libhustings programs whose
 * own binary is not hustings name the installed one). */
void launcher_set_program(const char *path);
const char *launcher_program(void);

/* For net/ alone: a keeper that starts the ordered child, and the gateway's ends of its pipes, all
 * close-on-exec and, but for `input_spare`, not blocking. */
struct launcher_order;
struct launcher_started {
	int process; /* the keeper; to be reaped by the caller */
	int control; /* keeper_report comes, keeper_wish goes; its end ends everything */
	int input;
	int input_spare; /* the reading end of `input`: while it is open, writing never raises SIGPIPE */
	int output;
	int error_output;
};

bool launcher_start(const struct launcher_order *order, struct launcher_started *started,
	struct fault *why) MUST_USE;

#endif
