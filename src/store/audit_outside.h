/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit outside: listeners hear of records too that commands chain themselves while a gateway runs
 * (`token create`, `promote` on the files).
 *
 * A command writes the row of its record into DATA/audit.command; loop 0 looks there every
 * AUDIT_OUTSIDE_MS, and when the number has grown the store's thread tells of the commands' records
 * behind the last one. They are known by their details, AUDIT_BY_COMMAND. Owned; loop 0, closed before
 * its store.
 */
#ifndef HUSTINGS_STORE_AUDIT_OUTSIDE_H
#define HUSTINGS_STORE_AUDIT_OUTSIDE_H

#include "store/store.h"

#define AUDIT_OUTSIDE_MS 250

struct audit_outside;

struct audit_outside *audit_outside_open(struct store *store, struct loop *loop, struct fault *why) MUST_USE;
void audit_outside_close(struct audit_outside *outside); /* NULL is fine */

/* Of the command, once its record is chained. */
bool audit_outside_note(const char *directory, uint64_t row, struct fault *why) MUST_USE;

#endif
