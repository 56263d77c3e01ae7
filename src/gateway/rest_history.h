/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rest history: pages of what was said, most recent first (MCPx v0 5.3).
 */
#ifndef HUSTINGS_GATEWAY_REST_HISTORY_H
#define HUSTINGS_GATEWAY_REST_HISTORY_H

#include "gateway/exchange.h"
#include "store/history_question.h"

/* A page as an object: topic, envelopes, next_before. */
void rest_history_write(struct text *body, const struct history *answer, struct slice topic,
	enum envelope_dialect dialect);
void rest_history(struct exchange *exchange); /* GET /v0/topics/{topic}/history */

#endif
