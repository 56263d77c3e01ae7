/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seat client: what a participant and the seat have agreed on at its handshake, and the kernel's own
 * methods for who speaks MGP. */
#include "gateway/hosted_seat_parts.h"

#include "client/outbox.h"
#include "gateway/mcp_request.h"
#include "kernel/flow_methods.h"
#include "kernel/kernel.h"
#include "kernel/mgp_method.h"
#include "mcp/peer.h"
#include "mcp/peer_call.h"

#include <stdlib.h>

#define TOLD_WAITING (OUTBOX_ENVELOPES / 4) /* what the room has not taken; beyond, events are left out */

/* A participant that speaks MGP, as a client of the kernel's. */
struct seat_client {
	struct link link; /* of seat->clients */
	struct hosted_seat *seat;
	struct mgp_client client;
	struct peer *peer;   /* until the guest forgets it */
	uint64_t told_until; /* seat_may_say() */
	char principal[];
};

static struct seat_client *client_of(struct mgp_client *client) {
	return CONTAINER_OF(client, struct seat_client, client);
}

struct call_asker seat_asker(const struct hosted_seat *seat, struct slice from, const struct guest_note *note) {
	const struct mgp_agreed mgp = note ? note->mgp : (struct mgp_agreed){0};
	return (struct call_asker){
		.principal = from,
		.session = slice_of(seat->session),
		.topic = slice_of(seat->topic),
		.is_in_room = true,
		.has_authorization = mgp.has_authorization,
		.mgp = mgp,
	};
}

/* ---- A client of the kernel's ---- */

/* Everybody in the room sees it. What it has no room for may be had by mgp/events/replay. */
static bool tell(struct mgp_client *mgp_client, const char *method, const struct scan_value *params) {
	struct seat_client *client = client_of(mgp_client);
	struct guest *guest = client->seat->guest;
	if (!guest || membership_waiting(guest_membership(guest)) >= TOLD_WAITING ||
		!seat_may_say(client->seat, &client->told_until))
		return false;
	return peer_tell(client->peer, slice_of(method), params->type == SCAN_OBJECT ? params->text : SLICE_NONE,
		NULL);
}

/* Ids match as they stand, within what one participant has asked. */
static struct hosted_ask *find(struct mgp_client *mgp_client, struct slice id) {
	const struct seat_client *client = client_of(mgp_client);
	LIST_EACH(link, &client->seat->errands) {
		const struct seat_errand *errand = CONTAINER_OF(link, struct seat_errand, link);
		if (errand->ask && peer_question_peer(errand->question) == client->peer &&
			slice_equal(peer_question_id(errand->question), id))
			return errand->ask;
	}
	return NULL;
}

/* Lists of tools are the same for all in a room, whatever each has loaded (MGP 16.7). */
static const struct mgp_client_face client_face = {.tell = tell, .find = find};

static struct seat_client *client_open(struct hosted_seat *seat, struct slice from, struct peer *peer) {
	struct seat_client *client = calloc(1, sizeof *client + from.length);
	if (!client) return NULL;
	memcpy(client->principal, from.bytes, from.length);
	client->seat = seat;
	client->peer = peer;
	list_append(&seat->clients, &client->link);
	mgp_client_begin(&client->client, &client_face, slice_make(client->principal, from.length),
		slice_of(seat->session));
	return client;
}

static void client_close(struct seat_client *client) {
	mgp_client_end(&client->client);
	list_remove(&client->link);
	free(client);
}

void hosted_seat_forgot(void *context, struct guest_note *note) {
	(void)context;
	client_close(TAKE(note->client));
}

/* ---- Guided sessions (MCP Flow) ---- */

#define TOLD_MS 30000 /* for a word that a prompt has come, which changes nothing */

static void acknowledged(void *context, const struct peer_reply *reply, const struct fault *why) {
	(void)context, (void)reply, (void)why;
}

static void tell_flow(struct seat_client *client, const struct flow_push *push) {
	const struct peer_request request = {
		.method = slice_of(push->method),
		.params = push->params,
		.deadline_ms = TOLD_MS,
		.answered = acknowledged,
	};
	struct guest *guest = client->seat->guest;
	if (!guest || membership_waiting(guest_membership(guest)) >= TOLD_WAITING ||
		!seat_may_say(client->seat, &client->told_until))
		return;
	if (!push->id) (void)!peer_tell(client->peer, request.method, push->params, NULL);
	else
		(void)!peer_ask(client->peer, &request, NULL);
}

static void told_flow(struct flow_listener *listener, const struct flow_push *push) {
	struct hosted_seat *seat = CONTAINER_OF(listener, struct hosted_seat, flows);
	if (!slice_is(push->server, seat->id) || !slice_is(push->session, seat->session)) return;
	LIST_EACH(link, &seat->clients) {
		struct seat_client *client = CONTAINER_OF(link, struct seat_client, link);
		if (!client->client.face || !slice_equal(client->client.principal, push->principal)) continue;
		tell_flow(client, push);
		return;
	}
}

void seat_clients_begin(struct hosted_seat *seat) {
	if (!seat->gateway->kernel) return;
	seat->flows.told = told_flow;
	flows_listen(kernel_means(seat->gateway->kernel)->flows, &seat->flows);
}

void seat_clients_end(struct hosted_seat *seat) {
	flows_unlisten(&seat->flows);
	LIST_EACH(link, &seat->clients)
		mgp_client_end(&CONTAINER_OF(link, struct seat_client, link)->client);
}

/* ---- The handshake ---- */

static void add_capability(struct text *to, const struct hosted *hosted, const char *name,
	bool *is_first) {
	enum hosted_era era = hosted_era_for(hosted, HOSTED_LEGACY);
	if (!hosted_offers(hosted, era, name, NULL)) return;
	text_printf(to, "%s\"%s\":{%s}", *is_first ? "" : ",", name,
		hosted_offers(hosted, era, name, "listChanged") ? "\"listChanged\":true" : "");
	*is_first = false;
}

/* Subscriptions are one client's affair: none are offered to a room. */
void hosted_seat_write_capabilities(const struct hosted_seat *seat, struct text *to) {
	bool is_first = true;
	text_add_char(to, '{');
	add_capability(to, seat->hosted, "tools", &is_first);
	if (seat->exposed & HOSTED_SEAT_RESOURCES)
		add_capability(to, seat->hosted, "resources", &is_first);
	if (seat->exposed & HOSTED_SEAT_PROMPTS) add_capability(to, seat->hosted, "prompts", &is_first);
	if (seat->exposed) add_capability(to, seat->hosted, "completions", &is_first);
	if (seat->gateway->kernel) {
		text_printf(to, "%s\"extensions\":{\"" MGP_FLOW_EXTENSION "\":", is_first ? "" : ",");
		flow_methods_write_capabilities(to, kernel_means(seat->gateway->kernel), seat->hosted);
		text_add_char(to, '}');
	}
	text_add_char(to, '}');
}

/* What the server says of itself, with our word on MGP in place of its own (MGP 2.3). */
static void write_capabilities(const struct hosted_seat *seat, struct mgp_agreed agreed, struct text *to) {
	const struct governed *governed = governed_of(seat->hosted);
	AUTO_TEXT struct text permissions = {0}, own = {0};
	text_init(&permissions, 0);
	text_init(&own, 0);
	if (governed) permissions_write_needed(&permissions, governed->permissions);
	hosted_seat_write_capabilities(seat, &own);
	AUTO_TEXT struct text flow = {0};
	text_init(&flow, 0);
	if (seat->gateway->kernel) flow_methods_write_capabilities(&flow, kernel_means(seat->gateway->kernel), seat->hosted);
	const struct mgp_shown shown = {
		.agreed = agreed,
		.server_id = slice_of(seat->id),
		.permissions = text_slice(&permissions),
		.flow = text_slice(&flow),
		.trust = governed ? governed->policy.trust : MGP_TRUSTED,
	};
	if (text_failed(&permissions) || text_failed(&own)) to->failed = true;
	else mgp_write_capabilities(to, text_slice(&own), false, &shown);
}

/* Each handshake takes the place of the one before. */
static void note_what_it_says(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct jsonrpc *request, struct guest_note *note) {
	struct scan_value capabilities;
	note->abilities = 0;
	note->mgp = (struct mgp_agreed){0};
	if (scan_find(&request->params, "capabilities", &capabilities) && capabilities.type == SCAN_OBJECT) {
		note->abilities = mcp_request_abilities(capabilities.text);
		note->mgp = mgp_settle(capabilities.text, false, MGP_SPOKEN);
	}
	if (note->mgp.is_active && !note->client)
		note->client = client_open(seat, from, peer_question_peer(question));
	if (!note->client) note->mgp = (struct mgp_agreed){.has_authorization = note->mgp.has_authorization};
	if (!note->mgp.is_active && note->client) client_close(TAKE(note->client));
}

bool hosted_seat_greet(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct jsonrpc *request) {
	struct guest_note *note = guest_asker_note(question);
	AUTO_TEXT struct text capabilities = {0};
	if (!note) return false;
	note_what_it_says(seat, from, question, request, note);
	if (!note->mgp.is_active) return false;
	text_init(&capabilities, 0);
	write_capabilities(seat, note->mgp, &capabilities);
	if (text_failed(&capabilities))
		peer_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("no memory: try again"), JSONRPC_PLAIN);
	else
		mcp_server_introduce(seat->server, question, request, text_slice(&capabilities));
	return true;
}

/* ---- The kernel's methods ---- */

struct seat_method {
	struct seat_errand errand;
	struct mgp_ask ask;
	char from[];
};

static void give_up(struct seat_errand *errand, const char *reason) {
	struct seat_method *method = CONTAINER_OF(errand, struct seat_method, errand);
	(void)reason;
	mgp_ask_cancel(&method->ask);
	free(method);
}

static void answered(struct mgp_ask *ask, const struct hosted_answer *answer) {
	struct seat_method *method = CONTAINER_OF(ask, struct seat_method, ask);
	if (answer->result.bytes) seat_errand_answer(&method->errand, answer->result);
	else seat_errand_fail(&method->errand, answer->code, answer->message, answer->data);
	free(method);
}

static struct seat_method *make(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct guest_note *note) {
	struct seat_client *client = note ? note->client : NULL;
	struct seat_method *method = calloc(1, sizeof *method + from.length);
	if (!method) return NULL;
	memcpy(method->from, from.bytes, from.length);
	method->ask = (struct mgp_ask){
		.means = kernel_means(seat->gateway->kernel),
		.asker = seat_asker(seat, slice_make(method->from, from.length), note),
		.client = client ? &client->client : NULL,
		.hosted = seat->hosted,
		.answered = answered,
	};
	seat_errand_begin(&method->errand, seat, question);
	method->errand.give_up = give_up;
	return method;
}

bool hosted_seat_method(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct jsonrpc *request) {
	struct guest_note *note = guest_asker_note(question);
	struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory for another request: try again"};
	char lent[2048];
	struct arena arena;
	bool is_flow = flow_methods_have(request->method);
	if (!seat->gateway->kernel) return false;
	/* MCP Flow needs no word of MGP, nor a handshake. */
	if (note && !note->client && is_flow) note->client = client_open(seat, from, peer_question_peer(question));
	if (!is_flow && (!note || !note->client)) return false;
	struct seat_method *method = make(seat, from, question, note);
	if (!method) {
		seat_question_refuse(question, &why);
		return true;
	}
	arena_init(&arena, lent, sizeof lent, 0);
	method->ask.arena = &arena;
	method->ask.params = request->params;
	if (method->ask.params.type != SCAN_OBJECT) method->ask.params = (struct scan_value){.type = SCAN_NONE};
	mgp_method_ask(&method->ask, request->method);
	arena_finish(&arena);
	return true;
}
