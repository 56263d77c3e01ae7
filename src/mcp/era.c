/* SPDX-License-Identifier: Apache-2.0 */
/* Era: one table of dates. */
#include "mcp/era.h"

static const char *const era_dates[ERA_VERSIONS] = {
	[ERA_2024_11_05] = "2024-11-05",
	[ERA_2025_03_26] = "2025-03-26",
	[ERA_2025_06_18] = "2025-06-18",
	[ERA_2025_11_25] = "2025-11-25",
};

const char *era_version_text(enum era_version version) { return era_dates[version]; }

bool era_version_read(struct slice text, enum era_version *version) {
	for (unsigned i = 0; i < ERA_VERSIONS; i++) {
		if (!slice_is(text, era_dates[i])) continue;
		*version = (enum era_version)i;
		return true;
	}
	return false;
}

enum era_version era_settle(struct slice asked, enum era_version newest) {
	enum era_version version;
	return era_version_read(asked, &version) && version <= newest ? version : newest;
}
