/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_call_servers: hosted servers as those who answer calls. */
#include "gateway/mcp_asker.h"
#include "gateway/mcp_call.h"
#include "kernel/call_callback.h"

static void answered(struct hosted_ask *ask, const struct hosted_answer *answer,
	const struct fault *why) {
	mcp_call_answer(ask->context, answer, why);
}

static void progressed(struct hosted_ask *ask, const struct scan_value *params) {
	mcp_call_progress(ask->context, params);
}

static void questioned(struct hosted_ask *ask, struct hosted_question *question,
	struct slice method, const struct scan_value *params) {
	mcp_call_ask(ask->context, question, method, params);
}

static void withdrawn(struct hosted_ask *ask, struct hosted_question *question) {
	mcp_call_withdraw(ask->context, question);
}

static void told(struct hosted_ask *ask, struct slice method, const struct scan_value *params) {
	mcp_call_tell(ask->context, method, params);
}

static void streamed(struct hosted_ask *ask, struct slice method, const struct scan_value *params) {
	mcp_call_stream(ask->context, method, params);
}

static bool authorizing(struct hosted_ask *ask, const struct hosted_answer *error, struct slice id, bool is_twice) {
	return mcp_call_authorizing(ask->context, error, id, is_twice);
}

static const struct hosted_ask_events events = {
	.answered = answered,
	.questioned = questioned,
	.withdrawn = withdrawn,
	.told = told,
	.authorizing = authorizing,
};
static const struct hosted_ask_events events_with_progress = {
	.answered = answered,
	.progressed = progressed,
	.questioned = questioned,
	.withdrawn = withdrawn,
	.streamed = streamed,
	.told = told,
	.authorizing = authorizing,
};

static bool start(struct mcp_call *call, void *who, struct hosted_ask *ask, struct fault *why) {
	ask->events = mcp_call_wants_progress(call) ? &events_with_progress : &events;
	ask->context = call;
	const struct scan_value params = {.text = ask->params, .type = SCAN_OBJECT};
	struct call_asker asker = mcp_asker_in(mcp_call_principal(call), mcp_call_session(call), mcp_call_mgp(call));
	asker.has_authorization |= ask->params.length && mcp_asker_knows_authorization(&params);
	return call_start(who, &asker, ask, why);
}

static void cancel(struct mcp_call *call, struct hosted_ask *ask, const char *reason) {
	(void)call;
	call_cancel(ask, reason);
}

static void extend(struct mcp_call *call, struct hosted_ask *ask, uint64_t deadline_ms) {
	(void)call;
	call_extend(ask, deadline_ms);
}

static void hold(struct mcp_call *call, struct hosted_ask *ask, bool is_behind) {
	(void)call;
	call_hold_back(ask, is_behind);
}

static void answer_question(void *question, struct slice result) {
	call_question_answer(question, result);
}

static void refuse_question(void *question, int64_t code, struct slice message, struct slice data) {
	call_question_refuse(question, code, message, data);
}

static enum hosted_era era_for(void *who, enum hosted_era asker) { return hosted_era_for(who, asker); }

static struct slice server_info(void *who, enum hosted_era era) {
	const struct hosted_facts *facts = hosted_facts(who, era);
	return facts ? facts->server_info : SLICE_NONE;
}

const struct mcp_answerer mcp_call_servers = {
	.start = start,
	.cancel = cancel,
	.extend = extend,
	.hold = hold,
	.answer = answer_question,
	.refuse = refuse_question,
	.era_for = era_for,
	.server_info = server_info,
};
