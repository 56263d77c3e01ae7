/* SPDX-License-Identifier: Apache-2.0 */
/* Attached pages: a short list; servers have few pages. */
#include "cli/attached_pages.h"

#include <stdlib.h>

struct page {
	struct link link;
	struct slice cursor; /* both lie behind the struct */
	struct slice result;
	char octets[];
};

void attached_pages_init(struct attached_pages *pages) {
	*pages = (struct attached_pages){0};
	list_init(&pages->pages);
}

static void drop_all(struct attached_pages *pages) {
	for (struct link *link; (link = list_pop(&pages->pages));) free(CONTAINER_OF(link, struct page, link));
	pages->count = 0;
	pages->octets = 0;
}

void attached_pages_finish(struct attached_pages *pages) { drop_all(pages); }

void attached_pages_forget(struct attached_pages *pages) {
	drop_all(pages);
	pages->changes++;
}

struct slice attached_pages_find(const struct attached_pages *pages, struct slice cursor) {
	LIST_EACH(link, &pages->pages) {
		const struct page *page = CONTAINER_OF(link, struct page, link);
		if (slice_equal(page->cursor, cursor)) return page->result;
	}
	return SLICE_NONE;
}

void attached_pages_keep(struct attached_pages *pages, unsigned asked_at, struct slice cursor,
	struct slice result) {
	size_t octets = cursor.length + result.length;
	if (asked_at != pages->changes || attached_pages_find(pages, cursor).bytes) return;
	if (pages->count >= ATTACHED_PAGES || octets > ATTACHED_OCTETS - pages->octets) return;
	struct page *page = malloc(sizeof *page + octets);
	if (!page) return; /* then it is asked for again */
	memcpy(page->octets, result.bytes, result.length);
	page->result = slice_make(page->octets, result.length);
	page->cursor = slice_make(page->octets + result.length, cursor.length);
	if (cursor.length) memcpy(page->octets + result.length, cursor.bytes, cursor.length);
	list_append(&pages->pages, &page->link);
	pages->count++;
	pages->octets += octets;
}
