/* SPDX-License-Identifier: Apache-2.0 */
/* Errand: one step after another, each from the loop, so that nobody is called back from inside
 * what they called. */
#include "client/errand.h"

#include "client/guest_parts.h"
#include "client/peers.h"
#include "flow/authorization.h"

#include <stdlib.h>

#define HELD_GRACE_MS 30000 /* beyond the other side's own deadline */

struct errand {
	struct link in_guest;
	struct companion_waiter waiting; /* for the companion's handshake */
	struct guest *guest;
	struct errand_options options; /* its slices lie behind the struct */
	struct task task;
	struct deadline deadline; /* until it asks; then the call has one */
	uint64_t ends_at;         /* monotonic ms */
	struct peer_call *call;
	int64_t call_id; /* its, kept beyond its end */
	struct mcp_client_walk *walk;
	unsigned changes;   /* of the companion's list, when it was asked for */
	bool was_held;      /* somebody is asked about it: that is heard once, and puts its end off once */
	struct fault fault; /* of the handshake */
	char id[ENVELOPE_IDENTITY + 1];
};

static void errand_free(struct errand *errand) {
	task_clear(&errand->task);
	deadline_clear(&errand->deadline);
	companion_leave(&errand->waiting);
	list_remove(&errand->in_guest);
	free(errand);
}

static void finish(struct errand *errand, const struct errand_result *result,
	const struct fault *why) {
	errand_done *done = errand->options.done;
	void *context = errand->options.context;
	bool is_unheard = errand->guest->is_closing;
	errand_free(errand);
	if (!is_unheard) done(context, result, why);
}

/* ---- Asking ---- */

static void answered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct errand *errand = context;
	const struct companion *companion = peers_find(&errand->guest->peers, errand->options.to);
	struct errand_result result = {.reply = reply, .call_id = errand->call_id};
	if (companion) result.mgp = companion->client.mgp;
	errand->call = NULL;
	finish(errand, why ? NULL : &result, why);
}

static void progressed(void *context, const struct scan_value *params) {
	const struct errand *errand = context;
	errand->options.progressed(errand->options.context, params);
}

static void streamed(void *context, struct slice method, const struct scan_value *params) {
	const struct errand *errand = context;
	errand->options.streamed(errand->options.context, method, params);
}

static void listed(void *context, struct mcp_listing *listing, const struct fault *why) {
	struct errand *errand = context;
	struct errand_result result = {.listing = listing};
	struct companion *companion = peers_find(&errand->guest->peers, errand->options.to);
	errand->walk = NULL;
	bool is_kept = !errand->guest->options.forgets_lists;
	if (!why && is_kept && companion && companion->changes == errand->changes) {
		mcp_listing_drop(companion->listing);
		companion->listing = mcp_listing_keep(listing);
	}
	finish(errand, why ? NULL : &result, why);
}

static uint64_t time_left(const struct errand *errand) {
	uint64_t now = clock_monotonic_ms();
	if (errand->ends_at == UINT64_MAX) return UINT64_MAX;
	return errand->ends_at > now ? errand->ends_at - now : 1;
}

static bool list(struct errand *errand, struct companion *companion, struct fault *why) {
	errand->changes = companion->changes;
	errand->walk = mcp_client_list(&companion->client, time_left(errand), listed, errand, why);
	return errand->walk != NULL;
}

static bool ask(struct errand *errand, struct companion *companion, struct fault *why) {
	const struct errand_options *options = &errand->options;
	AUTO_TEXT struct text params = {0};
	bool streams = options->streamed && (companion->client.mgp.extensions & MGP_STREAMING);
	text_init(&params, 0);
	if (options->kind == ERRAND_CALL && streams)
		mcp_client_write_streamed(&params, options->name, options->body);
	else if (options->kind == ERRAND_CALL)
		mcp_client_write_call(&params, options->name, options->body);
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a call");
	struct peer_request request = {
		.method = options->kind == ERRAND_CALL ? SLICE("tools/call") : options->name,
		.params = options->kind == ERRAND_CALL ? text_slice(&params) : options->body,
		.about = options->about,
		.deadline_ms = time_left(errand),
		.answered = answered,
		.progressed = options->progressed ? progressed : NULL,
		.streamed = options->streamed ? streamed : NULL,
		.context = errand,
	};
	errand->call = peer_ask(companion->peer, &request, why);
	if (errand->call) errand->call_id = peer_call_id(errand->call);
	return errand->call != NULL;
}

/* ---- Calls that somebody is asked about first ---- */

static struct errand *find_held(const struct guest *guest, struct slice from, const struct scan_value *id) {
	int64_t number;
	if (id->type != SCAN_NUMBER || !scan_integer(id, &number)) return NULL;
	LIST_EACH(link, &guest->errands) {
		struct errand *errand = CONTAINER_OF(link, struct errand, in_guest);
		if (errand->call && errand->call_id == number && errand->options.held && slice_equal(errand->options.to, from))
			return errand;
	}
	return NULL;
}

/* As long as the caller has settled, else as long as the owner asks. */
static uint64_t time_to_wait(const struct errand *errand, const struct authorization_request *request) {
	int64_t expires_at = 0, left = AUTHORIZATION_TIMEOUT_MS;
	if (errand->options.deadline_ms && errand->options.deadline_ms != UINT64_MAX) return time_left(errand);
	if (request->expires_at.length && clock_read(request->expires_at, &expires_at)) left = expires_at - clock_wall_ms();
	if (left > AUTHORIZATION_TIMEOUT_MOST) left = AUTHORIZATION_TIMEOUT_MOST;
	return (left > 0 ? (uint64_t)left : 0) + HELD_GRACE_MS;
}

bool errands_hold(struct guest *guest, struct slice from, const struct jsonrpc *message) {
	struct authorization_request request;
	struct scan_value data, value;
	struct arena arena;
	struct fault why;
	if (message->kind != JSONRPC_ERROR || message->code != AUTHORIZATION_REQUIRED) return false;
	struct errand *errand = find_held(guest, from, &message->id);
	if (!errand || !scan_find(&message->error, "data", &data) || !scan_find(&data, "authorizationRequest", &value)) return false;
	arena_init(&arena, NULL, 0, 0);
	bool is_one = authorization_request_read(&value, &arena, &request, &why);
	if (is_one && !errand->was_held) {
		uint64_t wait_ms = time_to_wait(errand, &request);
		errand->was_held = true;
		if (errand->ends_at != UINT64_MAX) peer_extend(errand->call, wait_ms);
		errand->options.held(errand->options.context, request.reason, wait_ms);
	}
	arena_finish(&arena);
	return is_one;
}

/* ---- Steps ---- */

static bool is_there(const struct errand *errand) {
	const struct guest *guest = errand->guest;
	return roster_find(&guest->roster, errand->options.to) || guest->roster.is_partial ||
		slice_equal(errand->options.to, membership_id(guest->membership));
}

/* True: it goes on, or waits. */
static bool go(struct errand *errand, struct fault *why) {
	struct guest *guest = errand->guest;
	if (!is_there(errand))
		return fault_set(why, FAULT_NOT_FOUND, "%s is not in the room", errand->id);
	struct companion *companion = peers_need(&guest->peers, errand->options.to, why);
	if (!companion) return false;
	if (companion->client.state != MCP_CLIENT_READY) {
		companion_await(companion, &errand->waiting);
		peers_introduce(&guest->peers, companion, errand->options.kind != ERRAND_LIST);
		return true;
	}
	deadline_clear(&errand->deadline);
	return errand->options.kind == ERRAND_LIST ? list(errand, companion, why)
						   : ask(errand, companion, why);
}

static bool finish_remembered(struct errand *errand) {
	const struct companion *companion = peers_find(&errand->guest->peers, errand->options.to);
	if (errand->options.kind != ERRAND_LIST || errand->options.is_fresh || !companion ||
		!companion->listing)
		return false;
	AUTO(mcp_listing) listing = mcp_listing_keep(companion->listing);
	struct errand_result result = {.listing = listing};
	finish(errand, &result, NULL);
	return true;
}

static void step(struct task *task) {
	struct errand *errand = CONTAINER_OF(task, struct errand, task);
	struct fault why;
	if (errand->guest->is_closing) return;
	if (errand->fault.code != FAULT_NONE) {
		why = errand->fault;
		finish(errand, NULL, &why);
	} else if (!errand->guest->was_joined)
		return; /* guest_joined() wakes it */
	else if (!finish_remembered(errand) && !go(errand, &why))
		finish(errand, NULL, &why);
}

static void overdue(struct deadline *deadline) {
	struct errand *errand = CONTAINER_OF(deadline, struct errand, deadline);
	struct fault why;
	fault_set(&why, FAULT_TIMEOUT, errand->guest->was_joined ? "%s did not answer the handshake in time" : "the room was not reached in time to ask %s", errand->id);
	finish(errand, NULL, &why);
}

static void introduced(struct companion_waiter *waiter, const struct fault *why) {
	struct errand *errand = CONTAINER_OF(waiter, struct errand, waiting);
	if (why) errand->fault = *why;
	loop_later(errand->guest->loop, &errand->task, step);
}

void errands_start(struct guest *guest) {
	LIST_EACH(link, &guest->errands) {
		struct errand *errand = CONTAINER_OF(link, struct errand, in_guest);
		bool is_idle = list_is_empty(&errand->waiting.link) && !errand->call && !errand->walk;
		if (is_idle) loop_later(guest->loop, &errand->task, step);
	}
}

void errands_end(struct guest *guest, const struct fault *why) {
	while (!list_is_empty(&guest->errands)) {
		struct errand *errand = CONTAINER_OF(guest->errands.next, struct errand, in_guest);
		if (errand->call) peer_cancel(TAKE(errand->call), SLICE("leaving"));
		if (errand->walk) mcp_client_list_cancel(TAKE(errand->walk));
		finish(errand, NULL, why);
	}
}

/* ---- Opening ---- */

static bool check_body(struct slice body, struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	if (!body.bytes) return true;
	if (!scan_check(body, SCAN_DEPTH - 4, &root, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "arguments: octet %zu: %s", fault.offset, fault.what);
	return root.type == SCAN_OBJECT ||
		fault_set(why, FAULT_BAD_INPUT, "arguments: a JSON object is due");
}

static struct slice lay(char **at, struct slice slice) {
	if (!slice.bytes) return SLICE_NONE;
	struct slice laid = slice_make(*at, slice.length);
	memcpy(*at, slice.bytes, slice.length);
	*at += slice.length;
	return laid;
}

static struct errand *make(struct guest *guest, const struct errand_options *options) {
	size_t size = options->to.length + options->name.length + options->body.length +
		options->about.length;
	struct errand *errand = calloc(1, sizeof *errand + size);
	if (!errand) return NULL;
	char *at = (char *)(errand + 1);
	errand->guest = guest;
	errand->options = *options;
	errand->options.to = lay(&at, options->to);
	errand->options.name = lay(&at, options->name);
	errand->options.body = lay(&at, options->body);
	errand->options.about = lay(&at, options->about);
	text_display_in(errand->id, sizeof errand->id, options->to);
	list_init(&errand->waiting.link);
	errand->waiting.told = introduced;
	list_append(&guest->errands, &errand->in_guest);
	return errand;
}

struct errand *errand_open(struct guest *guest, const struct errand_options *options,
	struct fault *why) {
	if (guest->is_closing || membership_state(guest->membership) == MEMBERSHIP_ENDED)
		return fault_null(why, FAULT_CLOSED, "the room was left");
	if (!check_body(options->body, why)) return NULL;
	struct errand *errand = make(guest, options);
	if (!errand) return fault_null(why, FAULT_NO_MEMORY, "no memory for a call");
	uint64_t patience = options->deadline_ms ? options->deadline_ms : PEER_PATIENCE;
	errand->ends_at = patience == UINT64_MAX ? UINT64_MAX : clock_monotonic_ms() + patience;
	if (patience != UINT64_MAX) deadline_set(guest->loop, &errand->deadline, patience, overdue);
	loop_later(guest->loop, &errand->task, step);
	return errand;
}

struct slice errand_tag(const struct errand *errand) {
	return errand->call ? peer_call_tag(errand->call) : SLICE_NONE;
}

int64_t errand_call_id(const struct errand *errand, struct mgp_agreed *mgp) {
	const struct companion *companion = peers_find(&errand->guest->peers, errand->options.to);
	if (!errand->call || !companion) return 0;
	*mgp = companion->client.mgp;
	return peer_call_id(errand->call);
}

void errand_cancel(struct errand *errand, struct slice reason) {
	if (errand->call) peer_cancel(errand->call, reason);
	if (errand->walk) mcp_client_list_cancel(errand->walk);
	errand_free(errand);
}
