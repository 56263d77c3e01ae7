/* SPDX-License-Identifier: Apache-2.0 */
/* Mailbox: a stack that many push on; the loop takes all of it and turns it around. */
#include "net/mailbox.h"
#include "net/loop_parts.h"

#include <stdatomic.h>

static void mailbox_ring(uv_async_t *bell) {
	struct loop *loop = bell->data;
	if (atomic_load_explicit(&loop->stopping, memory_order_acquire)) uv_stop(&loop->uv);
	mailbox_deliver(loop);
}

bool mailbox_init(struct loop *loop, struct fault *why) {
	atomic_init(&loop->mailbox.newest, NULL);
	atomic_init(&loop->mailbox.waiting, 0);
	int error = uv_async_init(&loop->uv, &loop->mailbox.bell, mailbox_ring);
	if (error) return fault_errno(why, -error, "cannot make a mailbox");
	loop->mailbox.bell.data = loop;
	return true;
}

static void mailbox_push(struct mailbox *mailbox, struct letter *letter) {
	struct letter *newest = atomic_load_explicit(&mailbox->newest, memory_order_relaxed);
	do {
		letter->next = newest;
	} while (!atomic_compare_exchange_weak_explicit(&mailbox->newest, &newest, letter,
		memory_order_release, memory_order_relaxed));
	/* Whoever came first into an empty box rings for all that follow. */
	if (!newest) uv_async_send(&mailbox->bell);
}

bool mailbox_post(struct loop *loop, struct letter *letter, void (*deliver)(struct letter *)) {
	struct mailbox *mailbox = &loop->mailbox;
	unsigned waiting = atomic_fetch_add_explicit(&mailbox->waiting, 1, memory_order_relaxed);
	if (waiting >= MAILBOX_LETTERS) {
		atomic_fetch_sub_explicit(&mailbox->waiting, 1, memory_order_relaxed);
		return false;
	}
	letter->deliver = deliver;
	mailbox_push(mailbox, letter);
	return true;
}

void mailbox_answer(struct loop *loop, struct letter *letter, void (*deliver)(struct letter *)) {
	atomic_fetch_add_explicit(&loop->mailbox.waiting, 1, memory_order_relaxed);
	letter->deliver = deliver;
	mailbox_push(&loop->mailbox, letter);
}

void mailbox_deliver(struct loop *loop) {
	struct mailbox *mailbox = &loop->mailbox;
	struct letter *newest = atomic_exchange_explicit(&mailbox->newest, NULL, memory_order_acquire);
	struct letter *oldest = NULL;
	unsigned count = 0;
	while (newest) {
		struct letter *next = newest->next;
		newest->next = oldest;
		oldest = newest;
		newest = next;
		count++;
	}
	atomic_fetch_sub_explicit(&mailbox->waiting, count, memory_order_relaxed);
	while (oldest) {
		struct letter *letter = oldest;
		oldest = letter->next; /* delivering may free it or post it again */
		letter->deliver(letter);
	}
}
