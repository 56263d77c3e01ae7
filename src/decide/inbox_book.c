/* SPDX-License-Identifier: Apache-2.0 */
/* Inbox book: one way for every change. */
#include "decide/inbox_book.h"

#include "base/ident.h"
#include "decide/decision_record.h"
#include "store/audit.h"
#include "store/decision_rows.h"

#include <stdio.h>

#define LOOK_MOST_MS 30000 /* wall clocks are set */
#define TRIES 16           /* of an id that is there already */

/* ---- Room ---- */

static bool is_settled(const struct inbox *inbox, const struct decision *decision) {
	return !decision_is_open(decision) && !decision->asker && decision != inbox->telling;
}

static void take_out(struct inbox *inbox, struct decision *decision) {
	map_remove(&inbox->by_id, slice_of(decision->id));
	list_remove(&decision->in_book);
	inbox->count--;
	inbox->octets -= decision->octets;
	if (decision_is_open(decision)) inbox->open--;
	if (decision->state == DECISION_PENDING) inbox->pending--;
	decision_free(decision);
}

/* The oldest settled one goes, from the store too. */
static bool forget_one(struct inbox *inbox) {
	LIST_EACH(link, &inbox->book) {
		struct decision *decision = CONTAINER_OF(link, struct decision, in_book);
		struct fault why;
		if (!is_settled(inbox, decision)) continue;
		if (!decision_row_remove(inbox->state, slice_of(decision->id), &why))
			log_write(inbox->log, LOG_WARNING, "decide: an old decision stays in the store: %s", why.text);
		take_out(inbox, decision);
		return true;
	}
	return false;
}

static size_t pending_of(const struct inbox *inbox, struct slice requester) {
	size_t count = 0;
	LIST_EACH(link, &inbox->book) {
		const struct decision *decision = CONTAINER_OF(link, struct decision, in_book);
		if (decision->state == DECISION_PENDING && slice_equal(decision->requester, requester)) count++;
	}
	return count;
}

bool inbox_book_has_room(struct inbox *inbox, struct slice requester, size_t octets, struct fault *why) {
	if (pending_of(inbox, requester) >= inbox->settings.max_open_per_requester)
		return fault_set(why, FAULT_FULL,
			"%zu decisions of %.*s are open, the most for one requester (decide.max_open_per_requester): wait for "
			"one to be answered, or take one back",
			inbox->settings.max_open_per_requester, SLICE_ARGS(requester));
	if (inbox->open >= inbox->settings.max_open)
		return fault_set(why, FAULT_FULL,
			"%zu decisions are open, the most in all (decide.max_open): answer some: `hustings pending` shows them",
			inbox->settings.max_open);
	while (inbox->count - inbox->open >= INBOX_SETTLED || inbox->octets + octets > INBOX_OCTETS)
		if (!forget_one(inbox)) break;
	if (inbox->octets + octets <= INBOX_OCTETS) return true;
	return fault_set(why, FAULT_FULL,
		"the open decisions take %zu octets, the most is %d: answer some: `hustings pending` shows them",
		inbox->octets, INBOX_OCTETS);
}

/* ---- Telling ---- */

void inbox_book_audit(struct inbox *inbox, const struct decision *decision, struct slice by,
	const char *result, struct slice detail) {
	AUTO_TEXT struct text details = {0};
	struct fault why;
	text_init(&details, 0);
	if (!inbox->spool) return;
	text_printf(&details, "{\"kind\":\"%s\",\"requester\":", decision_kind_text(decision->kind));
	text_json(&details, decision->requester);
	text_add_char(&details, '}');
	const struct audit_record record = {
		.event = SLICE("decision"),
		.actor = by,
		.topic = decision->topic,
		.target = slice_of(decision->id),
		.result = slice_of(result),
		.detail = detail,
		.server_id = decision->server,
		.tool_name = decision->tool,
		.details = text_failed(&details) ? SLICE_NONE : text_slice(&details),
	};
	if (!audit_add(inbox->spool, &record, &why))
		log_write(inbox->log, LOG_WARNING, "audit: a record was not written: %s", why.text);
}

static void tell_asker(struct inbox *inbox, struct decision_asker *asker) {
	struct decision *decision = TAKE(asker->decision);
	struct fault why;
	decision->asker = NULL;
	inbox->telling = decision;
	/* Used before anybody acts on it: a kill in between costs a question, never a second use. */
	if (decision->state == DECISION_APPROVED && !inbox_book_use(inbox, decision, &why)) {
		log_write(inbox->log, LOG_ERROR, "decide: %s was approved, but its use could not be stored: %s",
			decision->id, why.text);
		inbox_book_end(inbox, decision, DECISION_REVOKED, SLICE_NONE);
	}
	asker->decided(asker, decision);
	inbox->telling = NULL;
}

static void tell_askers(struct task *task) {
	struct inbox *inbox = CONTAINER_OF(task, struct inbox, tell);
	for (struct link *link; (link = list_pop(&inbox->told));)
		tell_asker(inbox, CONTAINER_OF(link, struct decision_asker, in_told));
}

void inbox_book_announce(struct inbox *inbox, struct decision *decision) {
	struct fault why;
	if (inbox->webhook && !webhook_tell(inbox->webhook, decision, &why)) {
		log_write(inbox->log, LOG_WARNING, "webhook: decision %s: %s", decision->id, why.text);
		inbox_book_audit(inbox, decision, SLICE_NONE, "webhook_failed", slice_of(why.text));
	}
	LIST_EACH_SAFE(link, &inbox->listeners) {
		struct inbox_listener *listener = CONTAINER_OF(link, struct inbox_listener, link);
		listener->changed(listener, decision);
	}
}

/* A change that is stored. */
static void changed(struct inbox *inbox, struct decision *decision, struct slice by) {
	struct decision_asker *asker = decision->asker;
	inbox->version++;
	inbox_book_audit(inbox, decision, by, decision_state_text(decision->state), decision->reason);
	inbox_book_announce(inbox, decision);
	if (asker && list_is_empty(&asker->in_told)) {
		list_append(&inbox->told, &asker->in_told);
		loop_later(inbox->loop, &inbox->tell, tell_askers);
	}
	inbox_book_schedule(inbox);
}

/* ---- Storing ---- */

static bool store(struct inbox *inbox, const struct decision *decision, struct fault *why) {
	AUTO_TEXT struct text record = {0};
	text_init(&record, 0);
	decision_write(decision, &record);
	if (text_failed(&record)) return fault_set(why, FAULT_NO_MEMORY, "no memory to store a decision");
	const struct decision_row row = {
		.id = slice_of(decision->id),
		.is_open = decision_is_open(decision),
		.changed_at = clock_wall_ms(),
		.version = decision->version,
		.record = text_slice(&record),
	};
	return decision_row_put(inbox->state, &row, why);
}

static void make_id(char id[DECISION_ID]) {
	static const char letters[] = "0123456789abcdefghjkmnpqrstvwxyz"; /* none looks like another */
	uint8_t octets[DECISION_ID - 3];
	ident_random(octets, sizeof octets);
	memcpy(id, "d-", 2);
	for (size_t i = 0; i < sizeof octets; i++) id[2 + i] = letters[octets[i] % 32];
	id[DECISION_ID - 1] = '\0';
}

bool inbox_book_take(struct inbox *inbox, struct decision *decision, struct fault *why) {
	if (map_find(&inbox->by_id, slice_of(decision->id)))
		return fault_set(why, FAULT_EXISTS, "there are two decisions %s", decision->id);
	if (!map_add(&inbox->by_id, slice_of(decision->id), decision, NULL))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a decision");
	list_append(&inbox->book, &decision->in_book);
	inbox->count++;
	inbox->octets += decision->octets;
	if (decision_is_open(decision)) inbox->open++;
	if (decision->state == DECISION_PENDING) inbox->pending++;
	return true;
}

bool inbox_book_add(struct inbox *inbox, struct decision *decision, struct fault *why) {
	bool is_taken = false;
	for (int i = 0; i < TRIES && !is_taken; i++) {
		make_id(decision->id);
		is_taken = inbox_book_take(inbox, decision, why);
	}
	if (!is_taken) {
		decision_free(decision);
		return false;
	}
	if (!store(inbox, decision, why)) {
		take_out(inbox, decision);
		return false;
	}
	inbox->version++;
	inbox_book_audit(inbox, decision, decision->requester, "opened", SLICE_NONE);
	inbox_book_schedule(inbox);
	return true;
}

/* What the numbers of the book say of it, before and after a change. */
static void become(struct inbox *inbox, struct decision *decision, const struct decision *next) {
	inbox->open -= decision_is_open(decision);
	inbox->pending -= decision->state == DECISION_PENDING;
	inbox->octets -= decision->octets;
	decision_become(decision, next);
	inbox->open += decision_is_open(decision);
	inbox->pending += decision->state == DECISION_PENDING;
	inbox->octets += decision->octets;
}

bool inbox_book_change(struct inbox *inbox, struct decision *decision, enum decision_state state,
	const struct decision_words *words, struct slice by, struct fault *why) {
	struct decision next;
	if (!decision_change(decision, state, words, clock_wall_ms(), &next, why)) return false;
	if (!store(inbox, &next, why)) {
		decision_drop(decision, &next);
		return false;
	}
	become(inbox, decision, &next);
	changed(inbox, decision, by);
	return true;
}

bool inbox_book_use(struct inbox *inbox, struct decision *decision, struct fault *why) {
	struct decision next;
	if (decision->used_at && !decision_is_single_use(decision)) return true;
	enum decision_state state = decision_is_single_use(decision) ? DECISION_USED : DECISION_APPROVED;
	if (!decision_change(decision, state, NULL, 0, &next, why)) return false;
	next.used_at = clock_wall_ms();
	if (state == decision->state) next.version--; /* nobody needs to hear of it */
	if (!store(inbox, &next, why)) return false;
	become(inbox, decision, &next);
	if (state == DECISION_USED) changed(inbox, decision, decision->requester);
	else inbox_book_schedule(inbox);
	return true;
}

void inbox_book_end(struct inbox *inbox, struct decision *decision, enum decision_state state, struct slice by) {
	struct decision next;
	struct fault why;
	if (!decision_change(decision, state, NULL, 0, &next, &why)) return; /* without words it takes no memory */
	if (!store(inbox, &next, &why))
		log_write(inbox->log, LOG_WARNING, "decide: %s is %s, which could not be stored: %s", decision->id,
			decision_state_text(state), why.text);
	become(inbox, decision, &next);
	changed(inbox, decision, by);
}

/* ---- Finding, and time ---- */

struct decision *inbox_book_find(const struct inbox *inbox, struct slice id) {
	return map_find(&inbox->by_id, id);
}

struct decision *inbox_book_same(const struct inbox *inbox, enum decision_kind kind, struct slice requester,
	const uint8_t digest[SECRET_HASH_SIZE], bool (*fits)(const struct decision *decision)) {
	LIST_EACH(link, &inbox->book) {
		struct decision *decision = CONTAINER_OF(link, struct decision, in_book);
		if (decision->kind == kind && decision_is_open(decision) &&
			slice_equal(decision->requester, requester) &&
			secret_equal(decision->digest, digest, SECRET_HASH_SIZE) && fits(decision))
			return decision;
	}
	return NULL;
}

/* When it is over by itself; INT64_MAX: never. */
static int64_t end_of(const struct decision *decision) {
	if (decision->state == DECISION_APPROVED && decision->valid_until) return decision->valid_until;
	if (decision->asker && decision->state != DECISION_PENDING) return INT64_MAX;
	return decision_is_open(decision) ? decision->expires_at : INT64_MAX;
}

static void look(struct deadline *deadline) {
	struct inbox *inbox = CONTAINER_OF(deadline, struct inbox, look);
	int64_t now = clock_wall_ms();
	struct fault why;
	/* Many may end at once: one wait for the disk is enough. */
	bool is_begun = decision_rows_begin(inbox->state, &why);
	LIST_EACH(link, &inbox->book) {
		struct decision *decision = CONTAINER_OF(link, struct decision, in_book);
		if (end_of(decision) <= now) inbox_book_end(inbox, decision, DECISION_EXPIRED, SLICE_NONE);
	}
	if (is_begun && !decision_rows_commit(inbox->state, &why))
		log_write(inbox->log, LOG_WARNING, "decide: what is over could not be stored: %s", why.text);
	inbox_book_schedule(inbox);
}

void inbox_book_schedule(struct inbox *inbox) {
	int64_t first = INT64_MAX, now = clock_wall_ms();
	LIST_EACH(link, &inbox->book) {
		int64_t end = end_of(CONTAINER_OF(link, struct decision, in_book));
		if (end < first) first = end;
	}
	deadline_clear(&inbox->look);
	if (first == INT64_MAX) return;
	int64_t in_ms = first > now ? first - now : 0;
	deadline_set(inbox->loop, &inbox->look, (uint64_t)(in_ms < LOOK_MOST_MS ? in_ms : LOOK_MOST_MS), look);
}

void inbox_book_finish(struct inbox *inbox) {
	deadline_clear(&inbox->look);
	task_clear(&inbox->tell);
	while (!list_is_empty(&inbox->book))
		take_out(inbox, CONTAINER_OF(inbox->book.next, struct decision, in_book));
	map_finish(&inbox->by_id);
}
