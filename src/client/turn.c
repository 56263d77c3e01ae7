/* SPDX-License-Identifier: Apache-2.0 */
/* Turn: asked, asked back, asked again. */
#include "client/turn.h"

#include "client/conversation_parts.h"
#include "mcp/mcp_modern.h"

#include <stdlib.h>

#define SCRATCH 2048

struct turn {
	struct link link; /* of conversation->waiting or ->asked */
	struct conversation *conversation;
	struct peer_call *call;
	struct arena words;
	struct slice method, params;
	uint64_t patience_ms;
	struct deadline deadline;
	peer_answered *answered;
	peer_progressed *progressed;
	void *context;
	bool is_second;        /* goes out once more */
	unsigned rounds;       /* of input */
	unsigned missing;      /* replies of this round */
	bool is_gathering;     /* questions of a round are being raised */
	bool *is_gone;         /* set when it ends, for whoever has called out; may be NULL */
	struct text state;     /* requestState, JSON text */
	struct text responses; /* {"key":reply,... */
};

/* ---- The end ---- */

static void withdraw_questions(struct turn *turn) {
	struct conversation *conversation = turn->conversation;
	LIST_EACH_SAFE(link, &conversation->questions) {
		struct hustings_question *question = inquiry_of(link);
		if (inquiry_raiser(question) != turn || !inquiry_withdraw(question)) continue;
		if (!conversation->is_closed)
			conversation->events->withdrawn(conversation->context, question);
	}
}

static void turn_free(struct turn *turn) {
	if (turn->is_gone) *turn->is_gone = true;
	deadline_clear(&turn->deadline);
	list_remove(&turn->link);
	withdraw_questions(turn);
	arena_finish(&turn->words);
	text_finish(&turn->state);
	text_finish(&turn->responses);
	free(turn);
}

static void turn_end(struct turn *turn, const struct peer_reply *reply, const struct fault *why) {
	peer_answered *answered = turn->answered;
	void *context = turn->context;
	turn_free(turn);
	answered(context, reply, why);
}

void turn_cancel(struct turn *turn, struct slice reason) {
	if (turn->call) peer_cancel(turn->call, reason);
	turn_free(turn);
}

static bool is_asking(const struct conversation *conversation) {
	LIST_EACH(link, &conversation->questions)
		if (!inquiry_is_withdrawn(inquiry_of(link))) return true;
	return false;
}

static void overdue(struct deadline *deadline) {
	struct turn *turn = CONTAINER_OF(deadline, struct turn, deadline);
	struct fault why;
	if (is_asking(turn->conversation)) {
		deadline_set(turn->conversation->loop, &turn->deadline, turn->patience_ms, overdue);
		return;
	}
	fault_set(&why, FAULT_TIMEOUT, "no answer in time");
	if (turn->call) peer_cancel(TAKE(turn->call), SLICE("no answer in time"));
	turn_end(turn, NULL, &why);
}

/* ---- Going out ---- */

static void answered(void *context, const struct peer_reply *reply, const struct fault *why);

static void progressed(void *context, const struct scan_value *params) {
	const struct turn *turn = context;
	turn->progressed(turn->context, params);
}

static bool send_turn(struct turn *turn, struct slice params, struct fault *why) {
	struct conversation *conversation = turn->conversation;
	AUTO_TEXT struct text modern = {0};
	struct peer_request request = {
		.method = turn->method,
		.params = params,
		.deadline_ms = UINT64_MAX, /* the deadline is the turn's */
		.answered = answered,
		.progressed = turn->progressed ? progressed : NULL,
		.context = turn,
	};
	text_init(&modern, 0);
	if (conversation->is_modern) {
		const struct mcp_modern_meta meta = {
			.client_info = conversation->client_info,
			.capabilities = conversation->capabilities,
			.log_level = slice_of(conversation->log_level),
		};
		mcp_modern_write_params(&modern, params, &meta);
		if (text_failed(&modern)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
		request.params = text_slice(&modern);
	}
	turn->call = peer_ask(conversation->peer, &request, why);
	return turn->call != NULL;
}

/* ---- A modern server wants input ---- */

static void again(struct turn *turn) {
	struct fault why;
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_add_char(&turn->responses, '}');
	mcp_modern_write_retry(&params, turn->params, text_slice(&turn->responses),
		text_slice(&turn->state));
	bool is_fine = !text_failed(&turn->responses) && !text_failed(&turn->state) &&
		!text_failed(&params);
	if (!is_fine) fault_set(&why, FAULT_NO_MEMORY, "no memory for a request");
	if (!is_fine || !send_turn(turn, text_slice(&params), &why)) turn_end(turn, NULL, &why);
}

/* A modern request has no word for a refusal: it ends with it. */
static void replied(void *raiser, struct slice key, struct slice result, int64_t code,
	struct slice words) {
	struct turn *turn = raiser;
	const struct peer_reply refusal = {.code = code, .message = words};
	if (!result.bytes) {
		turn_end(turn, &refusal, NULL);
		return;
	}
	if (turn->responses.length > 1) text_add_char(&turn->responses, ',');
	text_add_char(&turn->responses, '"');
	text_add(&turn->responses, key);
	text_add_cstr(&turn->responses, "\":");
	text_add(&turn->responses, result);
	turn->missing--;
	if (!turn->missing && !turn->is_gathering) again(turn);
}

static bool raise_one(struct turn *turn, const struct scan_member *input, struct arena *arena,
	struct fault *why) {
	struct conversation *conversation = turn->conversation;
	struct scan_value method, params = {.type = SCAN_NONE};
	struct slice words;
	enum inquiry_kind kind;
	if (!scan_find(&input->value, "method", &method) || !scan_string(&method, arena, &words))
		return fault_set(why, FAULT_BAD_INPUT, "the server asks for input without a method");
	if (!scan_find(&input->value, "params", &params)) params = (struct scan_value){.type = SCAN_NONE};
	if (!inquiry_kind_of(words, &params, &kind) || !(conversation->options.abilities & (1U << kind)))
		return fault_set(why, FAULT_REFUSED, "the server asks for what is not answered here: %.*s",
			SLICE_ARGS(words));
	struct hustings_question *question =
		inquiry_make(&conversation->questions, kind, input->key, &params, replied, turn);
	if (!question) return fault_set(why, FAULT_NO_MEMORY, "no memory for a question");
	turn->missing++;
	conversation->events->asked(conversation->context, question);
	return true;
}

static bool begin_round(struct turn *turn, const struct scan_value *result, struct fault *why) {
	struct scan_value state;
	if (++turn->rounds > TURN_ROUNDS)
		return fault_set(why, FAULT_TOO_LARGE, "the server asks for input for the %dth time", TURN_ROUNDS + 1);
	text_clear(&turn->state);
	text_clear(&turn->responses);
	if (scan_find(result, "requestState", &state)) text_add(&turn->state, state.text);
	text_add_char(&turn->responses, '{');
	turn->missing = 0;
	return true;
}

static bool raise_all(struct turn *turn, const struct scan_value *result, struct fault *why) {
	char lent[SCRATCH];
	struct arena arena;
	struct scan_value inputs = {.type = SCAN_NONE};
	struct scan_walk walk;
	struct scan_member input;
	bool is_gone = false, is_fine = begin_round(turn, result, why);
	if (!is_fine) return false;
	if (!scan_find(result, "inputRequests", &inputs)) inputs = (struct scan_value){.type = SCAN_NONE};
	arena_init(&arena, lent, sizeof lent, 0);
	turn->is_gathering = true;
	turn->is_gone = &is_gone;
	if (inputs.type == SCAN_OBJECT)
		for (scan_open(&walk, &inputs); is_fine && !is_gone && scan_next(&walk, &input);)
			is_fine = raise_one(turn, &input, &arena, why);
	arena_finish(&arena);
	if (is_gone) return true; /* cancelled, or ended by a refusal, inside of a question */
	turn->is_gone = NULL;
	turn->is_gathering = false;
	if (is_fine && !turn->missing) again(turn);
	return is_fine;
}

/* ---- The answer ---- */

static void wait_again(struct turn *turn) {
	turn->is_second = true;
	list_remove(&turn->link);
	list_append(&turn->conversation->waiting, &turn->link);
}

/* No resultType: complete. One that we do not know would be read wrong (MCP 2026-07-28, basic). */
static bool is_complete(const struct scan_value *result, struct fault *why) {
	struct scan_value type;
	if (!scan_find(result, "resultType", &type) || slice_is(type.text, "\"complete\"")) return true;
	return fault_set(why, FAULT_UNSUPPORTED, "the server's answer is of a kind that is not known here");
}

static void answered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct turn *turn = context;
	struct fault own;
	turn->call = NULL;
	if (why && why->code == FAULT_NOT_READY && !turn->is_second &&
		turn->conversation->state != CONVERSATION_ENDED) {
		wait_again(turn);
		return;
	}
	if (why || !reply->result.bytes || !turn->conversation->is_modern) {
		turn_end(turn, reply, why);
		return;
	}
	struct scan_value result = {.text = reply->result,
		.type = reply->result.bytes[0] == '{' ? SCAN_OBJECT : SCAN_NONE};
	if (!mcp_modern_wants_input(&result)) {
		bool is_fine = is_complete(&result, &own);
		turn_end(turn, is_fine ? reply : NULL, is_fine ? NULL : &own);
	} else if (!raise_all(turn, &result, &own))
		turn_end(turn, NULL, &own);
}

/* ---- Opening ---- */

static bool keep(struct turn *turn, const struct turn_request *request) {
	return arena_copy(&turn->words, request->method, &turn->method) &&
		(!request->params.bytes || arena_copy(&turn->words, request->params, &turn->params));
}

static bool start(struct turn *turn, struct fault *why) {
	list_remove(&turn->link);
	list_append(&turn->conversation->asked, &turn->link);
	return send_turn(turn, turn->params, why);
}

struct turn *turn_open(struct conversation *conversation, const struct turn_request *request,
	struct fault *why) {
	if (conversation->state == CONVERSATION_ENDED)
		return fault_null(why, FAULT_CLOSED, "the conversation with the server has ended");
	struct turn *turn = calloc(1, sizeof *turn);
	if (!turn) return fault_null(why, FAULT_NO_MEMORY, "no memory for another request");
	turn->conversation = conversation;
	turn->answered = request->answered;
	turn->progressed = request->progressed;
	turn->context = request->context;
	turn->patience_ms = request->deadline_ms ? request->deadline_ms : conversation->options.call_ms;
	arena_init(&turn->words, NULL, 0, 0);
	text_init(&turn->state, 0);
	text_init(&turn->responses, 0);
	list_append(&conversation->waiting, &turn->link);
	bool is_fine = keep(turn, request) ||
		fault_set(why, FAULT_NO_MEMORY, "no memory for another request");
	if (is_fine && conversation->state == CONVERSATION_READY) is_fine = start(turn, why);
	if (!is_fine) {
		turn_free(turn);
		return NULL;
	}
	if (turn->patience_ms != UINT64_MAX)
		deadline_set(conversation->loop, &turn->deadline, turn->patience_ms, overdue);
	return turn;
}

/* ---- All of a conversation ---- */

void turns_start(struct conversation *conversation) {
	struct fault why;
	struct link batch;
	list_init(&batch);
	list_move(&batch, &conversation->waiting);
	for (struct link *link; (link = list_pop(&batch));) {
		struct turn *turn = CONTAINER_OF(link, struct turn, link);
		list_append(&conversation->waiting, link);
		if (conversation->state == CONVERSATION_READY && !start(turn, &why)) turn_end(turn, NULL, &why);
	}
}

static struct turn *first(struct conversation *conversation) {
	struct link *head = list_is_empty(&conversation->asked) ? &conversation->waiting : &conversation->asked;
	return list_is_empty(head) ? NULL : CONTAINER_OF(head->next, struct turn, link);
}

void turns_end(struct conversation *conversation, const struct fault *why) {
	for (struct turn *turn; (turn = first(conversation));) {
		if (turn->call) peer_cancel(TAKE(turn->call), SLICE("the conversation is over"));
		turn_end(turn, NULL, why);
	}
}

void turns_drop(struct conversation *conversation) {
	for (struct turn *turn; (turn = first(conversation));)
		turn_cancel(turn, SLICE("the conversation is over"));
}
