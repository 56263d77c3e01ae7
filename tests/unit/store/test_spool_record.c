/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "store/crc32c.h"
#include "store/octets.h"
#include "store/spool_record.h"

#include <stdlib.h>

static const struct spool_record sample = {
	.kind = SPOOL_ENVELOPE,
	.sequence = 0x0102030405060708,
	.moment = -7,
	.id_hash = 0xfedcba9876543210,
	.text_hash = 42,
	.topic = SLICE("room:one"),
};

static size_t sample_write(char *to) {
	struct slice pieces[] = {SLICE("{\"a\":"), SLICE_NONE, SLICE("1}")};
	spool_record_write(&sample, pieces, COUNT_OF(pieces), to);
	return spool_record_size(&sample, 7);
}

static void a_record_reads_as_it_was_written(void **state) {
	(void)state;
	char octets[256];
	size_t size = sample_write(octets), used;
	struct spool_record read;
	memset(octets + size, 0xff, sizeof octets - size);
	assert_true(spool_read(slice_make(octets, sizeof octets), &read, &used));
	assert_int_equal(used, size);
	assert_int_equal(read.kind, SPOOL_ENVELOPE);
	assert_true(read.sequence == sample.sequence);
	assert_true(read.moment == sample.moment);
	assert_true(read.id_hash == sample.id_hash);
	assert_true(read.text_hash == sample.text_hash);
	check_slice(read.topic, "room:one");
	check_slice(read.text, "{\"a\":1}");
}

static void a_record_may_have_no_topic_and_no_text(void **state) {
	(void)state;
	char octets[SPOOL_HEAD];
	size_t used;
	struct spool_record record = {.kind = SPOOL_AUDIT}, read;
	spool_record_write(&record, NULL, 0, octets);
	assert_true(spool_read(slice_make(octets, sizeof octets), &read, &used));
	assert_int_equal(used, SPOOL_HEAD);
	assert_int_equal(read.topic.length, 0);
	assert_int_equal(read.text.length, 0);
}

static void a_record_cut_anywhere_is_none(void **state) {
	(void)state;
	char octets[256];
	size_t size = sample_write(octets), used = 77;
	for (size_t length = 0; length < size; length++) {
		char *exact = malloc(length ? length : 1);
		struct spool_record read;
		assert_non_null(exact);
		memcpy(exact, octets, length);
		assert_false(spool_read(slice_make(exact, length), &read, &used));
		free(exact);
	}
	assert_int_equal(used, 77);
}

static void a_record_with_any_bit_changed_is_none(void **state) {
	(void)state;
	char octets[256];
	size_t size = sample_write(octets), used;
	struct spool_record read;
	for (size_t bit = 0; bit < size * 8; bit++) {
		octets[bit / 8] ^= (char)(1 << bit % 8);
		assert_false(spool_read(slice_make(octets, size), &read, &used));
		octets[bit / 8] ^= (char)(1 << bit % 8);
	}
	assert_true(spool_read(slice_make(octets, size), &read, &used));
}

/* The check is right, what it covers is not. */
static void sign(char *octets, size_t size) {
	octets_put32(octets + 4, crc32c(crc32c(0, octets, 4), octets + 8, size - 8));
}

static void a_record_that_lies_about_itself_is_none(void **state) {
	(void)state;
	char octets[256];
	size_t size = sample_write(octets), used;
	struct spool_record read;
	const struct {
		size_t at;
		char octet;
	} lies[] = {{8, 0}, {8, SPOOL_AUDIT + 1}, {9, 1}, {10, 16}, {11, 1}, {12, 1}, {15, 1}};
	for (size_t i = 0; i < COUNT_OF(lies); i++) {
		char lied[256];
		memcpy(lied, octets, size);
		lied[lies[i].at] = lies[i].octet;
		sign(lied, size);
		assert_false(spool_read(slice_make(lied, size), &read, &used));
	}
}

static void a_claim_of_a_length_is_bounded(void **state) {
	(void)state;
	char octets[4];
	octets_put32(octets, SPOOL_HEAD - 8);
	assert_int_equal(spool_record_claim(slice_make(octets, 4)), SPOOL_HEAD);
	assert_int_equal(spool_record_claim(slice_make(octets, 3)), 0);
	octets_put32(octets, SPOOL_HEAD - 9);
	assert_int_equal(spool_record_claim(slice_make(octets, 4)), 0);
	octets_put32(octets, SPOOL_HEAD + SPOOL_TOPIC + SPOOL_TEXT);
	assert_int_equal(spool_record_claim(slice_make(octets, 4)), SPOOL_HEAD + SPOOL_TOPIC + SPOOL_TEXT + 8);
	octets_put32(octets, SPOOL_HEAD + SPOOL_TOPIC + SPOOL_TEXT + 1);
	assert_int_equal(spool_record_claim(slice_make(octets, 4)), 0);
	octets_put32(octets, UINT32_MAX);
	assert_int_equal(spool_record_claim(slice_make(octets, 4)), 0);
}

static void the_check_is_crc_32c(void **state) {
	(void)state;
	char zeros[32] = {0}, rising[32];
	for (int i = 0; i < 32; i++) rising[i] = (char)i;
	/* RFC 3720 B.4 */
	assert_true(crc32c(0, "123456789", 9) == 0xe3069283);
	assert_true(crc32c(0, zeros, sizeof zeros) == 0x8a9136aa);
	assert_true(crc32c(0, rising, sizeof rising) == 0x46dd794e);
	for (size_t length = 0; length <= sizeof rising; length++)
		for (size_t cut = 0; cut <= length; cut++) {
			uint32_t once = crc32c_by_table(0, rising, length);
			assert_true(crc32c(crc32c(0, rising, cut), rising + cut, length - cut) == once);
		}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_reads_as_it_was_written),
		cmocka_unit_test(a_record_may_have_no_topic_and_no_text),
		cmocka_unit_test(a_record_cut_anywhere_is_none),
		cmocka_unit_test(a_record_with_any_bit_changed_is_none),
		cmocka_unit_test(a_record_that_lies_about_itself_is_none),
		cmocka_unit_test(a_claim_of_a_length_is_bounded),
		cmocka_unit_test(the_check_is_crc_32c),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
