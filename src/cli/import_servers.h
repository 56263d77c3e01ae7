/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Import servers: what an imported file's entries mean as [[servers]] (MGP 15.2): ids made valid and
 * unique, references of each program translated to ${NAME}, secrets replaced by references unless
 * `is_inline`, and notes about everything that is not carried over.
 *
 * Owned: import_servers_init(), import_servers_finish(). Borrows the file while it is told.
 */
#ifndef HUSTINGS_CLI_IMPORT_SERVERS_H
#define HUSTINGS_CLI_IMPORT_SERVERS_H

#include "cli/import_draft.h"
#include "cli/import_file.h"

void import_servers_init(struct import_servers *servers, bool is_inline);
void import_servers_finish(struct import_servers *servers);
/* Before import_servers_take(): an id that is in use. */
void import_servers_reserve(struct import_servers *servers, struct slice id);
bool import_servers_take(struct import_servers *servers, const struct import_file *file,
	struct fault *why) MUST_USE;

#endif
