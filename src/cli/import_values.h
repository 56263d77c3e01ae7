/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Import values: one value of an imported server as a string of our configuration, and which values
 * are secrets. Results lie in the servers' arena.
 */
#ifndef HUSTINGS_CLI_IMPORT_VALUES_H
#define HUSTINGS_CLI_IMPORT_VALUES_H

#include "cli/import_draft.h"

/* ${env:X}, ${input:x}, ${userHome} and their like as ${NAME}; what that program takes literally, and
 * nobody here knows, is escaped. */
struct slice import_value_translate(struct import_servers *servers, const struct import_server *server,
	const struct import_file *file, enum import_kind kind, struct slice value);
/* The variables that a value names, so that no secret of another server becomes theirs. Before anything
 * is hidden. */
void import_value_note_names(struct import_servers *servers, enum import_kind kind, struct slice value);
/* A secret as a reference, with what stands before it (a scheme like "Bearer "); anything else as it
 * is. `name` is what it is called: a variable, a header, a flag. */
struct slice import_value_hide(struct import_servers *servers, const struct import_server *server,
	const char *where, struct slice name, struct slice value);
bool import_value_is_secret_name(struct slice name);
bool import_value_is_secret(struct slice value);
bool import_value_is_variable(struct slice name); /* may stand in ${...} */

#endif
