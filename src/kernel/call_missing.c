/* SPDX-License-Identifier: Apache-2.0 */
/* Call missing: what is missing becomes a form, its answer becomes arguments. */
#include "kernel/call_missing.h"

#include "flow/prompt_check.h"
#include "flow/prompt_form.h"
#include "flow/prompt_schema.h"
#include "kernel/call_audit.h"

#include <stdlib.h>

#define ANSWER_OCTETS ((size_t)1 << 20) /* of a form */
#define FORM_OCTETS ((size_t)1 << 20)
#define NAMES 160 /* octets of names that a sentence shows */

struct call_missing {
	struct call *call;
	struct hosted_question *question; /* the same for every form: one is open at a time */
	struct deadline due;
	struct task task;
	bool is_open;        /* the asker has it */
	bool is_heard;       /* `answer` counts */
	const char *outcome; /* without an answer: why. Static */
	unsigned rounds;
	uint64_t asked_at;
	struct text form;   /* its params */
	struct text answer; /* an elicitation's result */
	struct text wrong;  /* sentences about what was answered last */
};

/* One look at what is missing. */
struct looking {
	struct call *call;
	const struct tool *tool;
	struct arena arena;
	struct scan_value schema;
	struct prompt *prompts;
	struct prompt_schema_count count;
};

static struct loop *loop_of(const struct call *call) { return call->governed->means->loop; }

static void walk_again(struct call *call) {
	call->at = 0;
	call_resume(call);
}

/* ---- What is missing ---- */

static bool can_be_asked(const struct call *call) {
	return !call->governed->policy.is_flowless && (call->outer->abilities & HOSTED_CAN_FORM) &&
		call->outer->events->questioned;
}

static enum prompt_schema_next look(struct looking *looking) {
	const struct scan_value definition = {.text = looking->tool->definition, .type = SCAN_OBJECT};
	const struct scan_value none = {.type = SCAN_NONE};
	const struct scan_value *given = looking->call->arguments.type == SCAN_OBJECT ? &looking->call->arguments : &none;
	if (!scan_find(&definition, "inputSchema", &looking->schema)) return PROMPT_SCHEMA_COMPLETE;
	if (!looking->prompts) looking->prompts = arena_zero(&looking->arena, CALL_MISSING_FIELDS * sizeof *looking->prompts);
	if (!looking->prompts) return PROMPT_SCHEMA_NO_MEMORY;
	return prompt_schema_list(&looking->schema, given, &looking->arena, looking->prompts, CALL_MISSING_FIELDS, &looking->count);
}

/* "name, age", as far as they fit; cut at a character. */
static void name_all(const struct looking *looking, char names[NAMES]) {
	size_t length = 0;
	names[0] = '\0';
	for (size_t i = 0; i < looking->count.all; i++) {
		char shown[64];
		size_t octets = text_display_in(shown, sizeof shown, looking->prompts[i].name);
		if (length + octets + sizeof ", ..." >= NAMES) {
			memcpy(names + length, ", ...", sizeof ", ...");
			return;
		}
		if (length) names[length++] = ',';
		if (length) names[length++] = ' ';
		memcpy(names + length, shown, octets + 1);
		length += octets;
	}
}

static void audit(const struct looking *looking, const char *outcome) {
	const struct call *call = looking->call;
	AUTO_TEXT struct text more = {0};
	text_init(&more, 0);
	text_add_cstr(&more, ",\"parameters\":[");
	for (size_t i = 0; i < looking->count.all && i < CALL_MISSING_FIELDS; i++) {
		if (i) text_add_char(&more, ',');
		text_json(&more, looking->prompts[i].name);
	}
	text_printf(&more, "],\"round\":%u", call->missing->rounds);
	if (outcome) text_printf(&more, ",\"outcome\":\"%s\"", outcome);
	struct slice result = !outcome ? SLICE("PENDING") : !strcmp(outcome, "accepted") ? AUDIT_SUCCESS
											 : AUDIT_BLOCKED;
	call_audit_parameters(call, outcome != NULL, result, text_failed(&more) ? SLICE_NONE : text_slice(&more));
}

/* ---- Refused ---- */

static enum call_verdict refuse(struct looking *looking, const char *outcome, const char *why) {
	struct call *call = looking->call;
	AUTO_TEXT struct text details = {0};
	char names[NAMES];
	name_all(looking, names);
	audit(looking, outcome);
	(void)call_refuse(call, MGP_INVALID_TOOL_ARGS, "the arguments lack %s: %s", names, why);
	call->refusal.type = "parameters_missing";
	call->refusal.is_result = true;
	text_init(&details, 16384);
	text_add_cstr(&details, "{\"missing\":[");
	for (size_t i = 0; i < looking->count.all && i < CALL_MISSING_FIELDS; i++) {
		if (i) text_add_char(&details, ',');
		text_json(&details, looking->prompts[i].name);
	}
	text_add_cstr(&details, "]}");
	if (!text_failed(&details)) call_detail(call, text_slice(&details));
	return CALL_REFUSE;
}

static enum call_verdict no_memory(struct call *call) {
	return call_refuse(call, MGP_RESOURCE_EXHAUSTED, "no memory for what is missing in the request: try again");
}

/* ---- Asked ---- */

static void settle(struct call_missing *missing, struct slice result, const char *outcome) {
	if (!missing->is_open) return;
	missing->is_open = false;
	missing->is_heard = true;
	missing->outcome = outcome;
	deadline_clear(&missing->due);
	missing->call->waited_ms += loop_now(loop_of(missing->call)) - missing->asked_at;
	text_clear(&missing->answer);
	text_add(&missing->answer, result);
	if (!text_failed(&missing->answer)) return;
	text_clear(&missing->answer);
	missing->outcome = "unavailable";
}

static void go_on(struct task *task) { walk_again(CONTAINER_OF(task, struct call_missing, task)->call); }

/* The asker's face is still at it: the call goes on later. */
static void heard(void *context, struct slice result) {
	struct call_missing *missing = context;
	if (!missing->is_open) return;
	settle(missing, result, result.bytes ? NULL : "unavailable");
	loop_later(loop_of(missing->call), &missing->task, go_on);
}

static void overdue(struct deadline *deadline) {
	struct call_missing *missing = CONTAINER_OF(deadline, struct call_missing, due);
	struct call *call = missing->call;
	bool is_gone = false;
	call->is_gone = &is_gone;
	settle(missing, SLICE_NONE, "timeout");
	if (call->outer->events->withdrawn) call->outer->events->withdrawn(call->outer, missing->question);
	if (is_gone) return;
	call->is_gone = NULL;
	walk_again(call);
}

/* From the loop: nothing is asked from inside of call_start(). */
static void put(struct task *task) {
	struct call_missing *missing = CONTAINER_OF(task, struct call_missing, task);
	struct hosted_ask *outer = missing->call->outer;
	const struct scan_value params = {.text = text_slice(&missing->form), .type = SCAN_OBJECT};
	missing->is_open = true;
	missing->asked_at = loop_now(loop_of(missing->call));
	deadline_set(loop_of(missing->call), &missing->due, CALL_MISSING_MS, overdue);
	outer->events->questioned(outer, missing->question, SLICE("elicitation/create"), &params);
}

static struct call_missing *have(struct call *call) {
	struct call_missing *missing = call->missing;
	if (missing) return missing;
	missing = calloc(1, sizeof *missing);
	if (missing) missing->question = hosted_question_own(heard, missing);
	if (!missing || !missing->question) {
		free(missing);
		return NULL;
	}
	missing->call = call;
	text_init(&missing->form, FORM_OCTETS);
	text_init(&missing->answer, ANSWER_OCTETS);
	text_init(&missing->wrong, 4096);
	call->missing = missing;
	return missing;
}

static bool write_form(struct looking *looking) {
	struct call *call = looking->call;
	struct call_missing *missing = call->missing;
	AUTO_TEXT struct text words = {0};
	char names[NAMES];
	name_all(looking, names);
	text_init(&words, 0);
	text_printf(&words, "%.*s of server %.*s needs: %s.", SLICE_ARGS(call->name), SLICE_ARGS(hosted_id(call->hosted)), names);
	if (missing->wrong.length && !text_failed(&missing->wrong))
		text_printf(&words, " The last answer does not fit: %.*s", (int)missing->wrong.length, missing->wrong.bytes);
	text_clear(&missing->form);
	prompt_form_write(&missing->form, text_slice(&words), looking->prompts, looking->count.all, call->inner.era == HOSTED_MODERN);
	return !text_failed(&missing->form) && !text_failed(&words);
}

static enum call_verdict ask(struct looking *looking) {
	struct call *call = looking->call;
	struct call_missing *missing = have(call);
	if (!missing) return no_memory(call);
	if (missing->rounds == CALL_MISSING_ROUNDS) return refuse(looking, "wrong", "what was answered does not fit");
	if (!write_form(looking)) return no_memory(call);
	if (call_hold(call) == CALL_REFUSE) return CALL_REFUSE;
	missing->rounds++;
	/* A client that was asked comes again with the arguments as they were: what its server asks besides is
	 * asked within this call too. */
	call->inner.takes_input = false;
	audit(looking, NULL);
	loop_later(loop_of(call), &missing->task, put);
	return CALL_HOLD;
}

/* ---- Answered ---- */

static void note_wrong(struct text *wrong, struct slice name, const struct prompt_verdict *verdict) {
	char shown[64];
	text_display_in(shown, sizeof shown, name);
	text_printf(wrong, "%s%s: %s%s%s.", wrong->length ? " " : "", shown, verdict->error, verdict->suggestion[0] ? ": " : "",
		verdict->suggestion);
}

/* The arguments with what was answered in the place of what was there. */
static bool write_arguments(struct looking *looking, const struct scan_value *values, struct text *to) {
	const struct scan_value *before = &looking->call->arguments;
	struct scan_walk walk;
	struct scan_member member;
	struct slice key;
	const char *comma = "{";
	if (before->type == SCAN_OBJECT)
		for (scan_open(&walk, before); scan_next(&walk, &member);) {
			bool is_new = false;
			if (!scan_key(&member, &looking->arena, &key)) return false;
			for (size_t i = 0; i < looking->count.all; i++)
				is_new |= values[i].type != SCAN_NONE && slice_equal(looking->prompts[i].name, key);
			if (is_new) continue;
			text_printf(to, "%s\"%.*s\":", comma, SLICE_ARGS(member.key));
			text_add(to, member.value.text);
			comma = ",";
		}
	for (size_t i = 0; i < looking->count.all; i++) {
		if (values[i].type == SCAN_NONE) continue;
		text_add_cstr(to, comma);
		text_json(to, looking->prompts[i].name);
		text_add_char(to, ':');
		text_add(to, values[i].text);
		comma = ",";
	}
	text_add_cstr(to, comma[0] == '{' ? "{}" : "}");
	return !text_failed(to);
}

static bool complete(struct looking *looking, const struct scan_value *values) {
	struct call *call = looking->call;
	const struct scan_value params = {.text = call->inner.params, .type = SCAN_OBJECT};
	AUTO_TEXT struct text whole = {0};
	struct scan_walk walk;
	struct scan_member member;
	struct fault why;
	text_init(&whole, 0);
	text_add_cstr(&whole, "{\"arguments\":");
	if (!write_arguments(looking, values, &whole)) return false;
	for (scan_open(&walk, &params); scan_next(&walk, &member);) {
		if (scan_key_is(&member, "arguments")) continue;
		text_printf(&whole, ",\"%.*s\":", SLICE_ARGS(member.key));
		text_add(&whole, member.value.text);
	}
	text_add_char(&whole, '}');
	return !text_failed(&whole) && call_set_params(call, text_slice(&whole), &why);
}

/* False: no memory. */
static bool take_content(struct looking *looking, const struct scan_value *content) {
	struct call_missing *missing = looking->call->missing;
	struct scan_value values[CALL_MISSING_FIELDS];
	text_clear(&missing->wrong);
	for (size_t i = 0; i < looking->count.all; i++) {
		struct prompt_verdict verdict;
		if (!prompt_form_read(content, &looking->prompts[i], &looking->arena, &values[i]) ||
			!prompt_check(&looking->prompts[i], &values[i], &looking->arena, &verdict))
			return false;
		if (verdict.is_valid) continue;
		values[i].type = SCAN_NONE;
		note_wrong(&missing->wrong, looking->prompts[i].name, &verdict);
	}
	return complete(looking, values);
}

static enum call_verdict take(struct looking *looking) {
	struct call *call = looking->call;
	struct call_missing *missing = call->missing;
	const struct scan_value result = {.text = slice_trim(text_slice(&missing->answer)), .type = SCAN_OBJECT};
	struct scan_value action = {.type = SCAN_NONE}, content = {.type = SCAN_NONE};
	if (missing->outcome || result.text.length < 2 || result.text.bytes[0] != '{')
		return refuse(looking, missing->outcome ? missing->outcome : "unavailable",
			missing->outcome && !strcmp(missing->outcome, "timeout") ? "nobody has answered in time" : "nobody could be asked");
	(void)scan_find(&result, "action", &action);
	(void)scan_find(&result, "content", &content);
	if (!slice_is(action.text, "\"accept\"")) {
		bool is_declined = slice_is(action.text, "\"decline\"");
		return refuse(looking, is_declined ? "declined" : "cancelled", "who was asked does not say");
	}
	struct looking after = {.call = call, .tool = looking->tool};
	if (!take_content(looking, &content)) return no_memory(call);
	arena_init(&after.arena, NULL, 0, 0);
	enum prompt_schema_next next = look(&after);
	enum call_verdict verdict = CALL_PASS;
	if (next == PROMPT_SCHEMA_NO_MEMORY) verdict = no_memory(call);
	else if (next == PROMPT_SCHEMA_ASKS) {
		if (missing->rounds < CALL_MISSING_ROUNDS) audit(&after, "wrong");
		verdict = ask(&after);
	} else audit(looking, "accepted");
	arena_finish(&after.arena);
	return verdict;
}

/* ---- The gate ---- */

static bool is_sound(struct looking *looking) {
	const struct call *call = looking->call;
	bool has_twins = false;
	if (call->arguments.type == SCAN_NONE) return true;
	return call->arguments.type == SCAN_OBJECT &&
		scan_has_duplicates(call->arguments.text, &looking->arena, &has_twins) && !has_twins;
}

static bool fits(const struct call *call, const struct tool *tool) {
	static const struct scan_value none = {.text = SLICE("{}"), .type = SCAN_OBJECT};
	const struct scan_value *arguments = call->arguments.type == SCAN_NONE ? &none : &call->arguments;
	return !tool->schema || schema_check_value(tool->schema, arguments, NULL);
}

/* What is there and does not fit is the asker's to mend, as long as nothing is missing beside it. */
static enum call_verdict ask_first(struct looking *looking) {
	switch (is_sound(looking) ? look(looking) : PROMPT_SCHEMA_COMPLETE) {
	case PROMPT_SCHEMA_NO_MEMORY: return no_memory(looking->call);
	case PROMPT_SCHEMA_COMPLETE: return CALL_PASS;
	default: break;
	}
	bool is_for_form = looking->count.absent && looking->count.all <= CALL_MISSING_FIELDS;
	return is_for_form ? ask(looking) : CALL_PASS;
}

enum call_verdict call_missing_ask(struct call *call) {
	enum hosted_era era = hosted_era_for(call->hosted, call->inner.era);
	struct looking looking = {.call = call, .tool = tools_find(call->governed->tools[era], call->name, NULL)};
	bool is_heard = call->missing && TAKE(call->missing->is_heard);
	char lent[4096];
	if (!looking.tool || !can_be_asked(call) || fits(call, looking.tool)) return CALL_PASS;
	arena_init(&looking.arena, lent, sizeof lent, 0);
	enum call_verdict verdict;
	if (!is_heard) verdict = ask_first(&looking);
	else if (look(&looking) != PROMPT_SCHEMA_ASKS || looking.count.all > CALL_MISSING_FIELDS)
		verdict = CALL_PASS; /* its tool has changed meanwhile */
	else
		verdict = take(&looking);
	arena_finish(&looking.arena);
	return verdict;
}

/* ---- The end ---- */

bool call_missing_waits(const struct call *call) { return call->missing && call->missing->is_open; }

void call_missing_stop(struct call *call) {
	struct call_missing *missing = call->missing;
	if (!missing) return;
	missing->is_open = missing->is_heard = false;
	deadline_clear(&missing->due);
	task_clear(&missing->task);
}

void call_missing_free(struct call *call) {
	struct call_missing *missing = TAKE(call->missing);
	if (!missing) return;
	deadline_clear(&missing->due);
	task_clear(&missing->task);
	hosted_question_disown(missing->question);
	text_finish(&missing->form);
	text_finish(&missing->answer);
	text_finish(&missing->wrong);
	free(missing);
}
