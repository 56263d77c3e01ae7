/* SPDX-License-Identifier: Apache-2.0 */
/* Letters: pushed newest first, delivered oldest first. */
#include "net/letters.h"

#include <stdatomic.h>

void letters_init(struct letters *letters) {
	atomic_init(&letters->newest, NULL);
	atomic_init(&letters->waiting, 0);
}

bool letters_count(struct letters *letters, unsigned limit) {
	unsigned waiting = atomic_fetch_add_explicit(&letters->waiting, 1, memory_order_relaxed);
	if (waiting < limit) return true;
	atomic_fetch_sub_explicit(&letters->waiting, 1, memory_order_relaxed);
	return false;
}

void letters_count_always(struct letters *letters) {
	atomic_fetch_add_explicit(&letters->waiting, 1, memory_order_relaxed);
}

bool letters_push(struct letters *letters, struct letter *letter, void (*deliver)(struct letter *)) {
	letter->deliver = deliver;
	struct letter *newest = atomic_load_explicit(&letters->newest, memory_order_relaxed);
	do {
		letter->next = newest;
	} while (!atomic_compare_exchange_weak_explicit(&letters->newest, &newest, letter,
		memory_order_release, memory_order_relaxed));
	return !newest;
}

void letters_deliver(struct letters *letters) {
	struct letter *newest = atomic_exchange_explicit(&letters->newest, NULL, memory_order_acquire);
	struct letter *oldest = NULL;
	unsigned count = 0;
	while (newest) {
		struct letter *next = newest->next;
		newest->next = oldest;
		oldest = newest;
		newest = next;
		count++;
	}
	atomic_fetch_sub_explicit(&letters->waiting, count, memory_order_relaxed);
	while (oldest) {
		struct letter *letter = oldest;
		oldest = letter->next; /* delivering may free it or post it again */
		letter->deliver(letter);
	}
}
