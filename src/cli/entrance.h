/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entrance: what a command that enters a room needs: a loop, the gateway, and a token that stays
 * good. A token that was given is used as it is; one that was made here is made again when its life
 * is nearly over, unless it was revoked. Without a token (open mode) the user's name is the id.
 *
 * A plain struct in its owner's, which stays where it is; entrance_close() after the membership was
 * closed. One thread.
 */
#ifndef HUSTINGS_CLI_ENTRANCE_H
#define HUSTINGS_CLI_ENTRANCE_H

#include "cli/reach.h"
#include "client/membership.h"

struct entrance {
	struct reach reach;
	struct loop *loop;
	char id[129];    /* whom a token is made for, or who one is in open mode */
	int64_t made_at; /* wall ms */
	int64_t life_ms; /* of a token that is made */
	int stopped_by;  /* a signal; 0: none */
};

/* id NULL: the local user. `life_ms`: REACH_BRIEF_MS or REACH_DAY_MS. */
bool entrance_open(struct entrance *entrance, const struct command_line *line, const char *id,
	int64_t life_ms, struct fault *why) MUST_USE;
void entrance_close(struct entrance *entrance); /* zeroed is fine */
void entrance_auto(struct entrance *entrance);
#define AUTO_ENTRANCE __attribute__((cleanup(entrance_auto)))

/* Everything but what the command itself wishes. Borrows `topic` and the entrance. */
struct membership_options entrance_options(struct entrance *entrance, const char *topic);

/* From now on SIGINT, SIGTERM and SIGHUP stop the loop and are noted in `stopped_by`. */
bool entrance_signals(struct entrance *entrance, struct fault *why) MUST_USE;

#endif
