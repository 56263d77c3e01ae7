/* SPDX-License-Identifier: Apache-2.0 */
/* Flow course: a schema's next prompt, and one call. */
#include "kernel/flow_course.h"

#include "base/clock.h"
#include "flow/prompt_schema.h"

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
	if (flow_session_complete(entry->session, !is_error, result, SLICE_NONE, clock_wall_ms(), &refusal)) return;
	flow_session_fail(entry->session, refusal.message, clock_wall_ms());
}

static void answered(struct hosted_ask *ask, const struct hosted_answer *answer, const struct fault *why) {
	struct flow_run *run = CONTAINER_OF(ask, struct flow_run, ask);
	struct flow_entry *entry = run->entry;
	struct flows *flows = run->flows;
	entry->driver = NULL;
	free(run);
	if (why) fail(entry, slice_of(why->text));
	else if (answer->result.bytes) finish(entry, answer->result);
	else fail(entry, answer->message);
	over(flows, entry);
}

/* What a tool asks during its call goes to nobody here: the session asked before. */
static const struct hosted_ask_events run_events = {.answered = answered};

static void give_up(struct flow_driver *driver, const char *reason) {
	struct flow_run *run = CONTAINER_OF(driver, struct flow_run, driver);
	call_cancel(&run->ask, reason);
	free(run);
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
	run->driver.give_up = give_up;
	run->flows = flows;
	run->entry = entry;
	run->ask = (struct hosted_ask){
		.method = SLICE("tools/call"),
		.params = text_slice(&params),
		.principal = plain.principal,
		.session = plain.session,
		.era = HOSTED_LEGACY,
		.is_unheard = true,
		.events = &run_events,
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
