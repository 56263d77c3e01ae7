/* SPDX-License-Identifier: Apache-2.0 */
/* Decision filter: which decisions a request wants, and may see; its answer as a list. */
#ifndef HUSTINGS_GATEWAY_DECISION_FILTER_H
#define HUSTINGS_GATEWAY_DECISION_FILTER_H

#include "decide/inbox.h"
#include "gateway/exchange.h"

#define DECISION_FILTER_OCTETS (8 * 1024 * 1024) /* of a list; it is cut behind the decision that passes it */

struct decision_filter {
	struct gateway *gateway;
	bool has_state, has_kind;
	enum decision_state state;
	enum decision_kind kind;
};

/* From the query. False: answered. */
bool decision_filter_read(struct exchange *exchange, struct decision_filter *filter) MUST_USE;
bool decision_filter_fits(const struct decision_filter *filter, const struct principal *principal,
	const struct decision *decision);
/* {"decisions":[...],"version":N}, the oldest first, and "cut":true where there are more; how many. */
size_t decision_filter_write(const struct decision_filter *filter, const struct principal *principal,
	struct inbox *inbox, struct text *to);

#endif
