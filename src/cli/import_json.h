/* SPDX-License-Identifier: Apache-2.0 */
/* Import json: the reader of JSON that may hold comments and trailing commas (Claude, Cursor, VS Code); for import_file.c. */
#ifndef HUSTINGS_CLI_IMPORT_JSON_H
#define HUSTINGS_CLI_IMPORT_JSON_H

#include "base/fault.h"
#include "cli/import_list.h"

bool import_json_read(struct import_file *file, struct slice text, const char *name,
	struct fault *why) MUST_USE;

#endif
