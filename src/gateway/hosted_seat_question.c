/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seat question: what a server asks of who asks it: a request of the seat's, about the envelope that
 * asked, or a callback of MGP (13.4), which is answered by a method of the kernel's. */
#include "gateway/hosted_seat_parts.h"

#include "kernel/call.h"
#include "kernel/call_callback.h"
#include "mcp/mgp_callback.h"
#include "mcp/peer.h"

#include <stdlib.h>

struct seat_aside {
	struct link link;
	struct seat_ask *of;
	struct hosted_question *question;
	struct peer_call *call;
};

static struct seat_ask *ask_of(struct hosted_ask *ask) {
	return CONTAINER_OF(ask, struct seat_ask, ask);
}

static void aside_free(struct seat_aside *aside) {
	list_remove(&aside->link);
	free(aside);
}

void seat_asides_end(struct seat_ask *ask) {
	while (!list_is_empty(&ask->asides)) {
		struct seat_aside *aside = CONTAINER_OF(ask->asides.next, struct seat_aside, link);
		if (aside->call) peer_cancel(aside->call, SLICE("the request that this was about has ended"));
		aside_free(aside);
	}
}

/* ---- By a request ---- */

static void answered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct seat_aside *aside = context;
	struct seat_ask *ask = aside->of;
	struct hosted_question *question = aside->question;
	aside_free(aside);
	if (list_is_empty(&ask->asides)) call_extend(&ask->ask, 0);
	if (why)
		call_question_refuse(question, JSONRPC_INTERNAL_ERROR, slice_of(why->text), JSONRPC_PLAIN);
	else if (reply->result.bytes)
		call_question_answer(question, reply->result);
	else
		call_question_refuse(question, reply->code, reply->message, reply->data);
}

static bool ask_participant(struct seat_aside *aside, struct slice method,
	const struct scan_value *params, struct fault *why) {
	struct peer_question *about = aside->of->errand.question;
	struct peer *peer = peer_question_peer(about);
	const struct peer_request request = {
		.method = method,
		.params = params->type == SCAN_OBJECT ? params->text : SLICE_NONE,
		.about = peer_question_tag(about),
		.deadline_ms = HOSTED_SEAT_QUESTION_MS,
		.answered = answered,
		.context = aside,
	};
	if (!peer) return fault_set(why, FAULT_CLOSED, "the participant has left");
	aside->call = peer_ask(peer, &request, why);
	return aside->call != NULL;
}

static void ask(struct seat_ask *ask, struct hosted_question *question, struct slice method,
	const struct scan_value *params) {
	struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory for the question"};
	struct seat_aside *aside = calloc(1, sizeof *aside);
	if (aside) {
		aside->of = ask;
		aside->question = question;
		list_append(&ask->asides, &aside->link);
	}
	if (aside && ask_participant(aside, method, params, &why)) {
		call_extend(&ask->ask, HOSTED_SEAT_QUESTION_MS + HOSTED_CALL_MS);
		return;
	}
	if (aside) aside_free(aside);
	call_question_refuse(question, JSONRPC_INTERNAL_ERROR, slice_of(why.text), JSONRPC_PLAIN);
}

/* ---- By a callback ---- */

/* About the request as its asker numbers it. */
static bool tell_callback(const struct seat_ask *ask, const struct scan_value *params) {
	struct peer_question *about = ask->errand.question;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	mgp_callback_write_about(&text, params, peer_question_id(about));
	if (text_failed(&text)) return false;
	peer_question_tell(about, SLICE(MGP_CALLBACK_REQUEST), text_slice(&text));
	return true;
}

void seat_notified(struct seat_ask *ask, const struct scan_value *params) {
	if (seat_may_say(ask->errand.seat, &ask->progress_until)) (void)tell_callback(ask, params);
}

void seat_questioned(struct hosted_ask *hosted_ask, struct hosted_question *question,
	struct slice method, const struct scan_value *params) {
	const struct seat_ask *of = ask_of(hosted_ask);
	if (!slice_is(method, MGP_CALLBACK)) ask(ask_of(hosted_ask), question, method, params);
	else if (!of->errand.seat->gateway->kernel || !tell_callback(of, params))
		call_question_refuse(question, JSONRPC_METHOD_NOT_FOUND, SLICE("the participant cannot be asked"), JSONRPC_PLAIN);
}

void seat_withdrawn(struct hosted_ask *hosted_ask, struct hosted_question *question) {
	struct seat_ask *ask = ask_of(hosted_ask);
	LIST_EACH(link, &ask->asides) {
		struct seat_aside *aside = CONTAINER_OF(link, struct seat_aside, link);
		if (aside->question != question) continue;
		peer_cancel(aside->call, SLICE("the server does not wait any more"));
		aside_free(aside);
		return;
	}
}
