/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archive: DATA/history.db, with the statements of all who read and write it. One thread's at a
 * time. Kept by the store; commands open one of their own for a moment.
 */
#ifndef HUSTINGS_STORE_ARCHIVE_H
#define HUSTINGS_STORE_ARCHIVE_H

#include "base/signer.h"
#include "store/database.h"

struct archive {
	sqlite3 *database;
	char *directory;
	uint8_t secret[SECRET_HASH_SIZE]; /* DATA/secret */
	uint64_t id_seed[2];              /* of store_hash() */
	int log_pages;                    /* of the write-ahead log, after the last commit */
	struct statements history;        /* history_rows.c */
	struct statements retention;      /* retention.c */
	struct statements proposals;      /* proposal_rows.c */
	struct statements audit;          /* audit_chain.c */
	struct signer *audit_signer;      /* the same; with the secret */
	struct statements moved;          /* mover_positions.c */
};

/* The file alone, without a statement. */
struct archive *archive_connect(const char *directory, bool is_power_safe, struct fault *why) MUST_USE;
struct archive *archive_open(const char *directory, bool is_power_safe, struct fault *why) MUST_USE;
void archive_close(struct archive *archive);
AUTO_RELEASE(archive, archive_close)
uint64_t archive_hash(const struct archive *archive, struct slice text);
/* Brings the write-ahead log into the file when it has grown. */
bool archive_checkpoint(struct archive *archive, struct fault *why) MUST_USE;
/* The same whatever its length. A reader may keep it from bringing in all of it. */
bool archive_checkpoint_now(struct archive *archive, struct fault *why) MUST_USE;
/* What was committed survives a power cut. */
bool archive_sync(struct archive *archive, struct fault *why) MUST_USE;

#endif
