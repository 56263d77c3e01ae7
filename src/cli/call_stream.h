/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call stream: the parts of a tool's answer on stdout as they come (MGP 12.4), and behind them what of the whole
 * answer was not seen yet. A plain struct in its owner's; call_stream_init() and call_stream_finish().
 */
#ifndef HUSTINGS_CLI_CALL_STREAM_H
#define HUSTINGS_CLI_CALL_STREAM_H

#include "base/fault.h"
#include "wire/scan.h"

#define CALL_STREAM_OCTETS ((size_t)16 << 20) /* of text that is remembered; beyond, the answer is printed again */

struct call_stream {
	bool as_json;   /* each part as it came, a line each */
	bool has_begun; /* something was printed */
	bool has_gap;   /* a part was left out on its way */
	int64_t next;   /* the index of the next part */
	struct text said;
};

void call_stream_init(struct call_stream *stream, bool as_json);
void call_stream_finish(struct call_stream *stream);
/* Params of notifications/mgp.stream.chunk. False: nobody reads what is printed. */
bool call_stream_take(struct call_stream *stream, const struct scan_value *params);
/* The answer: what was read already is not said again. As tool_talk_print(). */
bool call_stream_end(struct call_stream *stream, struct slice result, bool *has_failed, struct fault *why) MUST_USE;

#endif
