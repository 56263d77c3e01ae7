/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted callback: what an MGP server asks during a request (MGP 13.4). It comes as a notification that names
 * the request, and its answer leaves as a request of ours, exactly once: the asker's, the deadline's, or that
 * nobody is there any more.
 */
#include "hosted/hosted_parts.h"

#include "mcp/mgp.h"
#include "mcp/mgp_callback.h"

/* ---- What the server hears ---- */

static void responded(void *context, const struct peer_reply *reply, const struct fault *why) {
	(void)why;
	if (reply && reply->result.bytes) return;
	hosted_babble(context, SLICE("the answer to a callback was not taken"));
}

/* `answer`: the text of an object with `response`. Out of memory it hears nothing, and has a deadline too. */
static void respond(struct hosted_child *child, struct slice id, struct slice answer) {
	const struct scan_value object = {.text = slice_trim(answer), .type = SCAN_OBJECT};
	struct scan_value response, reason;
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_add_cstr(&params, "{\"callback_id\":");
	text_add(&params, id);
	text_add_cstr(&params, ",\"response\":");
	bool is_there = scan_find(&object, "response", &response);
	text_add(&params, is_there ? response.text : SLICE("null"));
	if (!is_there) text_add_cstr(&params, ",\"reason\":\"declined\"");
	else if (scan_find(&object, "reason", &reason)) {
		text_add_cstr(&params, ",\"reason\":");
		text_add(&params, reason.text);
	}
	text_add_char(&params, '}');
	const struct peer_request request = {
		.method = SLICE(MGP_CALLBACK_RESPOND),
		.params = text_slice(&params),
		.answered = responded,
		.context = child->hosted,
	};
	if (!text_failed(&params)) (void)!hosted_child_ask(child, &request, NULL, NULL);
}

static void respond_none(struct hosted_child *child, struct slice id, const char *reason) {
	AUTO_TEXT struct text answer = {0};
	text_init(&answer, 0);
	if (!id.length) return;
	mgp_callback_write_none(&answer, reason);
	if (!text_failed(&answer)) respond(child, id, text_slice(&answer));
}

/* ---- Its time ---- */

static uint64_t now_of(const struct hosted_run *run) { return loop_now(run->hosted->servers->loop); }

/* The request waits as long as the last of them, and then as long as it may anyway; behind the last it has
 * its own time again. */
static void settle_patience(struct hosted_run *run) {
	uint64_t now = now_of(run), longest = 0;
	uint64_t own = run->ask->deadline_ms ? run->ask->deadline_ms : run->hosted->setup.of.call_ms;
	if (own == UINT64_MAX) return;
	LIST_EACH(link, &run->questions) {
		const struct hosted_question *one = CONTAINER_OF(link, struct hosted_question, link);
		if (one->callback && one->ends_at > now && one->ends_at - now > longest) longest = one->ends_at - now;
	}
	hosted_ask_extend(run->ask, longest + own);
}

static void overdue(struct deadline *deadline) {
	struct hosted_question *question = CONTAINER_OF(deadline, struct hosted_question, due);
	struct hosted_run *run = question->run;
	struct hosted_child *child = run->child;
	struct hosted_ask *ask = run->ask;
	list_remove(&question->link); /* the ask may end in the callback */
	settle_patience(run);
	if (child) respond_none(child, slice_of(question->callback), "timeout");
	if (ask->events->withdrawn) ask->events->withdrawn(ask, question);
	hosted_question_free(question);
}

/* ---- Raised ---- */

static bool is_open(const struct hosted_run *run, struct slice id) {
	LIST_EACH(link, &run->questions) {
		const struct hosted_question *one = CONTAINER_OF(link, struct hosted_question, link);
		if (one->callback && slice_is(id, one->callback)) return true;
	}
	return false;
}

static void raise(struct hosted_run *run, const struct mgp_callback *callback, const struct scan_value *params) {
	if (hosted_questions_are_many(run) || run->callbacks >= HOSTED_CALLBACKS) {
		respond_none(run->child, callback->id, "too_many");
		return;
	}
	struct hosted_question *question = hosted_question_make(run, SLICE_NONE);
	if (!question || !(question->callback = slice_copy(callback->id))) {
		if (question) hosted_question_free(question);
		respond_none(run->child, callback->id, "unavailable");
		return;
	}
	run->callbacks++;
	question->ends_at = now_of(run) + callback->timeout_ms;
	deadline_set(run->hosted->servers->loop, &question->due, callback->timeout_ms, overdue);
	settle_patience(run);
	run->ask->events->questioned(run->ask, question, SLICE(MGP_CALLBACK), params);
}

/* The one request that it can be about: the one that it names, else the only one there is. */
static struct hosted_run *run_of(struct hosted_child *child, const struct mgp_callback *callback) {
	struct hosted_run *run =
		callback->request.type ? hosted_run_find(child, &callback->request) : NULL;
	if (!run) run = hosted_pool_concerned(child);
	return run && !run->halt.stopped ? run : NULL;
}

void hosted_child_called_back(struct hosted_child *child, const struct scan_value *params) {
	struct mgp_callback callback;
	struct fault why;
	bool is_sound = mgp_callback_read(params, &callback, &why);
	struct hosted_run *run = is_sound ? run_of(child, &callback) : NULL;
	if (!is_sound) {
		hosted_babble(child->hosted, SLICE("left out: a callback that is none:"));
		hosted_babble(child->hosted, slice_of(why.text));
		respond_none(child, callback.id, "invalid");
	} else if (callback.type == MGP_NOTIFICATION) {
		if (run && run->ask->events->told) run->ask->events->told(run->ask, SLICE(MGP_CALLBACK_REQUEST), params);
	} else if (!run) {
		hosted_child_declined(child, SLICE(MGP_CALLBACK_REQUEST));
		respond_none(child, callback.id, "declined");
	} else if (is_open(run, callback.id))
		hosted_babble(child->hosted, SLICE("left out: a callback that is open already"));
	else if (!run->ask->events->questioned)
		respond_none(child, callback.id, "unavailable");
	else
		raise(run, &callback, params);
}

/* ---- Answered ---- */

/* The question is gone, and its request has its own time again. */
static struct hosted_child *take(struct hosted_question *question, char **id) {
	struct hosted_run *run = question->run;
	*id = TAKE(question->callback);
	hosted_question_free(question);
	settle_patience(run);
	return run->child;
}

void hosted_callback_answer(struct hosted_question *question, struct slice result) {
	AUTO_FREE char *id = NULL;
	struct hosted_child *child = take(question, &id);
	if (child) respond(child, slice_of(id), result);
}

void hosted_callback_refuse(struct hosted_question *question, bool is_unable) {
	AUTO_FREE char *id = NULL;
	struct hosted_run *run = question->run;
	if (is_unable) run->lacking |= HOSTED_CAN_FORM & ~run->ask->abilities;
	struct hosted_child *child = take(question, &id);
	if (child) respond_none(child, slice_of(id), is_unable ? "unavailable" : "declined");
}

void hosted_callback_end(struct hosted_question *question) {
	struct hosted_child *child = question->run->child;
	if (child) respond_none(child, slice_of(question->callback), "ended");
}
