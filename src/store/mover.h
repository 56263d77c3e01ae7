/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mover: brings what lies in the spools into the archive, and deletes segments that are wholly
 * there.
 *
 * It reads everything once, soon. What is no envelope goes into the archive then; of envelopes it
 * notes where they lie, and moves those of a topic together when there are many of them: so a topic
 * among thousands becomes one large row and not hundreds of small ones. Until then a question about
 * a topic moves the envelopes of that topic alone.
 *
 * How far a segment is moved is written in the same transaction, and an envelope whose sequence its
 * topic has reached is left out: a kill in between loses nothing and doubles nothing. Segments of
 * earlier openings come first, all of them, before any of this one: a topic may have lived in
 * another spool then.
 *
 * Memory: 24 octets for an envelope that waits, MOVER_INDEX_LIMIT of them at most; a mebibyte and a
 * quarter, or one record, to read; and what SQLite needs to write that. The store's thread, or
 * store_open() before there is one.
 */
#ifndef HUSTINGS_STORE_MOVER_H
#define HUSTINGS_STORE_MOVER_H

#include "store/archive.h"

struct store;
struct mover;

/* Finds what earlier openings left and chooses store->generation. */
struct mover *mover_open(struct store *store, struct fault *why) MUST_USE;
void mover_close(struct mover *mover); /* NULL is fine */

/* Reads everything that was committed before the call: what is no envelope is in the archive then. */
bool mover_scan(struct mover *mover, struct fault *why) MUST_USE;
/* Behind a scan: this topic's envelopes are in the archive. */
bool mover_topic(struct mover *mover, struct slice topic, struct fault *why) MUST_USE;
/* Behind a scan: some of what it noted; *more false: all that was noted before the first step. */
bool mover_step(struct mover *mover, bool *more, struct fault *why) MUST_USE;
/* Scans, and moves everything. False: some of it is still in the spools. */
bool mover_run(struct mover *mover, struct fault *why) MUST_USE;

/* Moves everything into a transaction that will not be committed: when the disk is full, questions
 * can still be answered inside it, from memory. True: it is open, mover_try_end() when done. */
bool mover_try(struct mover *mover, struct fault *why) MUST_USE;
void mover_try_end(struct mover *mover);

/* Gives back the memory that moving took, but for what is noted: for when there is nothing to do. */
void mover_rest(struct mover *mover);
/* Deletes this opening's segments, which must have been moved. */
void mover_clear(struct mover *mover);

#endif
