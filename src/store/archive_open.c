/* SPDX-License-Identifier: Apache-2.0 */
/* Archive, opening: the statements of all who read and write it. Declared in archive.h. */
#include "store/archive.h"

#include "store/audit_chain.h"
#include "store/history_rows.h"
#include "store/mover_positions.h"
#include "store/proposal_rows.h"
#include "store/retention.h"

struct archive *archive_open(const char *directory, bool is_power_safe, struct fault *why) {
	AUTO(archive) archive = archive_connect(directory, is_power_safe, why);
	if (!archive) return NULL;
	if (!history_rows_init(archive, why) || !retention_init(archive, why) ||
		!proposal_rows_init(archive, why) || !audit_chain_init(archive, why) ||
		!mover_positions_init(archive, why))
		return NULL;
	return TAKE(archive);
}
