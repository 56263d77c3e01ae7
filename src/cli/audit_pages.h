/* SPDX-License-Identifier: Apache-2.0 */
/* Audit pages: the newest records of a source, as many as were asked for, page by page. */
#ifndef HUSTINGS_CLI_AUDIT_PAGES_H
#define HUSTINGS_CLI_AUDIT_PAGES_H

#include "cli/audit_source.h"

#define AUDIT_PAGES_LIMIT 100000 /* records at most: they are held in memory */

/* {"records":[...],"next_before":ROW|null}, the newest first, before row `before` (0: from the newest). */
bool audit_pages_read(struct audit_source *source, uint64_t limit, uint64_t before, struct text *json,
	struct fault *why) MUST_USE;

#endif
