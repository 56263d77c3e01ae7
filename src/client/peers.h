/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peers: the companions of one room, and the order in which we introduce ourselves to them
 * (MCPx v0 6.1). One handshake a peer at a time, at most PEERS_HANDSHAKES in the room, of which half
 * are for those who say that they are MCP servers; whoever needs the same peer waits for the one under
 * way. What is urgent waits for no place: those who never answer would keep them all. What was learnt is forgotten when the peer leaves, and
 * when we were away. For the files of this folder.
 */
#ifndef HUSTINGS_CLIENT_PEERS_H
#define HUSTINGS_CLIENT_PEERS_H

#include "client/companion.h"
#include "client/roster.h"

#define PEERS_HANDSHAKES 8
#define PEERS_COMPANIONS ROSTER_ENTRIES
#define PEERS_STRANGERS 1000 /* of whom the roster does not know; beyond, idle ones are forgotten */

struct peers;

void peers_init(struct peers *peers, struct guest *guest);
void peers_finish(struct peers *peers, const struct fault *why);

struct companion *peers_find(const struct peers *peers, struct slice id);
/* The same, made when there is none. */
struct companion *peers_need(struct peers *peers, struct slice id, struct fault *why) MUST_USE;
/* Introduces us, soon, unless that was done or is under way; at once when it is urgent. */
void peers_introduce(struct peers *peers, struct companion *companion, bool is_urgent);
/* Somebody came: whether to introduce ourselves at once is the guest's strategy. */
void peers_met(struct peers *peers, const struct roster_entry *entry);
void peers_left(struct peers *peers, struct slice id);
void peers_forget(struct peers *peers); /* we were away: handshakes are to be done again */
/* The call that left in that envelope was refused by the gateway. */
void peers_refused(struct peers *peers, struct slice envelope, const struct peer_reply *reply,
	const struct fault *why);

#endif
