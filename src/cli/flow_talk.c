/* SPDX-License-Identifier: Apache-2.0 */
/* Flow talk: ask, show, answer, look how it goes on. */
#include "cli/flow_talk.h"

#include "base/clock.h"
#include "cli/flow_form.h"
#include "cli/tool_talk.h"

#include <stdio.h>
#include <unistd.h>

#define LOOK_MS 50 /* the first pause while the tool works, doubled each time */
#define LOOK_MOST_MS 1000
#define PATIENT_MS 3000 /* then the user is told what it may wait for */
#define CANCEL_MS 5000  /* for the last request, behind Ctrl-C */

struct talk {
	struct flow_link *link;
	const struct flow_wishes *wishes;
	struct text session; /* its id, or the token that stands for it */
	struct text first;   /* the first prompt */
	struct text said;    /* the last answer: `prompt` and `progress` lie in it */
	struct text answer;  /* the user's, JSON */
	struct scan_value prompt, progress, state;
	bool is_begun;
	bool *has_failed;
};

static bool no_memory(struct fault *why) { return fault_set(why, FAULT_NO_MEMORY, "no memory for the session"); }

/* ---- What is said ---- */

static bool read_answer(struct talk *talk, struct scan_value *root, struct fault *why) {
	struct scan_fault fault;
	if (scan_check(text_slice(&talk->said), SCAN_DEPTH, root, &fault) && root->type == SCAN_OBJECT) return true;
	return fault_set(why, FAULT_IO, "the answer is no JSON object");
}

static void find(const struct scan_value *root, const char *name, struct scan_value *value) {
	*value = (struct scan_value){.type = SCAN_NONE};
	(void)scan_find(root, name, value);
}

/* A session has one id, or a new token after each step. */
static bool take_session(struct talk *talk, const struct scan_value *root, struct fault *why) {
	struct scan_value id;
	struct slice words;
	struct arena arena;
	char lent[256];
	if (!scan_find(root, "sessionId", &id) || id.type != SCAN_STRING) return true;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_read = scan_string(&id, &arena, &words);
	if (is_read) {
		text_clear(&talk->session);
		text_add(&talk->session, words);
	}
	arena_finish(&arena);
	return (is_read && !text_failed(&talk->session)) || no_memory(why);
}

static void begin_params(const struct talk *talk, struct text *to) {
	text_init(to, 0);
	text_add_cstr(to, "{\"sessionId\":");
	text_json(to, text_slice(&talk->session));
}

static bool ask(struct talk *talk, const char *method, const struct text *params, struct scan_value *root,
	struct fault *why) {
	if (text_failed(params)) return no_memory(why);
	return flow_link_ask(talk->link, method, text_slice(params), &talk->said, why) && read_answer(talk, root, why) &&
		take_session(talk, root, why);
}

/* The first prompt comes with the session; how far that is stands in its state. */
static bool take_first(struct talk *talk, const struct scan_value *prompt, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	struct scan_value root;
	struct scan_fault fault;
	text_add(&talk->first, prompt->text);
	if (text_failed(&talk->first)) return no_memory(why);
	begin_params(talk, &params);
	text_add_char(&params, '}');
	if (!ask(talk, "interaction.getState", &params, &root, why)) return false;
	find(&root, "progress", &talk->progress);
	return scan_check(text_slice(&talk->first), SCAN_DEPTH, &talk->prompt, &fault) || fault_set(why, FAULT_IO, "the prompt is no JSON");
}

static bool start(struct talk *talk, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	struct scan_value root, prompt;
	text_init(&params, 0);
	text_add_cstr(&params, "{\"toolName\":");
	text_json(&params, slice_of(talk->wishes->tool));
	text_add_cstr(&params, ",\"initialParams\":");
	text_add(&params, talk->wishes->arguments);
	text_add_char(&params, '}');
	if (!ask(talk, "interaction.start", &params, &root, why)) return false;
	if (!talk->session.length) return fault_set(why, FAULT_IO, "it begins a session, and does not name it");
	talk->is_begun = true;
	find(&root, "initialPrompt", &prompt);
	return prompt.type != SCAN_OBJECT || take_first(talk, &prompt, why);
}

/* The user has given up: the other side need not wait. */
static void cancel(struct talk *talk) {
	AUTO_TEXT struct text params = {0};
	struct fault why;
	begin_params(talk, &params);
	text_add_cstr(&params, ",\"reason\":\"the user cancelled\"}");
	talk->link->beside.entrance.stopped_by = 0;
	talk->link->timeout_ms = CANCEL_MS;
	if (talk->is_begun && !text_failed(&params))
		(void)!flow_link_ask(talk->link, "interaction.cancel", text_slice(&params), &talk->said, &why);
	talk->is_begun = false;
}

/* ---- The prompt at hand ---- */

static bool print_line(const struct text *line, struct fault *why) {
	if (text_failed(line)) return no_memory(why);
	return command_print(text_slice(line)) || fault_set(why, FAULT_IO, "nobody reads what is printed");
}

static bool print_prompt(const struct talk *talk, struct fault *why) {
	AUTO_TEXT struct text line = {0};
	text_init(&line, 0);
	text_add_cstr(&line, "{\"prompt\":");
	scan_compact(&line, talk->prompt.text);
	if (talk->progress.type == SCAN_OBJECT) {
		text_add_cstr(&line, ",\"progress\":");
		scan_compact(&line, talk->progress.text);
	}
	text_add_cstr(&line, "}\n");
	return print_line(&line, why);
}

static bool read_line(struct talk *talk, struct slice *line, struct fault *why) {
	switch (flow_link_line(talk->link, line, why)) {
	case FLOW_LINE_READ: return true;
	case FLOW_LINE_END: return fault_set(why, FAULT_CLOSED, "cancelled: there are no more answers");
	case FLOW_LINE_STOPPED: return fault_set(why, FAULT_CLOSED, "cancelled");
	default: return false;
	}
}

static bool answer_by_json(struct talk *talk, struct fault *why) {
	struct scan_value value;
	struct scan_fault fault;
	struct slice line;
	if (!print_prompt(talk, why)) return false;
	do {
		if (!read_line(talk, &line, why)) return false;
	} while (!slice_trim(line).length);
	if (!scan_check(line, SCAN_DEPTH, &value, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "cancelled: an answer has to be JSON: octet %zu: %s", fault.offset, fault.what);
	text_add(&talk->answer, value.text);
	return true;
}

static bool answer_by_hand(struct talk *talk, const struct prompt *prompt, struct fault *why) {
	struct slice line;
	flow_form_show(stderr, prompt, &talk->progress);
	for (;;) {
		if (!read_line(talk, &line, why)) {
			fputc('\n', stderr);
			return false;
		}
		switch (flow_form_read(stderr, prompt, line, &talk->answer)) {
		case FLOW_FORM_ANSWER: return true;
		case FLOW_FORM_NO_MEMORY: return no_memory(why);
		default:
			fputs("  > ", stderr);
			fflush(stderr);
		}
	}
}

static bool put(struct talk *talk, struct text *prompt_id, struct fault *why) {
	struct prompt prompt;
	struct arena arena;
	char lent[2048];
	text_clear(&talk->answer);
	arena_init(&arena, lent, sizeof lent, 0);
	bool done = prompt_read(&talk->prompt, &arena, &prompt, why) || fault_before(why, "its prompt cannot be shown: ");
	if (done && prompt.id.length) text_json(prompt_id, prompt.id);
	if (done) done = talk->wishes->as_json ? answer_by_json(talk, why) : answer_by_hand(talk, &prompt, why);
	arena_finish(&arena);
	return done;
}

static bool show_refusal(const struct talk *talk, const struct scan_value *validation, struct fault *why) {
	AUTO_TEXT struct text line = {0};
	if (!talk->wishes->as_json) {
		flow_form_show_verdict(stderr, validation);
		return true;
	}
	text_init(&line, 0);
	text_add_cstr(&line, "{\"validation\":");
	if (validation->type == SCAN_OBJECT) scan_compact(&line, validation->text);
	else text_add_cstr(&line, "{\"valid\":false}");
	text_add_cstr(&line, "}\n");
	return print_line(&line, why);
}

/* Asked until it is accepted: a prompt that was refused stays the one at hand, and is read again by looking. */
static bool respond(struct talk *talk, struct fault *why) {
	AUTO_TEXT struct text params = {0}, prompt_id = {0};
	struct scan_value root, accepted, validation;
	bool is_accepted = false;
	text_init(&prompt_id, 0);
	if (!put(talk, &prompt_id, why)) return false;
	begin_params(talk, &params);
	text_add_cstr(&params, ",\"response\":{\"value\":");
	text_add(&params, text_slice(&talk->answer));
	text_printf(&params, ",\"timestamp\":%lld}", (long long)clock_wall_ms());
	if (prompt_id.length) text_printf(&params, ",\"promptId\":%.*s", (int)prompt_id.length, prompt_id.bytes);
	text_add_char(&params, '}');
	if (!ask(talk, "interaction.respond", &params, &root, why)) return false;
	find(&root, "accepted", &accepted);
	if (scan_boolean(&accepted, &is_accepted) && is_accepted) return true;
	find(&root, "validation", &validation);
	return show_refusal(talk, &validation, why);
}

/* ---- How it goes on ---- */

static bool is_state(const struct talk *talk, const char *word) {
	struct slice text = talk->state.text;
	return talk->state.type == SCAN_STRING && text.length >= 2 && slice_is(slice_make(text.bytes + 1, text.length - 2), word);
}

static bool look(struct talk *talk, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	struct scan_value root;
	uint64_t pause = LOOK_MS, waited = 0;
	for (;; pause = 2 * pause < LOOK_MOST_MS ? 2 * pause : LOOK_MOST_MS) {
		begin_params(talk, &params);
		text_add_char(&params, '}');
		bool is_asked = ask(talk, "interaction.getState", &params, &root, why);
		text_finish(&params);
		if (!is_asked) return false;
		find(&root, "state", &talk->state);
		find(&root, "currentPrompt", &talk->prompt);
		find(&root, "progress", &talk->progress);
		if (!is_state(talk, "idle") && !is_state(talk, "active") && !is_state(talk, "processing")) return true;
		if (!flow_link_wait(talk->link, pause)) return fault_set(why, FAULT_CLOSED, "cancelled");
		bool was_short = waited < PATIENT_MS;
		waited += pause;
		if (was_short && waited >= PATIENT_MS && !talk->wishes->as_json)
			fputs("  the tool works, or waits for an approval: `hustings pending` lists these\n", stderr);
	}
}

static bool print_result(struct talk *talk, const struct scan_value *result, struct fault *why) {
	AUTO_TEXT struct text line = {0};
	struct scan_value success, data, content;
	bool is_fine = true;
	find(result, "success", &success);
	find(result, "data", &data);
	if (scan_boolean(&success, &is_fine) && !is_fine) *talk->has_failed = true;
	if (!talk->wishes->as_json && data.type == SCAN_OBJECT && scan_find(&data, "content", &content)) {
		bool is_failure = false;
		bool is_printed = tool_talk_print(data.text, false, &is_failure, why);
		*talk->has_failed |= is_failure;
		return is_printed;
	}
	text_init(&line, 0);
	if (talk->wishes->as_json) text_add_cstr(&line, "{\"result\":");
	scan_compact(&line, talk->wishes->as_json || data.type == SCAN_NONE ? result->text : data.text);
	text_add_cstr(&line, talk->wishes->as_json ? "}\n" : "\n");
	return print_line(&line, why);
}

static bool finish(struct talk *talk, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	struct scan_value root, result;
	begin_params(talk, &params);
	text_add_char(&params, '}');
	talk->is_begun = false;
	if (!ask(talk, "interaction.complete", &params, &root, why)) return false;
	find(&root, "finalResult", &result);
	if (result.type == SCAN_OBJECT) return print_result(talk, &result, why);
	return fault_set(why, FAULT_IO, "the session is completed, and has no result");
}

/* It ended without a result: its own words say why. */
static bool ended(struct talk *talk, struct fault *why) {
	struct scan_value root, summary;
	struct slice plain = SLICE_NONE;
	struct arena arena;
	char words[200] = "", lent[512];
	talk->is_begun = false;
	arena_init(&arena, lent, sizeof lent, 0);
	if (read_answer(talk, &root, why) && scan_find(&root, "summary", &summary) && scan_string(&summary, &arena, &plain))
		text_display_in(words, sizeof words, plain);
	arena_finish(&arena);
	return fault_set(why, FAULT_REFUSED, "the session is %s%s%s", is_state(talk, "cancelled") ? "cancelled" : "in error",
		words[0] ? ": " : "", words);
}

static bool drive(struct talk *talk, struct fault *why) {
	if (!start(talk, why)) return false;
	for (;;) {
		if (talk->prompt.type == SCAN_OBJECT && !respond(talk, why)) return false;
		if (!look(talk, why)) return false;
		if (is_state(talk, "completed")) return finish(talk, why);
		if (!is_state(talk, "waiting_user")) return ended(talk, why);
		if (talk->prompt.type != SCAN_OBJECT) return fault_set(why, FAULT_IO, "it waits for an answer, and shows no prompt");
	}
}

bool flow_talk(struct flow_link *link, const struct flow_wishes *wishes, bool *has_failed, struct fault *why) {
	struct talk talk = {.link = link, .wishes = wishes, .has_failed = has_failed};
	text_init(&talk.session, 0);
	text_init(&talk.first, 0);
	text_init(&talk.said, 0);
	text_init(&talk.answer, 0);
	*has_failed = false;
	bool done = flow_link_find(link, wishes->tool, why) && drive(&talk, why);
	if (!done) cancel(&talk);
	text_finish(&talk.session);
	text_finish(&talk.first);
	text_finish(&talk.said);
	text_finish(&talk.answer);
	return done;
}
