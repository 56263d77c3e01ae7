/* SPDX-License-Identifier: Apache-2.0 */
/* Audit stream: a GET whose answer is taken piece by piece, however long it is. */
#ifndef HUSTINGS_CLI_AUDIT_STREAM_H
#define HUSTINGS_CLI_AUDIT_STREAM_H

#include "cli/reach.h"

/* False: it has failed, `why` is set, and the stream ends. */
typedef bool audit_stream_piece(void *context, struct slice bytes, struct fault *why);

/* Returns when the answer has ended. Any status but 2xx is a fault in the gateway's own words. */
bool audit_stream_read(const struct reach *reach, const char *path, audit_stream_piece *piece,
	void *context, struct fault *why) MUST_USE;

#endif
