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
 * A segment begins with SPOOL_MAGIC. Reading is spool_read(), declared in spool.h.
 */
#ifndef HUSTINGS_STORE_SPOOL_RECORD_H
#define HUSTINGS_STORE_SPOOL_RECORD_H

#include "store/spool.h"

#define SPOOL_HEAD 48
#define SPOOL_MAGIC "hustings spool1\n"
#define SPOOL_MAGIC_SIZE 16
#define SPOOL_TOPIC 1024              /* octets of a topic */
#define SPOOL_TEXT (64 * 1024 * 1024) /* octets of a text */

/* Octets that such a record takes. */
size_t spool_record_size(const struct spool_record *record, size_t text_length);
/* Writes it to where that many octets are free. */
void spool_record_write(const struct spool_record *record, const struct slice *pieces,
	size_t count, char *to);
/* How long a record is that begins like this, right or not; 0: fewer than four octets, or none. */
size_t spool_record_claim(struct slice bytes);

#endif
