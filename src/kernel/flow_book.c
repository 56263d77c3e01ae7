/* SPDX-License-Identifier: Apache-2.0 */
/* Flow book: entries by id, a deadline each; tombs in a ring of age. */
#include "kernel/flow_book.h"

#include "base/clock.h"
#include "base/seal.h"
#include "base/secret.h"
#include "flow/flow_record.h"
#include "store/flow_rows.h"

#include <stdlib.h>

struct tomb {
	struct link link; /* the oldest first */
	int64_t until;
	char id[FLOW_ID];
	char principal[]; /* whose it was: for others it never was */
};

struct flow_book {
	struct flow_book_options options;
	uint8_t key[SEAL_KEY];
	struct map entries, tombs; /* by id */
	struct link order, graves;
	size_t octets;
};

/* ---- Tombs ---- */

static void tomb_free(struct flow_book *book, struct tomb *tomb) {
	(void)map_remove(&book->tombs, slice_of(tomb->id));
	list_remove(&tomb->link);
	free(tomb);
}

static void tombs_sweep(struct flow_book *book, int64_t now) {
	while (!list_is_empty(&book->graves)) {
		struct tomb *oldest = CONTAINER_OF(book->graves.next, struct tomb, link);
		if (oldest->until > now && book->tombs.count < FLOW_TOMBS) return;
		tomb_free(book, oldest);
	}
}

/* Without memory it is as if it never was. */
static void bury(struct flow_book *book, const struct flow_session *session) {
	int64_t now = clock_wall_ms();
	size_t length = strlen(session->principal ? session->principal : "");
	tombs_sweep(book, now);
	struct tomb *tomb = calloc(1, sizeof *tomb + length + 1);
	if (!tomb) return;
	tomb->until = now + FLOW_TOMB_MS;
	memcpy(tomb->id, session->id, sizeof tomb->id);
	if (length) memcpy(tomb->principal, session->principal, length);
	if (!map_add(&book->tombs, slice_of(tomb->id), tomb, NULL)) {
		free(tomb);
		return;
	}
	list_append(&book->graves, &tomb->link);
}

/* ---- Time ---- */

static void due(struct deadline *deadline);

static void wait_for_it(struct flow_entry *entry) {
	const struct flow_session *session = entry->session;
	int64_t now = clock_wall_ms(), at = flow_session_warns_at(session), expires = flow_session_expires_at(session);
	if (flow_state_is_over(session->state)) at = session->active_at + session->timeout_ms;
	else if (at > expires || at <= now) at = expires;
	deadline_set(entry->book->options.loop, &entry->due, at > now ? (uint64_t)(at - now) : 0, due);
}

static void expire(struct flow_entry *entry, const struct flow_refusal *refusal) {
	struct flow_book *book = entry->book;
	flow_session_fail(entry->session, refusal->message, clock_wall_ms());
	if (book->options.events->expires) book->options.events->expires(book->options.context, entry);
	flow_book_remove(entry, true);
}

static void due(struct deadline *deadline) {
	struct flow_entry *entry = CONTAINER_OF(deadline, struct flow_entry, due);
	struct flow_book *book = entry->book;
	struct flow_session *session = entry->session;
	struct flow_refusal refusal;
	int64_t now = clock_wall_ms();
	deadline_clear(deadline);
	if (flow_state_is_over(session->state)) {
		flow_book_remove(entry, true);
		return;
	}
	if (!flow_session_lives(session, now, &refusal)) {
		expire(entry, &refusal);
		return;
	}
	bool is_to_warn = flow_session_warns_at(session) <= now;
	if (is_to_warn) session->is_warned = true;
	wait_for_it(entry);
	if (is_to_warn && book->options.events->warns) book->options.events->warns(book->options.context, entry);
}

/* ---- The store ---- */

static bool store(struct flow_entry *entry, struct fault *why) {
	struct flow_book *book = entry->book;
	AUTO_TEXT struct text record = {0}, sealed = {0};
	struct slice id = slice_of(entry->session->id);
	flow_record_write(&record, entry->session);
	bool is_sealed = !text_failed(&record) && seal_close(&sealed, book->key, id, text_slice(&record));
	if (record.bytes) secret_wipe(record.bytes, record.capacity);
	if (!is_sealed) return fault_set(why, FAULT_NO_MEMORY, "no memory to store the session");
	return flow_row_put(book->options.state, id, text_slice(&sealed), why);
}

bool flow_book_save(struct flow_entry *entry, struct flow_refusal *refusal) {
	struct flow_book *book = entry->book;
	bool is_over = flow_state_is_over(entry->session->state);
	struct fault why;
	bool is_done = is_over ? flow_row_remove(book->options.state, slice_of(entry->session->id), &why) : store(entry, &why);
	if (!is_done) {
		log_write(book->options.log, LOG_ERROR, "a guided session cannot be stored: %s", why.text);
		return flow_refuse(refusal, FLOW_INTERNAL, "not_stored", "the step could not be stored, and was not taken: try again later");
	}
	wait_for_it(entry);
	return true;
}

/* ---- Entries ---- */

static struct flow_entry *enter(struct flow_book *book, struct flow_session *session) {
	struct flow_entry *entry = calloc(1, sizeof *entry);
	if (!entry) return NULL;
	entry->book = book;
	entry->session = session;
	if (!map_add(&book->entries, slice_of(session->id), entry, NULL)) {
		free(entry);
		return NULL;
	}
	list_append(&book->order, &entry->link);
	return entry;
}

static void entry_free(struct flow_entry *entry) {
	(void)map_remove(&entry->book->entries, slice_of(entry->session->id));
	list_remove(&entry->link);
	deadline_clear(&entry->due);
	flow_session_free(entry->session);
	free(entry);
}

static bool is_ones(const struct flow_session *session, struct slice principal) {
	return session->principal && slice_is(principal, session->principal);
}

static bool has_room(const struct flow_book *book, const struct flow_session *session, struct flow_refusal *refusal) {
	size_t open = 0, own = 0;
	LIST_EACH(link, &book->order) {
		const struct flow_session *other = CONTAINER_OF(link, struct flow_entry, link)->session;
		if (flow_state_is_over(other->state)) continue;
		open++;
		own += session->principal && is_ones(other, slice_of(session->principal));
	}
	if (own >= book->options.most_of_one)
		return flow_refuse(refusal, FLOW_LIMIT, "too_many_sessions",
			"you have %u open sessions already: complete or cancel one (flow.max_sessions_per_principal)", book->options.most_of_one);
	return open < FLOW_SESSIONS || flow_refuse(refusal, FLOW_LIMIT, "too_many_sessions", "too many sessions are open: try again later");
}

struct flow_entry *flow_book_add(struct flow_book *book, struct flow_session *session, int64_t now,
	struct flow_refusal *refusal) {
	(void)now;
	struct flow_entry *entry = has_room(book, session, refusal) ? enter(book, session) : NULL;
	if (!entry) {
		if (!refusal->code) (void)flow_refuse(refusal, FLOW_INTERNAL, "no_memory", "no memory for another session: try again later");
		flow_session_free(session);
		return NULL;
	}
	if (flow_book_save(entry, refusal)) return entry;
	entry_free(entry);
	return NULL;
}

struct flow_entry *flow_book_find(struct flow_book *book, struct slice id, struct slice principal,
	struct slice session, struct flow_refusal *refusal) {
	struct flow_entry *entry = map_find(&book->entries, id);
	const struct tomb *tomb = entry ? NULL : map_find(&book->tombs, id);
	if (entry && is_ones(entry->session, principal)) {
		bool is_free = entry->was_restored || !entry->session->session;
		if (is_free || slice_is(session, entry->session->session)) return entry;
	}
	if (tomb && tomb->until > clock_wall_ms() && slice_is(principal, tomb->principal))
		(void)flow_refuse(refusal, FLOW_SESSION_EXPIRED, NULL, "the session has expired: begin another");
	else
		(void)flow_refuse(refusal, FLOW_SESSION_NOT_FOUND, NULL, "session not found: %.*s", (int)slice_cut(id, 64), id.bytes);
	return NULL;
}

void flow_book_remove(struct flow_entry *entry, bool is_expired) {
	struct flow_book *book = entry->book;
	struct fault why;
	if (!flow_row_remove(book->options.state, slice_of(entry->session->id), &why))
		log_write(book->options.log, LOG_ERROR, "a guided session stays in the store: %s", why.text);
	if (is_expired) bury(book, entry->session);
	entry_free(entry);
}

struct flow_entry *flow_book_next(const struct flow_book *book, const struct flow_entry *after) {
	const struct link *link = after ? after->link.next : book->order.next;
	return link == &book->order ? NULL : CONTAINER_OF(link, struct flow_entry, link);
}

size_t flow_book_count(const struct flow_book *book) {
	size_t count = 0;
	LIST_EACH(link, &book->order) count += !flow_state_is_over(CONTAINER_OF(link, struct flow_entry, link)->session->state);
	return count;
}

size_t flow_book_octets(const struct flow_book *book) {
	size_t octets = sizeof *book;
	LIST_EACH(link, &book->order)
		octets += sizeof(struct flow_entry) + flow_session_octets(CONTAINER_OF(link, struct flow_entry, link)->session);
	return octets;
}

/* ---- Its life ---- */

struct restoring {
	struct flow_book *book;
	size_t lost;
};

static bool restore(void *context, struct slice id, struct slice sealed) {
	struct restoring *restoring = context;
	struct flow_book *book = restoring->book;
	AUTO_TEXT struct text record = {0};
	struct fault why;
	struct flow_session *session = NULL;
	if (seal_open(&record, book->key, id, sealed, &why)) session = flow_record_read(text_slice(&record), &why);
	if (record.bytes) secret_wipe(record.bytes, record.capacity);
	struct flow_entry *entry = session && slice_is(id, session->id) ? enter(book, session) : NULL;
	if (!entry) {
		flow_session_free(session);
		restoring->lost++;
		return true;
	}
	entry->was_restored = true;
	if (session->state == FLOW_PROCESSING)
		flow_session_fail(session, "the gateway restarted while the tool ran", clock_wall_ms());
	wait_for_it(entry);
	return true;
}

struct flow_book *flow_book_open(const struct flow_book_options *options, struct fault *why) {
	struct flow_book *book = calloc(1, sizeof *book);
	if (!book) return fault_null(why, FAULT_NO_MEMORY, "no memory for guided sessions");
	struct restoring restoring = {.book = book};
	book->options = *options;
	memcpy(book->key, options->key, sizeof book->key);
	map_init(&book->entries);
	map_init(&book->tombs);
	list_init(&book->order);
	list_init(&book->graves);
	if (!flow_row_each(options->state, restore, &restoring, why) ||
		!flow_row_sweep(options->state, clock_wall_ms(), why)) {
		flow_book_close(book);
		return NULL;
	}
	if (restoring.lost)
		log_write(options->log, LOG_WARNING, "%zu guided sessions in the store cannot be opened, and are lost", restoring.lost);
	return book;
}

void flow_book_close(struct flow_book *book) {
	if (!book) return;
	while (!list_is_empty(&book->order)) entry_free(CONTAINER_OF(book->order.next, struct flow_entry, link));
	while (!list_is_empty(&book->graves)) tomb_free(book, CONTAINER_OF(book->graves.next, struct tomb, link));
	map_finish(&book->entries);
	map_finish(&book->tombs);
	secret_wipe(book->key, sizeof book->key);
	free(book);
}

void flow_book_limit(struct flow_book *book, unsigned most_of_one) { book->options.most_of_one = most_of_one; }
