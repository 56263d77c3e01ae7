/* SPDX-License-Identifier: Apache-2.0 */
/* Store: what everybody of this folder asks of it; opening and closing is store_open.c. */
#include "store/store.h"

#include "base/map.h"
#include "store/store_parts.h"

#include <stdlib.h>

bool store_rules_copy(const struct store_rule *rules, size_t count, struct store_rule **copy) {
	*copy = calloc(count ? count : 1, sizeof **copy);
	if (*copy && count) memcpy(*copy, rules, count * sizeof **copy);
	return *copy != NULL;
}

void store_retain(struct store *store, const struct store_rule *rules, size_t rule_count,
	struct store_retention audit) {
	struct store_rule *copy;
	if (!store_rules_copy(rules, rule_count, &copy)) {
		log_write(store->log, LOG_ERROR, "store: no memory for the new rules; the old ones stay");
		return;
	}
	pthread_mutex_lock(&store->lock);
	struct store_rule *old = store->rules;
	store->rules = copy;
	store->rule_count = rule_count;
	store->audit = audit;
	pthread_mutex_unlock(&store->lock);
	free(old);
}

const char *store_directory(const struct store *store) {
	return store->directory;
}

uint64_t store_hash(const struct store *store, struct slice text) {
	return map_hash(store->id_seed, text);
}

int64_t store_backlog(const struct store *store) {
	return atomic_load(&((struct store *)store)->backlog);
}

/* ---- Its thread, from the others ---- */

void store_wake(struct store *store) {
	pthread_mutex_lock(&store->lock);
	pthread_cond_signal(&store->wake);
	pthread_mutex_unlock(&store->lock);
}

bool store_ask_for(struct store *store, const struct store_question *question, struct fault *why) {
	pthread_mutex_lock(&store->lock);
	bool done = !store->is_ending;
	if (!done)
		fault_set(why, FAULT_NOT_READY, "the store is ending");
	else
		done = store_queue_put(&store->queue, question, why);
	if (done) pthread_cond_signal(&store->wake);
	pthread_mutex_unlock(&store->lock);
	return done;
}

bool store_ask(struct store *store, struct letter *letter, store_work *work, struct fault *why) {
	struct store_question question = {.letter = letter, .run = work};
	return store_ask_for(store, &question, why);
}
