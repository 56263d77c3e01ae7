/* SPDX-License-Identifier: Apache-2.0 */
/* Peers: a map of companions, a queue of introductions. */
#include "client/peers.h"

#include "client/guest_parts.h"

static void introduced(struct mcp_client *client, const struct fault *why);

void peers_init(struct peers *peers, struct guest *guest) {
	*peers = (struct peers){.guest = guest};
	map_init(&peers->by_id);
	list_init(&peers->queue);
	list_init(&peers->rest);
}

static void close_one(struct peers *peers, struct companion *companion, const struct fault *why) {
	if (companion->client.state == MCP_CLIENT_INTRODUCING) peers->under_way--;
	(void)map_remove(&peers->by_id, slice_of(companion->id));
	companion_close(companion, why);
}

void peers_finish(struct peers *peers, const struct fault *why) {
	void *companion;
	for (size_t at = 0; map_each(&peers->by_id, &at, &companion); at = 0)
		close_one(peers, companion, why);
	map_finish(&peers->by_id);
}

struct companion *peers_find(const struct peers *peers, struct slice id) {
	return map_find(&peers->by_id, id);
}

static bool is_idle_stranger(const struct peers *peers, const struct companion *companion) {
	return !roster_find(&peers->guest->roster, slice_of(companion->id)) &&
		companion->client.state == MCP_CLIENT_NEW && !companion->is_queued &&
		list_is_empty(&companion->waiters) && !peer_questions(companion->peer) &&
		!peer_calls(companion->peer);
}

/* Who spoke without being seen to come (by a POST, or beside another connection) is not seen to go. */
static void drop_idle_strangers(struct peers *peers) {
	struct link idle;
	void *each;
	list_init(&idle);
	for (size_t at = 0; map_each(&peers->by_id, &at, &each);) {
		struct companion *companion = each;
		if (is_idle_stranger(peers, companion)) list_append(&idle, &companion->in_queue);
	}
	for (struct link *link; (link = list_pop(&idle));)
		close_one(peers, CONTAINER_OF(link, struct companion, in_queue), NULL);
}

struct companion *peers_need(struct peers *peers, struct slice id, struct fault *why) {
	struct companion *companion = map_find(&peers->by_id, id);
	if (companion) return companion;
	if (peers->by_id.count >= roster_count(&peers->guest->roster) + PEERS_STRANGERS)
		drop_idle_strangers(peers);
	if (peers->by_id.count >= PEERS_COMPANIONS)
		return fault_null(why, FAULT_FULL, "there are %d peers already", PEERS_COMPANIONS);
	companion = companion_open(peers->guest, id, why);
	if (!companion) return NULL;
	if (map_add(&peers->by_id, slice_of(companion->id), companion, NULL)) return companion;
	companion_close(companion, NULL);
	return fault_null(why, FAULT_NO_MEMORY, "no memory for another participant");
}

/* ---- Introductions ---- */

/* True: it is under way. */
static bool introduce(struct peers *peers, struct companion *companion, struct fault *why) {
	const struct guest *guest = peers->guest;
	struct mcp_introduction self = {
		.version = ERA_ROOMS,
		.capabilities = guest->options.capabilities.length ? guest->options.capabilities : SLICE("{}"),
		.name = membership_id(guest->membership),
		.title = slice_of(guest->options.membership.name),
		.software = SLICE(HUSTINGS_VERSION),
	};
	if (!mcp_client_introduce(&companion->client, &self, PEER_PATIENCE, introduced, why))
		return false;
	peers->under_way++;
	return true;
}

static void begin(struct peers *peers, struct companion *companion) {
	struct fault why;
	companion->is_queued = false;
	if (!introduce(peers, companion, &why)) companion_tell(companion, &why);
}

static void go_on(struct peers *peers) {
	while (peers->under_way < PEERS_HANDSHAKES) {
		struct link *link = list_pop(&peers->queue);
		if (!link && peers->under_way < PEERS_HANDSHAKES / 2) link = list_pop(&peers->rest);
		if (!link) return;
		begin(peers, CONTAINER_OF(link, struct companion, in_queue));
	}
}

static void introduced(struct mcp_client *client, const struct fault *why) {
	struct companion *companion = client->context;
	struct peers *peers = &companion->asker.guest->peers;
	peers->under_way--;
	companion_tell(companion, why);
	go_on(peers);
}

void peers_introduce(struct peers *peers, struct companion *companion, bool is_urgent) {
	const struct roster_entry *entry = roster_find(&peers->guest->roster, slice_of(companion->id));
	bool announces = entry && entry->mcp_version[0];
	if (companion->client.state != MCP_CLIENT_NEW) return;
	if (is_urgent) {
		list_remove(&companion->in_queue);
		begin(peers, companion);
	} else if (!companion->is_queued) {
		companion->is_queued = true;
		list_append(announces ? &peers->queue : &peers->rest, &companion->in_queue);
		go_on(peers);
	}
}

/* ---- Coming and going ---- */

static bool wants(const struct guest *guest, const struct roster_entry *entry) {
	if (guest->is_restricted) return false; /* it would be refused (MCPx v0.1 3.1) */
	switch (guest->options.strategy) {
	case GUEST_EAGER: return entry->mcp_version[0] != 0;
	case GUEST_CHOSEN:
		return guest->options.choose && guest->options.choose(guest->options.choose_context, entry);
	case GUEST_LAZY: break;
	}
	return false;
}

void peers_met(struct peers *peers, const struct roster_entry *entry) {
	struct companion *companion;
	if (!wants(peers->guest, entry)) return;
	companion = peers_need(peers, slice_of(entry->id), NULL);
	if (companion) peers_introduce(peers, companion, false);
}

void peers_left(struct peers *peers, struct slice id) {
	struct fault why;
	struct companion *companion = map_find(&peers->by_id, id);
	if (!companion) return;
	fault_set(&why, FAULT_CLOSED, "%s has left the room", companion->id);
	close_one(peers, companion, &why);
	go_on(peers);
}

void peers_forget(struct peers *peers) {
	void *each;
	for (size_t at = 0; map_each(&peers->by_id, &at, &each);) {
		struct companion *companion = each;
		if (companion->client.state == MCP_CLIENT_READY) mcp_client_forget(&companion->client);
		companion->changes++;
		mcp_listing_drop(TAKE(companion->listing));
	}
}

void peers_refused(struct peers *peers, struct slice envelope, const struct peer_reply *reply,
	const struct fault *why) {
	void *each;
	for (size_t at = 0; map_each(&peers->by_id, &at, &each);)
		if (peer_fail(((struct companion *)each)->peer, envelope, reply, why)) return;
}
