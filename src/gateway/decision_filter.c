/* SPDX-License-Identifier: Apache-2.0 */
/* Decision filter: state, kind, and who asks. */
#include "gateway/decision_filter.h"

#include "gateway/decision_standing.h"

#include "decide/decision_record.h"

bool decision_filter_read(struct exchange *exchange, struct decision_filter *filter) {
	struct slice state, kind;
	*filter = (struct decision_filter){0};
	if (!exchange_query(exchange, "state", &state) || !exchange_query(exchange, "kind", &kind)) return false;
	filter->has_state = state.bytes != NULL;
	filter->gateway = exchange->gateway;
	filter->has_kind = kind.bytes != NULL;
	if (filter->has_state && !decision_state_read(state, &filter->state)) {
		exchange_error(exchange, 400, "bad_input",
			"query state must be pending, approved, denied, expired, withdrawn, revoked or used");
		return false;
	}
	if (filter->has_kind && !decision_kind_read(kind, &filter->kind)) {
		exchange_error(exchange, 400, "bad_input",
			"query kind must be proposal, authorization, permission, callback, quarantine, registration or call");
		return false;
	}
	return true;
}

bool decision_filter_fits(const struct decision_filter *filter, const struct principal *principal,
	const struct decision *decision) {
	return decision_is_shown(filter->gateway, principal, decision) &&
		(!filter->has_state || decision->state == filter->state) &&
		(!filter->has_kind || decision->kind == filter->kind);
}

size_t decision_filter_write(const struct decision_filter *filter, const struct principal *principal,
	struct inbox *inbox, struct text *to) {
	size_t count = 0;
	text_add_cstr(to, "{\"decisions\":[");
	for (const struct decision *decision = NULL; (decision = inbox_next(inbox, decision));) {
		if (!decision_filter_fits(filter, principal, decision)) continue;
		if (to->length > DECISION_FILTER_OCTETS) break;
		if (count++ > 0) text_add_char(to, ',');
		decision_write(decision, to);
	}
	text_printf(to, "],\"version\":%llu%s}", (unsigned long long)inbox_version(inbox),
		to->length > DECISION_FILTER_OCTETS ? ",\"cut\":true" : "");
	return count;
}
