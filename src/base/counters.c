/* SPDX-License-Identifier: Apache-2.0 */
/* Counters: how /metrics calls them. */
#include "base/counters.h"

struct row {
	const char *name;
	const char *help;
	bool is_gauge;
};

static const struct row rows[COUNTERS] = {
	[COUNTER_CONNECTIONS] = {"hustings_connections", "Sockets open now.", true},
	[COUNTER_CONNECTIONS_TOTAL] = {"hustings_connections_total", "Sockets accepted.", false},
	[COUNTER_PARTICIPANTS] = {"hustings_participants", "Participants in rooms now.", true},
	[COUNTER_ROOMS] = {"hustings_rooms", "Rooms open now.", true},
	[COUNTER_ENVELOPES_IN] = {"hustings_envelopes_in_total", "Envelopes accepted.", false},
	[COUNTER_ENVELOPES_OUT] = {"hustings_envelopes_out_total", "Envelopes delivered.", false},
	[COUNTER_OCTETS_IN] = {"hustings_octets_in_total", "Octets received.", false},
	[COUNTER_OCTETS_OUT] = {"hustings_octets_out_total", "Octets sent.", false},
	[COUNTER_REFUSED_SIZE] = {"hustings_refused_size_total",
		"Envelopes refused at the gate size.", false},
	[COUNTER_REFUSED_PROTOCOL] = {"hustings_refused_protocol_total",
		"Envelopes refused at the gate protocol.", false},
	[COUNTER_REFUSED_SHAPE] = {"hustings_refused_shape_total",
		"Envelopes refused at the gate shape.", false},
	[COUNTER_REFUSED_UNIQUE] = {"hustings_refused_unique_total",
		"Envelopes refused at the gate unique.", false},
	[COUNTER_REFUSED_SENDER] = {"hustings_refused_sender_total",
		"Envelopes refused at the gate sender.", false},
	[COUNTER_REFUSED_PACE] = {"hustings_refused_pace_total",
		"Envelopes refused at the gate pace.", false},
	[COUNTER_REFUSED_KIND] = {"hustings_refused_kind_total",
		"Envelopes refused at the gate kind.", false},
	[COUNTER_REFUSED_PRIVILEGE] = {"hustings_refused_privilege_total",
		"Envelopes refused at the gate privilege.", false},
	[COUNTER_REFUSED_ADDRESS] = {"hustings_refused_address_total",
		"Envelopes refused at the gate address.", false},
	[COUNTER_STORAGE_FULL] = {"hustings_storage_full_total",
		"Envelopes refused because the disk was full.", false},
	[COUNTER_CLOSED_BEHIND] = {"hustings_closed_behind_total",
		"Participants closed because they read too slowly.", false},
	[COUNTER_CLOSED_REPLACED] = {"hustings_closed_replaced_total",
		"Participants closed because the same identity joined again.", false},
	[COUNTER_CLOSED_REVOKED] = {"hustings_closed_revoked_total",
		"Participants closed because their token was revoked or expired.",
		false},
	[COUNTER_PROPOSALS] = {"hustings_proposals_total", "Proposals made.", false},
	[COUNTER_PROPOSALS_OPEN] = {"hustings_proposals_open", "Proposals undecided now.", true},
	[COUNTER_HTTP_REQUESTS] = {"hustings_http_requests_total", "HTTP requests read.", false},
	[COUNTER_HTTP_REFUSED] = {"hustings_http_refused_total",
		"HTTP requests refused as malformed, too large or too slow.", false},
};

const char *counter_name(enum counter which) {
	return rows[which].name;
}

const char *counter_help(enum counter which) {
	return rows[which].help;
}

bool counter_is_gauge(enum counter which) {
	return rows[which].is_gauge;
}
