/* SPDX-License-Identifier: Apache-2.0 */
/* Flow course: a schema's next prompt, and one call. */
#include "kernel/flow_course.h"

#include "base/clock.h"
#include "flow/prompt_schema.h"
#include "kernel/call_callback.h"
#include "kernel/flow_aside.h"
#include "wire/jsonrpc.h"

#include <stdlib.h>

/* ---- What is missing ---- */

static bool ask_for(struct flow_session *session, const struct prompt *prompt, unsigned missing, int64_t now,
	struct flow_refusal *refusal) {
	const struct prompt_progress progress = {.current = session->turns + 1, .total = session->turns + missing};
	return flow_session_ask(session, prompt, &progress, now, refusal);
}

bool flow_course_next(struct flow_session *session, const struct tool *tool, int64_t now, struct flow_refusal *refusal) {
	const struct scan_value definition = {.text = tool->definition, .type = SCAN_OBJECT};
	const struct scan_value given = {.text = text_slice(&session->given), .type = SCAN_OBJECT};
	enum prompt_schema_next next = PROMPT_SCHEMA_COMPLETE;
	struct scan_value schema;
	struct prompt prompt;
	struct arena arena;
	char lent[4096];
	unsigned missing = 0;
	bool is_fine = true;
	arena_init(&arena, lent, sizeof lent, 0);
	if (scan_find(&definition, "inputSchema", &schema) && schema.type == SCAN_OBJECT)
		next = prompt_schema_find(&schema, &given, &arena, &prompt, &missing);
	if (next == PROMPT_SCHEMA_ASKS) is_fine = ask_for(session, &prompt, missing, now, refusal);
	else if (next == PROMPT_SCHEMA_COMPLETE && session->state != FLOW_PROCESSING)
		is_fine = flow_session_process(session, now, refusal);
	arena_finish(&arena);
	if (next != PROMPT_SCHEMA_NO_MEMORY) return is_fine;
	flow_session_fail(session, "no memory for the next prompt", now);
	return flow_refuse(refusal, FLOW_INTERNAL, "no_memory", "no memory for the next prompt");
}

/* ---- The call ---- */

struct flow_run {
	struct flow_driver driver;
	struct hosted_ask ask;
	struct flows *flows;
	struct flow_entry *entry;
	struct hosted_question *question; /* of the prompt at hand; NULL: none */
	char *field;                      /* of its form, where that has one alone */
	struct link next;                 /* questions that wait for their turn */
	bool *is_gone;                    /* set when it is freed; may be NULL */
};

struct flow_turn {
	struct link link;
	struct hosted_question *question;
	size_t length;
	char params[]; /* JSON object */
};

static void over(struct flows *flows, struct flow_entry *entry) {
	flow_book_settle(entry);
	flows_push_entry(flows, entry, FLOW_NEWS_COMPLETE);
}

static void fail(struct flow_entry *entry, struct slice words) {
	char reason[FLOW_NAME];
	size_t length = words.length < sizeof reason ? words.length : slice_cut(words, sizeof reason - 1);
	memcpy(reason, words.bytes, length);
	reason[length] = '\0';
	flow_session_fail(entry->session, length ? reason : "the tool failed", clock_wall_ms());
}

static void finish(struct flow_entry *entry, struct slice result) {
	const struct scan_value object = {.text = result, .type = SCAN_OBJECT};
	struct flow_refusal refusal = {0};
	struct scan_value value;
	bool is_error = false;
	if (scan_find(&object, "isError", &value) && !scan_boolean(&value, &is_error)) is_error = false;
	const struct slice summary = is_error ? SLICE("the tool says that it failed") : SLICE("the tool came to its end");
	if (flow_session_complete(entry->session, !is_error, result, summary, clock_wall_ms(), &refusal)) return;
	flow_session_fail(entry->session, refusal.message, clock_wall_ms());
}

static void turn_free(struct link *link) {
	list_remove(link);
	free(CONTAINER_OF(link, struct flow_turn, link));
}

static void run_free(struct flow_run *run) {
	while (!list_is_empty(&run->next)) turn_free(run->next.next);
	if (run->is_gone) *run->is_gone = true;
	free(run->field);
	free(run);
}

static void answered(struct hosted_ask *ask, const struct hosted_answer *answer, const struct fault *why) {
	struct flow_run *run = CONTAINER_OF(ask, struct flow_run, ask);
	struct flow_entry *entry = run->entry;
	struct flows *flows = run->flows;
	struct flow_refusal refusal;
	if (run->question) (void)!flow_session_process(entry->session, clock_wall_ms(), &refusal); /* it did not wait */
	entry->driver = NULL;
	run_free(run);
	if (why) fail(entry, slice_of(why->text));
	else if (answer->result.bytes) finish(entry, answer->result);
	else fail(entry, answer->message);
	over(flows, entry);
}

/* ---- What the tool asks meanwhile ---- */

/* The store keeps the session as working: behind a restart nobody waits for this answer. */
static bool put(struct flow_run *run, const struct scan_value *params, struct fault *why) {
	struct flow_session *session = run->entry->session;
	struct flow_refusal refusal = {0};
	struct prompt prompt;
	struct slice field;
	char lent[4096];
	struct arena arena;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_fine = flow_aside_read(params, &arena, &prompt, &field, why);
	if (is_fine && field.length && !(run->field = slice_copy(field)))
		is_fine = fault_set(why, FAULT_NO_MEMORY, "no memory for a form");
	if (is_fine && (!session->prompts_left || !flow_session_ask(session, &prompt, NULL, clock_wall_ms(), &refusal)))
		is_fine = fault_set(why, FAULT_FULL, "the session cannot ask that: too often, or no memory");
	arena_finish(&arena);
	return is_fine;
}

/* It may be refused in there, and the run be gone. */
static void ask_now(struct flow_run *run, struct hosted_question *question, const struct scan_value *params) {
	struct fault why;
	if (!put(run, params, &why)) {
		free(TAKE(run->field));
		call_question_refuse(question, JSONRPC_INTERNAL_ERROR, slice_of(why.text), JSONRPC_PLAIN);
		return;
	}
	run->question = question;
	call_extend(&run->ask, UINT64_MAX); /* as long as its session waits */
	flow_book_touch(run->entry);
	flows_push_entry(run->flows, run->entry, FLOW_NEWS_PROMPT);
}

/* The next one that is not refused. */
static void ask_next(struct flow_run *run) {
	while (!run->question && !list_is_empty(&run->next)) {
		struct flow_turn *turn = CONTAINER_OF(run->next.next, struct flow_turn, link);
		const struct scan_value params = {.text = slice_make(turn->params, turn->length), .type = SCAN_OBJECT};
		bool is_gone = false;
		list_remove(&turn->link);
		run->is_gone = &is_gone;
		ask_now(run, turn->question, &params);
		free(turn);
		if (is_gone) return;
		run->is_gone = NULL;
	}
}

static bool keep(struct flow_run *run, struct hosted_question *question, struct slice params) {
	struct flow_turn *turn = params.length > 2 * PROMPT_OCTETS ? NULL : malloc(sizeof *turn + params.length);
	if (!turn) return false;
	turn->question = question;
	turn->length = params.length;
	memcpy(turn->params, params.bytes, params.length);
	list_append(&run->next, &turn->link);
	return true;
}

static void questioned(struct hosted_ask *ask, struct hosted_question *question, struct slice method,
	const struct scan_value *params) {
	struct flow_run *run = CONTAINER_OF(ask, struct flow_run, ask);
	bool is_form = slice_is(method, "elicitation/create") && params->type == SCAN_OBJECT;
	if (!is_form)
		call_question_refuse(question, JSONRPC_METHOD_NOT_FOUND, SLICE("a guided session is asked by forms alone"), JSONRPC_PLAIN);
	else if (!run->question) ask_now(run, question, params);
	else if (!keep(run, question, params->text))
		call_question_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("a form that is too large, or no memory for it"), JSONRPC_PLAIN);
}

static void withdrawn(struct hosted_ask *ask, struct hosted_question *question) {
	struct flow_run *run = CONTAINER_OF(ask, struct flow_run, ask);
	struct flow_refusal refusal;
	LIST_EACH_SAFE(link, &run->next) {
		if (CONTAINER_OF(link, struct flow_turn, link)->question == question) turn_free(link);
	}
	if (run->question != question) return;
	run->question = NULL;
	free(TAKE(run->field));
	call_extend(&run->ask, 0);
	if (!flow_session_process(run->entry->session, clock_wall_ms(), &refusal)) return;
	flow_book_touch(run->entry);
	ask_next(run);
}

static void answer(struct flow_driver *driver, const struct scan_value *value) {
	struct flow_run *run = CONTAINER_OF(driver, struct flow_run, driver);
	struct hosted_question *question = TAKE(run->question);
	bool is_gone = false;
	AUTO_TEXT struct text result = {0};
	if (!question) return;
	text_init(&result, 0);
	flow_aside_write(&result, run->field ? slice_of(run->field) : SLICE_NONE, value);
	free(TAKE(run->field));
	call_extend(&run->ask, 0);
	run->is_gone = &is_gone;
	if (text_failed(&result)) call_question_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("no memory for the answer"), JSONRPC_PLAIN);
	else call_question_answer(question, text_slice(&result));
	if (is_gone) return;
	run->is_gone = NULL;
	ask_next(run);
}

/* In stateless mode a client holds the session, and cannot be asked by what runs. */
static const struct hosted_ask_events quiet_events = {.answered = answered};
static const struct hosted_ask_events run_events = {.answered = answered, .questioned = questioned, .withdrawn = withdrawn};

static void give_up(struct flow_driver *driver, const char *reason) {
	struct flow_run *run = CONTAINER_OF(driver, struct flow_run, driver);
	call_cancel(&run->ask, reason);
	run_free(run);
}

static void write_params(struct text *to, const struct flow_session *session) {
	text_add_cstr(to, "{\"name\":");
	text_json(to, slice_of(session->tool));
	text_add_cstr(to, ",\"arguments\":");
	text_add(to, text_slice(&session->given));
	text_add_char(to, '}');
}

static struct flow_run *begin(struct flows *flows, struct flow_entry *entry, struct hosted *hosted,
	const struct call_asker *asker, struct fault *why) {
	/* Whatever is refused becomes the session's result or end, in the words of a plain client. */
	struct call_asker plain = *asker;
	plain.mgp = (struct mgp_agreed){0};
	plain.has_authorization = false;
	AUTO_TEXT struct text params = {0};
	struct flow_run *run = calloc(1, sizeof *run);
	text_init(&params, 0);
	write_params(&params, entry->session);
	if (!run || text_failed(&params)) {
		free(run);
		return fault_null(why, FAULT_NO_MEMORY, "no memory to call the tool");
	}
	run->driver = (struct flow_driver){.give_up = give_up, .answer = answer};
	list_init(&run->next);
	run->flows = flows;
	run->entry = entry;
	run->ask = (struct hosted_ask){
		.method = SLICE("tools/call"),
		.params = text_slice(&params),
		.principal = plain.principal,
		.session = plain.session,
		.era = HOSTED_LEGACY,
		.is_unheard = true,
		.abilities = entry->is_stored ? HOSTED_CAN_FORM : 0,
		.events = entry->is_stored ? &run_events : &quiet_events,
	};
	if (call_start(hosted, &plain, &run->ask, why)) return run;
	free(run);
	return NULL;
}

void flow_course_run(struct flows *flows, struct flow_entry *entry, struct hosted *hosted, const struct call_asker *asker) {
	struct fault why;
	struct flow_run *run = begin(flows, entry, hosted, asker, &why);
	entry->driver = run ? &run->driver : NULL;
	if (run) return;
	fail(entry, slice_of(why.text));
	over(flows, entry);
}
