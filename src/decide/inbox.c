/* SPDX-License-Identifier: Apache-2.0 */
/* Inbox: opening, asking, finding; who may answer and how is inbox_answer.c's. */
#include "decide/inbox.h"

#include "decide/decision_digest.h"
#include "decide/decision_record.h"
#include "decide/inbox_book.h"
#include "store/decision_rows.h"

#include <stdlib.h>

#define USUAL_TTL_MS (5LL * 60 * 1000)
#define USUAL_OPEN 1000
#define USUAL_OPEN_PER_REQUESTER 32
#define TELL_AGAIN_MS (3600LL * 1000) /* what changed so long ago is news no more */

/* ---- Asking ---- */

static void attach(struct decision *decision, struct decision_asker *asker) {
	if (!asker) return;
	list_init(&asker->in_told);
	asker->decision = decision;
	decision->asker = asker;
}

static bool is_pending(const struct decision *decision) { return decision->state == DECISION_PENDING; }
static bool is_orphan(const struct decision *decision) { return is_pending(decision) && !decision->asker; }

static bool has_asked_hook(struct inbox *inbox, const struct decision *decision) {
	struct fault why;
	if (!inbox->hook) return false;
	if (policy_hook_ask(inbox->hook, decision, &why)) return true;
	log_write(inbox->log, LOG_WARNING, "policy hook: decision %s: %s: people are asked", decision->id, why.text);
	return false;
}

const struct decision *inbox_ask(struct inbox *inbox, const struct decision_wish *wish,
	struct decision_asker *asker, struct fault *why) {
	struct decision_wish full = *wish;
	if (asker && asker->decision)
		return fault_null(why, FAULT_EXISTS, "the asker waits for %s already", asker->decision->id);
	if (full.ttl_ms == 0) full.ttl_ms = inbox->settings.ttl_ms;
	struct decision *decision = decision_make(&full, clock_wall_ms(), why);
	if (!decision) return NULL;
	struct decision *same = inbox_book_same(inbox, wish->kind, wish->requester, decision->digest, is_orphan);
	if (same) {
		decision_free(decision);
		attach(same, asker);
		return same;
	}
	if (!inbox_book_has_room(inbox, wish->requester, decision->octets, why)) {
		decision_free(decision);
		return NULL;
	}
	if (!inbox_book_add(inbox, decision, why)) return NULL;
	attach(decision, asker);
	if (!has_asked_hook(inbox, decision)) inbox_book_announce(inbox, decision);
	return decision;
}

static struct decision *detach(struct decision_asker *asker) {
	struct decision *decision = asker->decision;
	if (!decision) return NULL;
	list_remove(&asker->in_told);
	decision->asker = NULL;
	asker->decision = NULL;
	return decision;
}

void inbox_leave(struct inbox *inbox, struct decision_asker *asker) {
	if (detach(asker)) inbox_book_schedule(inbox); /* an approval that was to be told has an end now */
}

void inbox_withdraw(struct inbox *inbox, struct decision_asker *asker) {
	struct decision *decision = detach(asker);
	if (decision && decision->state == DECISION_PENDING && !inbox->is_resting)
		inbox_book_end(inbox, decision, DECISION_WITHDRAWN, decision->requester);
	else if (decision)
		inbox_book_schedule(inbox);
}

void inbox_rest(struct inbox *inbox) { inbox->is_resting = true; }

static bool is_usable(const struct decision *decision) {
	int64_t now = clock_wall_ms();
	if (decision->state != DECISION_APPROVED || decision->asker) return false;
	if (decision->valid_until) return decision->valid_until > now;
	return decision->used_at == 0 && decision->expires_at > now;
}

const struct decision *inbox_approval(struct inbox *inbox, const struct decision_wish *wish) {
	uint8_t digest[SECRET_HASH_SIZE];
	struct fault why;
	if (inbox->open == inbox->pending) return NULL;
	if (!decision_digest(wish, digest, &why)) return NULL;
	struct decision *found = inbox_book_same(inbox, wish->kind, wish->requester, digest, is_usable);
	if (!found || found->valid_until) return found;
	if (inbox_book_use(inbox, found, &why)) return found;
	log_write(inbox->log, LOG_ERROR, "decide: the use of %s could not be stored: %s", found->id, why.text);
	return NULL;
}

const struct decision *inbox_pending(struct inbox *inbox, const struct decision_wish *wish) {
	uint8_t digest[SECRET_HASH_SIZE];
	if (!decision_digest(wish, digest, NULL)) return NULL;
	return inbox_book_same(inbox, wish->kind, wish->requester, digest, is_pending);
}

/* ---- Finding ---- */

const struct decision *inbox_find(struct inbox *inbox, struct slice id) { return inbox_book_find(inbox, id); }

const struct decision *inbox_next(struct inbox *inbox, const struct decision *after) {
	struct link *next = after ? after->in_book.next : inbox->book.next;
	return next == &inbox->book ? NULL : CONTAINER_OF(next, struct decision, in_book);
}

uint64_t inbox_version(const struct inbox *inbox) { return inbox->version; }
size_t inbox_open_count(const struct inbox *inbox) { return inbox->pending; }
size_t inbox_untold(const struct inbox *inbox) {
	return inbox->webhook ? webhook_waiting(inbox->webhook) : 0;
}

bool inbox_may_see(const struct decision *decision, struct slice who, bool is_admin) {
	return is_admin || decision_names(decision, who);
}

enum inbox_early inbox_early(const struct inbox *inbox) { return inbox->settings.early; }

void inbox_listen(struct inbox *inbox, struct inbox_listener *listener) {
	list_append(&inbox->listeners, &listener->link);
}

void inbox_unlisten(struct inbox_listener *listener) {
	if (listener->link.next) list_remove(&listener->link);
}

/* ---- Webhook and policy hook ---- */

static void webhook_done(void *context, struct slice id, uint64_t version, const struct fault *why) {
	struct inbox *inbox = context;
	struct decision *decision = inbox_book_find(inbox, id);
	struct fault fault;
	if (why && decision)
		inbox_book_audit(inbox, decision, SLICE_NONE, "webhook_failed", slice_of(why->text));
	if (!decision_row_told(inbox->state, id, version, &fault))
		log_write(inbox->log, LOG_WARNING, "webhook: decision %.*s may be told again: %s", SLICE_ARGS(id), fault.text);
}

/* Only where nobody is named to decide, and no answer is wanted, may the operator's policy say yes. */
static bool may_allow(const struct decision *decision) {
	return decision->deciders.length == 0 && decision->kind != DECISION_CALLBACK &&
		decision->kind != DECISION_PROPOSAL; /* somebody's name is needed for what it sends */
}

static void hook_answered(void *context, struct slice id, enum policy_verdict verdict, struct slice reason) {
	struct inbox *inbox = context;
	struct decision *decision = inbox_book_find(inbox, id);
	struct fault why;
	const struct decision_words words = {.by = SLICE("system:policy-hook"), .reason = reason};
	if (!decision || decision->state != DECISION_PENDING) return; /* somebody was quicker */
	bool is_no = verdict == POLICY_DENY;
	if (is_no || (verdict == POLICY_ALLOW && may_allow(decision))) {
		if (inbox_book_change(inbox, decision, is_no ? DECISION_DENIED : DECISION_APPROVED, &words, words.by, &why))
			return;
		log_write(inbox->log, LOG_WARNING, "policy hook: its answer to %s could not be stored: %s", decision->id,
			why.text);
	}
	inbox_book_announce(inbox, decision);
}

static bool needs_desk(const struct inbox_settings *settings) {
	return settings->webhook_url || (settings->policy_hook && settings->policy_hook[0]);
}

static bool change_webhook(struct inbox *inbox, const struct inbox_settings *settings, struct fault *why) {
	const struct webhook_options options = {
		.loop = inbox->loop,
		.desk = inbox->desk,
		.log = inbox->log,
		.url = settings->webhook_url,
		.secret = settings->webhook_secret,
		.pauses_ms = settings->webhook_pauses_ms,
		.done = webhook_done,
		.context = inbox,
	};
	if (settings->webhook_url && inbox->webhook)
		return webhook_change(inbox->webhook, settings->webhook_url, settings->webhook_secret, why);
	if (settings->webhook_url) return (inbox->webhook = webhook_open(&options, why)) != NULL;
	webhook_close(TAKE(inbox->webhook));
	return true;
}

static bool open_hook(struct inbox *inbox, const struct inbox_settings *settings, struct policy_hook **hook,
	struct fault *why) {
	const struct policy_hook_options options = {
		.loop = inbox->loop,
		.desk = inbox->desk,
		.log = inbox->log,
		.words = settings->policy_hook,
		.deadline_ms = settings->hook_deadline_ms,
		.answered = hook_answered,
		.context = inbox,
	};
	*hook = NULL;
	if (!settings->policy_hook || !settings->policy_hook[0]) return true;
	*hook = policy_hook_open(&options, why);
	return *hook != NULL;
}

/* People are asked what the old hook was still asked. */
static void replace_hook(struct inbox *inbox, struct policy_hook *hook) {
	struct policy_hook *old = inbox->hook;
	inbox->hook = hook;
	LIST_EACH(link, &inbox->book) {
		struct decision *decision = CONTAINER_OF(link, struct decision, in_book);
		if (old && is_pending(decision) && policy_hook_has(old, slice_of(decision->id)))
			inbox_book_announce(inbox, decision);
	}
	policy_hook_close(old);
}

bool inbox_change(struct inbox *inbox, const struct inbox_settings *settings, struct fault *why) {
	struct policy_hook *hook;
	if (needs_desk(settings) && !inbox->desk && !(inbox->desk = fetch_desk_open(inbox->loop, why))) return false;
	if (!open_hook(inbox, settings, &hook, why)) return false;
	if (!change_webhook(inbox, settings, why)) {
		policy_hook_close(hook);
		return false;
	}
	replace_hook(inbox, hook);
	inbox->settings = *settings;
	if (!inbox->settings.ttl_ms) inbox->settings.ttl_ms = USUAL_TTL_MS;
	if (!inbox->settings.max_open) inbox->settings.max_open = USUAL_OPEN;
	if (!inbox->settings.max_open_per_requester) inbox->settings.max_open_per_requester = USUAL_OPEN_PER_REQUESTER;
	return true;
}

/* ---- Open and close ---- */

static bool restore(void *context, const struct decision_row *row, struct fault *why) {
	struct inbox *inbox = context;
	struct fault bad;
	struct decision *decision = decision_read(row->record, &bad);
	if (!decision && bad.code == FAULT_NO_MEMORY) {
		if (why) *why = bad;
		return false;
	}
	if (!decision) {
		log_write(inbox->log, LOG_WARNING, "decide: a stored decision could not be read, and is left out: %s", bad.text);
		return true;
	}
	decision->version = row->version;
	if (!inbox_book_take(inbox, decision, why)) {
		decision_free(decision);
		return false;
	}
	if (inbox->webhook && row->told < row->version && row->changed_at > clock_wall_ms() - TELL_AGAIN_MS &&
		!webhook_tell(inbox->webhook, decision, &bad))
		log_write(inbox->log, LOG_WARNING, "webhook: decision %s: %s", decision->id, bad.text);
	return true;
}

/* A callback is a word of a call that ended with the last run: nobody is there to be told its answer. */
static void end_callbacks(struct inbox *inbox) {
	LIST_EACH_SAFE(link, &inbox->book) {
		struct decision *decision = CONTAINER_OF(link, struct decision, in_book);
		if (decision->kind == DECISION_CALLBACK && decision->state == DECISION_PENDING)
			inbox_book_end(inbox, decision, DECISION_WITHDRAWN, decision->requester);
	}
}

struct inbox *inbox_open(const struct inbox_options *options, struct fault *why) {
	static const struct inbox_settings standard;
	struct inbox *inbox = calloc(1, sizeof *inbox);
	if (!inbox) return fault_null(why, FAULT_NO_MEMORY, "no memory for decisions");
	inbox->state = options->state;
	inbox->loop = options->loop;
	inbox->spool = options->spool;
	inbox->log = options->log;
	inbox->version = (uint64_t)clock_wall_ms() * 1000; /* after all versions of earlier runs */
	list_init(&inbox->book);
	list_init(&inbox->told);
	list_init(&inbox->listeners);
	map_init(&inbox->by_id);
	if (inbox_change(inbox, options->settings ? options->settings : &standard, why) &&
		decision_row_each(inbox->state, restore, inbox, why)) {
		end_callbacks(inbox);
		inbox_book_schedule(inbox);
		return inbox;
	}
	inbox_close(inbox);
	return NULL;
}

void inbox_close(struct inbox *inbox) {
	if (!inbox) return;
	policy_hook_close(inbox->hook);
	webhook_close(inbox->webhook);
	fetch_desk_close(inbox->desk);
	LIST_EACH(link, &inbox->book) {
		struct decision *decision = CONTAINER_OF(link, struct decision, in_book);
		if (decision->asker) detach(decision->asker);
	}
	inbox_book_finish(inbox);
	free(inbox);
}
