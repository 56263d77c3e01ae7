/* SPDX-License-Identifier: Apache-2.0 */
/* Audit filter: member by member; an empty one fits everything. */
#include "store/audit_filter.h"

#include "base/glob.h"
#include "store/audit_event.h"

static bool is_wanted(struct slice wanted, struct slice found) {
	return wanted.length == 0 || slice_equal(wanted, found);
}

static bool event_fits(struct slice wanted, const struct audit_record *record) {
	char room[AUDIT_TYPE_SIZE];
	return wanted.length == 0 || glob_fits(wanted, record->event) ||
		glob_fits(wanted, audit_event_type(record, room));
}

static bool result_fits(struct slice wanted, const struct audit_record *record) {
	return is_wanted(wanted, record->result) || slice_equal(wanted, audit_event_result(record));
}

static bool source_fits(const struct audit_filter *filter, const struct audit_record *record) {
	if (filter->of_claims != audit_is_claimed(record)) return false;
	return !filter->of_claims || is_wanted(filter->source, record->source);
}

bool audit_filter_fits(const struct audit_filter *filter, const struct audit_record *record,
	int64_t moment) {
	if (moment < filter->since && filter->since) return false;
	if (filter->until && moment >= filter->until) return false;
	if (filter->of_commands && !slice_equal(record->details, AUDIT_BY_COMMAND)) return false;
	return source_fits(filter, record) && is_wanted(filter->actor, record->actor) &&
		is_wanted(filter->trace, record->trace_id) && is_wanted(filter->tool, record->tool_name) &&
		is_wanted(filter->topic, record->topic) && is_wanted(filter->gate, record->gate) && result_fits(filter->result, record) &&
		event_fits(filter->event, record) && is_wanted(filter->server, audit_event_server(record));
}
