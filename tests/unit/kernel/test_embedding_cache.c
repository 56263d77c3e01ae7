/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "kernel/embedding_cache.h"
#include "kernel/embedding_text.h"
#include "kernel/embedding_wire.h"

#include <stdlib.h>

static struct embedding_cache cache;

static const uint8_t *digest_of(unsigned number) {
	static uint8_t digest[SECRET_HASH_SIZE];
	memset(digest, 0, sizeof digest);
	memcpy(digest, &number, sizeof number);
	return digest;
}

static struct search_vector *vector(void) {
	return search_vector_make((const float[]){1, 2, 3}, 3);
}

static void one_text_has_one_vector_as_long_as_somebody_uses_it(void **state) {
	(void)state;
	embedding_cache_init(&cache);
	struct embedding *one = embedding_cache_put(&cache, digest_of(1), vector());
	assert_ptr_equal(embedding_cache_put(&cache, digest_of(1), vector()), one);
	assert_ptr_equal(embedding_cache_find(&cache, digest_of(1)), one);
	assert_null(embedding_cache_find(&cache, digest_of(2)));
	assert_int_equal(one->users, 3);
	for (int i = 0; i < 3; i++) embedding_cache_drop(&cache, one);
	assert_int_equal(cache.idle_count, 1);
	assert_ptr_equal(embedding_cache_find(&cache, digest_of(1)), one); /* it stays a while */
	assert_int_equal(cache.idle_count, 0);
	embedding_cache_drop(&cache, one);
	embedding_cache_drop(&cache, NULL);
	embedding_cache_finish(&cache);
	assert_int_equal(cache.octets, 0);
}

static void those_that_nobody_uses_are_bounded(void **state) {
	(void)state;
	embedding_cache_init(&cache);
	for (unsigned i = 0; i < EMBEDDING_CACHE_IDLE + 10; i++)
		embedding_cache_drop(&cache, embedding_cache_put(&cache, digest_of(i), vector()));
	assert_int_equal(cache.idle_count, EMBEDDING_CACHE_IDLE);
	assert_null(embedding_cache_find(&cache, digest_of(9)));
	struct embedding *kept = embedding_cache_find(&cache, digest_of(10));
	assert_non_null(kept);
	embedding_cache_drop(&cache, kept);
	embedding_cache_finish(&cache);
}

static void octets_are_bounded(void **state) {
	(void)state;
	embedding_cache_init(&cache);
	struct embedding *one = embedding_cache_put(&cache, digest_of(1), vector());
	cache.most_octets = 2 * cache.octets;
	struct embedding *two = embedding_cache_put(&cache, digest_of(2), vector());
	assert_non_null(two);
	assert_null(embedding_cache_put(&cache, digest_of(3), vector()));
	embedding_cache_drop(&cache, two);
	struct embedding *three = embedding_cache_put(&cache, digest_of(3), vector()); /* the idle one makes room */
	assert_non_null(three);
	assert_null(embedding_cache_find(&cache, digest_of(2)));
	embedding_cache_drop(&cache, one);
	embedding_cache_drop(&cache, three);
	embedding_cache_finish(&cache);
}

static void a_question_is_written_and_cut(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0}, longer = {0};
	text_init(&text, 0);
	text_init(&longer, 0);
	const struct slice texts[] = {SLICE("one \"two\""), SLICE("three")};
	embedding_question_write(&text, "m", 0, texts, 2);
	check_text(&text, "{\"model\":\"m\",\"input\":[\"one \\\"two\\\"\",\"three\"],\"encoding_format\":\"float\"}");
	text_clear(&text);
	for (int i = 0; i < EMBEDDING_TEXT; i++) text_add_cstr(&longer, "xy");
	const struct slice one = text_slice(&longer);
	embedding_question_write(&text, "m", 256, &one, 1);
	assert_int_equal(text.length, strlen("{\"model\":\"m\",\"input\":[\"\"],\"encoding_format\":\"float\",\"dimensions\":256}") + EMBEDDING_TEXT);
}

static void an_answer_counts_as_a_whole_or_not_at_all(void **state) {
	(void)state;
	static const struct {
		const char *body;
		const char *words; /* NULL: it is sound */
	} cases[] = {
		{"{\"data\":[{\"index\":1,\"embedding\":[0,1]},{\"index\":0,\"embedding\":[1,0]}]}", NULL},
		{"{\"data\":[{\"embedding\":[1,0]},{\"embedding\":[0,1]}]}", NULL},
		{"{\"data\":[{\"index\":0,\"embedding\":[1,0]}]}", "1 embeddings for 2 texts"},
		{"{\"data\":[{\"index\":0,\"embedding\":[1,0]},{\"index\":0,\"embedding\":[1,0]}]}", "index 0 comes twice"},
		{"{\"data\":[{\"index\":0,\"embedding\":[1,0]},{\"index\":2,\"embedding\":[1,0]}]}", "no index of 0 to 1"},
		{"{\"data\":[{\"index\":0,\"embedding\":[1,0]},{\"index\":1,\"embedding\":[1]}]}", "1 numbers, not 2"},
		{"{\"data\":[{\"index\":0,\"embedding\":[1,0]},{\"index\":1,\"embedding\":[1,null]}]}", "number 1 of an embedding is none"},
		{"{\"data\":[{\"index\":0,\"embedding\":[1,1e999]},{\"index\":1,\"embedding\":[1,0]}]}", "number 1 of an embedding is none"},
		{"{\"data\":[{\"index\":0,\"embedding\":[0,0]},{\"index\":1,\"embedding\":[1,0]}]}", "all zeros"},
		{"{\"data\":[{\"index\":0,\"embedding\":\"AACAPw==\"},{\"index\":1,\"embedding\":[1,0]}]}", "no list of numbers"},
		{"{\"data\":[{\"index\":0},{\"index\":1,\"embedding\":[1,0]}]}", "has no embedding"},
		{"{\"data\":{}}", "no list \"data\""},
		{"[1]", "no list \"data\""},
		{"{\"data\":[", "no JSON"},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct search_vector *vectors[2] = {0};
		struct fault why = {0};
		bool is_read = embedding_answer_read(slice_of(cases[i].body), 2, 0, vectors, &why);
		assert_int_equal(is_read, !cases[i].words);
		if (is_read) {
			assert_true(search_vector_cosine(vectors[0], vectors[1]) == 0);
			free(vectors[0]);
			free(vectors[1]);
			continue;
		}
		if (!strstr(why.text, cases[i].words)) fail_msg("%s: %s", cases[i].body, why.text);
		assert_null(vectors[0]);
		assert_null(vectors[1]);
	}
}

static void of_a_tool_its_names_and_description_are_sent(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	embedding_text_write(&text, SLICE("shop"), SLICE("sell"),
		SLICE("{\"title\":\"Sell\",\"description\":\"Sells\\nthings\",\"inputSchema\":{\"properties\":{\"what\":{\"default\":\"secret\"},\"to\":{}}},\"x\":\"hidden\"}"));
	check_text(&text, "shop sell\nSell\nSells\nthings\nparameters: what, to");
	text_clear(&text);
	embedding_text_write(&text, SLICE("shop"), SLICE("sell"), SLICE("no JSON"));
	check_text(&text, "shop sell");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_text_has_one_vector_as_long_as_somebody_uses_it),
		cmocka_unit_test(those_that_nobody_uses_are_bounded),
		cmocka_unit_test(octets_are_bounded),
		cmocka_unit_test(a_question_is_written_and_cut),
		cmocka_unit_test(an_answer_counts_as_a_whole_or_not_at_all),
		cmocka_unit_test(of_a_tool_its_names_and_description_are_sent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
