/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seat ask: one participant's request, on its way to the server and back. */
#include "gateway/hosted_seat_parts.h"

#include "gateway/hosted_seat_authorization.h"
#include "gateway/mcp_asker.h"
#include "gateway/mcp_request.h"
#include "kernel/call.h"
#include "mcp/mgp_callback.h"
#include "mcp/peer.h"

#include <stdlib.h>

#define SCRATCH 2048

static struct seat_ask *ask_of(struct hosted_ask *ask) {
	return CONTAINER_OF(ask, struct seat_ask, ask);
}

static void ask_free(struct seat_ask *ask) {
	seat_asides_end(ask);
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

/* A word of the server's, and that a page was visited: log messages are for the log. */
static void told(struct hosted_ask *hosted_ask, struct slice method, const struct scan_value *params) {
	struct seat_ask *ask = ask_of(hosted_ask);
	struct peer *peer = peer_question_peer(ask->errand.question);
	if (slice_is(method, MGP_CALLBACK_REQUEST)) seat_notified(ask, params);
	else if (peer && slice_is(method, "notifications/elicitation/complete"))
		(void)!peer_tell(peer, method, params->type == SCAN_OBJECT ? params->text : SLICE_NONE, NULL);
}

/* Who wants to hear of nothing before the answer has a server that is not told to say any. */
static const struct hosted_ask_events quiet_table = {
	.answered = answered,
	.questioned = seat_questioned,
	.withdrawn = seat_withdrawn,
	.told = told,
	.authorizing = seat_authorizing,
};
static const struct hosted_ask_events table = {
	.answered = answered,
	.progressed = seat_progressed,
	.streamed = seat_streamed,
	.questioned = seat_questioned,
	.withdrawn = seat_withdrawn,
	.told = told,
	.authorizing = seat_authorizing,
};

/* ---- To the server ---- */

static bool start(struct seat_ask *ask, struct slice from, const struct mcp_request *request,
	struct fault *why) {
	const struct guest_note *note = guest_asker_note(ask->errand.question);
	struct call_asker asker = seat_asker(ask->errand.seat, from, note);
	asker.has_authorization |= mcp_asker_knows_authorization(&request->message.params);
	ask->ask.method = request->message.method;
	ask->ask.params = request->params;
	ask->ask.principal = from;
	ask->ask.session = asker.session;
	ask->ask.era = HOSTED_LEGACY;
	ask->ask.abilities = note ? note->abilities : 0;
	seat_stream_begin(ask, &request->message.params, note);
	bool is_quiet = request->progress_token.type == SCAN_NONE && !ask->speaks_streams;
	ask->ask.events = is_quiet ? &quiet_table : &table;
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
	ask->errand.ask = &ask->ask;
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
