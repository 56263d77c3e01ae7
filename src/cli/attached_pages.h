/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attached pages: what a server answered to tools/list, page by page, until its tools change. A
 * plain struct in its owner's. Bounded: beyond ATTACHED_PAGES or ATTACHED_OCTETS nothing more is
 * remembered, and the server is asked each time.
 */
#ifndef HUSTINGS_CLI_ATTACHED_PAGES_H
#define HUSTINGS_CLI_ATTACHED_PAGES_H

#include "base/list.h"
#include "base/text.h"

#define ATTACHED_PAGES 256
#define ATTACHED_OCTETS ((size_t)16 << 20)

struct attached_pages {
	struct link pages;
	size_t count;
	size_t octets;
	unsigned changes; /* since the beginning: an answer that was asked for before the last one is old */
};

void attached_pages_init(struct attached_pages *pages);
void attached_pages_finish(struct attached_pages *pages);
void attached_pages_forget(struct attached_pages *pages); /* the tools have changed */

/* cursor: JSON text of the params' cursor, bytes NULL: none (the first page). The result's JSON text,
 * valid until the next change; bytes NULL: not remembered. */
struct slice attached_pages_find(const struct attached_pages *pages, struct slice cursor);
/* `asked_at`: pages->changes when it was asked for. */
void attached_pages_keep(struct attached_pages *pages, unsigned asked_at, struct slice cursor,
	struct slice result);

#endif
