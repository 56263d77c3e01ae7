/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seat: coming in, the handshake in the server's name, and which requests go to it. */
#include "gateway/hosted_seat_parts.h"

#include "gateway/hosted_seat_authorization.h"
#include "gateway/inside_uplink.h"
#include "kernel/mgp_method.h"

#include <stdio.h>
#include <stdlib.h>

#define CALM_MS 1000 /* between two words about the same list */

/* ---- What it is in the room ---- */

/* As it said itself, in the era in which it is asked. */
static const struct hosted_facts *facts_of(const struct hosted *hosted) {
	return hosted_facts(hosted, hosted_era_for(hosted, HOSTED_LEGACY));
}

static bool open_server(struct hosted_seat *seat, struct fault *why) {
	const struct hosted_facts *facts = facts_of(seat->hosted);
	bool has_info = facts && facts->server_info.length > 2;
	AUTO_TEXT struct text info = {0}, capabilities = {0};
	text_init(&info, 0);
	text_init(&capabilities, 0);
	if (has_info) text_add(&info, facts->server_info);
	else text_printf(&info, "{\"name\":\"%s\",\"version\":\"0\"}", seat->id);
	hosted_seat_write_capabilities(seat, &capabilities);
	if (text_failed(&info) || text_failed(&capabilities))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a seat");
	seat->server = mcp_server_open(slice_of(seat->id), SLICE("0"),
		facts ? facts->instructions : SLICE_NONE, ERA_ROOMS, why);
	return seat->server &&
		mcp_server_stand_for(seat->server, text_slice(&info), text_slice(&capabilities), why);
}

static struct principal *make_principal(const struct hosted_seat *seat, struct fault *why) {
	const struct hosted_facts *facts = facts_of(seat->hosted);
	char name[128] = "";
	if (facts) text_display_in(name, sizeof name, facts->name);
	const struct principal_facts like = {
		.kind = PRINCIPAL_AGENT,
		.privilege = PRIVILEGE_FULL,
		.id = slice_of(seat->id),
		.name = slice_of(name),
	};
	return principal_make(&like, why);
}

/* ---- Requests ---- */

static const struct {
	const char *method;
	unsigned needs; /* any of these bits; 0: nothing */
} forwarded[] = {
	{"tools/list", 0},
	{"tools/call", 0},
	{"resources/list", HOSTED_SEAT_RESOURCES},
	{"resources/templates/list", HOSTED_SEAT_RESOURCES},
	{"resources/read", HOSTED_SEAT_RESOURCES},
	{"prompts/list", HOSTED_SEAT_PROMPTS},
	{"prompts/get", HOSTED_SEAT_PROMPTS},
	{"completion/complete", HOSTED_SEAT_RESOURCES | HOSTED_SEAT_PROMPTS},
};

static bool is_forwarded(const struct hosted_seat *seat, struct slice method) {
	for (size_t i = 0; i < COUNT_OF(forwarded); i++)
		if (slice_is(method, forwarded[i].method))
			return !forwarded[i].needs || (forwarded[i].needs & seat->exposed);
	return false;
}

static bool list_kind(struct slice method, enum hosted_kind *kind) {
	for (int i = 0; i < HOSTED_KINDS; i++) {
		*kind = (enum hosted_kind)i;
		if (slice_is(method, hosted_kind_method(*kind))) return true;
	}
	return false;
}

static bool asked(void *context, struct slice from, struct peer_question *question,
	const struct jsonrpc *request) {
	struct hosted_seat *seat = context;
	enum hosted_kind kind;
	if (slice_is(request->method, "initialize")) return hosted_seat_greet(seat, from, question, request);
	if (seat_authorization_asked(seat, from, question, request)) return true;
	if (mgp_method_is(request->method)) return hosted_seat_method(seat, from, question, request);
	if (!is_forwarded(seat, request->method)) return false;
	if (list_kind(request->method, &kind)) hosted_seat_list(seat, kind, from, question, request);
	else hosted_seat_ask(seat, from, question, request);
	return true;
}

static void cancelled(void *context, struct peer_question *question) {
	(void)context;
	seat_question_cancelled(question);
}

/* ---- Coming and going ---- */

static bool sit(struct hosted_seat *seat, struct fault *why);

static void joined(void *context, const struct envelope *welcome, bool again) {
	const struct hosted_seat *seat = context;
	(void)welcome;
	log_write(seat->gateway->log, LOG_INFO, "server %s: sits in room %s%s", seat->id, seat->topic,
		again ? " again" : "");
}

static void lost(void *context, const struct fault *why, uint64_t again_in_ms) {
	const struct hosted_seat *seat = context;
	if (seat->gateway->is_draining) return; /* as everybody */
	log_write(seat->gateway->log, LOG_WARNING, "server %s: out of room %s, again in %llu ms: %s", seat->id,
		seat->topic, (unsigned long long)again_in_ms, why->text);
}

static void come_back(struct deadline *deadline) {
	struct hosted_seat *seat = CONTAINER_OF(deadline, struct hosted_seat, again);
	struct fault why;
	guest_close(TAKE(seat->guest));
	if (sit(seat, &why)) return;
	log_write(seat->gateway->log, LOG_ERROR, "server %s: room %s: %s", seat->id, seat->topic, why.text);
	deadline_set(seat->gateway->loop, &seat->again, HOSTED_SEAT_AGAIN_MS, come_back);
}

/* Revoked by its id, or the room is full: its place stays its own. */
static void ended(void *context, const struct fault *why) {
	struct hosted_seat *seat = context;
	log_write(seat->gateway->log, LOG_WARNING, "server %s: out of room %s: %s", seat->id, seat->topic,
		why->text);
	deadline_set(seat->gateway->loop, &seat->again, HOSTED_SEAT_AGAIN_MS, come_back);
}

static void drained(void *context) { seat_streams_go_on(context); }

static void heard(void *context, const struct envelope *envelope, enum guest_moment moment) {
	seat_authorization_heard(context, envelope, moment);
}

static const struct guest_events guest_table = {
	.joined = joined,
	.lost = lost,
	.ended = ended,
	.drained = drained,
	.envelope = heard,
};

static bool sit(struct hosted_seat *seat, struct fault *why) {
	AUTO(principal) principal = make_principal(seat, why);
	if (!principal) return false;
	AUTO(uplink_maker) maker =
		inside_uplink_maker(seat->gateway, principal, INSIDE_AS_SERVER, why);
	if (!maker) return false;
	const struct guest_options options = {
		.membership = {
			.maker = maker,
			.topic = seat->topic,
			.dialect = ENVELOPE_V01,
			.is_mcp = true,
			.stays = true,
			.is_patient = true,
		},
		.server = seat->server,
		.asked = asked,
		.asked_context = seat,
		.cancelled = cancelled,
		.forgot = hosted_seat_forgot,
		.slows_down = true,
		.strategy = GUEST_LAZY,
	};
	seat->guest = guest_open(seat->gateway->loop, &options, &guest_table, seat, why);
	return seat->guest != NULL;
}

static unsigned exposure_of(const struct hosted *hosted) {
	const char *const *word = hosted_settings(hosted)->expose;
	unsigned exposed = 0;
	for (; word && *word; word++) {
		if (strcmp(*word, "resources") == 0) exposed |= HOSTED_SEAT_RESOURCES;
		if (strcmp(*word, "prompts") == 0) exposed |= HOSTED_SEAT_PROMPTS;
	}
	return exposed;
}

static void seat_free(struct hosted_seat *seat) {
	mcp_server_close(seat->server);
	free(seat->topic);
	free(seat);
}

struct hosted_seat *hosted_seat_open(struct gateway *gateway, struct hosted *hosted,
	const char *topic, struct fault *why) {
	struct hosted_seat *seat = calloc(1, sizeof *seat);
	if (!seat) return fault_null(why, FAULT_NO_MEMORY, "no memory for a seat");
	seat->gateway = gateway;
	seat->hosted = hosted;
	seat->exposed = exposure_of(hosted);
	seat->topic = slice_copy(slice_of(topic));
	list_init(&seat->errands);
	list_init(&seat->clients);
	list_init(&seat->flows.link);
	snprintf(seat->session, sizeof seat->session, "room %s", topic);
	snprintf(seat->id, sizeof seat->id, "%.*s", SLICE_ARGS(hosted_id(hosted)));
	bool is_fine = seat->topic || fault_set(why, FAULT_NO_MEMORY, "no memory for a seat");
	if (is_fine && open_server(seat, why) && sit(seat, why)) {
		seat_authorizations_begin(seat);
		seat_clients_begin(seat);
		return seat;
	}
	seat_free(seat);
	return NULL;
}

static void free_later(struct task *task) {
	seat_free(CONTAINER_OF(task, struct hosted_seat, closing));
}

void hosted_seat_close(struct hosted_seat *seat, const struct fault *why) {
	if (!seat) return;
	seat_authorizations_end(seat);
	seat_errands_end(seat, why);
	seat_clients_end(seat);
	deadline_clear(&seat->again);
	deadline_clear(&seat->calm);
	guest_close(TAKE(seat->guest));
	seat->hosted = NULL;
	loop_later(seat->gateway->loop, &seat->closing, free_later); /* behind the guest's own end */
}

struct slice hosted_seat_topic(const struct hosted_seat *seat) {
	return slice_of(seat->topic);
}

static bool is_shown(const struct hosted_seat *seat, enum hosted_kind kind) {
	return is_forwarded(seat, slice_of(hosted_kind_method(kind)));
}

static void tell_changed(struct hosted_seat *seat, enum hosted_kind kind) {
	AUTO_TEXT struct text message = {0};
	char method[64];
	struct membership *membership = seat->guest ? guest_membership(seat->guest) : NULL;
	if (!membership || membership_state(membership) != MEMBERSHIP_JOINED) return; /* nobody has listed yet */
	snprintf(method, sizeof method, "notifications/%s_changed", hosted_kind_method(kind));
	text_init(&message, 0);
	jsonrpc_write_notification(&message, slice_of(method), SLICE_NONE);
	/* Full, or without memory: who lists again later sees the change all the same. */
	if (!text_failed(&message))
		(void)!membership_send(membership, ENVELOPE_MCP, NULL, 0, SLICE_NONE, text_slice(&message),
			NULL, NULL);
}

static void calm_over(struct deadline *deadline) {
	struct hosted_seat *seat = CONTAINER_OF(deadline, struct hosted_seat, calm);
	unsigned changed = seat->changed;
	deadline_clear(&seat->calm);
	seat->changed = seat->told = 0;
	for (int kind = 0; kind < HOSTED_KINDS; kind++)
		if (changed & 1u << kind) hosted_seat_changed(seat, (enum hosted_kind)kind);
}

/* Everybody in the room hears of it, so a list that changes all the time is told of now and then. */
void hosted_seat_changed(struct hosted_seat *seat, enum hosted_kind kind) {
	const unsigned bit = 1u << kind;
	if (!is_shown(seat, kind) || kind == HOSTED_TEMPLATES) return;
	if (seat->told & bit) {
		seat->changed |= bit;
		return;
	}
	seat->told |= bit;
	if (!seat->calm.at) deadline_set(seat->gateway->loop, &seat->calm, CALM_MS, calm_over);
	tell_changed(seat, kind);
}
