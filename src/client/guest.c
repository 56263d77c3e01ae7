/* SPDX-License-Identifier: Apache-2.0 */
/* Guest: opening, closing, and what it says. */
#include "client/guest.h"

#include "client/asker.h"
#include "client/errand.h"
#include "client/guest_parts.h"
#include "client/peers.h"

#include <stdlib.h>

static void guest_free(struct guest *guest) {
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "the room was left");
	errands_end(guest, &why);
	peers_finish(&guest->peers, &why);
	membership_close(guest->membership);
	roster_finish(&guest->roster);
	mcp_server_close(guest->own_server);
	free(guest->name);
	free(guest);
}

static bool open_server(struct guest *guest, struct fault *why) {
	guest->server = guest->options.server;
	if (guest->server) return true;
	guest->own_server = mcp_server_open(SLICE("hustings"), SLICE(HUSTINGS_VERSION), SLICE_NONE,
		ERA_ROOMS, why);
	guest->server = guest->own_server;
	return guest->server != NULL;
}

struct guest *guest_open(struct loop *loop, const struct guest_options *options,
	const struct guest_events *events, void *context, struct fault *why) {
	struct guest *guest = calloc(1, sizeof *guest);
	if (!guest) return fault_null(why, FAULT_NO_MEMORY, "no memory for a room");
	guest->loop = loop;
	guest->options = *options;
	guest->events = events;
	guest->context = context;
	list_init(&guest->errands);
	roster_init(&guest->roster, &guest_roster_events, guest);
	peers_init(&guest->peers, guest);
	guest->name = slice_copy(slice_of(options->membership.name));
	guest->options.membership.name = guest->name;
	bool is_fine = (guest->name != NULL) || fault_set(why, FAULT_NO_MEMORY, "no memory for a room");
	is_fine = is_fine && open_server(guest, why);
	if (is_fine)
		guest->membership = membership_open(loop, &options->membership, &guest_membership_events,
			guest, why);
	if (guest->membership) return guest;
	guest->is_closing = true;
	guest_free(guest);
	return NULL;
}

static void free_later(struct task *task) { guest_free(CONTAINER_OF(task, struct guest, closing)); }

void guest_close(struct guest *guest) {
	if (!guest || guest->is_closing) return;
	guest->is_closing = true;
	if (guest->has_chat_tools) {
		mcp_server_withdraw(guest->server, SLICE("chat.say"));
		mcp_server_withdraw(guest->server, SLICE("presence.get"));
	}
	loop_later(guest->loop, &guest->closing, free_later);
}

struct membership *guest_membership(struct guest *guest) {
	return guest->membership;
}
const struct roster *guest_roster(const struct guest *guest) { return &guest->roster; }
struct loop *guest_loop(const struct guest *guest) {
	return guest->loop;
}
struct mcp_server *guest_server(struct guest *guest) {
	return guest->server;
}
struct slice guest_privilege(const struct guest *guest) {
	return slice_of(guest->privilege);
}

void guest_asker(const struct peer_question *question, struct guest **room, const char **id) {
	const struct peer *peer = peer_question_peer(question);
	const struct asker *asker = peer ? peer_context(peer) : NULL;
	*room = asker ? asker->guest : NULL;
	*id = asker ? asker->id : NULL;
}

struct guest_note *guest_asker_note(const struct peer_question *question) {
	const struct peer *peer = peer_question_peer(question);
	struct asker *asker = peer ? peer_context(peer) : NULL;
	return asker ? &asker->note : NULL;
}

bool guest_tools_changed(struct guest *guest, struct fault *why) {
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	jsonrpc_write_notification(&message, SLICE("notifications/tools/list_changed"), SLICE_NONE);
	if (text_failed(&message)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a message");
	return membership_send(guest->membership, ENVELOPE_MCP, NULL, 0, SLICE_NONE,
		text_slice(&message), NULL, why);
}
