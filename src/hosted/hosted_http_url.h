/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted HTTP URL: where a server's words about a place lead, and whether to go there. Headers may
 * hold secrets that are meant for one origin alone, so nothing of a conversation goes to another.
 * Plain functions, any thread.
 */
#ifndef HUSTINGS_HOSTED_HOSTED_HTTP_URL_H
#define HUSTINGS_HOSTED_HOSTED_HTTP_URL_H

#include "base/dialect.h"
#include "base/slice.h"

/* `named` (a URL, or a reference) as seen from `base`, a URL; to be freed. NULL: no memory. */
char *hosted_http_url_resolve(struct slice base, struct slice named) MUST_USE;
/* Whether what was meant for `from` may be sent to `to`: the same scheme, host and port, or the same
 * host without a port by https instead of http. */
bool hosted_http_url_may_follow(struct slice from, struct slice to);

#endif
