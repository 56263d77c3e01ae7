/* SPDX-License-Identifier: Apache-2.0 */
/* Inbox answer: who may say yes or no, and what may be said. */
#include "decide/inbox.h"

#include "decide/inbox_book.h"
#include "mcp/mgp_callback.h"
#include "wire/scan.h"

#include <stdio.h>

#define FAR_MS (366LL * 86400 * 1000)

static bool refuse(struct inbox *inbox, const struct decision *decision, const struct inbox_answer *answer,
	struct fault *why, const char *sentence) {
	if (!answer->is_told) inbox_book_audit(inbox, decision, answer->who, "refused", slice_of(sentence));
	return fault_set(why, FAULT_REFUSED, "%s", sentence);
}

/* A room's question is answered by its full participants, whoever is named (ADR-001: an answer is an mcp message). */
static bool is_full_there(const struct decision *decision, const struct inbox_answer *answer) {
	return answer->topic.length && slice_equal(decision->topic, answer->topic);
}

static bool refuse_restricted(struct inbox *inbox, const struct decision *decision, const struct inbox_answer *answer,
	struct fault *why) {
	char words[DECISION_NAME + 96];
	snprintf(words, sizeof words, "this needs full privilege in %.*s%s", SLICE_ARGS(decision->topic),
		decision->deciders.length ? ", of a decider too: an administrator may promote it" : ", or an administrator");
	return refuse(inbox, decision, answer, why, words);
}

/* Nobody answers its own question; who is named decides, else administrators; these may always say no. */
static bool may_answer(struct inbox *inbox, const struct decision *decision, const struct inbox_answer *answer,
	struct fault *why) {
	if (slice_equal(answer->who, decision->requester))
		return refuse(inbox, decision, answer, why, "nobody answers its own question: somebody else has to");
	if (decision_names(decision, answer->who))
		return !decision_is_of_room(decision) || answer->is_admin || is_full_there(decision, answer) ||
			refuse_restricted(inbox, decision, answer, why);
	if (decision->deciders.length && !(answer->is_admin && !answer->approves))
		return refuse(inbox, decision, answer, why, "only those whom the decision names may approve it: see its deciders");
	if (answer->is_admin || decision_is_open_to(decision, answer->topic)) return true;
	if (decision_is_of_room(decision)) return refuse_restricted(inbox, decision, answer, why);
	return refuse(inbox, decision, answer, why, "this needs an administrator");
}

/* ---- What is said ---- */

static bool check_until(const struct decision *decision, const struct inbox_answer *answer, struct fault *why) {
	int64_t now = clock_wall_ms();
	if (!answer->valid_until) return true;
	if (!answer->approves) return fault_set(why, FAULT_BAD_INPUT, "validUntil: a no has no end");
	if (decision->kind != DECISION_CALL && decision->kind != DECISION_AUTHORIZATION &&
		decision->kind != DECISION_PERMISSION)
		return fault_set(why, FAULT_BAD_INPUT, "validUntil: an approval of a %s has no end",
			decision_kind_text(decision->kind));
	if (answer->valid_until <= now) return fault_set(why, FAULT_BAD_INPUT, "validUntil: lies in the past");
	if (answer->valid_until > now + FAR_MS)
		return fault_set(why, FAULT_BAD_INPUT, "validUntil: lies more than a year ahead");
	return true;
}

static bool has_name(struct slice list, struct slice name) {
	struct slice part;
	while (list.length && slice_split(&list, '\n', &part))
		if (slice_equal(part, name)) return true;
	return false;
}

static bool write_only(const struct decision *decision, const struct inbox_answer *answer, struct text *json,
	struct fault *why) {
	if (decision->kind != DECISION_PERMISSION || !answer->approves)
		return fault_set(why, FAULT_BAD_INPUT, "only: is for approvals of permissions");
	text_add_cstr(json, "{\"only\":[");
	for (size_t i = 0; i < answer->only_count; i++) {
		struct slice name = answer->only[i];
		if (!has_name(decision->permissions, name))
			return fault_set(why, FAULT_BAD_INPUT, "only: '%.*s' was not asked for: `hustings show %s` lists what was",
				(int)slice_cut(name, 80), name.bytes, decision->id);
		if (i > 0) text_add_char(json, ',');
		text_json(json, name);
	}
	text_add_cstr(json, "]}");
	return true;
}

static bool check_json(const struct decision *decision, const struct inbox_answer *answer, struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	if (decision->kind != DECISION_CALLBACK || !answer->approves)
		return fault_set(why, FAULT_BAD_INPUT, "answer: is for callbacks that are approved");
	if (answer->answer.length > DECISION_ANSWER)
		return fault_set(why, FAULT_TOO_LARGE, "answer: %zu octets, at most %d", answer->answer.length,
			DECISION_ANSWER);
	if (!scan_check(answer->answer, SCAN_DEPTH, &root, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "answer: octet %zu: %s", fault.offset, fault.what);
	return true;
}

/* What the server asked is in the arguments: it hears nothing but what is an answer to that. Nothing is said of a
 * question that is none of MGP's. */
static bool check_callback(const struct decision *decision, const struct inbox_answer *answer, struct fault *why) {
	AUTO_TEXT struct text yes = {0};
	struct mgp_callback callback;
	struct scan_value question, words;
	struct scan_fault fault;
	struct fault own;
	if (decision->kind != DECISION_CALLBACK || !answer->approves ||
		!scan_check(decision->arguments, SCAN_DEPTH, &question, &fault) ||
		!mgp_callback_read(&question, &callback, NULL))
		return true;
	text_init(&yes, 0);
	if (!answer->answer.length)
		return mgp_callback_write_yes(&yes, &callback) ||
			fault_set(why, FAULT_BAD_INPUT,
				"answer: missing: it asks for words: `hustings approve %s --answer VALUE`", decision->id);
	if (!scan_check(answer->answer, SCAN_DEPTH, &words, &fault) ||
		mgp_callback_accepts(&callback, &words, &own))
		return true;
	return fault_set(why, FAULT_BAD_INPUT, "answer: %s: `hustings show %s` says what is asked", own.text,
		decision->id);
}

static bool check_words(const struct decision *decision, const struct inbox_answer *answer, struct text *json,
	struct fault *why) {
	if (answer->reason.length > DECISION_REASON)
		return fault_set(why, FAULT_TOO_LARGE, "reason: %zu octets, at most %d", answer->reason.length,
			DECISION_REASON);
	if (!scan_is_utf8(answer->reason)) return fault_set(why, FAULT_BAD_INPUT, "reason: no UTF-8");
	if (!check_until(decision, answer, why) || !check_callback(decision, answer, why)) return false;
	if (answer->only_count) return write_only(decision, answer, json, why);
	if (!answer->answer.length) return true;
	if (!check_json(decision, answer, why)) return false;
	text_add(json, answer->answer);
	return true;
}

/* ---- Answering ---- */

static const struct decision *change(struct inbox *inbox, struct decision *decision, enum decision_state state,
	const struct inbox_answer *answer, struct fault *why) {
	AUTO_TEXT struct text json = {0};
	text_init(&json, 0);
	if (!check_words(decision, answer, &json, why)) return NULL;
	if (text_failed(&json)) return fault_null(why, FAULT_NO_MEMORY, "no memory for an answer");
	const struct decision_words words = {
		.by = answer->who,
		.reason = answer->reason,
		.answer = text_slice(&json),
		.valid_until = answer->valid_until,
	};
	return inbox_book_change(inbox, decision, state, &words, answer->who, why) ? decision : NULL;
}

static struct decision *find(struct inbox *inbox, struct slice id, struct fault *why) {
	struct decision *decision = inbox_book_find(inbox, id);
	if (decision) return decision;
	return fault_null(why, FAULT_NOT_FOUND, "there is no decision %.*s: `hustings pending` shows those that are open",
		(int)slice_cut(id, 64), id.bytes);
}

static bool holds(const struct decision *decision) {
	return decision->state == DECISION_APPROVED && decision_is_open(decision);
}

const struct decision *inbox_answer(struct inbox *inbox, struct slice id, const struct inbox_answer *answer,
	struct fault *why) {
	struct decision *decision = find(inbox, id, why);
	if (!decision || !may_answer(inbox, decision, answer, why)) return NULL;
	if (!answer->approves && holds(decision))
		return change(inbox, decision, DECISION_REVOKED, answer, why);
	if (decision->state != DECISION_PENDING)
		return fault_null(why, FAULT_EXISTS, "decision %s is %s already", decision->id,
			decision_state_text(decision->state));
	if (decision->expires_at <= clock_wall_ms()) {
		inbox_book_end(inbox, decision, DECISION_EXPIRED, SLICE_NONE);
		return fault_null(why, FAULT_EXISTS, "decision %s is expired already", decision->id);
	}
	return change(inbox, decision, answer->approves ? DECISION_APPROVED : DECISION_DENIED, answer, why);
}

const struct decision *inbox_revoke(struct inbox *inbox, struct slice id, const struct inbox_answer *answer,
	struct fault *why) {
	struct decision *decision = find(inbox, id, why);
	struct inbox_answer no = *answer;
	no.approves = false;
	if (!decision || !may_answer(inbox, decision, &no, why)) return NULL;
	if (holds(decision)) return change(inbox, decision, DECISION_REVOKED, &no, why);
	return fault_null(why, FAULT_EXISTS, "decision %s is %s: there is no approval to take back", decision->id,
		decision_state_text(decision->state));
}

/* ---- Of what has no asker ---- */

bool inbox_use(struct inbox *inbox, struct slice id, struct fault *why) {
	struct decision *decision = find(inbox, id, why);
	if (!decision) return false;
	if (decision->state != DECISION_APPROVED || decision->used_at)
		return fault_set(why, FAULT_EXISTS, "decision %s is %s: there is no approval to use", decision->id,
			decision_state_text(decision->state));
	return inbox_book_use(inbox, decision, why);
}

bool inbox_settle(struct inbox *inbox, struct slice id, enum decision_state state, struct slice by, struct slice reason,
	struct fault *why) {
	struct decision *decision = find(inbox, id, why);
	const struct decision_words words = {.by = by, .reason = reason};
	if (!decision) return false;
	if (decision->state != DECISION_PENDING)
		return fault_set(why, FAULT_EXISTS, "decision %s is %s already", decision->id, decision_state_text(decision->state));
	return inbox_book_change(inbox, decision, state, &words, by, why);
}
