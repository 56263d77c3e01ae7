/* SPDX-License-Identifier: Apache-2.0 */
/* Decision outcome: the end of the call among the newest records of its asker and tool. */
#include "gateway/decision_outcome.h"

#include "gateway/decision_standing.h"
#include "kernel/governed.h"
#include "kernel/kernel.h"
#include "store/audit_question.h"
#include "wire/scan.h"

#include <stdio.h>
#include <stdlib.h>

#define SLACK_MS 1000 /* between the moments of a decision and of its call's records */

struct outcome {
	struct audit_question question;
	struct exchange *exchange; /* NULL: gone */
	char id[DECISION_ID];
	bool was_used; /* the approval had its effect, once at least */
	char *strings; /* what the filter borrows */
};

static void answer(struct exchange *exchange, const char *id, const char *state, const struct text *more) {
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	text_printf(&body, "{\"decision\":\"%s\",\"state\":\"%s\"", id, state);
	if (more) text_add(&body, text_slice(more));
	text_add_char(&body, '}');
	if (more && more->failed) body.failed = true;
	exchange_text(exchange, 200, &body);
}

/* ---- The record ---- */

static void add_member(struct text *to, const struct scan_value *object, const char *member, const char *name) {
	struct scan_value value;
	if (!scan_find(object, member, &value) || value.type == SCAN_NULL) return;
	text_printf(to, ",\"%s\":", name);
	text_add(to, value.text);
}

static const char *state_of(const struct scan_value *record) {
	struct scan_value event, result;
	bool has_run = scan_find(record, "event_type", &event) && slice_is(event.text, "\"TOOL_EXECUTED\"");
	if (!has_run) return "refused";
	return scan_find(record, "result", &result) && slice_is(result.text, "\"SUCCESS\"") ? "done" : "failed";
}

static void tell(struct exchange *exchange, const char *id, const struct scan_value *record,
	const struct scan_value *details) {
	AUTO_TEXT struct text more = {0};
	struct scan_value reason;
	text_init(&more, 0);
	add_member(&more, record, "ts", "at");
	add_member(&more, record, "result", "result");
	add_member(&more, record, "trace_id", "trace");
	add_member(&more, details, "duration_ms", "took_ms");
	add_member(&more, record, "gate", "gate");
	if (scan_find(details, "reason", &reason)) add_member(&more, details, "reason", "reason");
	else add_member(&more, record, "detail", "reason");
	answer(exchange, id, state_of(record), &more);
}

/* The newest that names the decision. */
static bool tell_newest(struct exchange *exchange, const char *id, struct slice list) {
	struct scan_value root, records, details, named;
	struct scan_fault fault;
	struct scan_walk walk;
	struct scan_member record;
	char wanted[DECISION_ID + 2];
	snprintf(wanted, sizeof wanted, "\"%s\"", id);
	if (!scan_check(list, SCAN_DEPTH, &root, &fault) || !scan_find(&root, "records", &records)) return false;
	for (scan_open(&walk, &records); scan_next(&walk, &record);) {
		if (!scan_find(&record.value, "details", &details) || !scan_find(&details, "decision", &named)) continue;
		if (!slice_is(named.text, wanted)) continue;
		tell(exchange, id, &record.value, &details);
		return true;
	}
	return false;
}

/* ---- The question ---- */

static bool is_under_way(const struct gateway *gateway, const struct decision *decision) {
	const struct hosted *hosted = gateway->kernel ? hosted_find(kernel_means(gateway->kernel)->servers, decision->server) : NULL;
	const struct governed *governed = hosted ? governed_of(hosted) : NULL;
	return governed && calls_have(governed, slice_of(decision->id));
}

/* Without a record: it was never called, or what was written of it lies too far back, or the gateway ended before. */
static const char *state_without(const struct outcome *outcome) {
	return outcome->was_used || outcome->question.next ? "unknown" : "waiting";
}

static void outcome_free(struct outcome *outcome) {
	audit_question_finish(&outcome->question);
	free(outcome->strings);
	free(outcome);
}

static void exchange_gone(struct exchange *exchange) {
	struct outcome *outcome = exchange->context;
	outcome->exchange = NULL;
}

static void answered(struct audit_question *question) {
	struct outcome *outcome = CONTAINER_OF(question, struct outcome, question);
	struct exchange *exchange = outcome->exchange;
	if (exchange) {
		exchange->gone = NULL;
		if (question->failed) exchange_fault(exchange, &question->why);
		else if (!tell_newest(exchange, outcome->id, text_slice(&question->text)))
			answer(exchange, outcome->id, state_without(outcome), NULL);
	}
	outcome_free(outcome);
}

static struct slice keep(char **at, struct slice words) {
	char *kept = *at;
	if (words.length) memcpy(kept, words.bytes, words.length);
	*at += words.length;
	return slice_make(kept, words.length);
}

static struct outcome *make(struct exchange *exchange, const struct decision *decision) {
	struct outcome *outcome = calloc(1, sizeof *outcome);
	char *strings = malloc(decision->requester.length + decision->server.length + decision->tool.length + 1);
	char *at = strings;
	if (!outcome || !strings) {
		free(outcome);
		free(strings);
		return NULL;
	}
	outcome->exchange = exchange;
	outcome->strings = strings;
	outcome->was_used = decision->used_at != 0;
	memcpy(outcome->id, decision->id, sizeof outcome->id);
	outcome->question = (struct audit_question){
		.loop = exchange->gateway->loop,
		.answered = answered,
		.filter = {
			.since = (decision->used_at ? decision->used_at : decision->created_at) - SLACK_MS,
			.event = SLICE("TOOL_*"),
			.actor = keep(&at, decision->requester),
			.server = keep(&at, decision->server),
			.tool = keep(&at, decision->tool),
		},
	};
	return outcome;
}

static void look(struct exchange *exchange, const struct decision *decision) {
	struct outcome *outcome = make(exchange, decision);
	struct fault why;
	if (!outcome) {
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return;
	}
	exchange->context = outcome;
	exchange->gone = exchange_gone;
	if (audit_ask(exchange->gateway->store, &outcome->question, &why)) return;
	exchange->gone = NULL;
	outcome_free(outcome);
	exchange_fault(exchange, &why);
}

/* ---- Who may hear ---- */

/* A token that is good for other rooms alone hears nothing of this one, whoever has it. */
static bool may_hear(struct gateway *gateway, const struct principal *principal, const struct decision *decision) {
	if (principal->is_open) return false;
	if (decision_is_shown(gateway, principal, decision)) return true;
	bool is_its_own = slice_equal(decision->requester, principal->id) ||
		(decision->decided_by.length && slice_equal(decision->decided_by, principal->id));
	return is_its_own && (!decision->topic.length || principal_may_enter(principal, decision->topic));
}

void decision_outcome_show(struct exchange *exchange) {
	struct gateway *gateway = exchange->gateway;
	struct slice id = exchange->segments[2];
	const struct decision *decision = gateway->inbox ? inbox_find(gateway->inbox, id) : NULL;
	bool is_call = decision && (decision->kind == DECISION_CALL || decision->kind == DECISION_AUTHORIZATION);
	if (!decision || !may_hear(gateway, exchange->principal, decision))
		exchange_error(exchange, 404, "not_found", "there is no decision %.*s of yours", (int)slice_cut(id, 64), id.bytes);
	else if (!is_call)
		exchange_error(exchange, 404, "no_outcome", "only a call has an outcome here: a proposal's stands in its room");
	else if (decision->state == DECISION_PENDING)
		answer(exchange, decision->id, "open", NULL);
	else if (!decision_is_yes(decision) && !decision->used_at)
		answer(exchange, decision->id, "nothing", NULL);
	else if (!decision->used_at && !decision->valid_until)
		answer(exchange, decision->id, "waiting", NULL);
	else if (is_under_way(gateway, decision))
		answer(exchange, decision->id, "running", NULL);
	else look(exchange, decision);
}
