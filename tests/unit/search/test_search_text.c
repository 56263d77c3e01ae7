/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "search/search_near.h"
#include "search/search_stem.h"
#include "search/search_text.h"
#include "search/search_words.h"

static bool write_word(void *context, const struct search_word *word) {
	text_printf(context, word->is_whole ? "(%.*s) " : "%.*s ", SLICE_ARGS(word->stem));
	return true;
}

static void check_words_of(struct slice text, const char *words) {
	AUTO_TEXT struct text told = {0};
	text_init(&told, 0);
	assert_true(search_text_each(text, 4096, write_word, &told));
	check_text(&told, words);
}

static void check_words(const char *text, const char *words) {
	check_words_of(slice_of(text), words);
}

static void identifiers_fall_into_their_parts(void **state) {
	(void)state;
	check_words("read_file", "read fil ");
	check_words("getHTTPServer", "get http server (gethttpserver) ");
	check_words("YouTube's APIs", "you tub (youtub) api ");
	check_words("sha256", "sha 256 (sha256) ");
	check_words("playlists.getPlaylist", "playlist get playlist (getplaylist) ");
	check_words("a-b c", "a b c ");
}

static void letters_lose_their_accents(void **state) {
	(void)state;
	check_words("Caf\xc3\xa9 \xc3\x9c"
		    "ber \xc5\x81\xc3\xb3"
		    "d\xc5\xba",
		"caf uber lodz ");
	check_words("\xef\xbc\xa1\xef\xbd\x82", "ab "); /* wide letters are letters */
}

static void other_scripts_have_words(void **state) {
	(void)state;
	check_words("\xe6\x96\x87\xe4\xbb\xb6\xe5\xa4\xb9 x", "\xe6\x96\x87\xe4\xbb\xb6 \xe4\xbb\xb6\xe5\xa4\xb9 x ");
	check_words("\xe5\xad\x97", "\xe5\xad\x97 ");
	check_words("\xd1\x84\xd0\xb0\xd0\xb9\xd0\xbb!", "\xd1\x84\xd0\xb0\xd0\xb9\xd0\xbb ");
}

static void octets_that_are_no_text_separate(void **state) {
	(void)state;
	check_words_of(SLICE("ab\xff\xfe"
			     "cd\0ef\xc3"),
		"ab cd ef ");
	check_words("\xf0\x9f\xa4\xb7\xe2\x80\x8b", "");
	check_words("", "");
}

static void words_are_cut_and_texts_too(void **state) {
	(void)state;
	AUTO_TEXT struct text told = {0};
	text_init(&told, 0);
	assert_true(search_text_each(SLICE("one two"), 5, write_word, &told));
	check_text(&told, "one t ");
	check_words("abcdefghijklmnopqrstuvwxyzabcdefgh", "abcdefghijklmnopqrstuvwxyzab ");
}

static void check_stem(const char *word, const char *stem, const char *root) {
	char text[SEARCH_WORD];
	memcpy(text, word, strlen(word));
	size_t length = search_stem(text, strlen(word));
	check_slice(slice_make(text, length), stem);
	check_slice(slice_make(text, search_stem_root(slice_make(text, length))), root);
}

static void words_of_one_kind_have_one_stem(void **state) {
	(void)state;
	check_stem("creates", "creat", "creat");
	check_stem("creating", "creat", "creat");
	check_stem("created", "creat", "creat");
	check_stem("creation", "creation", "creat");
	check_stem("running", "run", "run");
	check_stem("queries", "query", "quer");
	check_stem("addresses", "address", "address");
	check_stem("boxes", "box", "box");
	check_stem("status", "status", "status");
	check_stem("analysis", "analysis", "analys");
	check_stem("analyze", "analyz", "analyz");
	check_stem("string", "string", "string");
	check_stem("red", "red", "red");
	check_stem("translator", "translator", "transl");
	check_stem("translation", "translation", "transl");
}

static void letters_that_are_wrong_are_counted(void **state) {
	(void)state;
	static const struct {
		const char *a, *b;
		unsigned most, distance;
	} cases[] = {
		{"forecast", "forecast", 2, 0},
		{"forcast", "forecast", 2, 1},
		{"froecast", "forecast", 2, 1}, /* two turned around */
		{"frecasst", "forecast", 2, 2},
		{"weather", "whether", 1, 2},
		{"abc", "xyz", 2, 3},
		{"", "ab", 2, 2},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_int_equal(search_near_distance(slice_of(cases[i].a), slice_of(cases[i].b), cases[i].most), cases[i].distance);
}

struct wanted {
	const char *stem;
	bool is_seen;
};

static void other_seen(void *context, struct slice stem, double nearness) {
	struct wanted *wanted = context;
	assert_true(nearness > 0 && nearness < 1);
	if (slice_is(stem, wanted->stem)) wanted->is_seen = true;
}

static void there_are_other_words_one_way_and_both(void **state) {
	(void)state;
	struct fault why;
	struct search_words *words = search_words_open(&why);
	static const struct {
		const char *said, *other;
		bool is_known;
	} cases[] = {
		{"folder", "directory", true},
		{"directory", "folder", true},
		{"umbrella", "weather", true},
		{"weather", "umbrella", false},
		{"shut down", "stop", true},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct wanted wanted = {.stem = cases[i].other};
		(void)search_words_others(words, slice_of(cases[i].said), other_seen, &wanted);
		assert_int_equal(wanted.is_seen, cases[i].is_known);
	}
	assert_int_equal(search_words_deed(words, SLICE("delet")), SEARCH_DELETE);
	assert_int_equal(search_words_deed(words, SLICE("otter")), SEARCH_ANY);
	assert_true(search_words_is_empty(words, SLICE("the"), false));
	assert_true(search_words_is_empty(words, SLICE("please"), true));
	assert_false(search_words_is_empty(words, SLICE("please"), false));
	search_words_close(words);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identifiers_fall_into_their_parts),
		cmocka_unit_test(letters_lose_their_accents),
		cmocka_unit_test(other_scripts_have_words),
		cmocka_unit_test(octets_that_are_no_text_separate),
		cmocka_unit_test(words_are_cut_and_texts_too),
		cmocka_unit_test(words_of_one_kind_have_one_stem),
		cmocka_unit_test(letters_that_are_wrong_are_counted),
		cmocka_unit_test(there_are_other_words_one_way_and_both),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
