/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted halt: a request that its asker does not want to go on, but whose part that is done it wants (MGP 12.7).
 * The request and its cancel are answered in whatever order, or never: the ask has one end all the same.
 */
#include "hosted/hosted_parts.h"

#include "mcp/mgp.h"
#include "mcp/mgp_outcome.h"

/* ---- What is done so far ---- */

static struct scan_value object_of(struct slice text) {
	struct slice trimmed = slice_trim(text);
	bool is_object = trimmed.length && trimmed.bytes[0] == '{';
	return (struct scan_value){.text = trimmed, .type = is_object ? SCAN_OBJECT : SCAN_NONE};
}

static bool has_content(const struct scan_value *object, struct scan_value *content) {
	return scan_find(object, "content", content) && content->type == SCAN_ARRAY;
}

/* {"content":[...]}: as the server has said, or of its answer, or of its chunks. */
static void write_partial(const struct hosted_run *run, struct slice result, struct text *to) {
	const struct scan_value object = object_of(result);
	struct scan_value content;
	if (run->halt.partial.length) text_add(to, text_slice(&run->halt.partial));
	else if (has_content(&object, &content)) {
		text_add_cstr(to, "{\"content\":");
		text_add(to, content.text);
		text_add_char(to, '}');
	} else if (run->streamed.length && !text_failed(&run->streamed)) {
		text_add_cstr(to, "{\"content\":[{\"type\":\"text\",\"text\":\"");
		text_add(to, text_slice(&run->streamed));
		text_add_cstr(to, "\"}]}");
	} else text_add_cstr(to, "{\"content\":[]}");
}

/* The answer to the request itself. */
static void write_result(const struct hosted_run *run, struct slice result, struct slice partial, struct text *to) {
	const struct mgp_outcome outcome = {.is_cancelled = true};
	struct scan_value object = object_of(result), value;
	AUTO_TEXT struct text flagged = {0};
	text_init(&flagged, 0);
	if (!has_content(&object, &value)) object = object_of(partial);
	mgp_outcome_write(&flagged, object.text, &outcome);
	bool needs_type = run->child && run->era == HOSTED_MODERN && !scan_find(&object, "resultType", &value);
	if (text_failed(&flagged)) {
		to->failed = true;
		return;
	}
	struct slice rest = text_slice(&flagged);
	if (needs_type) {
		text_add_cstr(to, "{\"resultType\":\"complete\",");
		rest = slice_make(rest.bytes + 1, rest.length - 1);
	}
	text_add(to, rest);
}

/* ---- The end ---- */

/* Tells who wanted it stopped. False: the ask was given up meanwhile. */
static bool tell(struct hosted_run *run, struct slice partial) {
	hosted_stopped *stopped = TAKE(run->halt.stopped);
	bool is_gone = false, *outer = run->is_gone;
	run->halt.is_over = true;
	run->is_gone = &is_gone;
	stopped(run->halt.context, partial);
	if (!is_gone) run->is_gone = outer;
	else if (outer) *outer = true;
	return !is_gone;
}

/* Nothing of it happens any more. */
static void quiet(struct hosted_run *run) {
	struct hosted_halt *halt = &run->halt;
	deadline_clear(&run->deadline);
	deadline_clear(&halt->due);
	task_clear(&halt->task);
	if (halt->cancel) peer_cancel(TAKE(halt->cancel), SLICE("the request has ended"));
	if (run->call) peer_cancel(TAKE(run->call), SLICE("it was cancelled"));
}

static void end_with(struct hosted_run *run, const struct hosted_answer *answer, const struct fault *why) {
	struct hosted_ask *ask = run->ask;
	ask->run = NULL;
	hosted_run_free(run);
	ask->events->answered(ask, answer, why);
}

/* It was answered before the server heard of the cancel. */
static void end_answered(struct hosted_run *run, const struct hosted_answer *answer) {
	struct text kept[COUNT_OF(run->halt.kept)];
	struct hosted_answer own = *answer;
	for (size_t i = 0; i < COUNT_OF(kept); i++) { /* what was kept goes with the run, but not before it is told */
		kept[i] = run->halt.kept[i];
		run->halt.kept[i] = (struct text){0};
	}
	if (tell(run, SLICE_NONE)) end_with(run, &own, NULL);
	for (size_t i = 0; i < COUNT_OF(kept); i++) text_finish(&kept[i]);
}

static void end_cancelled(struct hosted_run *run, const struct hosted_answer *answer) {
	static const struct fault no_memory = {.code = FAULT_NO_MEMORY, .text = "no memory for the answer: try again"};
	AUTO_TEXT struct text partial = {0}, result = {0};
	struct slice said = answer ? answer->result : SLICE_NONE;
	text_init(&partial, 0);
	text_init(&result, 0);
	write_partial(run, said, &partial);
	bool has_failed = text_failed(&partial);
	if (!has_failed) write_result(run, said, text_slice(&partial), &result);
	has_failed = has_failed || text_failed(&result);
	const struct hosted_answer own = {.result = text_slice(&result), .lacking = run->lacking};
	if (!tell(run, text_failed(&partial) ? SLICE("{\"content\":[]}") : text_slice(&partial))) return;
	end_with(run, has_failed ? NULL : &own, has_failed ? &no_memory : NULL);
}

void hosted_halt_end(struct hosted_run *run, const struct hosted_answer *answer, const struct fault *why) {
	bool is_cancelled = why || !answer || run->halt.is_confirmed || mgp_outcome_is_cancelled(answer->result);
	quiet(run);
	if (is_cancelled) end_cancelled(run, answer);
	else end_answered(run, answer);
}

void hosted_halt_finish(struct hosted_run *run) {
	struct hosted_halt *halt = &run->halt;
	quiet(run);
	text_finish(&halt->partial);
	for (size_t i = 0; i < COUNT_OF(halt->kept); i++) text_finish(&halt->kept[i]);
}

/* With what the server answered to the request, if it did. */
static void end_kept(struct hosted_run *run) {
	const struct hosted_halt *halt = &run->halt;
	struct slice result = text_slice(&halt->kept[0]), data = text_slice(&halt->kept[2]);
	const struct hosted_answer answer = {
		.result = result.length ? result : SLICE_NONE,
		.code = halt->code,
		.message = text_slice(&halt->kept[1]),
		.data = data.length ? data : SLICE_NONE,
		.lacking = run->lacking,
	};
	hosted_halt_end(run, halt->is_answered ? &answer : NULL, NULL);
}

bool hosted_halt_keep(struct hosted_run *run, const struct hosted_answer *answer) {
	struct hosted_halt *halt = &run->halt;
	const struct slice parts[] = {answer->result, answer->message, answer->data};
	if (!halt->cancel || mgp_outcome_is_cancelled(answer->result)) return false;
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		text_init(&halt->kept[i], 0);
		if (parts[i].length) text_add(&halt->kept[i], parts[i]);
		if (text_failed(&halt->kept[i])) return false;
	}
	halt->code = answer->code;
	halt->is_answered = true;
	return true;
}

/* ---- The server ---- */

/* The server has not said in time what it has done. */
static void give_up(struct hosted_run *run) {
	hosted_run_give_up(run, SLICE("it was cancelled"));
	end_kept(run);
}

static void overdue(struct deadline *deadline) {
	give_up(CONTAINER_OF(deadline, struct hosted_run, halt.due));
}

static void stop_now(struct task *task) { give_up(CONTAINER_OF(task, struct hosted_run, halt.task)); }

static void take_partial(struct hosted_run *run, const struct scan_value *result) {
	struct scan_value partial, content;
	if (!scan_find(result, "partial_result", &partial) || !has_content(&partial, &content)) return;
	text_init(&run->halt.partial, 0);
	text_add(&run->halt.partial, partial.text);
	if (text_failed(&run->halt.partial)) text_finish(&run->halt.partial);
}

/* What becomes of the cancel. `cancelled: false`: the request has an answer, which is on its way. */
static void cancel_answered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct hosted_run *run = context;
	const struct scan_value result = object_of(reply ? reply->result : SLICE_NONE);
	struct scan_value flag;
	run->halt.cancel = NULL;
	bool is_told = !why && scan_find(&result, "cancelled", &flag) &&
		scan_boolean(&flag, &run->halt.is_confirmed);
	if (run->halt.is_confirmed) take_partial(run, &result);
	if (run->halt.is_confirmed || run->halt.is_answered) end_kept(run);
	else if (!is_told) give_up(run);
}

static bool ask_server(struct hosted_run *run, struct slice reason) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_printf(&params, "{\"request_id\":%lld,\"reason\":", (long long)peer_call_id(run->call));
	text_json(&params, reason.length ? reason : SLICE("cancelled"));
	text_add_char(&params, '}');
	const struct peer_request request = {
		.method = SLICE("mgp/stream/cancel"),
		.params = text_slice(&params),
		.deadline_ms = UINT64_MAX, /* `due` is the one */
		.answered = cancel_answered,
		.context = run,
	};
	if (text_failed(&params)) return false;
	run->halt.cancel = hosted_child_request(run->child, &request, NULL);
	return run->halt.cancel != NULL;
}

bool hosted_ask_stop(struct hosted_ask *ask, struct slice reason, hosted_stopped *stopped, void *context) {
	struct hosted_run *run = ask->run;
	if (!run || run->halt.stopped || run->halt.is_over) return false;
	struct loop *loop = run->hosted->servers->loop;
	run->halt.stopped = stopped;
	run->halt.context = context;
	deadline_clear(&run->deadline);
	if (run->child) hosted_child_flow(run->child);
	bool is_asked = run->call && (run->child->mgp & MGP_STREAMING) && ask_server(run, reason);
	if (is_asked) deadline_set(loop, &run->halt.due, HOSTED_STOP_MS, overdue);
	else {
		hosted_run_give_up(run, reason.length ? reason : SLICE("it was cancelled"));
		loop_later(loop, &run->halt.task, stop_now);
	}
	return true;
}
