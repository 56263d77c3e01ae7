/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seat ask: one participant's request, on its way to the server and back; what the server asks
 * meanwhile goes to this participant as a request of the seat's, about the envelope that asked. */
#include "gateway/hosted_seat_parts.h"

#include "gateway/mcp_request.h"
#include "kernel/call.h"
#include "mcp/peer.h"

#include <stdio.h>
#include <stdlib.h>

#define SCRATCH 2048
#define PROGRESS_AT_ONCE 20 /* notifications of one request; what is too much is left out */
#define PROGRESS_MS 50      /* until there may be another one */

struct seat_ask {
	struct seat_errand errand;
	struct hosted_ask ask;
	struct link asides;      /* struct aside */
	uint64_t progress_until; /* loop ms for which progress has been told already */
};

/* What the server asks of who asks it. */
struct aside {
	struct link link;
	struct seat_ask *of;
	struct hosted_question *question;
	struct peer_call *call;
};

static struct seat_ask *ask_of(struct hosted_ask *ask) {
	return CONTAINER_OF(ask, struct seat_ask, ask);
}

static void aside_free(struct aside *aside) {
	list_remove(&aside->link);
	free(aside);
}

static void ask_free(struct seat_ask *ask) {
	while (!list_is_empty(&ask->asides)) {
		struct aside *aside = CONTAINER_OF(ask->asides.next, struct aside, link);
		if (aside->call) peer_cancel(aside->call, SLICE("the request that this was about has ended"));
		aside_free(aside);
	}
	free(ask);
}

static void give_up(struct seat_errand *errand, const char *reason) {
	struct seat_ask *ask = CONTAINER_OF(errand, struct seat_ask, errand);
	call_cancel(&ask->ask, reason);
	ask_free(ask);
}

/* ---- Back from the server ---- */

static void answered(struct hosted_ask *hosted_ask, const struct hosted_answer *answer,
	const struct fault *why) {
	struct seat_ask *ask = ask_of(hosted_ask);
	if (why)
		seat_errand_refuse(&ask->errand, why);
	else if (answer->result.bytes)
		seat_errand_answer(&ask->errand, answer->result);
	else
		seat_errand_fail(&ask->errand, answer->code, answer->message, answer->data);
	ask_free(ask);
}

/* A server that counts to a million must not hold up what others are answered. */
static bool may_progress(struct seat_ask *ask) {
	uint64_t now = loop_now(ask->errand.seat->gateway->loop);
	uint64_t until = ask->progress_until > now ? ask->progress_until : now;
	if (until - now > (PROGRESS_AT_ONCE - 1) * PROGRESS_MS) return false;
	ask->progress_until = until + PROGRESS_MS;
	return true;
}

static void progressed(struct hosted_ask *hosted_ask, const struct scan_value *params) {
	struct seat_ask *ask = ask_of(hosted_ask);
	struct scan_value value;
	struct slice message = SLICE_NONE;
	double progress, total = 0;
	char lent[512];
	struct arena arena;
	if (!scan_find(params, "progress", &value) || !scan_number(&value, &progress) ||
		!may_progress(ask))
		return;
	if (scan_find(params, "total", &value) && !scan_number(&value, &total)) total = 0;
	arena_init(&arena, lent, sizeof lent, 0);
	if (scan_find(params, "message", &value) && !scan_string(&value, &arena, &message))
		message = SLICE_NONE;
	peer_progress(ask->errand.question, progress, total, message);
	arena_finish(&arena);
}

/* That a page was visited, and nothing else: log messages are for the log. */
static void told(struct hosted_ask *hosted_ask, struct slice method, const struct scan_value *params) {
	const struct seat_ask *ask = ask_of(hosted_ask);
	struct peer *peer = peer_question_peer(ask->errand.question);
	if (peer && slice_is(method, "notifications/elicitation/complete"))
		(void)!peer_tell(peer, method, params->type == SCAN_OBJECT ? params->text : SLICE_NONE, NULL);
}

/* ---- Questions of the server ---- */

static void aside_answered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct aside *aside = context;
	struct seat_ask *ask = aside->of;
	struct hosted_question *question = aside->question;
	aside_free(aside);
	if (list_is_empty(&ask->asides)) call_extend(&ask->ask, 0);
	if (why)
		hosted_question_refuse(question, JSONRPC_INTERNAL_ERROR, slice_of(why->text), SLICE_NONE);
	else if (reply->result.bytes)
		hosted_question_answer(question, reply->result);
	else
		hosted_question_refuse(question, reply->code, reply->message, reply->data);
}

static bool ask_participant(struct aside *aside, struct slice method,
	const struct scan_value *params, struct fault *why) {
	struct peer_question *about = aside->of->errand.question;
	struct peer *peer = peer_question_peer(about);
	const struct peer_request request = {
		.method = method,
		.params = params->type == SCAN_OBJECT ? params->text : SLICE_NONE,
		.about = peer_question_tag(about),
		.deadline_ms = HOSTED_SEAT_QUESTION_MS,
		.answered = aside_answered,
		.context = aside,
	};
	if (!peer) return fault_set(why, FAULT_CLOSED, "the participant has left");
	aside->call = peer_ask(peer, &request, why);
	return aside->call != NULL;
}

static void questioned(struct hosted_ask *hosted_ask, struct hosted_question *question,
	struct slice method, const struct scan_value *params) {
	struct seat_ask *ask = ask_of(hosted_ask);
	struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory for the question"};
	struct aside *aside = calloc(1, sizeof *aside);
	if (aside) {
		aside->of = ask;
		aside->question = question;
		list_append(&ask->asides, &aside->link);
	}
	if (aside && ask_participant(aside, method, params, &why)) {
		call_extend(hosted_ask, HOSTED_SEAT_QUESTION_MS + HOSTED_CALL_MS);
		return;
	}
	if (aside) aside_free(aside);
	hosted_question_refuse(question, JSONRPC_INTERNAL_ERROR, slice_of(why.text), SLICE_NONE);
}

static void withdrawn(struct hosted_ask *hosted_ask, struct hosted_question *question) {
	struct seat_ask *ask = ask_of(hosted_ask);
	LIST_EACH(link, &ask->asides) {
		struct aside *aside = CONTAINER_OF(link, struct aside, link);
		if (aside->question != question) continue;
		peer_cancel(aside->call, SLICE("the server does not wait any more"));
		aside_free(aside);
		return;
	}
}

/* Who wants no progress has a server that is not told to make any. */
static const struct hosted_ask_events quiet_table = {
	.answered = answered,
	.questioned = questioned,
	.withdrawn = withdrawn,
	.told = told,
};
static const struct hosted_ask_events table = {
	.answered = answered,
	.progressed = progressed,
	.questioned = questioned,
	.withdrawn = withdrawn,
	.told = told,
};

/* ---- To the server ---- */

static bool start(struct seat_ask *ask, struct slice from, const struct mcp_request *request,
	struct fault *why) {
	const unsigned *note = guest_asker_note(ask->errand.question);
	char session[160];
	int length = snprintf(session, sizeof session, "room %s", ask->errand.seat->topic);
	ask->ask.method = request->message.method;
	ask->ask.params = request->params;
	ask->ask.principal = from;
	ask->ask.session = slice_make(session, (size_t)length);
	ask->ask.era = HOSTED_LEGACY;
	ask->ask.abilities = note ? *note : 0;
	ask->ask.events = request->progress_token.type == SCAN_NONE ? &quiet_table : &table;
	const struct call_asker asker = {.principal = from, .is_in_room = true};
	return call_start(ask->errand.seat->hosted, &asker, &ask->ask, why);
}

static bool make(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct jsonrpc *message, struct fault *why) {
	struct mcp_request request = {.message = *message};
	char lent[SCRATCH];
	struct arena arena;
	if (message->params.type != SCAN_OBJECT)
		return fault_set(why, FAULT_BAD_INPUT, "params: an object is due");
	struct seat_ask *ask = calloc(1, sizeof *ask);
	if (!ask) return fault_set(why, FAULT_NO_MEMORY, "no memory for another request: try again");
	list_init(&ask->asides);
	seat_errand_begin(&ask->errand, seat, question);
	ask->errand.give_up = give_up;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_fine = mcp_request_read(&request, &arena) ||
		fault_set(why, FAULT_NO_MEMORY, "no memory for another request: try again");
	if (is_fine && request.twice)
		is_fine = fault_set(why, FAULT_BAD_INPUT, "params: \"%s\" stands there twice, or in another case", request.twice);
	is_fine = is_fine && start(ask, from, &request, why);
	arena_finish(&arena);
	if (is_fine) return true;
	seat_errand_forget(&ask->errand);
	ask_free(ask);
	return false;
}

void hosted_seat_ask(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct jsonrpc *request) {
	struct fault why;
	if (!make(seat, from, question, request, &why)) seat_question_refuse(question, &why);
}
