/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guest: a participant as a program sees it (MCPx v0 12): a membership with its roster, its peers,
 * the tools it offers, and what is said, as events. What libhustings shows and what the commands
 * of the room are made of.
 *
 * Owned; one thread, its loop's. Nothing is called from inside the functions here. Callbacks may
 * close the guest; nothing is called afterwards, open errands end unheard, and the memory goes at
 * the end of the loop's pass (or at loop_close()). Everything handed to a callback is borrowed until
 * its return.
 */
#ifndef HUSTINGS_CLIENT_GUEST_H
#define HUSTINGS_CLIENT_GUEST_H

#include "client/chat.h"
#include "client/guest_intake.h"
#include "client/guest_options.h"
#include "client/membership.h"
#include "client/proposing.h"
#include "client/roster.h"
#include "mcp/mcp_server.h"

struct guest *guest_open(struct loop *loop, const struct guest_options *options,
	const struct guest_events *events, void *context, struct fault *why) MUST_USE;
void guest_close(struct guest *guest); /* NULL is fine; the server must stay until the pass's end */

struct membership *guest_membership(struct guest *guest);
const struct roster *guest_roster(const struct guest *guest);
struct loop *guest_loop(const struct guest *guest);
struct mcp_server *guest_server(struct guest *guest);
struct slice guest_privilege(const struct guest *guest); /* "full", "restricted"; "" before the welcome */

/* Tells everyone that our tools changed. */
bool guest_tools_changed(struct guest *guest, struct fault *why);
/* Who asks that question: *room NULL: the host on stdin; "" for its id. Both are NULL when nobody
 * waits any more. */
void guest_asker(const struct peer_question *question, struct guest **room, const char **id);
/* What whoever answers keeps about who asks: zero at first, gone when it leaves. NULL: nobody waits
 * any more. */
struct guest_note *guest_asker_note(const struct peer_question *question);

#endif
