/* SPDX-License-Identifier: Apache-2.0 */
/*
 * List: intrusive, doubly linked, with a head that is a link itself. A link that stands in no list
 * points at itself, so list_remove() twice is harmless.
 */
#ifndef HUSTINGS_BASE_LIST_H
#define HUSTINGS_BASE_LIST_H

#include "base/dialect.h"

struct link {
	struct link *next;
	struct link *previous;
};

static inline void list_init(struct link *link) { link->next = link->previous = link; }
static inline bool list_is_empty(const struct link *head) { return head->next == head; }
static inline void list_append(struct link *head, struct link *link) {
	link->previous = head->previous;
	link->next = head;
	head->previous->next = link;
	head->previous = link;
}
static inline void list_prepend(struct link *head, struct link *link) {
	list_append(head->next, link);
}
static inline void list_remove(struct link *link) {
	link->previous->next = link->next;
	link->next->previous = link->previous;
	list_init(link);
}
static inline struct link *list_pop(struct link *head) {
	struct link *first = head->next;
	if (first == head) return NULL;
	list_remove(first);
	return first;
}
/* Everything of `from` goes to the end of `to`. */
static inline void list_move(struct link *to, struct link *from) {
	if (list_is_empty(from)) return;
	from->next->previous = to->previous;
	to->previous->next = from->next;
	from->previous->next = to;
	to->previous = from->previous;
	list_init(from);
}

#define LIST_EACH(at, head) for (struct link *at = (head)->next; at != (head); at = at->next)
/* The link at hand may be removed or freed inside. */
#define LIST_EACH_SAFE(at, head) \
	for (struct link *at = (head)->next, *at##_next = at->next; at != (head); \
		at = at##_next, at##_next = at->next)

#endif
