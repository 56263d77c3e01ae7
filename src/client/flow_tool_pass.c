/* SPDX-License-Identifier: Apache-2.0 */
/* Flow tool pass: a prompt is made of what the author says, and asked if its answer is not there. */
#include "client/flow_tool_pass.h"

#include "client/authorization_book.h"
#include "client/authorization_rules.h"
#include "mcp/mcp_reply.h"

#define ROUNDS 1000 /* of one pass that goes back again and again */

/* ---- A prompt of a field ---- */

static struct slice json_string(struct hustings_flow *flow, const char *words) {
	AUTO_TEXT struct text text = {0};
	struct slice copy;
	text_init(&text, 0);
	text_json(&text, slice_of(words));
	return !text_failed(&text) && arena_copy(&flow->arena, text_slice(&text), &copy) ? copy : SLICE_NONE;
}

static bool add_choices(struct hustings_flow *flow, const struct hustings_field *field, struct prompt *prompt) {
	struct prompt_choice *choices = arena_zero(&flow->arena, (field->choice_count + 1) * sizeof *choices);
	if (!choices) return false;
	for (size_t i = 0; i < field->choice_count; i++) {
		choices[i].value = json_string(flow, field->choices[i].value);
		choices[i].label = slice_of(field->choices[i].label);
		if (!choices[i].value.length) return false;
	}
	prompt->choices = choices;
	prompt->choice_count = field->choice_count;
	return true;
}

static bool is_json(const char *text, struct scan_value *root) {
	struct scan_fault fault;
	return scan_check(slice_of(text), SCAN_DEPTH / 2, root, &fault);
}

static bool draft(struct hustings_flow *flow, const char *name, enum prompt_type type,
	const struct hustings_field *field, struct prompt *prompt) {
	struct scan_value value, accepted = {.type = SCAN_NONE};
	*prompt = (struct prompt){
		.type = type,
		.name = slice_of(name),
		.message = slice_of(field->message ? field->message : name),
		.placeholder = slice_of(field->placeholder),
		.rules = {
			.is_required = !field->is_optional,
			.has_least = field->has_least,
			.has_most = field->has_most,
			.least = field->least,
			.most = field->most,
			.is_whole = field->is_whole,
			.pattern = slice_of(field->pattern),
			.format = slice_of(field->format),
			.first = slice_of(field->first),
			.last = slice_of(field->last),
			.most_octets = field->most_octets,
		},
	};
	if (field->accepted && (!is_json(field->accepted, &accepted) || accepted.type != SCAN_ARRAY)) return false;
	prompt->rules.accept = accepted;
	if (field->suggested && !is_json(field->suggested, &value)) return false;
	if (field->suggested) prompt->default_value = value.text;
	if (field->schema && !is_json(field->schema, &value)) return false;
	if (field->schema) prompt->schema = value.text;
	return type != PROMPT_CHOICE || add_choices(flow, field, prompt);
}

/* ---- Asking ---- */

/* Whether what is known fits what is asked; what does not is asked anew. */
static bool is_on_record(struct hustings_flow *flow, const struct prompt *prompt, const char *name,
	struct scan_value *answer) {
	const struct scan_value given = {.text = text_slice(&flow->session->given), .type = SCAN_OBJECT};
	struct prompt_verdict verdict;
	return scan_find(&given, name, answer) && prompt_check(prompt, answer, &flow->arena, &verdict) && verdict.is_valid;
}

void flow_tool_pass_fail(struct hustings_flow *flow, const char *what) {
	if (flow->is_done) return;
	flow->is_done = true;
	flow_session_fail(flow->session, what, flow->now);
}

static void put(struct hustings_flow *flow, const struct prompt *prompt) {
	struct flow_refusal refusal;
	struct prompt read;
	flow->is_done = true;
	if (!flow_session_ask(flow->session, prompt, flow->has_progress ? &flow->progress : NULL, flow->now, &refusal))
		flow_session_fail(flow->session, refusal.message, flow->now);
	else if (!flow_session_prompt(flow->session, &flow->arena, &read))
		flow_session_fail(flow->session, "the tool asked for something that cannot be put to anybody", flow->now);
}

bool flow_tool_pass_ask(struct hustings_flow *flow, const char *name, enum prompt_type type,
	const struct hustings_field *field, struct scan_value *answer) {
	struct prompt prompt;
	if (flow->is_done) return false;
	size_t length = name ? strlen(name) : 0;
	if (!length || length > PROMPT_NAME || !draft(flow, name, type, field, &prompt)) {
		flow_tool_pass_fail(flow, "the tool asked for something that cannot be put to anybody");
		return false;
	}
	if (is_on_record(flow, &prompt, name, answer)) return true;
	put(flow, &prompt);
	return false;
}

/* ---- Ending ---- */

void flow_tool_pass_end(struct hustings_flow *flow, bool is_success, const struct text *result) {
	struct flow_session *session = flow->session;
	struct flow_refusal refusal = {.message = "no memory for the result"};
	if (flow->is_done) return;
	flow->is_done = true;
	bool is_fine = !text_failed(result) &&
		(session->state != FLOW_ACTIVE || flow_session_process(session, flow->now, &refusal)) &&
		flow_session_complete(session, is_success, text_slice(result), SLICE_NONE, flow->now, &refusal);
	if (!is_fine) flow_session_fail(session, refusal.message, flow->now);
}

/* ---- The pass ---- */

static bool ask_steps(struct hustings_flow *flow) {
	const struct hustings_flow_tool *offer = &flow->tool->offer;
	static const enum prompt_type types[] = {
		[HUSTINGS_STEP_TEXT] = PROMPT_TEXT,
		[HUSTINGS_STEP_CHOICE] = PROMPT_CHOICE,
		[HUSTINGS_STEP_CONFIRM] = PROMPT_CONFIRM,
		[HUSTINGS_STEP_NUMBER] = PROMPT_NUMBER,
		[HUSTINGS_STEP_DATE] = PROMPT_DATE,
		[HUSTINGS_STEP_FILE] = PROMPT_FILE,
		[HUSTINGS_STEP_CUSTOM] = PROMPT_CUSTOM,
	};
	struct scan_value answer;
	for (size_t i = 0; i < offer->step_count; i++) {
		const struct hustings_step *step = &offer->steps[i];
		if (step->is_due && !step->is_due(offer->context, library_json(text_slice(&flow->session->given)))) continue;
		flow->has_progress = true;
		flow->progress = (struct prompt_progress){.current = (unsigned)i + 1, .total = (unsigned)offer->step_count};
		if (!flow_tool_pass_ask(flow, step->name, types[step->kind], &step->field, &answer)) return false;
	}
	return true;
}

static void answer_known(struct hustings_flow *flow) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	mcp_reply_write_json(&result, text_slice(&flow->session->given));
	flow_tool_pass_end(flow, true, &result);
}

/* What the function does in this pass it does with what is known now. */
static bool is_allowed(const struct hustings_flow *flow) {
	const struct scan_value known = {.text = text_slice(&flow->session->given), .type = SCAN_OBJECT};
	const struct hustings *hustings = flow->tool->hustings;
	return authorization_rules_still_let(authorization_book_wishes(hustings), hustings, slice_of(flow->tool->name), flow->from, &known);
}

static void run_once(struct hustings_flow *flow) {
	struct flow_tool *tool = flow->tool;
	if (!is_allowed(flow)) {
		flow_tool_pass_fail(flow, "a rule of the tool's owner denies it with these arguments");
		return;
	}
	if (!ask_steps(flow)) return;
	if (tool->offer.run) tool->offer.run(tool->offer.context, flow);
	else answer_known(flow);
	flow_tool_pass_fail(flow, "the tool neither asked nor answered");
}

void flow_tool_pass(struct flow_tool *tool, struct flow_session *session, const char *from) {
	char lent[4096];
	struct hustings_flow flow = {.tool = flow_tool_keep(tool), .session = session, .from = from, .now = clock_wall_ms()};
	unsigned rounds = 0;
	arena_init(&flow.arena, lent, sizeof lent, 0);
	do {
		arena_reset(&flow.arena);
		flow.is_done = flow.went_back = flow.has_progress = false;
		run_once(&flow);
	} while (flow.went_back && ++rounds < ROUNDS);
	if (flow.went_back) flow_session_fail(session, "the tool goes back for ever", flow.now);
	arena_finish(&flow.arena);
	flow_tool_drop(tool);
}
