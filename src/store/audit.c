/* SPDX-License-Identifier: Apache-2.0 */
/* Audit: records on their way into the spool or, for commands, straight into the chain. */
#include "store/audit.h"

#include "base/clock.h"
#include "store/audit_chain.h"
#include "store/audit_listener.h"
#include "store/audit_outside.h"
#include "store/data_folder.h"
#include "store/store_parts.h"

bool audit_add(struct spool *spool, const struct audit_record *record, struct fault *why) {
	char head[AUDIT_PACKED_HEAD];
	struct slice pieces[1 + AUDIT_PACKED_FIELDS];
	if (!audit_pack(record, head, pieces, why)) return false;
	struct spool_record spooled = {
		.kind = SPOOL_AUDIT,
		.moment = clock_wall_ms(),
		.topic = record->topic,
	};
	if (!spool_add(spool, &spooled, pieces, COUNT_OF(pieces), why)) return false;
	audit_tell(spool->store, pieces, COUNT_OF(pieces), spooled.moment);
	return true;
}

static bool write_now(struct archive *archive, const struct audit_record *record,
	struct audit_link *newest, struct fault *why) {
	struct audit_record counted = *record;
	if (counted.count == 0) counted.count = 1;
	if (counted.details.length == 0) counted.details = AUDIT_BY_COMMAND;
	if (!database_begin(archive->database, why)) return false;
	if (audit_chain_add(archive, &counted, clock_wall_ms(), newest, why))
		return database_commit(archive->database, why);
	database_rollback(archive->database);
	return false;
}

bool audit_write_file(const char *directory, const struct audit_record *record, struct fault *why) {
	struct audit_link newest;
	if (audit_is_claimed(record))
		return fault_set(why, FAULT_BAD_INPUT, "a claim of a server's is no record of the chain");
	if (!data_folder_make(directory, why)) return false;
	AUTO(archive) archive = archive_open(directory, true, why);
	if (!archive) return false;
	return write_now(archive, record, &newest, why) &&
		audit_head_write(directory, &newest, why) && audit_outside_note(directory, newest.row, why);
}
