/* SPDX-License-Identifier: Apache-2.0 */
/* Library calls: errands of ours, and what their answers say. */
#include "client/authorization_outcome.h"
#include "client/errand.h"
#include "client/library.h"
#include "client/library_call.h"

/* The guest frees the errands. */
void library_calls_end(struct hustings_room *room) {
	LIST_EACH_SAFE(link, &room->calls)
		library_call_free(CONTAINER_OF(link, struct hustings_call, link));
}

static void cancel(struct hustings_call *call, struct slice reason) {
	errand_cancel(call->way, reason);
}

static void call_done(void *context, const struct errand_result *result, const struct fault *why) {
	struct hustings_call *call = context;
	if (!why && call->room && authorization_outcome_awaited(call->room, call, result->reply, result->call_id)) return;
	library_call_answered(context, why ? NULL : result->reply, why);
}

static void list_done(void *context, const struct errand_result *result, const struct fault *why) {
	library_call_listed(context, why ? NULL : result->listing, NULL, why);
}

/* ---- Asking ---- */

static struct hustings_call *start(struct hustings_room *room, struct errand_options *options,
	struct hustings_call *model, struct hustings_error *error) {
	struct fault why;
	model->cancel = cancel;
	struct hustings_call *call = library_call_make(&room->calls, model, error);
	if (!call) return NULL;
	options->context = call;
	call->room = room;
	call->owner = slice_copy(options->to);
	if (options->deadline_ms)
		call->ends_at = options->deadline_ms == UINT64_MAX ? UINT64_MAX : clock_monotonic_ms() + options->deadline_ms;
	call->way = errand_open(room->guest, options, &why);
	if (call->way) return call;
	library_call_free(call);
	return library_error_null(error, &why);
}

struct hustings_call *hustings_call(struct hustings_room *room, const char *participant,
	const char *tool, const char *arguments, uint64_t deadline, hustings_answered *answered,
	hustings_progressed *progressed, void *context, struct hustings_error *error) {
	struct hustings_call model = {.answered = answered, .progressed = progressed, .context = context};
	struct errand_options options = {
		.kind = ERRAND_CALL,
		.to = slice_of(participant),
		.name = slice_of(tool),
		.body = slice_of(arguments),
		.deadline_ms = deadline,
		.done = call_done,
		.progressed = progressed ? library_call_progressed : NULL,
	};
	return start(room, &options, &model, error);
}

struct hustings_call *hustings_ask(struct hustings_room *room, const char *participant,
	const char *method, const char *params, uint64_t deadline, hustings_answered *answered,
	void *context, struct hustings_error *error) {
	struct hustings_call model = {.answered = answered, .context = context};
	struct errand_options options = {
		.kind = ERRAND_ASK,
		.to = slice_of(participant),
		.name = slice_of(method),
		.body = slice_of(params),
		.deadline_ms = deadline,
		.done = call_done,
	};
	return start(room, &options, &model, error);
}

struct hustings_call *hustings_fulfil(struct hustings_room *room,
	const struct hustings_proposal *proposal, uint64_t deadline, hustings_answered *answered,
	void *context, struct hustings_error *error) {
	struct hustings_call model = {.answered = answered, .context = context};
	struct errand_options options = {
		.kind = ERRAND_ASK,
		.to = slice_of(proposal->to),
		.name = slice_of(proposal->method),
		.body = library_slice(proposal->params),
		.about = slice_of(proposal->id),
		.deadline_ms = deadline,
		.done = call_done,
	};
	struct fault why;
	if (proposal->to) return start(room, &options, &model, error);
	fault_set(&why, FAULT_BAD_INPUT, "the proposal names nobody who could do it");
	return library_error_null(error, &why);
}

struct hustings_call *hustings_list(struct hustings_room *room, const char *participant,
	uint64_t deadline, hustings_listed *listed, void *context, struct hustings_error *error) {
	struct hustings_call model = {.listed = listed, .context = context};
	struct errand_options options = {
		.kind = ERRAND_LIST,
		.to = slice_of(participant),
		.deadline_ms = deadline,
		.done = list_done,
	};
	return start(room, &options, &model, error);
}
