/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_outcome: what a result says of how it came about, in its `_mgp` (MGP 12.5; docs/protocol.md for
 * `cancelled`). Plain functions, any thread.
 */
#ifndef HUSTINGS_MCP_MGP_OUTCOME_H
#define HUSTINGS_MCP_MGP_OUTCOME_H

#include "wire/scan.h"

struct mgp_outcome {
	bool is_cancelled;
	bool is_streamed;     /* with the next two */
	uint64_t chunks;      /* that came */
	uint64_t duration_ms; /* of the request */
};

/* `result` (JSON text of an object) again with these in its `_mgp`. What is said there already stays as it is,
 * but for `cancelled`. */
void mgp_outcome_write(struct text *to, struct slice result, const struct mgp_outcome *outcome);
/* Whether a result says that it was cancelled. */
bool mgp_outcome_is_cancelled(struct slice result);

#endif
