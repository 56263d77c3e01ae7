/* SPDX-License-Identifier: Apache-2.0 */
/* Import toml: the reader of TOML (Codex); for import_file.c. */
#ifndef HUSTINGS_CLI_IMPORT_TOML_H
#define HUSTINGS_CLI_IMPORT_TOML_H

#include "base/fault.h"
#include "cli/import_list.h"

bool import_toml_read(struct import_file *file, struct slice text, const char *name,
	struct fault *why) MUST_USE;

#endif
