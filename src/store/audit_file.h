/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit file: every audit record as a line of JSON (MGP 6.3), for whoever reads files: a log shipper,
 * an archive. Beside the trail, which stays the truth: the file has no chain.
 *
 * Records are gathered over a pass and written with one write at its end. Beyond `bytes` the file is
 * renamed to PATH.1 (and that to PATH.2, up to PATH.count, whose predecessor goes). What cannot be
 * written (a full disk) is counted and logged, and no half line stays; the gateway goes on. Owned;
 * loop 0, closed before its store.
 */
#ifndef HUSTINGS_STORE_AUDIT_FILE_H
#define HUSTINGS_STORE_AUDIT_FILE_H

#include "store/store.h"

#define AUDIT_FILE_GATHERED (8 * 1024 * 1024) /* octets of one pass; beyond, records are left out */

struct audit_file;

struct audit_file_settings {
	const char *path;
	int64_t bytes;  /* 0: it is never renamed */
	unsigned count; /* older ones that are kept; 0: it begins anew */
};

/* Made with 0600 when it is not there; appended to when it is. Neither a link nor anything but a file. */
struct audit_file *audit_file_open(struct store *store, struct loop *loop,
	const struct audit_file_settings *settings, struct log *log, struct fault *why) MUST_USE;
void audit_file_close(struct audit_file *file); /* writes what is gathered; NULL is fine */
AUTO_RELEASE(audit_file, audit_file_close)
uint64_t audit_file_lost(const struct audit_file *file); /* records; NULL: 0 */

#endif
