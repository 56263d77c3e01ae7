/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mailbox: how one thread hands a loop something to do: letters, delivered in order and in batches
 * on the loop's thread. A letter lies in its sender's struct and belongs to the loop once posted,
 * until it is delivered; it must not be posted twice at a time. Bounded: beyond MAILBOX_LETTERS
 * waiting ones mailbox_post() says no, except for answers (mailbox_answer), which were bounded by
 * their questions. Any thread; lock-free for the sender. loop_close() delivers what still waits.
 */
#ifndef HUSTINGS_NET_MAILBOX_H
#define HUSTINGS_NET_MAILBOX_H

#include "net/letters.h"
#include "net/loop.h"

#define MAILBOX_LETTERS 65536

bool mailbox_post(struct loop *loop, struct letter *letter, void (*deliver)(struct letter *)) MUST_USE;
void mailbox_answer(struct loop *loop, struct letter *letter, void (*deliver)(struct letter *));

#endif
