/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A spool segment's octets, as they came and with the checks made right (the first octet chooses):
 * what is read lies within them, and written again it is the same octets.
 */
#include "store/crc32c.h"
#include "store/mover_batch.h"
#include "store/octets.h"
#include "store/spool_record.h"

#include <stdlib.h>

/* Every record that claims a length which fits gets the CRC that it needs. */
static void make_right(char *bytes, size_t length) {
	for (size_t at = 0; at < length;) {
		size_t size = spool_record_claim(slice_make(bytes + at, length - at));
		if (size == 0 || size > length - at) return;
		uint32_t crc = crc32c(0, bytes + at, 4);
		octets_put32(bytes + at + 4, crc32c(crc, bytes + at + 8, size - 8));
		at += size;
	}
}

static void check_record(const char *bytes, size_t length, const struct spool_record *record,
	size_t used) {
	if (used > length || used != spool_record_size(record, record->text.length)) abort();
	if (record->topic.bytes < bytes || record->text.bytes + record->text.length > bytes + used) abort();
	char *again = malloc(used);
	if (!again) abort();
	spool_record_write(record, &record->text, 1, again);
	if (memcmp(again, bytes, used) != 0) abort();
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (size < 1) return 0;
	/* Of exactly its size, so that reading behind it is seen. */
	size_t length = size - 1, at = 0, count = 0, used;
	char *bytes = malloc(length ? length : 1);
	if (!bytes) abort();
	memcpy(bytes, data + 1, length);
	if (data[0] & 1) make_right(bytes, length);

	struct spool_record record;
	for (; spool_read(slice_make(bytes + at, length - at), &record, &used); at += used, count++)
		check_record(bytes + at, length - at, &record, used);

	struct mover_batch batch = {0};
	if (!mover_batch_read(&batch, slice_make(bytes, length), &used, NULL)) abort();
	if (used != at || batch.count != count) abort();
	mover_batch_finish(&batch);
	free(bytes);
	return 0;
}
