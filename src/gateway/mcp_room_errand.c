/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room_errand: there and back, with questions on the way. */
#include "gateway/mcp_room_errand.h"

#include "gateway/mcp_room_calls.h"

#include <stdlib.h>

#define DECLINED (-1) /* MCP sampling: the user rejected it */
#define QUESTIONS 16  /* of one call, open at once */

struct room_errand {
	struct mcp_room_call base;
	struct errand *errand;
	struct deadline deadline;
	struct link questions; /* struct room_question: given to the asker */
	unsigned abilities;    /* of the asker */
	unsigned lacking;      /* that the participant asked for in vain */
	char to[ENVELOPE_IDENTITY + 1];
};

struct room_question {
	struct link link;
	struct room_errand *errand;
	struct peer_question *question;
};

static struct room_errand *errand_of(struct mcp_room_call *one) {
	return CONTAINER_OF(one, struct room_errand, base);
}

/* ---- Questions ---- */

static void free_question(struct room_question *one) {
	peer_question_set(one->question, NULL);
	list_remove(&one->link);
	free(one);
}

void mcp_room_errand_answer(void *question, struct slice result) {
	struct room_question *one = question;
	struct peer_question *asked = one->question;
	free_question(one);
	peer_answer(asked, result);
}

void mcp_room_errand_refuse(void *question, int64_t code, struct slice message, struct slice data) {
	struct room_question *one = question;
	struct peer_question *asked = one->question;
	free_question(one);
	peer_refuse(asked, code, message, data);
}

void mcp_room_errand_withdrawn(void *context, struct peer_question *question) {
	struct room_question *one = peer_question_context(question);
	(void)context;
	if (!one) return;
	if (one->errand->base.call) mcp_call_withdraw(one->errand->base.call, one);
	mcp_room_errand_refuse(one, DECLINED, SLICE("withdrawn"), SLICE_NONE);
}

/* 0: no question that is for an asker. */
static unsigned ability_for(const struct jsonrpc *request) {
	struct scan_value value;
	if (slice_is(request->method, "roots/list")) return HOSTED_CAN_ROOTS;
	if (slice_is(request->method, "sampling/createMessage"))
		return scan_find(&request->params, "tools", &value) ? HOSTED_CAN_SAMPLE | HOSTED_CAN_SAMPLE_TOOLS
								    : HOSTED_CAN_SAMPLE;
	if (!slice_is(request->method, "elicitation/create")) return 0;
	bool is_url = scan_find(&request->params, "mode", &value) && slice_is(value.text, "\"url\"");
	return is_url ? HOSTED_CAN_URL : HOSTED_CAN_FORM;
}

static const struct mcp_room_way way;

/* One that it can be about; *count: how many there are. */
static struct room_errand *find_any(const struct mcp_room *room, struct slice from, struct slice about,
	size_t *count) {
	struct room_errand *found = NULL;
	*count = 0;
	LIST_EACH(link, &room->calls) {
		struct mcp_room_call *one = CONTAINER_OF(link, struct mcp_room_call, link);
		if (one->way != &way || !slice_is(from, errand_of(one)->to)) continue;
		if (about.bytes && !slice_equal(about, errand_tag(errand_of(one)->errand))) continue;
		found = errand_of(one);
		++*count;
	}
	return found;
}

size_t mcp_room_errand_count(const struct mcp_room *room, struct slice from, struct slice about) {
	size_t count;
	(void)find_any(room, from, about, &count);
	return count;
}

/* NULL: none, or it could be more than one. */
static struct room_errand *find(const struct mcp_room *room, struct slice from, struct slice about) {
	size_t count;
	struct room_errand *found = find_any(room, from, about, &count);
	return count == 1 ? found : NULL;
}

static void decline(struct peer_question *question, const struct jsonrpc *request) {
	if (slice_is(request->method, "elicitation/create"))
		peer_answer(question, SLICE("{\"action\":\"decline\"}"));
	else
		peer_refuse(question, DECLINED, SLICE("declined: it belongs to no single call of ours"), SLICE_NONE);
}

static size_t count_questions(const struct room_errand *errand) {
	size_t count = 0;
	LIST_EACH(link, &errand->questions) count++;
	return count;
}

static void raise(struct room_errand *errand, struct peer_question *question,
	const struct jsonrpc *request) {
	bool is_full = count_questions(errand) >= QUESTIONS;
	struct room_question *one = is_full ? NULL : calloc(1, sizeof *one);
	if (!one) {
		peer_refuse(question, JSONRPC_INTERNAL_ERROR,
			is_full ? SLICE("too many questions at once") : SLICE("no memory for the question"), SLICE_NONE);
		return;
	}
	one->errand = errand;
	one->question = question;
	peer_question_set(question, one);
	list_append(&errand->questions, &one->link);
	mcp_call_ask(errand->base.call, one, request->method, &request->params);
}

bool mcp_room_errand_asked(void *context, struct slice from, struct peer_question *question,
	const struct jsonrpc *request) {
	unsigned ability = ability_for(request);
	if (!ability) return false;
	struct room_errand *errand = find(context, from, peer_question_about(question));
	if (!errand)
		decline(question, request);
	else if ((errand->abilities & ability) == ability)
		raise(errand, question, request);
	else {
		errand->lacking |= ability;
		peer_refuse(question, JSONRPC_METHOD_NOT_FOUND, SLICE("who called cannot answer that"), SLICE_NONE);
	}
	return true;
}

/* ---- The call ---- */

static void release(struct mcp_room_call *one) {
	struct room_errand *errand = errand_of(one);
	deadline_clear(&errand->deadline);
	while (!list_is_empty(&errand->questions))
		mcp_room_errand_refuse(CONTAINER_OF(errand->questions.next, struct room_question, link), DECLINED,
			SLICE("the request that this is about has ended"), SLICE_NONE);
	if (errand->errand) errand_cancel(TAKE(errand->errand), SLICE("nobody waits for it any more"));
}

static void cancel(struct mcp_room_call *one, const char *reason) {
	struct room_errand *errand = errand_of(one);
	errand_cancel(TAKE(errand->errand), slice_of(reason));
	mcp_room_call_free(one);
}

static void overdue(struct deadline *deadline) {
	struct room_errand *errand = CONTAINER_OF(deadline, struct room_errand, deadline);
	struct fault why;
	char to[80];
	text_display_in(to, sizeof to, slice_of(errand->to));
	fault_set(&why, FAULT_TIMEOUT, "%s did not answer in time", to);
	errand_cancel(TAKE(errand->errand), SLICE("no answer in time"));
	mcp_room_call_answer(&errand->base, NULL, &why);
}

static void extend(struct mcp_room_call *one, uint64_t deadline_ms) {
	uint64_t wait_ms = deadline_ms > MCP_ROOM_CALL_MS ? deadline_ms : MCP_ROOM_CALL_MS;
	deadline_set(mcp_room_loop(one->room), &errand_of(one)->deadline, wait_ms, overdue);
}

static const struct mcp_room_way way = {.cancel = cancel, .release = release, .extend = extend};

static void done(void *context, const struct errand_result *result, const struct fault *why) {
	struct room_errand *errand = context;
	errand->errand = NULL;
	if (why) {
		mcp_room_call_answer(&errand->base, NULL, why);
		return;
	}
	const struct hosted_answer answer = {
		.result = result->reply->result,
		.code = result->reply->code,
		.message = result->reply->message,
		.data = result->reply->data,
		.lacking = errand->lacking,
	};
	mcp_room_call_answer(&errand->base, &answer, NULL);
}

static void progressed(void *context, const struct scan_value *params) {
	const struct room_errand *errand = context;
	if (errand->base.call) mcp_call_progress(errand->base.call, params);
}

bool mcp_room_errand_start(struct mcp_room *room, struct mcp_call *call, const struct hosted_ask *ask,
	struct slice to, struct slice params, struct fault *why) {
	if (!mcp_room_fits(room, params.length, why)) return false;
	struct room_errand *errand = calloc(1, sizeof *errand);
	if (!errand || to.length >= sizeof errand->to) {
		free(errand);
		return fault_set(why, FAULT_NO_MEMORY, "no memory for the call: try again");
	}
	memcpy(errand->to, to.bytes, to.length);
	const struct errand_options options = {
		.kind = ERRAND_ASK,
		.to = to,
		.name = SLICE("tools/call"),
		.body = params,
		.deadline_ms = UINT64_MAX, /* it has one of its own, which questions put off */
		.done = done,
		.progressed = mcp_call_wants_progress(call) ? progressed : NULL,
		.context = errand,
	};
	errand->errand = errand_open(room->guest, &options, why);
	if (!errand->errand) {
		free(errand);
		return false;
	}
	errand->abilities = ask->abilities;
	list_init(&errand->questions);
	mcp_room_call_begin(&errand->base, room, call, &way);
	extend(&errand->base, MCP_ROOM_CALL_MS);
	return true;
}
