/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spool record: its form in a segment. Little-endian:
 *
 *   0  u32  octets that follow the first eight
 *   4  u32  CRC-32C of the length and of everything from 8 on
 *   8  u8   kind          9  u8  0         10  u16  topic's length     12  u32  0
 *  16  u64  sequence     24  i64 moment    32  u64  id hash            40  u64  text hash
 *  48  topic, text
 *
 * A segment begins with SPOOL_MAGIC.
 */
#ifndef HUSTINGS_STORE_SPOOL_RECORD_H
#define HUSTINGS_STORE_SPOOL_RECORD_H

#include "base/slice.h"

#define SPOOL_HEAD 48
#define SPOOL_MAGIC "hustings spool1\n"
#define SPOOL_MAGIC_SIZE 16
#define SPOOL_TOPIC 1024              /* octets of a topic */
#define SPOOL_TEXT (64 * 1024 * 1024) /* octets of a text */

enum spool_kind {
	SPOOL_ENVELOPE = 1, /* text: the envelope as it was filled in, in its own dialect */
	SPOOL_PROPOSAL,     /* text: the proposal's record as JSON (open); id_hash names it */
	SPOOL_SETTLED,      /* text: the record as JSON (settled) */
	SPOOL_AUDIT,        /* text: the audit record, packed (audit_record.h); topic may be empty */
};

struct spool_record {
	enum spool_kind kind;
	uint64_t sequence;  /* of the topic, from 1; 0 for what has none */
	int64_t moment;     /* wall ms: an envelope's own ts, else now */
	uint64_t id_hash;   /* store_hash() of the id */
	uint64_t text_hash; /* of the octets as sent */
	struct slice topic;
	struct slice text;
};

/* Octets that such a record takes. */
size_t spool_record_size(const struct spool_record *record, size_t text_length);
/* Writes it to where that many octets are free. */
void spool_record_write(const struct spool_record *record, const struct slice *pieces,
	size_t count, char *to);
/* One record at the front of `bytes`, as it stands in a segment: for the mover, and the fuzzer.
 * *used octets of it. False: nothing whole and right begins here. */
bool spool_read(struct slice bytes, struct spool_record *record, size_t *used) MUST_USE;
/* How long a record is that begins like this, right or not; 0: fewer than four octets, or none. */
size_t spool_record_claim(struct slice bytes);

#endif
