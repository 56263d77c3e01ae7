/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spool: one loop's journal. A pass's records are gathered and written with one write before anyone
 * is told of them, so that what anybody received is still there after `kill -9`; with power
 * durability the rooms also wait for spool_sync().
 *
 * Segment files of about SPOOL_SEGMENT octets (the pass that fills one may make it larger), their blocks
 * reserved ahead, so that a full disk is noticed by spool_reserve() while an envelope can still be
 * refused, and not at the write. A record: length, CRC-32C, kind, sequence, moment, hashes, topic,
 * octets. A torn tail ends a segment when it is read again. The loop's thread alone.
 */
#ifndef HUSTINGS_STORE_SPOOL_H
#define HUSTINGS_STORE_SPOOL_H

#include "store/spool_record.h"
#include "store/store.h"

#define SPOOL_SEGMENT (8 * 1024 * 1024)

struct spool;

/* The spool of loop `index` (0 .. spools-1) of an open store; borrowed from the store. */
struct spool *store_spool(struct store *store, unsigned index);

/* Whether so many octets of text more will find their place on the disk (records gathered so far
 * included). False: FAULT_FULL, in words. Cheap when blocks are reserved already. */
bool spool_reserve(struct spool *spool, size_t octets, struct fault *why) MUST_USE;
/* Gathers a record (copied). The pieces are the text in parts, so that the caller need not join
 * them; record->text is not looked at. False: no memory. */
bool spool_add(struct spool *spool, const struct spool_record *record, const struct slice *pieces,
	size_t count, struct fault *why) MUST_USE;
/* Writes what was gathered with one write. False: it is not stored (gathered records are gone). */
bool spool_commit(struct spool *spool, struct fault *why) MUST_USE;
bool spool_is_empty(const struct spool *spool); /* nothing gathered */

/* Everything committed so far is made to survive a power cut; then the letter is delivered to the
 * loop with *failed set. One at a time per spool. */
struct spool_sync {
	struct letter letter;
	struct loop *loop;
	struct spool *spool;
	bool failed;
	struct fault why;
	void *context;
};
void spool_sync(struct spool *spool, struct spool_sync *sync, struct loop *loop,
	void (*deliver)(struct letter *));

#endif
