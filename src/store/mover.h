/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mover: brings spool segments into the archive, a mebibyte a transaction, and deletes those that
 * are sealed and wholly there. How far a segment is moved is written in the same transaction, so
 * that a kill in between loses nothing and doubles nothing.
 *
 * Segments of earlier openings come first, all of them, before any of this one: a topic may have
 * lived in another spool then. The store's thread, or store_open() before there is one.
 */
#ifndef HUSTINGS_STORE_MOVER_H
#define HUSTINGS_STORE_MOVER_H

#include "store/archive.h"

struct store;
struct mover;

bool mover_rows_init(struct archive *archive, struct fault *why) MUST_USE;

/* Finds what earlier openings left and chooses store->generation. */
struct mover *mover_open(struct store *store, struct fault *why) MUST_USE;
void mover_close(struct mover *mover); /* NULL is fine */
/* Moves everything that was committed before the call. False: some of it is still in the spools. */
bool mover_run(struct mover *mover, struct fault *why) MUST_USE;
/* Moves the same into a transaction that will not be committed: when the disk is full, questions can
 * still be answered inside it, from memory. True: it is open, mover_try_end() when done. */
bool mover_try(struct mover *mover, struct fault *why) MUST_USE;
void mover_try_end(struct mover *mover);
/* Gives back the memory that moving took: for when there is nothing to move. */
void mover_rest(struct mover *mover);
/* Deletes this opening's segments, which must have been moved. */
void mover_clear(struct mover *mover);

#endif
