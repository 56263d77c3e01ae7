/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rest topics: which topics there are, and who is in one (MCPx v0 5.3).
 */
#ifndef HUSTINGS_GATEWAY_REST_TOPICS_H
#define HUSTINGS_GATEWAY_REST_TOPICS_H

#include "gateway/exchange.h"

void rest_topics(struct exchange *exchange);       /* GET /v0/topics */
void rest_participants(struct exchange *exchange); /* GET /v0/topics/{topic}/participants */

/* The topic of the path if it is one and in the principal's scope. False: answered. */
bool rest_topic(struct exchange *exchange, struct slice *topic) MUST_USE;

#endif
