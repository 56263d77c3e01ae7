/* SPDX-License-Identifier: Apache-2.0 */
/* Event window: a list with two bounds. */
#include "kernel/event_window.h"

#include <stdlib.h>

struct event {
	size_t references;
	size_t length;
	char bytes[];
};

struct event *event_make(struct slice text) {
	struct event *event = malloc(sizeof *event + text.length);
	if (!event) return NULL;
	event->references = 1;
	event->length = text.length;
	memcpy(event->bytes, text.bytes, text.length);
	return event;
}

struct event *event_keep(struct event *event) {
	event->references++;
	return event;
}

void event_drop(struct event *event) {
	if (event && --event->references == 0) free(event);
}

struct slice event_text(const struct event *event) {
	return slice_make(event->bytes, event->length);
}

static struct event_kept *kept_of(struct link *link) { return CONTAINER_OF(link, struct event_kept, link); }

void event_window_init(struct event_window *window) {
	*window = (struct event_window){.count = 0};
	list_init(&window->kept);
}

static void drop_oldest(struct event_window *window) {
	struct event_kept *kept = kept_of(list_pop(&window->kept));
	window->count--;
	window->octets -= kept->event->length;
	event_drop(kept->event);
	free(kept);
}

void event_window_finish(struct event_window *window) {
	while (window->count) drop_oldest(window);
}

void event_window_add(struct event_window *window, struct event *event, uint64_t seq, uint64_t number) {
	struct event_kept *kept = malloc(sizeof *kept);
	if (!kept) return;
	*kept = (struct event_kept){.event = event_keep(event), .seq = seq, .number = number};
	list_append(&window->kept, &kept->link);
	window->count++;
	window->octets += event->length;
	while (window->count > EVENT_WINDOW || (window->octets > EVENT_WINDOW_OCTETS && window->count > 1))
		drop_oldest(window);
}

const struct event_kept *event_window_next(const struct event_window *window, const struct event_kept *kept) {
	struct link *next = kept ? kept->link.next : window->kept.next;
	return next == &window->kept ? NULL : kept_of(next);
}

const struct event_kept *event_window_after(const struct event_window *window, uint64_t seq) {
	const struct event_kept *kept = NULL;
	while ((kept = event_window_next(window, kept)))
		if (kept->seq > seq) return kept;
	return NULL;
}

void event_write(struct text *to, const struct event *event, const char *subscription, uint64_t seq) {
	text_printf(to, "{\"subscription_id\":\"%s\",\"seq\":%llu", subscription, (unsigned long long)seq);
	text_add(to, event_text(event));
}
