/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Letters: what waits in a loop's mailbox: a stack that any thread pushes on, and whose reader takes
 * all of it at once and turns it around. A letter lies in its sender's struct and belongs to the
 * stack from letters_push() until it is delivered. Lock-free for the sender.
 */
#ifndef HUSTINGS_NET_LETTERS_H
#define HUSTINGS_NET_LETTERS_H

#include "base/dialect.h"

struct letter {
	struct letter *next;
	void (*deliver)(struct letter *letter);
};

struct letters {
	_Atomic(struct letter *) newest;
	_Atomic unsigned waiting;
};

void letters_init(struct letters *letters);
/* False: `limit` wait already, and this one does not. */
bool letters_count(struct letters *letters, unsigned limit) MUST_USE;
void letters_count_always(struct letters *letters);
/* Of one that was counted. True: the stack was empty, so its reader does not know of it yet. */
bool letters_push(struct letters *letters, struct letter *letter, void (*deliver)(struct letter *)) MUST_USE;
/* The oldest first, on the thread that calls. */
void letters_deliver(struct letters *letters);

#endif
