/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room_errand: there and back, with questions on the way. */
#include "gateway/mcp_room_errand.h"

#include "gateway/mcp_room_calls.h"
#include "kernel/call_answer.h"
#include "kernel/callbacks.h"
#include "kernel/kernel.h"
#include "mcp/mgp_chunk.h"
#include "mcp/mgp_form.h"

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
	struct callback callback; /* a form for who knows callbacks alone (MGP 13.4), with the next two */
	struct mgp_form form;     /* spans of the params */
	bool is_callback;
	char params[];
};

static struct room_errand *errand_of(struct mcp_room_call *one) {
	return CONTAINER_OF(one, struct room_errand, base);
}

/* ---- Questions ---- */

static struct callbacks *callbacks_of(const struct room_errand *errand) {
	const struct kernel *kernel = errand->base.room->face->gateway->kernel;
	return kernel ? kernel_means(kernel)->callbacks : NULL;
}

static void free_question(struct room_question *one) {
	if (one->is_callback) callbacks_end(callbacks_of(one->errand), &one->callback, CALLBACK_EXPIRED);
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
	mcp_room_errand_refuse(one, DECLINED, SLICE("withdrawn"), JSONRPC_PLAIN);
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
		peer_refuse(question, DECLINED, SLICE("declined: it belongs to no single call of ours"), JSONRPC_PLAIN);
}

static size_t count_questions(const struct room_errand *errand) {
	size_t count = 0;
	LIST_EACH(link, &errand->questions) count++;
	return count;
}

/* NULL: it was refused. */
static struct room_question *make_question(struct room_errand *errand, struct peer_question *question,
	struct slice params) {
	bool is_full = count_questions(errand) >= QUESTIONS;
	struct room_question *one = is_full ? NULL : calloc(1, sizeof *one + params.length);
	if (!one) {
		peer_refuse(question, JSONRPC_INTERNAL_ERROR,
			is_full ? SLICE("too many questions at once") : SLICE("no memory for the question"), JSONRPC_PLAIN);
		return NULL;
	}
	if (params.length) memcpy(one->params, params.bytes, params.length);
	one->errand = errand;
	one->question = question;
	peer_question_set(question, one);
	list_append(&errand->questions, &one->link);
	return one;
}

static void raise(struct room_errand *errand, struct peer_question *question,
	const struct jsonrpc *request) {
	struct room_question *one = make_question(errand, question, SLICE_NONE);
	if (one) mcp_call_ask(errand->base.call, one, request->method, &request->params);
}

/* ---- Toward a client that is asked by callbacks alone ---- */

static bool is_bridged(const struct room_errand *errand, unsigned ability) {
	return ability == HOSTED_CAN_FORM && errand->base.call && callbacks_of(errand) &&
		(mcp_call_mgp(errand->base.call).extensions & MGP_BIDIRECTIONAL);
}

static bool accepts(const struct callback *callback, const struct scan_value *response, struct fault *why) {
	const struct room_question *one = CONTAINER_OF(callback, struct room_question, callback);
	return mgp_callback_accepts(&one->form.callback, response, why);
}

static void responded(struct callback *callback, const struct scan_value *response) {
	struct room_question *one = CONTAINER_OF(callback, struct room_question, callback);
	AUTO_TEXT struct text said = {0}, result = {0};
	one->is_callback = false;
	text_init(&said, 0);
	text_init(&result, 0);
	text_add_cstr(&said, "{\"response\":");
	text_add(&said, response->text);
	text_add_char(&said, '}');
	const struct scan_value answer = {.text = text_slice(&said), .type = SCAN_OBJECT};
	if (!text_failed(&said)) mgp_form_result(&result, &one->form, &answer);
	if (text_failed(&said) || text_failed(&result))
		mcp_room_errand_refuse(one, JSONRPC_INTERNAL_ERROR, SLICE("no memory for the answer"), JSONRPC_PLAIN);
	else mcp_room_errand_answer(one, text_slice(&result));
}

static bool open_callback(struct room_question *one, const struct scan_value *form, struct text *params,
	struct fault *why) {
	one->callback = (struct callback){
		.principal = mcp_call_principal(one->errand->base.call)->id,
		.accepts = accepts,
		.responded = responded,
	};
	if (!mgp_form_read(form, &one->form, why) ||
		!callbacks_add(callbacks_of(one->errand), &one->callback, why))
		return false;
	one->is_callback = true;
	mgp_callback_write(params, &one->form.callback, one->callback.id);
	return !text_failed(params) || fault_set(why, FAULT_NO_MEMORY, "no memory for the question");
}

static void call_back(struct room_errand *errand, struct peer_question *question,
	const struct jsonrpc *request) {
	struct slice form = request->params.type == SCAN_OBJECT ? request->params.text : SLICE("{}");
	struct room_question *one = make_question(errand, question, form);
	struct fault why;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	if (!one) return;
	const struct scan_value own = {.text = slice_make(one->params, form.length), .type = SCAN_OBJECT};
	if (!open_callback(one, &own, &text, &why)) {
		mcp_room_errand_refuse(one, JSONRPC_INVALID_PARAMS, slice_of(why.text), JSONRPC_PLAIN);
		return;
	}
	const struct scan_value params = {.text = text_slice(&text), .type = SCAN_OBJECT};
	mcp_call_ask(errand->base.call, one, SLICE(MGP_CALLBACK), &params);
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
	else if (is_bridged(errand, ability))
		call_back(errand, question, request);
	else {
		errand->lacking |= ability;
		peer_refuse(question, JSONRPC_METHOD_NOT_FOUND, SLICE("who called cannot answer that"), JSONRPC_PLAIN);
	}
	return true;
}

/* ---- The call ---- */

static void release(struct mcp_room_call *one) {
	struct room_errand *errand = errand_of(one);
	deadline_clear(&errand->deadline);
	while (!list_is_empty(&errand->questions))
		mcp_room_errand_refuse(CONTAINER_OF(errand->questions.next, struct room_question, link), DECLINED,
			SLICE("the request that this is about has ended"), JSONRPC_PLAIN);
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

bool mcp_room_errand_streams(struct mcp_room_call *one, struct slice *to, int64_t *id) {
	struct mgp_agreed mgp;
	if (one->way != &way) return false;
	*to = slice_of(errand_of(one)->to);
	*id = errand_call_id(errand_of(one)->errand, &mgp);
	return *id && (mgp.extensions & MGP_STREAMING);
}

/* Of a participant that speaks MGP with this house: what a plain client is not to see. */
static void done(void *context, const struct errand_result *result, const struct fault *why) {
	struct room_errand *errand = context;
	errand->errand = NULL;
	if (why) {
		mcp_room_call_answer(&errand->base, NULL, why);
		return;
	}
	struct hosted_answer answer = {
		.result = result->reply->result,
		.code = result->reply->code,
		.message = result->reply->message,
		.data = result->reply->data,
		.lacking = errand->lacking,
	};
	AUTO_TEXT struct text words = {0}, data = {0};
	text_init(&words, 0);
	text_init(&data, 0);
	bool speaks_mgp = errand->base.call && mcp_call_mgp(errand->base.call).is_active;
	if (result->mgp.is_active && !speaks_mgp) call_answer_strip(&words, &data, &answer);
	mcp_room_call_answer(&errand->base, &answer, NULL);
}

static void progressed(void *context, const struct scan_value *params) {
	const struct room_errand *errand = context;
	if (errand->base.call) mcp_call_progress(errand->base.call, params);
}

static void streamed(void *context, struct slice method, const struct scan_value *params) {
	const struct room_errand *errand = context;
	bool is_stream = slice_is(method, MGP_CHUNK_METHOD) || slice_is(method, MGP_PROGRESS_METHOD);
	if (errand->base.call && is_stream) mcp_call_stream(errand->base.call, method, params);
}

static void held(void *context, struct slice reason, uint64_t wait_ms) {
	struct room_errand *errand = context;
	(void)reason;
	extend(&errand->base, wait_ms);
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
		.streamed = streamed,
		.held = held,
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
