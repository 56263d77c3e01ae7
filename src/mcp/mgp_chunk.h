/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_chunk: a part of an answer that comes before it (MGP 12.4), read, and written again for another side:
 * whoever asked knows the request by an id of its own. Plain functions, any thread.
 */
#ifndef HUSTINGS_MCP_MGP_CHUNK_H
#define HUSTINGS_MCP_MGP_CHUNK_H

#include "wire/scan.h"

#define MGP_CHUNK ((size_t)1 << 20) /* octets of the params of one, or of a word of progress */
#define MGP_CHUNK_METHOD "notifications/mgp.stream.chunk"
#define MGP_PROGRESS_METHOD "notifications/mgp.stream.progress"

/* Spans lie in the params. */
struct mgp_chunk {
	struct scan_value request_id; /* a string or a number */
	int64_t index;                /* from 0 on */
	bool is_done;                 /* no other follows */
	struct slice text;            /* of content of type text, as it stands between its quotes; bytes NULL: other content */
};

/* False: it is none, or too large. */
bool mgp_chunk_read(const struct scan_value *params, struct mgp_chunk *chunk) MUST_USE;
/* params.request_id of any notification of a stream. False: there is none. */
bool mgp_chunk_request(const struct scan_value *params, struct scan_value *id) MUST_USE;
/* The notification of that method, with `id` (JSON text) in place of request_id and everything else as it came:
 * what was written into `start`, then what is handed out (a span of the params, or nothing), then "}}". */
struct slice mgp_chunk_begin(struct text *start, struct slice method, const struct scan_value *params,
	struct slice id);

#endif
