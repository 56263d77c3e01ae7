/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "failing_malloc.h"

#define reallocarray(held, count, size) failing_realloc((held), (size_t)(count) * (size))
#include "search/search_index.c"
#include "search/search_terms.c"

#define CALLS_MOST 200

static struct search_index index_;
static struct search_words *words;
static struct fault why;

static bool put(const char *server, const char *name) {
	assert_true(search_record_tool(&index_.record, words, slice_of(server), slice_of(name),
		SLICE("{\"description\":\"Feeds the otters of a zoo with fresh fish\"}"), &why));
	return search_index_put(&index_, words, slice_of(server), slice_of(name), &why);
}

static bool tell(const char *server) {
	search_record_server(&index_.record, words, slice_of(server), SLICE("Zoo"), SLICE("Keeps animals"));
	return search_index_server(&index_, slice_of(server), &why);
}

static void check_empty(void) {
	assert_int_equal(index_.tool_count, 0);
	assert_int_equal(index_.sites.count, 0);
	assert_int_equal(index_.terms.count, index_.terms.free_count);
}

/* Wherever memory runs out, nothing of the tool or server stays, and the next try finds an index in order. */
static void memory_may_run_out_anywhere(void **state) {
	(void)state;
	words = search_words_open(&why);
	for (int i = 0; i < 2; i++) {
		bool is_done = false;
		int failures = 0;
		for (int call = 1; !is_done && call < CALLS_MOST; call++) {
			search_index_init(&index_, 10);
			malloc_fails_at(call);
			is_done = i == 0 ? put("zoo", "feed_otters") : tell("zoo");
			malloc_fails_at(0);
			if (!is_done) {
				failures++;
				assert_int_equal(why.code, FAULT_NO_MEMORY);
				check_empty();
			}
			assert_true(put("zoo", "feed_otters"));
			assert_true(tell("zoo"));
			assert_true(put("zoo", "feed_seals"));
			assert_int_equal(index_.tool_count, 2);
			search_index_remove_server(&index_, SLICE("zoo"));
			check_empty();
			search_index_finish(&index_);
		}
		assert_true(is_done);
		assert_true(failures > 5);
	}
	search_words_close(words);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_may_run_out_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
