/* SPDX-License-Identifier: Apache-2.0 */
/* Mailbox: the letters of a loop, and who rings for them. */
#include "net/mailbox.h"
#include "net/loop_parts.h"

/* Whoever came first into an empty box rings for all that follow. */
static void mailbox_push(struct loop *loop, struct letter *letter, void (*deliver)(struct letter *)) {
	if (letters_push(&loop->letters, letter, deliver)) uv_async_send(&loop->bell);
}

bool mailbox_post(struct loop *loop, struct letter *letter, void (*deliver)(struct letter *)) {
	if (!letters_count(&loop->letters, MAILBOX_LETTERS)) return false;
	mailbox_push(loop, letter, deliver);
	return true;
}

void mailbox_answer(struct loop *loop, struct letter *letter, void (*deliver)(struct letter *)) {
	letters_count_always(&loop->letters);
	mailbox_push(loop, letter, deliver);
}
