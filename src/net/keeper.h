/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeper: the process between the gateway and a child (`hustings child-keep`).
 *
 * It is the sub-reaper of everything the child starts, so that what forks twice or makes a session
 * of its own still becomes its child; and it holds one end of a socket whose other end only the
 * gateway holds. When that end closes (also by kill -9), when it is told to, or when the child has
 * ended, it kills until nothing is left, and ends itself. It does nothing else.
 */
#ifndef HUSTINGS_NET_KEEPER_H
#define HUSTINGS_NET_KEEPER_H

#include "base/dialect.h"

/* From the keeper, one packet each: STARTED or FAILED, then (after STARTED) ENDED. */
enum keeper_word {
	KEEPER_STARTED, /* number: the process id of the program */
	KEEPER_FAILED,  /* number: a fault_code; text: what could not be done */
	KEEPER_ENDED,   /* number: exit code, or -signal; nothing of it is left */
};

struct keeper_report {
	uint32_t word;
	int32_t number;
	char text[240]; /* NUL ended */
};

/* To the keeper: one octet each. */
#define KEEPER_TERMINATE 'T' /* SIGTERM to all */
#define KEEPER_KILL 'K'      /* SIGKILL to all */

/* The inner command; its exit status. */
int keeper_run(void);

#endif
