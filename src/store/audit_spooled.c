/* SPDX-License-Identifier: Apache-2.0 */
/* Audit spooled: packed records, and the JSON of older spools. */
#include "store/audit_spooled.h"

#include "store/audit_claims.h"
#include "wire/scan.h"

static bool add(struct archive *archive, const struct audit_record *record, int64_t moment,
	struct audit_link *newest, struct fault *why) {
	if (audit_is_claimed(record)) return audit_claim_add(archive, record, moment, why);
	return audit_chain_add(archive, record, moment, newest, why);
}

/* The form of spools before records were packed: one JSON object. */
static bool json_read(struct slice json, struct arena *arena, struct audit_record *record) {
	struct scan_value root, value;
	struct scan_fault fault;
	record->count = 1;
	if (!scan_check(json, SCAN_DEPTH, &root, &fault)) return false;
	for (size_t i = 0; i < AUDIT_SIGNED_ALWAYS; i++) {
		struct slice field;
		if (!scan_find(&root, audit_field_name(i), &value)) continue;
		if (!scan_string(&value, arena, &field)) return false;
		audit_field_set(record, i, field);
	}
	return !scan_find(&root, "count", &value) || scan_integer(&value, &record->count);
}

bool audit_spooled_add(struct archive *archive, struct slice spooled, int64_t moment,
	struct audit_link *newest, struct fault *why) {
	char lent[4096];
	struct arena arena;
	struct audit_record record = {0};
	if (audit_unpack(spooled, &record)) return add(archive, &record, moment, newest, why);
	arena_init(&arena, lent, sizeof lent, 0);
	bool done = json_read(spooled, &arena, &record);
	if (done)
		done = add(archive, &record, moment, newest, why);
	else
		fault_set(why, FAULT_BAD_INPUT, "an audit record does not have the form of one");
	arena_finish(&arena);
	return done;
}
