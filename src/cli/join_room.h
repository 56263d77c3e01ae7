/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Join room: what somebody at a terminal can do in a room, and what is shown of it.
 *
 * A plain struct in its owner's, which stays where it is; join_room_close() after join_room_open(),
 * also when that failed. Everything is printed on the terminal; nothing here ends the program, but
 * `is_over` says when there is no room any more.
 */
#ifndef HUSTINGS_CLI_JOIN_ROOM_H
#define HUSTINGS_CLI_JOIN_ROOM_H

#include "cli/join_ask.h"
#include "cli/join_terminal.h"
#include "cli/join_words.h"
#include "cli/room_line.h"
#include "client/guest.h"

struct join_room {
	struct join_terminal *terminal; /* borrowed */
	struct loop *loop;
	struct guest *guest;
	struct room_line_style style;
	struct join_proposals proposals;
	struct join_asks asks;
	bool is_in; /* the welcome came */
	bool is_over;
	bool wants_to_leave; /* /quit */
	struct fault why;    /* of the end */
};

bool join_room_open(struct join_room *room, struct join_terminal *terminal, struct loop *loop,
	const struct guest_options *options, bool has_colours, struct fault *why) MUST_USE;
void join_room_close(struct join_room *room);

/* Does what was typed; what cannot be done is said on the terminal. */
void join_room_do(struct join_room *room, const struct join_words *words);
/* Whether something is still to come: answers, or words of ours that are under way. */
bool join_room_is_busy(const struct join_room *room);

/* Says what went wrong. */
void join_room_complain(struct join_room *room, const struct fault *why);

#endif
