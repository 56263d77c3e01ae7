/* SPDX-License-Identifier: Apache-2.0 */
/* Flow book: entries by id, a deadline each; open ones in one list, those that are over in another, by age. */
#include "kernel/flow_book.h"

#include "base/clock.h"
#include "base/seal.h"
#include "base/secret.h"
#include "flow/flow_record.h"
#include "store/flow_rows.h"

#include <stdlib.h>

struct flow_owner {
	size_t entries, open;
	char name[];
};

struct flow_book {
	struct flow_book_options options;
	uint8_t key[SEAL_KEY];
	struct map entries; /* by id */
	struct map owners;  /* by name */
	struct link open, over;
	size_t open_count, open_octets, over_count, over_octets;
	struct flow_tombs tombs;
};

/* ---- Counting ---- */

static struct flow_owner *owner_of(struct flow_book *book, const char *name) {
	struct flow_owner *owner = map_find(&book->owners, slice_of(name));
	if (owner) return owner;
	size_t length = strlen(name);
	owner = calloc(1, sizeof *owner + length + 1);
	if (!owner) return NULL;
	memcpy(owner->name, name, length);
	if (map_add(&book->owners, slice_of(owner->name), owner, NULL)) return owner;
	free(owner);
	return NULL;
}

static void owner_drop(struct flow_book *book, struct flow_owner *owner) {
	if (owner->entries) return;
	(void)map_remove(&book->owners, slice_of(owner->name));
	free(owner);
}

static size_t octets_of(const struct flow_entry *entry) {
	return sizeof *entry + sizeof(struct map_entry) + entry->more + flow_session_octets(entry->session) +
		(entry->token ? strlen(entry->token) + 1 : 0);
}

static void discount(struct flow_entry *entry) {
	struct flow_book *book = entry->book;
	list_remove(&entry->link);
	entry->owner->open -= !entry->is_over;
	*(entry->is_over ? &book->over_count : &book->open_count) -= 1;
	*(entry->is_over ? &book->over_octets : &book->open_octets) -= entry->octets;
}

static void count(struct flow_entry *entry) {
	struct flow_book *book = entry->book;
	entry->is_over = flow_state_is_over(entry->session->state);
	entry->octets = octets_of(entry);
	entry->owner->open += !entry->is_over;
	*(entry->is_over ? &book->over_count : &book->open_count) += 1;
	*(entry->is_over ? &book->over_octets : &book->open_octets) += entry->octets;
	list_append(entry->is_over ? &book->over : &book->open, &entry->link);
}

/* ---- Entries ---- */

static struct flow_entry *enter(struct flow_book *book, struct flow_session *session, bool is_stored) {
	struct flow_owner *owner = session->principal ? owner_of(book, session->principal) : NULL;
	struct flow_entry *entry = owner ? calloc(1, sizeof *entry) : NULL;
	bool is_in = entry && map_add(&book->entries, slice_of(session->id), entry, NULL);
	if (!is_in) {
		if (owner) owner_drop(book, owner);
		free(entry);
		return NULL;
	}
	entry->book = book;
	entry->session = session;
	entry->owner = owner;
	entry->is_stored = is_stored;
	owner->entries++;
	count(entry);
	return entry;
}

static void entry_free(struct flow_entry *entry) {
	struct flow_book *book = entry->book;
	(void)map_remove(&book->entries, slice_of(entry->session->id));
	discount(entry);
	deadline_clear(&entry->due);
	entry->owner->entries--;
	owner_drop(book, entry->owner);
	flow_session_free(entry->session);
	free(entry->token);
	free(entry);
}

void flow_book_remove(struct flow_entry *entry, int code) {
	struct flow_book *book = entry->book;
	struct fault why;
	if (book->options.events->leaves) book->options.events->leaves(book->options.context, entry);
	if (entry->is_stored && !flow_row_remove(book->options.state, slice_of(entry->session->id), &why))
		log_write(book->options.log, LOG_ERROR, "a guided session stays in the store: %s", why.text);
	if (code) flow_tombs_add(&book->tombs, entry->session, (enum flow_code)code, clock_wall_ms());
	entry_free(entry);
}

/* What is over makes room for what is over later. */
static void make_room(struct flow_book *book) {
	while (book->over_count > FLOW_OVER || book->over_octets > FLOW_OVER_OCTETS)
		flow_book_remove(CONTAINER_OF(book->over.next, struct flow_entry, link), FLOW_SESSION_EXPIRED);
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

static void due(struct deadline *deadline) {
	struct flow_entry *entry = CONTAINER_OF(deadline, struct flow_entry, due);
	struct flow_book *book = entry->book;
	struct flow_session *session = entry->session;
	struct flow_refusal refusal;
	int64_t now = clock_wall_ms();
	deadline_clear(deadline);
	if (flow_state_is_over(session->state)) {
		if (session->active_at + session->timeout_ms > now) wait_for_it(entry);
		else flow_book_remove(entry, FLOW_SESSION_EXPIRED);
		return;
	}
	if (!flow_session_lives(session, now, &refusal)) {
		flow_book_remove(entry, refusal.code);
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

static bool keep(struct flow_entry *entry, struct fault *why) {
	if (!entry->is_stored) return true;
	if (flow_state_is_over(entry->session->state))
		return flow_row_remove(entry->book->options.state, slice_of(entry->session->id), why);
	return store(entry, why);
}

static struct flow_session *open_sealed(const struct flow_book *book, struct slice id, struct slice sealed) {
	AUTO_TEXT struct text record = {0};
	struct flow_session *session = NULL;
	if (seal_open(&record, book->key, id, sealed, NULL)) session = flow_record_read(text_slice(&record), NULL);
	if (record.bytes) secret_wipe(record.bytes, record.capacity);
	if (session && slice_is(id, session->id) && session->principal) return session;
	flow_session_free(session);
	return NULL;
}

struct rereading {
	const struct flow_book *book;
	struct flow_session *session;
};

static bool reread(void *context, struct slice id, struct slice sealed) {
	struct rereading *rereading = context;
	rereading->session = open_sealed(rereading->book, id, sealed);
	return false;
}

static void swap(char **one, char **other) {
	char *words = *one;
	*one = *other;
	*other = words;
}

static void take_back(struct flow_entry *entry) {
	struct rereading rereading = {.book = entry->book};
	struct slice id = slice_of(entry->session->id);
	if (!flow_row_find(entry->book->options.state, id, reread, &rereading, NULL) || !rereading.session) {
		flow_session_fail(entry->session, "the session cannot be stored, nor read again", clock_wall_ms());
		return;
	}
	struct flow_session *before = entry->session;
	entry->session = rereading.session;
	/* These a conversation with its server may have borrowed (struct hosted_talk). */
	swap(&before->principal, &entry->session->principal);
	swap(&before->session, &entry->session->session);
	map_rekey(&entry->book->entries, slice_of(entry->session->id));
	flow_session_free(before);
}

static void count_again(struct flow_entry *entry) {
	struct flow_book *book = entry->book;
	discount(entry);
	count(entry);
	wait_for_it(entry);
	if (entry->is_over) make_room(book);
}

bool flow_book_save(struct flow_entry *entry, struct flow_refusal *refusal) {
	struct fault why;
	bool is_done = keep(entry, &why);
	if (!is_done) {
		log_write(entry->book->options.log, LOG_ERROR, "a guided session cannot be stored: %s", why.text);
		take_back(entry);
	}
	count_again(entry);
	return is_done ||
		flow_refuse(refusal, FLOW_INTERNAL, "not_stored", "the step could not be stored, and was not taken: try again later");
}

void flow_book_touch(struct flow_entry *entry) { count_again(entry); }

void flow_book_settle(struct flow_entry *entry) {
	struct fault why;
	if (!keep(entry, &why))
		log_write(entry->book->options.log, LOG_ERROR, "a guided session is not stored as it is now: %s", why.text);
	count_again(entry);
}

/* ---- Beginning ---- */

static bool has_room(const struct flow_book *book, const struct flow_session *session, struct flow_refusal *refusal) {
	const struct flow_owner *owner = session->principal ? map_find(&book->owners, slice_of(session->principal)) : NULL;
	uint64_t most = book->options.most_of_one;
	if (flow_state_is_over(session->state)) return true;
	if (owner && owner->open >= most)
		return flow_refuse(refusal, FLOW_LIMIT, "too_many_sessions",
			"you have %llu open sessions already: complete or cancel one (flow.max_sessions_per_principal)",
			(unsigned long long)most);
	return (book->open_count < FLOW_SESSIONS && book->open_octets < FLOW_OPEN_OCTETS) ||
		flow_refuse(refusal, FLOW_LIMIT, "too_many_sessions", "too many sessions are open: try again later");
}

struct flow_entry *flow_book_add(struct flow_book *book, struct flow_session *session, bool is_stored,
	struct flow_refusal *refusal) {
	struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory"};
	if (!has_room(book, session, refusal)) {
		flow_session_free(session);
		return NULL;
	}
	struct flow_entry *entry = enter(book, session, is_stored);
	if (!entry) {
		(void)flow_refuse(refusal, FLOW_INTERNAL, "no_memory", "no memory for another session: try again later");
		flow_session_free(session);
		return NULL;
	}
	if (!keep(entry, &why)) {
		log_write(book->options.log, LOG_ERROR, "a guided session cannot be stored: %s", why.text);
		(void)flow_refuse(refusal, FLOW_INTERNAL, "not_stored", "the session could not be stored: try again later");
		entry_free(entry);
		return NULL;
	}
	wait_for_it(entry);
	make_room(book);
	return entry;
}

static bool is_ones(const struct flow_entry *entry, struct slice principal, struct slice session) {
	const struct flow_session *own = entry->session;
	if (!slice_is(principal, own->principal)) return false;
	return entry->was_restored || !own->session || slice_is(session, own->session);
}

struct flow_entry *flow_book_find(struct flow_book *book, struct slice id, struct slice principal,
	struct slice session, struct flow_refusal *refusal) {
	struct flow_entry *entry = map_find(&book->entries, id);
	int64_t now = clock_wall_ms();
	if (entry && is_ones(entry, principal, session)) {
		if (flow_session_lives(entry->session, now, refusal)) return entry;
		flow_book_remove(entry, refusal->code);
		return NULL;
	}
	int code = entry ? 0 : flow_tombs_find(&book->tombs, id, principal, now);
	if (code == FLOW_TIMEOUT)
		(void)flow_refuse(refusal, FLOW_TIMEOUT, NULL, "the tool did not come to an end in time: the session is over");
	else if (code)
		(void)flow_refuse(refusal, FLOW_SESSION_EXPIRED, NULL, "the session has expired: begin another");
	else
		(void)flow_refuse(refusal, FLOW_SESSION_NOT_FOUND, NULL, "session not found: %.*s", (int)slice_cut(id, 64), id.bytes);
	return NULL;
}

size_t flow_book_count(const struct flow_book *book) { return book->open_count; }

size_t flow_book_octets(const struct flow_book *book) {
	return sizeof *book + book->open_octets + book->over_octets;
}

struct flow_entry *flow_book_next(const struct flow_book *book, const struct flow_entry *after) {
	const struct link *link = after ? after->link.next : book->open.next;
	return link == &book->open ? NULL : CONTAINER_OF(link, struct flow_entry, link);
}

struct flow_entry *flow_book_next_over(const struct flow_book *book, const struct flow_entry *after) {
	const struct link *link = after ? after->link.next : book->over.next;
	return link == &book->over ? NULL : CONTAINER_OF(link, struct flow_entry, link);
}

/* ---- Its life ---- */

struct restoring {
	struct flow_book *book;
	size_t lost;
};

static bool restore(void *context, struct slice id, struct slice sealed) {
	struct restoring *restoring = context;
	struct flow_session *session = open_sealed(restoring->book, id, sealed);
	bool was_working = session && session->state == FLOW_PROCESSING;
	if (session && session->is_led)
		flow_session_fail(session, "the gateway restarted, and the server that led the session with it", clock_wall_ms());
	else if (was_working) flow_session_fail(session, "the gateway restarted while the tool ran", clock_wall_ms());
	struct flow_entry *entry = session ? enter(restoring->book, session, true) : NULL;
	if (!entry) {
		flow_session_free(session);
		restoring->lost++;
		return true;
	}
	entry->was_restored = true;
	wait_for_it(entry);
	return true;
}

struct flow_book *flow_book_open(const struct flow_book_options *options, struct fault *why) {
	struct flow_book *book = calloc(1, sizeof *book);
	if (!book) return fault_null(why, FAULT_NO_MEMORY, "no memory for guided sessions");
	struct restoring restoring = {.book = book};
	book->options = *options;
	memcpy(book->key, options->key, sizeof book->key);
	book->options.key = book->key;
	map_init(&book->entries);
	map_init(&book->owners);
	list_init(&book->open);
	list_init(&book->over);
	flow_tombs_open(&book->tombs);
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
	while (!list_is_empty(&book->open)) entry_free(CONTAINER_OF(book->open.next, struct flow_entry, link));
	while (!list_is_empty(&book->over)) entry_free(CONTAINER_OF(book->over.next, struct flow_entry, link));
	flow_tombs_close(&book->tombs);
	map_finish(&book->entries);
	map_finish(&book->owners);
	secret_wipe(book->key, sizeof book->key);
	free(book);
}

void flow_book_limit(struct flow_book *book, uint64_t most_of_one) { book->options.most_of_one = most_of_one; }
