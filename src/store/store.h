/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Store: what stays on this machine, in one data folder.
 *
 *   DATA/state.db     SQLite: tokens, promotions (read and written on loop 0, and by commands)
 *   DATA/history.db   SQLite: history, proposals, audit (written by the store's thread, and
 *                     by commands for single audit records)
 *   DATA/spool/       one journal per loop, in segments: appended before anyone is told
 *   DATA/secret       0600: the key of the audit chain
 *
 * The store owns a thread that moves what the spools hold into history.db (envelopes when 32 MiB
 * wait, when one has waited a minute, or when a question needs its topic's; all else within 10 s),
 * applies retention, and answers questions; its answers come as letters to the asker's loop. Opening
 * reads what spools a killed process left behind, torn tails and all.
 * One process has a data folder at a time (a lock file says who); commands open only state.db.
 */
#ifndef HUSTINGS_STORE_STORE_H
#define HUSTINGS_STORE_STORE_H

#include "base/fault.h"
#include "base/log.h"
#include "base/text.h"
#include "net/mailbox.h"
#include "store/store_rule.h"

struct store;

struct store_options {
	const char *directory; /* made (0700) when it is not there */
	unsigned spools;       /* one per loop */
	enum store_durability durability;
	const struct store_rule *rules; /* the first that fits a topic counts; copied */
	size_t rule_count;
	struct store_retention audit; /* of the audit trail */
	int64_t spool_limit;          /* octets not yet moved, over all spools; 0: 1 GiB. Beyond: FAULT_FULL */
	struct log *log;              /* borrowed */
};

struct store *store_open(const struct store_options *options, struct fault *why) MUST_USE;
/* Answers what was asked, moves everything and ends the thread. The loops that asked must still be
 * there. */
void store_close(struct store *store);
void store_retain(struct store *store, const struct store_rule *rules, size_t rule_count,
	struct store_retention audit);
const char *store_directory(const struct store *store);
/* The keyed 64-bit hash by which ids are remembered, on disk too (SipHash, key from DATA/secret). Any
 * thread. */
uint64_t store_hash(const struct store *store, struct slice text);
/* Octets in spools that still wait to be moved (any thread). */
int64_t store_backlog(const struct store *store);

#endif
