/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted question: what a server asks back while it serves. A legacy server's question names no
 * request: it belongs to the one that is open in its conversation, or to none. A modern server's
 * come as an answer, and go back with the same request. Callbacks of MGP are hosted_callback.c's.
 */
#include "hosted/hosted_parts.h"

#include "mcp/mcp_modern.h"

#include <stdlib.h>

#define ROUNDS 16                         /* of input_required in one ask */
#define QUESTION_OCTETS ((size_t)4 << 20) /* of the params of one */
#define DECLINED (-1)                     /* MCP sampling: the user rejected it */
#define DECLINED_TOLD_MS 60000

static unsigned ability_for(struct slice method, const struct scan_value *params) {
	struct scan_value value;
	if (slice_is(method, "roots/list")) return HOSTED_CAN_ROOTS;
	if (slice_is(method, "sampling/createMessage"))
		return scan_find(params, "tools", &value) ? HOSTED_CAN_SAMPLE | HOSTED_CAN_SAMPLE_TOOLS
							  : HOSTED_CAN_SAMPLE;
	if (!slice_is(method, "elicitation/create")) return 0;
	bool is_url = scan_find(params, "mode", &value) && slice_equal(value.text, SLICE("\"url\""));
	return is_url ? HOSTED_CAN_URL : HOSTED_CAN_FORM;
}

struct hosted_question *hosted_question_make(struct hosted_run *run, struct slice key) {
	struct hosted_question *question = calloc(1, sizeof *question);
	if (!question) return NULL;
	question->run = run;
	if (key.bytes && !(question->key = slice_copy(key))) {
		free(question);
		return NULL;
	}
	list_append(&run->questions, &question->link);
	return question;
}

bool hosted_questions_are_many(const struct hosted_run *run) {
	size_t count = 0;
	LIST_EACH(link, &run->questions) count++;
	return count >= HOSTED_QUESTIONS;
}

void hosted_question_free(struct hosted_question *question) {
	deadline_clear(&question->due);
	list_remove(&question->link);
	free(question->callback);
	free(question->key);
	free(question);
}

void hosted_questions_end(struct hosted_run *run) {
	while (!list_is_empty(&run->questions)) {
		struct hosted_question *question =
			CONTAINER_OF(run->questions.next, struct hosted_question, link);
		if (question->question) {
			peer_question_set(question->question, NULL);
			peer_refuse(question->question, DECLINED, SLICE("the request that this is about has ended"),
				JSONRPC_PLAIN);
		}
		if (question->callback) hosted_callback_end(question);
		hosted_question_free(question);
	}
}

/* ---- Legacy ---- */

static void answer_roots(struct hosted_child *child, struct peer_question *question) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	text_printf(&result, "{\"roots\":%s}", child->hosted->setup.of.roots);
	if (text_failed(&result))
		peer_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("no memory"), JSONRPC_PLAIN);
	else
		peer_answer(question, text_slice(&result));
}

static void minute_over(struct deadline *deadline) {
	hosted_tell_declined(CONTAINER_OF(deadline, struct hosted, declined_due));
}

void hosted_child_declined(struct hosted_child *child, struct slice method) {
	struct hosted *hosted = child->hosted;
	text_display_in(hosted->declined_method, sizeof hosted->declined_method, method);
	hosted->declined++;
	if (hosted->declined_due.at) return;
	hosted_tell_declined(hosted);
	deadline_set(hosted->servers->loop, &hosted->declined_due, DECLINED_TOLD_MS, minute_over);
}

static void decline(struct hosted_child *child, struct peer_question *question,
	const struct jsonrpc *request) {
	hosted_child_declined(child, request->method);
	if (slice_is(request->method, "elicitation/create"))
		peer_answer(question, SLICE("{\"action\":\"decline\"}"));
	else
		peer_refuse(question, DECLINED, SLICE("declined: it belongs to no single request"), JSONRPC_PLAIN);
}

static void raise(struct hosted_run *run, struct peer_question *question,
	const struct jsonrpc *request) {
	bool is_too_much = hosted_questions_are_many(run) || request->params.text.length > QUESTION_OCTETS;
	struct hosted_question *made = is_too_much ? NULL : hosted_question_make(run, SLICE_NONE);
	if (!made) {
		peer_refuse(question, JSONRPC_INTERNAL_ERROR,
			is_too_much ? SLICE("too many questions at once, or too large a one") : SLICE("no memory"),
			JSONRPC_PLAIN);
		return;
	}
	made->question = question;
	made->is_for_person = slice_is(request->method, "elicitation/create");
	peer_question_set(question, made);
	run->ask->events->questioned(run->ask, made, request->method, &request->params);
}

void hosted_child_asked(struct hosted_child *child, struct peer_question *question,
	const struct jsonrpc *request) {
	const struct hosted_governor *governor = child->hosted->servers->governor;
	unsigned needed = ability_for(request->method, &request->params);
	struct hosted_run *run = hosted_pool_concerned(child);
	bool is_roots = needed == HOSTED_CAN_ROOTS;
	if (slice_is(request->method, "ping")) {
		peer_answer(question, SLICE("{}"));
		return;
	}
	if (slice_starts_with(request->method, "interaction.") && governor && governor->interacted) {
		governor->interacted(child->hosted, child, question, request->method, &request->params);
		return;
	}
	if (!needed || child->era == HOSTED_MODERN) {
		peer_refuse(question, JSONRPC_METHOD_NOT_FOUND, SLICE("this client does not know that method"),
			JSONRPC_PLAIN);
		return;
	}
	if (!run && is_roots) answer_roots(child, question);
	else if (!run)
		decline(child, question, request);
	else if ((run->ask->abilities & needed) == needed && run->ask->events->questioned)
		raise(run, question, request);
	else if (is_roots)
		answer_roots(child, question);
	else {
		run->lacking |= needed & ~run->ask->abilities;
		peer_refuse(question, JSONRPC_METHOD_NOT_FOUND, SLICE("this client cannot answer that"), JSONRPC_PLAIN);
	}
}

void hosted_child_withdrew(struct hosted_child *child, struct peer_question *peers) {
	struct hosted_question *question = peer_question_context(peers);
	(void)child;
	if (question) {
		struct hosted_ask *ask = question->run->ask;
		list_remove(&question->link); /* the ask may end in the callback */
		if (ask->events->withdrawn) ask->events->withdrawn(ask, question);
		hosted_question_free(question);
	}
	peer_answer(peers, SLICE("{}")); /* goes nowhere; it ends the question */
}

/* ---- Modern ---- */

static bool raise_input(struct hosted_run *run, const struct scan_member *input,
	struct arena *arena, struct fault *why) {
	struct scan_value method, params = {.type = SCAN_NONE};
	struct slice words;
	if (!scan_find(&input->value, "method", &method) || !scan_string(&method, arena, &words))
		return fault_set(why, FAULT_BAD_INPUT, "the server asks for input without a method");
	(void)scan_find(&input->value, "params", &params);
	unsigned needed = ability_for(words, &params);
	if (!needed || (run->ask->abilities & needed) != needed || !run->ask->events->questioned)
		return fault_set(why, FAULT_REFUSED, "the server asks for what this asker cannot answer: %.*s",
			SLICE_ARGS(words));
	if (hosted_questions_are_many(run) || params.text.length > QUESTION_OCTETS)
		return fault_set(why, FAULT_TOO_LARGE, "the server asks for too much input at once");
	struct hosted_question *made = hosted_question_make(run, input->key);
	if (!made) return fault_set(why, FAULT_NO_MEMORY, "no memory for a question");
	made->is_for_person = slice_is(words, "elicitation/create");
	run->answers_missing++;
	run->ask->events->questioned(run->ask, made, words, &params);
	return true;
}

static void again(struct hosted_run *run) {
	struct fault why;
	text_add_char(&run->responses, '}');
	if (text_failed(&run->responses) || text_failed(&run->state)) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for a request");
		hosted_run_end(run, NULL, &why);
	} else if (!hosted_run_again(run, &why))
		hosted_run_end(run, NULL, &why);
}

static bool begin_round(struct hosted_run *run, const struct scan_value *result,
	struct fault *why) {
	struct scan_value state;
	if (++run->rounds > ROUNDS)
		return fault_set(why, FAULT_TOO_LARGE, "the server asks for input for the %dth time", ROUNDS);
	text_clear(&run->state);
	text_clear(&run->responses);
	if (scan_find(result, "requestState", &state)) text_add(&run->state, state.text);
	text_add_char(&run->responses, '{');
	run->answers_missing = 0;
	return true;
}

bool hosted_run_wants(struct hosted_run *run, const struct scan_value *result,
	struct fault *why) {
	char lent[HOSTED_SCRATCH];
	struct arena arena;
	struct scan_value inputs = {.type = SCAN_NONE};
	struct scan_walk walk;
	struct scan_member input;
	bool is_gone = false, is_fine = begin_round(run, result, why);
	if (!is_fine) return false;
	(void)scan_find(result, "inputRequests", &inputs);
	arena_init(&arena, lent, sizeof lent, 0);
	run->is_gathering = true;
	run->is_gone = &is_gone;
	if (inputs.type == SCAN_OBJECT)
		for (scan_open(&walk, &inputs); is_fine && !is_gone && scan_next(&walk, &input);)
			is_fine = raise_input(run, &input, &arena, why);
	arena_finish(&arena);
	if (is_gone) return true; /* cancelled, or ended by a refusal, inside of a question */
	run->is_gone = NULL;
	run->is_gathering = false;
	if (!is_fine) return false;
	if (!run->answers_missing) again(run);
	return true;
}

static void take_response(struct hosted_run *run, struct hosted_question *question,
	struct slice result) {
	if (run->responses.length > 1) text_add_char(&run->responses, ',');
	text_printf(&run->responses, "\"%s\":", question->key);
	text_add(&run->responses, result);
	hosted_question_free(question);
	run->answers_missing--;
	if (!run->answers_missing && !run->is_gathering) again(run);
}

/* ---- Answers ---- */

void hosted_question_answer(struct hosted_question *question, struct slice result) {
	struct hosted_run *run = question->run;
	struct peer_question *peers = question->question;
	if (question->heard) {
		question->heard(question->context, result);
		return;
	}
	if (question->callback) {
		hosted_callback_answer(question, result);
		return;
	}
	if (!peers) {
		take_response(run, question, result);
		return;
	}
	hosted_question_free(question);
	peer_question_set(peers, NULL);
	peer_answer(peers, result);
}

/* A modern request has no word for a refusal but an elicitation's, so it ends with it. */
void hosted_question_refuse(struct hosted_question *question, int64_t code, struct slice message,
	struct slice data) {
	struct hosted_run *run = question->run;
	struct peer_question *peers = question->question;
	if (question->heard) {
		question->heard(question->context, SLICE_NONE);
		return;
	}
	if (question->callback) {
		hosted_callback_refuse(question, code == JSONRPC_METHOD_NOT_FOUND);
		return;
	}
	if (peers) {
		hosted_question_free(question);
		peer_question_set(peers, NULL);
		peer_refuse(peers, code, message, data);
		return;
	}
	const struct hosted_answer answer = {.code = code, .message = message, .data = data};
	hosted_run_end(run, &answer, NULL);
}

bool hosted_ask_waits_for_person(const struct hosted_ask *ask) {
	if (!ask->run) return false;
	LIST_EACH(link, &ask->run->questions) {
		const struct hosted_question *one = CONTAINER_OF(link, struct hosted_question, link);
		if (one->is_for_person || one->callback) return true;
	}
	return false;
}

void hosted_question_set(struct hosted_question *question, void *owner) { question->owner = owner; }
void *hosted_question_owner(const struct hosted_question *question) { return question->owner; }

struct hosted_question *hosted_question_own(hosted_question_heard *heard, void *context) {
	struct hosted_question *question = calloc(1, sizeof *question);
	if (!question) return NULL;
	question->heard = heard;
	question->context = context;
	return question;
}

void hosted_question_disown(struct hosted_question *question) { free(question); }
