/* SPDX-License-Identifier: Apache-2.0 */
/* Decision: its words, its memory, its states. */
#include "decide/decision.h"

#include "decide/decision_digest.h"
#include "wire/scan.h"

#include <stdlib.h>

static const char *const kind_texts[DECISION_KINDS] = {
	[DECISION_PROPOSAL] = "proposal",
	[DECISION_AUTHORIZATION] = "authorization",
	[DECISION_PERMISSION] = "permission",
	[DECISION_CALLBACK] = "callback",
	[DECISION_QUARANTINE] = "quarantine",
	[DECISION_REGISTRATION] = "registration",
	[DECISION_CALL] = "call",
};

static const char *const state_texts[DECISION_STATES] = {
	[DECISION_PENDING] = "pending",
	[DECISION_APPROVED] = "approved",
	[DECISION_DENIED] = "denied",
	[DECISION_EXPIRED] = "expired",
	[DECISION_WITHDRAWN] = "withdrawn",
	[DECISION_REVOKED] = "revoked",
	[DECISION_USED] = "used",
};

const char *decision_kind_text(enum decision_kind kind) { return kind_texts[kind]; }
const char *decision_state_text(enum decision_state state) { return state_texts[state]; }

static bool read_word(struct slice text, const char *const *words, size_t count, size_t *which) {
	for (size_t i = 0; i < count; i++) {
		if (!slice_is(text, words[i])) continue;
		*which = i;
		return true;
	}
	return false;
}

bool decision_kind_read(struct slice text, enum decision_kind *kind) {
	size_t which;
	if (!read_word(text, kind_texts, DECISION_KINDS, &which)) return false;
	*kind = (enum decision_kind)which;
	return true;
}

bool decision_state_read(struct slice text, enum decision_state *state) {
	size_t which;
	if (!read_word(text, state_texts, DECISION_STATES, &which)) return false;
	*state = (enum decision_state)which;
	return true;
}

bool decision_is_yes(const struct decision *decision) {
	return decision->state == DECISION_APPROVED || decision->state == DECISION_USED;
}

bool decision_is_single_use(const struct decision *decision) {
	return decision->valid_until == 0 &&
		(decision->kind == DECISION_CALL || decision->kind == DECISION_AUTHORIZATION ||
			decision->kind == DECISION_PROPOSAL);
}

bool decision_is_open(const struct decision *decision) {
	if (decision->state == DECISION_PENDING) return true;
	return decision->state == DECISION_APPROVED && (decision->valid_until > 0 || decision->used_at == 0);
}

static bool list_has(struct slice list, struct slice name) {
	struct slice part;
	if (!list.length) return false;
	while (slice_split(&list, '\n', &part))
		if (slice_equal(part, name)) return true;
	return false;
}

bool decision_is_of_room(const struct decision *decision) {
	return decision->topic.length && (decision->kind == DECISION_AUTHORIZATION || decision->kind == DECISION_PROPOSAL);
}

bool decision_is_open_to(const struct decision *decision, struct slice topic) {
	return decision_is_of_room(decision) && !decision->deciders.length && slice_equal(decision->topic, topic);
}

bool decision_names(const struct decision *decision, struct slice who) {
	return list_has(decision->deciders, who);
}

bool decision_grants(const struct decision *decision, struct slice permission) {
	struct scan_value root = {decision->answer, SCAN_OBJECT, false}, only;
	struct scan_walk walk;
	struct scan_member member;
	if (!decision_is_yes(decision) || !list_has(decision->permissions, permission)) return false;
	if (!decision->answer.length) return true;
	if (!scan_find(&root, "only", &only) || only.type != SCAN_ARRAY) return false;
	for (scan_open(&walk, &only); scan_next(&walk, &member);) {
		struct arena arena;
		struct slice name;
		char lent[DECISION_NAME + 64];
		arena_init(&arena, lent, sizeof lent, 0);
		bool is_it = scan_string(&member.value, &arena, &name) && slice_equal(name, permission);
		arena_finish(&arena);
		if (is_it) return true;
	}
	return false;
}

/* ---- Making ---- */

static bool has_control(struct slice text) {
	for (size_t i = 0; i < text.length; i++)
		if ((unsigned char)text.bytes[i] < 0x20 || text.bytes[i] == 0x7f) return true;
	return false;
}

static bool check_name(struct slice name, const char *field, bool is_needed, struct fault *why) {
	if (is_needed && !name.length) return fault_set(why, FAULT_BAD_INPUT, "%s: empty", field);
	if (name.length > DECISION_NAME)
		return fault_set(why, FAULT_TOO_LARGE, "%s: %zu octets, at most %d", field, name.length, DECISION_NAME);
	if (has_control(name) || !scan_is_utf8(name))
		return fault_set(why, FAULT_BAD_INPUT, "%s: control characters, or no UTF-8", field);
	return true;
}

static bool check_names(const struct slice *names, size_t count, const char *field, struct fault *why) {
	if (count > DECISION_NAMES)
		return fault_set(why, FAULT_TOO_LARGE, "%s: %zu of them, at most %d", field, count, DECISION_NAMES);
	for (size_t i = 0; i < count; i++)
		if (!check_name(names[i], field, true, why)) return false;
	return true;
}

static bool check_wish(const struct decision_wish *wish, struct fault *why) {
	if (wish->ttl_ms < 0 || wish->ttl_ms > DECISION_TTL_MOST)
		return fault_set(why, FAULT_BAD_INPUT, "a decision is open for at most 365 days");
	if (wish->message.length > DECISION_MESSAGE)
		return fault_set(why, FAULT_TOO_LARGE, "message: %zu octets, at most %d", wish->message.length,
			DECISION_MESSAGE);
	if (!scan_is_utf8(wish->message)) return fault_set(why, FAULT_BAD_INPUT, "message: no UTF-8");
	return check_name(wish->requester, "requester", true, why) &&
		check_name(wish->server, "server", false, why) && check_name(wish->tool, "tool", false, why) &&
		check_name(wish->topic, "topic", false, why) &&
		check_names(wish->permissions, wish->permission_count, "permissions", why) &&
		check_names(wish->deciders, wish->decider_count, "deciders", why);
}

static size_t names_length(const struct slice *names, size_t count) {
	size_t length = count; /* LFs */
	for (size_t i = 0; i < count; i++) length += names[i].length;
	return length;
}

static struct slice place(char **at, struct slice from) {
	struct slice copy = {*at, from.length};
	if (from.length) memcpy(*at, from.bytes, from.length);
	*at += from.length;
	return copy;
}

static struct slice place_names(char **at, const struct slice *names, size_t count) {
	struct slice all = {*at, 0};
	for (size_t i = 0; i < count; i++) {
		if (i > 0) place(at, SLICE("\n"));
		place(at, names[i]);
	}
	all.length = (size_t)(*at - all.bytes);
	return all;
}

struct decision *decision_make(const struct decision_wish *wish, int64_t now, struct fault *why) {
	uint8_t digest[SECRET_HASH_SIZE];
	if (!check_wish(wish, why) || !decision_digest(wish, digest, why)) return NULL;
	size_t octets = sizeof(struct decision) + wish->requester.length + wish->server.length +
		wish->tool.length + wish->topic.length + wish->message.length + wish->arguments.length +
		names_length(wish->permissions, wish->permission_count) +
		names_length(wish->deciders, wish->decider_count);
	struct decision *decision = calloc(1, octets);
	if (!decision) return fault_null(why, FAULT_NO_MEMORY, "no memory for a decision");
	char *at = (char *)(decision + 1);
	list_init(&decision->in_book);
	memcpy(decision->digest, digest, sizeof digest);
	decision->octets = octets;
	decision->kind = wish->kind;
	decision->requester = place(&at, wish->requester);
	decision->server = place(&at, wish->server);
	decision->tool = place(&at, wish->tool);
	decision->topic = place(&at, wish->topic);
	decision->message = place(&at, wish->message);
	decision->arguments = place(&at, wish->arguments);
	decision->permissions = place_names(&at, wish->permissions, wish->permission_count);
	decision->deciders = place_names(&at, wish->deciders, wish->decider_count);
	decision->created_at = now;
	decision->expires_at = now + wish->ttl_ms;
	decision->version = 1;
	return decision;
}

void decision_free(struct decision *decision) {
	if (!decision) return;
	free(decision->settled);
	free(decision);
}

bool decision_change(const struct decision *decision, enum decision_state state,
	const struct decision_words *words, int64_t now, struct decision *next, struct fault *why) {
	struct decision changed = *decision;
	changed.state = state;
	changed.version++;
	if (words) {
		size_t length = words->by.length + words->reason.length + words->answer.length;
		char *at = changed.settled = malloc(length ? length : 1);
		if (!at) return fault_set(why, FAULT_NO_MEMORY, "no memory for an answer");
		changed.decided_by = place(&at, words->by);
		changed.reason = place(&at, words->reason);
		changed.answer = place(&at, words->answer);
		changed.valid_until = words->valid_until;
		changed.decided_at = now;
		changed.octets += length;
		changed.octets -= decision->decided_by.length + decision->reason.length + decision->answer.length;
	}
	*next = changed;
	return true;
}

void decision_become(struct decision *decision, const struct decision *next) {
	if (next->settled != decision->settled) free(decision->settled);
	*decision = *next;
}

void decision_drop(const struct decision *decision, struct decision *next) {
	if (next->settled != decision->settled) free(next->settled);
}
