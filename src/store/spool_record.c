/* SPDX-License-Identifier: Apache-2.0 */
/* Spool record: what does not fit its own length, its own check or its own names is no record. */
#include "store/spool_record.h"

#include "store/crc32c.h"
#include "store/octets.h"

size_t spool_record_size(const struct spool_record *record, size_t text_length) {
	return SPOOL_HEAD + record->topic.length + text_length;
}

void spool_record_write(const struct spool_record *record, const struct slice *pieces,
	size_t count, char *to) {
	char *at = to + SPOOL_HEAD;
	if (record->topic.length) memcpy(at, record->topic.bytes, record->topic.length);
	at += record->topic.length;
	for (size_t i = 0; i < count; i++) {
		if (!pieces[i].length) continue;
		memcpy(at, pieces[i].bytes, pieces[i].length);
		at += pieces[i].length;
	}
	octets_put32(to, (uint32_t)(at - to - 8));
	memset(to + 8, 0, 8);
	to[8] = (char)record->kind;
	octets_put16(to + 10, (uint16_t)record->topic.length);
	octets_put64(to + 16, record->sequence);
	octets_put64(to + 24, (uint64_t)record->moment);
	octets_put64(to + 32, record->id_hash);
	octets_put64(to + 40, record->text_hash);
	uint32_t crc = crc32c(0, to, 4);
	octets_put32(to + 4, crc32c(crc, to + 8, (size_t)(at - to - 8)));
}

size_t spool_record_claim(struct slice bytes) {
	if (bytes.length < 4) return 0;
	uint32_t length = octets_get32(bytes.bytes);
	if (length < SPOOL_HEAD - 8 || length > SPOOL_HEAD + SPOOL_TOPIC + SPOOL_TEXT) return 0;
	return (size_t)length + 8;
}

bool spool_read(struct slice bytes, struct spool_record *record, size_t *used) {
	size_t size = spool_record_claim(bytes);
	if (size == 0 || size > bytes.length) return false;
	const char *at = bytes.bytes;
	uint32_t crc = crc32c(0, at, 4);
	if (octets_get32(at + 4) != crc32c(crc, at + 8, size - 8)) return false;

	uint8_t kind = (uint8_t)at[8];
	size_t topic = octets_get16(at + 10);
	if (kind < SPOOL_ENVELOPE || kind > SPOOL_AUDIT) return false;
	if (at[9] || octets_get32(at + 12) || topic > SPOOL_TOPIC || topic > size - SPOOL_HEAD)
		return false;
	*record = (struct spool_record){
		.kind = kind,
		.sequence = octets_get64(at + 16),
		.moment = (int64_t)octets_get64(at + 24),
		.id_hash = octets_get64(at + 32),
		.text_hash = octets_get64(at + 40),
		.topic = slice_make(at + SPOOL_HEAD, topic),
		.text = slice_make(at + SPOOL_HEAD + topic, size - SPOOL_HEAD - topic),
	};
	*used = size;
	return true;
}
