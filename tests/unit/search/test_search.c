/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "search/search.h"

#include <stdio.h>

static struct search *search;
static struct search_answer answer;
static struct fault why;

static const struct row {
	const char *server, *name, *definition;
} rows[] = {
	{"files", "read_file", "{\"description\":\"Read the contents of a file at the given path\",\"inputSchema\":{\"properties\":{\"path\":{\"type\":\"string\",\"description\":\"File path to read\"}}},\"annotations\":{\"readOnlyHint\":true}}"},
	{"files", "write_file", "{\"description\":\"Write text to a file, replacing what was in it\"}"},
	{"files", "list_directory", "{\"description\":\"List the entries of a directory with their sizes\"}"},
	{"files", "move_file", "{\"description\":\"Move or rename a file or directory\"}"},
	{"files", "delete_file", "{\"description\":\"Delete a file for good\"}"},
	{"post", "sendEmail", "{\"description\":\"Send an email to one or more recipients\",\"inputSchema\":{\"properties\":{\"to\":{},\"subject\":{},\"body\":{}}}}"},
	{"post", "listLabels", "{\"description\":\"All labels of the mailbox\"}"},
	{"sky", "get_forecast", "{\"description\":\"Weather forecast for coordinates\",\"keywords\":[\"rain\",\"temperature\"],\"categories\":[\"World/Weather\"]}"},
	{"sky", "get_alerts", "{\"description\":\"Active warnings of a state\",\"_meta\":{\"dev.hustings/mgp\":{\"categories\":[\"world/alerts\"],\"keywords\":[\"storm\"]}}}"},
	{"draw", "generate_chart", "{\"description\":\"Render a diagram as an image\",\"inputSchema\":{\"properties\":{\"type\":{\"enum\":[\"bar\",\"pie\",\"sankey\"]}}}}"},
	{"nihon", "yomu", "{\"description\":\"\xe3\x83\x95\xe3\x82\xa1\xe3\x82\xa4\xe3\x83\xab\xe3\x81\xae\xe4\xb8\xad\xe8\xba\xab\xe3\x82\x92\xe8\xaa\xad\xe3\x82\x80\"}"},
};

static int set_up(void **state) {
	(void)state;
	search = search_open(NULL, &why);
	assert_non_null(search);
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		assert_true(search_put(search, slice_of(rows[i].server), slice_of(rows[i].name), slice_of(rows[i].definition), &why));
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	search_close(search);
	return 0;
}

static void ask_as(const char *query, enum search_strategy strategy, search_filter *filter, void *context) {
	struct search_question question = {.query = slice_of(query), .strategy = strategy, .filter = filter, .context = context};
	search_ask(search, &question, &answer);
}

static void ask(const char *query) {
	ask_as(query, SEARCH_SEMANTIC, NULL, NULL);
}

static void check_first(const char *query, const char *name) {
	ask(query);
	if (answer.count == 0) fail_msg("\"%s\" finds nothing", query);
	check_slice(answer.hits[0].tool.name, name);
	assert_true(answer.hits[0].relevance > 0 && answer.hits[0].relevance <= 1);
}

static bool is_among(const char *name) {
	for (size_t i = 0; i < answer.count; i++)
		if (slice_is(answer.hits[i].tool.name, name)) return true;
	return false;
}

static void tools_are_found_by_their_words_and_by_others(void **state) {
	(void)state;
	check_first("read file contents from disk", "read_file");
	check_first("rename a folder", "move_file");
	check_first("get rid of a document", "delete_file");
	check_first("will I need an umbrella tomorrow", "get_forecast");
	check_first("mail my boss", "sendEmail");
	check_first("what is in this folder", "list_directory");
	check_first("storm warnings", "get_alerts");
	check_first("sankey picture", "generate_chart");
	check_first("send emails", "sendEmail");
}

static void misspelt_begun_and_joined_words_are_found(void **state) {
	(void)state;
	check_first("weathr forcast", "get_forecast");
	check_first("raed the contets of a fiel", "read_file");
	check_first("recip", "sendEmail");
	check_first("send e mail", "sendEmail");
	check_first("SENDEMAIL", "sendEmail");
}

static void pairs_of_characters_are_words(void **state) {
	(void)state;
	check_first("\xe4\xb8\xad\xe8\xba\xab\xe3\x82\x92\xe8\xaa\xad\xe3\x82\x80", "yomu");
}

static void keyword_is_exact_names_first_and_no_other_words(void **state) {
	(void)state;
	ask_as("read_file", SEARCH_KEYWORD, NULL, NULL);
	check_slice(answer.hits[0].tool.name, "read_file");
	assert_true(answer.hits[0].relevance == 1);
	ask_as("files.list_directory", SEARCH_KEYWORD, NULL, NULL);
	check_slice(answer.hits[0].tool.name, "list_directory");
	ask_as("files__move_file", SEARCH_SEMANTIC, NULL, NULL);
	check_slice(answer.hits[0].tool.name, "move_file");
	ask_as("umbrella", SEARCH_KEYWORD, NULL, NULL);
	assert_int_equal(answer.count, 0);
}

static void category_browses_paths(void **state) {
	(void)state;
	ask_as("", SEARCH_CATEGORY, NULL, NULL);
	assert_int_equal(answer.count, COUNT_OF(rows));
	ask_as("World/", SEARCH_CATEGORY, NULL, NULL);
	assert_int_equal(answer.count, 2);
	ask_as("world/alerts", SEARCH_CATEGORY, NULL, NULL);
	assert_int_equal(answer.count, 1);
	ask_as("worl", SEARCH_CATEGORY, NULL, NULL);
	assert_int_equal(answer.count, 0);
	ask_as("files/delete", SEARCH_CATEGORY, NULL, NULL); /* derived from server and verb */
	assert_int_equal(answer.count, 1);
	check_slice(answer.hits[0].tool.name, "delete_file");
}

static void category_seen(void *context, struct slice path, size_t tools) {
	text_printf(context, "%.*s=%zu ", SLICE_ARGS(path), tools);
}

static bool no_files(void *context, const struct search_seen *tool) {
	size_t *asked = context;
	if (asked) (*asked)++;
	return !slice_is(tool->server, "files");
}

static void categories_are_counted_after_the_filter(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	assert_true(search_categories(search, SLICE("world"), NULL, NULL, category_seen, &text, &why));
	check_text(&text, "world/alerts=1 world/weather=1 ");
	text_clear(&text);
	assert_true(search_categories(search, SLICE_NONE, no_files, NULL, category_seen, &text, &why));
	check_text(&text, "draw=1 draw/create=1 nihon=1 post=2 post/read=1 post/send=1 world=2 world/alerts=1 world/weather=1 ");
}

static void what_the_filter_hides_leaves_no_trace(void **state) {
	(void)state;
	size_t asked = 0;
	ask_as("read file contents from disk", SEARCH_SEMANTIC, no_files, &asked);
	assert_true(asked > 0);
	for (size_t i = 0; i < answer.count; i++) assert_false(slice_is(answer.hits[i].tool.server, "files"));
	assert_int_equal(answer.total_available, COUNT_OF(rows) - 5);
	ask_as("read_file", SEARCH_KEYWORD, no_files, NULL);
	assert_false(is_among("read_file"));
	ask("read file contents from disk");
	assert_int_equal(answer.total_available, COUNT_OF(rows));
}

static bool no_vault(void *context, const struct search_seen *tool) {
	(void)context;
	return !slice_is(tool->server, "vault");
}

/* Neither order nor scores tell that there is something which one may not see. */
static void scores_are_those_of_what_is_seen(void **state) {
	(void)state;
	static const char *const queries[] = {"read file contents from disk", "vault treasure", "weathr forcast", "jewel", "read_jewel_3",
		"delete the file", "storm jewels of a state", "umbrella"};
	static struct search_answer before[COUNT_OF(queries)];
	char name[32];
	for (size_t i = 0; i < COUNT_OF(queries); i++) {
		ask_as(queries[i], SEARCH_SEMANTIC, no_vault, NULL);
		before[i] = answer;
	}
	assert_true(search_server(search, SLICE("vault"), SLICE("Vault"), SLICE("Treasure in a file on disk"), &why));
	for (int i = 0; i < 30; i++) {
		snprintf(name, sizeof name, "read_jewel_%d", i);
		assert_true(search_put(search, SLICE("vault"), slice_of(name), SLICE("{\"description\":\"Read file contents of a jewel forcast\"}"), &why));
	}
	for (size_t i = 0; i < COUNT_OF(queries); i++) {
		ask_as(queries[i], SEARCH_SEMANTIC, no_vault, NULL);
		assert_int_equal(answer.count, before[i].count);
		assert_int_equal(answer.total_available, before[i].total_available);
		for (size_t j = 0; j < answer.count; j++) {
			assert_true(slice_equal(answer.hits[j].tool.name, before[i].hits[j].tool.name));
			assert_true(answer.hits[j].relevance == before[i].hits[j].relevance);
		}
	}
	ask("jewel");
	assert_int_equal(answer.count, 30);
}

static void nonsense_scores_low_or_finds_nothing(void **state) {
	(void)state;
	static const char *const nonsense[] = {"qwrtz plmk vbnx", "flurble gronk", "\xf0\x9f\xa4\xb7", "zzzzzzzzzz", ""};
	for (size_t i = 0; i < COUNT_OF(nonsense); i++) {
		ask(nonsense[i]);
		assert_int_equal(answer.count, 0);
	}
	ask("why do purple elephants dance on sundays");
	double low = answer.count ? answer.hits[0].relevance : 0;
	ask("rename a folder");
	assert_true(low < answer.hits[0].relevance / 2);
}

/* One word in common is little where several were asked for; all that a long question tells is not asked of one tool. */
static void scores_tell_what_fits(void **state) {
	(void)state;
	ask("forecast grandmother marmalade violin");
	double one_of_four = answer.count ? answer.hits[0].relevance : 0;
	check_first("forecast the weather", "get_forecast");
	double all = answer.hits[0].relevance;
	assert_true(one_of_four < all / 4);
	check_first("My aunt Gertrude travels to Oslo with Bartholomew on Thursday, so please get the weather forecast for the coordinates there", "get_forecast");
	assert_true(answer.hits[0].relevance > all / 3);
}

static void a_blob_says_nothing(void **state) {
	(void)state;
	check_first("send this by email: iVBORw0KGgoAAAANSUhEUgAAAgAAAAIACAYAAAD0eNT6AAAABHNCSVQICAgIfAhkiAAAAAlwSFlzAAAN1wAADdcBQiibeAAAABl0RVh0U29mdHdhcmU", "sendEmail");
	double with = answer.hits[0].relevance;
	ask("send this by email");
	assert_true(with == answer.hits[0].relevance);
	ask("iVBORw0KGgoAAAANSUhEUgAAAgAAAAIACAYAAAD0eNT6AAAABHNCSVQICAgIfAhkiA");
	assert_int_equal(answer.count, 0);
}

static void a_tool_is_looked_up_as_a_filter_sees_it(void **state) {
	(void)state;
	struct search_seen seen;
	assert_true(search_find(search, SLICE("sky"), SLICE("get_forecast"), &seen));
	check_slice(seen.server, "sky");
	assert_true(search_stands_under(&seen, SLICE("world")));
	assert_false(search_find(search, SLICE("sky"), SLICE("read_file"), &seen));
	assert_false(search_find(search, SLICE("nobody"), SLICE("read_file"), &seen));
}

static void deeds_are_told_apart(void **state) {
	(void)state;
	check_first("delete the file", "delete_file");
	check_first("erase this file", "delete_file");
	ask("read the file");
	assert_true(answer.count >= 2);
	assert_false(slice_is(answer.hits[1].tool.name, "delete_file"));
}

static void stuffing_gains_nothing(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_add_cstr(&text, "{\"description\":\"");
	for (int i = 0; i < 300; i++) text_add_cstr(&text, "weather forecast email file ");
	text_add_cstr(&text, "\"}");
	assert_true(search_put(search, SLICE("spam"), SLICE("best"), text_slice(&text), &why));
	check_first("weather forecast", "get_forecast");
	check_first("send an email", "sendEmail");
	check_first("read a file", "read_file");
}

static void tools_come_and_go(void **state) {
	(void)state;
	size_t before = search_octets(search);
	assert_true(search_put(search, SLICE("zoo"), SLICE("feed_otters"), SLICE("{\"description\":\"Fish for otters\"}"), &why));
	check_first("otters", "feed_otters");
	assert_true(search_put(search, SLICE("zoo"), SLICE("feed_otters"), SLICE("{\"description\":\"Fish for seals\"}"), &why));
	ask("seals");
	assert_int_equal(answer.count, 1);
	assert_int_equal(search_count(search), COUNT_OF(rows) + 1);
	search_remove(search, SLICE("zoo"), SLICE("feed_otters"));
	search_remove(search, SLICE("zoo"), SLICE("feed_otters"));
	search_remove(search, SLICE("nobody"), SLICE("feed_otters"));
	ask("otters");
	assert_int_equal(answer.count, 0);
	assert_int_equal(search_count(search), COUNT_OF(rows));
	assert_true(search_octets(search) <= before + 200); /* a list may keep a place it has made */
	search_remove_server(search, SLICE("files"));
	assert_int_equal(search_count(search), COUNT_OF(rows) - 5);
	ask("read_file");
	assert_false(is_among("read_file"));
}

/* A server that changes its tools for ever does not make the index larger for ever. */
static void names_that_never_repeat_leave_nothing(void **state) {
	(void)state;
	char name[64], definition[160];
	size_t after_first = 0;
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof name, "tool_x%dq", i);
		snprintf(definition, sizeof definition, "{\"description\":\"unheard%c%c%c of word%d\"}", 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 676 % 26, i);
		assert_true(search_put(search, SLICE("churn"), slice_of(name), slice_of(definition), &why));
		search_remove(search, SLICE("churn"), slice_of(name));
		if (i == 0) after_first = search_octets(search);
	}
	assert_true(search_octets(search) <= after_first + 200);
}

static void a_server_is_found_by_its_own_words(void **state) {
	(void)state;
	assert_true(search_server(search, SLICE("post"), SLICE("Pigeon Mail"), SLICE("Works with the Pigeon account"), &why));
	ask("pigeon labels");
	check_slice(answer.hits[0].tool.name, "listLabels");
	assert_true(is_among("sendEmail"));
	search_remove_server(search, SLICE("post"));
	ask("pigeon");
	assert_int_equal(answer.count, 0);
}

static void what_cannot_be_kept_is_refused(void **state) {
	(void)state;
	char long_name[SEARCH_NAME_OCTETS + 2];
	memset(long_name, 'n', sizeof long_name - 1);
	long_name[sizeof long_name - 1] = '\0';
	assert_false(search_put(search, SLICE("files"), SLICE("read_file"), SLICE("[1]"), &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	ask_as("read_file", SEARCH_KEYWORD, NULL, NULL);
	assert_false(is_among("read_file")); /* its old words are gone as well */
	assert_false(search_put(search, SLICE("files"), SLICE("x"), SLICE("{\"a\":"), &why));
	assert_false(search_put(search, SLICE("files"), slice_of(long_name), SLICE("{}"), &why));
	assert_int_equal(why.code, FAULT_TOO_LARGE);
	assert_true(search_put(search, SLICE("files"), slice_make(long_name, SEARCH_NAME_OCTETS), SLICE("{}"), &why));
	assert_false(search_put(search, SLICE(""), SLICE("x"), SLICE("{}"), &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_false(search_put(search, SLICE("files"), SLICE("a\0b"), SLICE("{}"), &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
}

static void the_index_is_full_at_its_limit(void **state) {
	(void)state;
	const struct search_options options = {.most_tools = 2};
	struct search *small = search_open(&options, &why);
	assert_non_null(small);
	assert_true(search_put(small, SLICE("a"), SLICE("one"), SLICE("{}"), &why));
	assert_true(search_put(small, SLICE("a"), SLICE("two"), SLICE("{}"), &why));
	assert_false(search_put(small, SLICE("b"), SLICE("three"), SLICE("{}"), &why));
	assert_int_equal(why.code, FAULT_FULL);
	assert_true(search_put(small, SLICE("a"), SLICE("two"), SLICE("{\"description\":\"again\"}"), &why));
	search_remove(small, SLICE("a"), SLICE("one"));
	assert_true(search_put(small, SLICE("b"), SLICE("three"), SLICE("{}"), &why));
	search_close(small);
}

static void answers_and_queries_are_bounded(void **state) {
	(void)state;
	char name[32];
	AUTO_TEXT struct text query = {0};
	text_init(&query, 0);
	for (int i = 0; i < 2 * SEARCH_MOST; i++) {
		snprintf(name, sizeof name, "copy_%d", i);
		assert_true(search_put(search, SLICE("many"), slice_of(name), SLICE("{\"description\":\"duplicates leaflets\"}"), &why));
	}
	ask("leaflets");
	assert_int_equal(answer.count, SEARCH_MOST);
	struct search_question question = {.query = SLICE("leaflets"), .strategy = SEARCH_SEMANTIC, .most = 3};
	search_ask(search, &question, &answer);
	assert_int_equal(answer.count, 3);
	/* The word stands behind what is read of a query, then before it. */
	for (int i = 0; i < 4096; i++) text_add_char(&query, ' ');
	text_add_cstr(&query, "leaflets");
	question.query = text_slice(&query);
	search_ask(search, &question, &answer);
	assert_int_equal(answer.count, 0);
	question.query = slice_make(query.bytes + 8, query.length - 8);
	search_ask(search, &question, &answer);
	assert_int_equal(answer.count, 3);
}

/* Words that no other tool has, and none of which looks like another. */
static void add_word(struct text *text, int number) {
	uint64_t letters = ((uint64_t)number + 1) * 0x9e3779b97f4a7c15u >> 8;
	for (int i = 0; i < 11; i++, letters /= 26) text_add_char(text, (char)('a' + letters % 26));
	text_add_char(text, 'q'); /* has no ending */
}

static size_t found_by_word(int number) {
	AUTO_TEXT struct text word = {0};
	text_init(&word, 0);
	add_word(&word, number);
	ask_as(word.bytes, SEARCH_KEYWORD, NULL, NULL);
	return answer.count;
}

static void a_definition_is_read_up_to_its_limits(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_add_cstr(&text, "{\"description\":\"");
	for (int i = 0; i < 300; i++) {
		add_word(&text, i * 30);
		text_add_char(&text, ' ');
	}
	text_add_cstr(&text, "\"}");
	assert_true(search_put(search, SLICE("long"), SLICE("zz"), text_slice(&text), &why));
	assert_int_equal(found_by_word(0), 1);
	assert_int_equal(found_by_word(254 * 30), 1); /* 256 different words, of which the name is one */
	assert_int_equal(found_by_word(255 * 30), 0);
	text_clear(&text);
	text_add_cstr(&text, "{\"inputSchema\":{\"properties\":{");
	for (int i = 0; i < 120; i++) {
		text_add_cstr(&text, i ? ",\"" : "\"");
		add_word(&text, i * 30);
		text_add_cstr(&text, "\":{}");
	}
	text_add_cstr(&text, "}},\"categories\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]}");
	assert_true(search_put(search, SLICE("long"), SLICE("zz"), text_slice(&text), &why));
	assert_int_equal(found_by_word(95 * 30), 1);
	assert_int_equal(found_by_word(96 * 30), 0);
	ask_as("8", SEARCH_CATEGORY, NULL, NULL);
	assert_int_equal(answer.count, 1);
	ask_as("9", SEARCH_CATEGORY, NULL, NULL);
	assert_int_equal(answer.count, 0);
}

static void only_the_first_words_of_a_query_count(void **state) {
	(void)state;
	AUTO_TEXT struct text query = {0};
	text_init(&query, 0);
	for (int i = 0; i < 32; i++) {
		add_word(&query, i * 30);
		text_add_char(&query, ' ');
	}
	text_add_cstr(&query, "forecast");
	ask_as(query.bytes, SEARCH_KEYWORD, NULL, NULL);
	assert_int_equal(answer.count, 0);
	ask_as(strchr(query.bytes, ' '), SEARCH_KEYWORD, NULL, NULL); /* 31 and the one that is known */
	assert_int_equal(answer.count, 1);
}

static void count_seen(void *context, struct slice path, size_t tools) {
	(void)path;
	(void)tools;
	(*(size_t *)context)++;
}

static void servers_and_categories_have_a_limit(void **state) {
	(void)state;
	char server[32];
	struct search *crowded = search_open(NULL, &why);
	size_t seen = 0;
	for (int i = 0; i < 65536; i++) {
		snprintf(server, sizeof server, "s%d", i);
		assert_true(search_put(crowded, slice_of(server), SLICE("t"), SLICE("{}"), &why));
	}
	assert_false(search_put(crowded, SLICE("one more"), SLICE("t"), SLICE("{}"), &why));
	assert_int_equal(why.code, FAULT_FULL);
	assert_false(search_server(crowded, SLICE("one more"), SLICE("t"), SLICE("t"), &why));
	assert_int_equal(why.code, FAULT_FULL);
	assert_true(search_categories(crowded, SLICE_NONE, NULL, NULL, count_seen, &seen, &why));
	assert_int_equal(seen, 1024);
	search_remove_server(crowded, SLICE("s7"));
	assert_true(search_put(crowded, SLICE("one more"), SLICE("t"), SLICE("{}"), &why));
	search_close(crowded);
}

static void the_order_does_not_hang_on_who_came_first(void **state) {
	(void)state;
	struct search *other = search_open(NULL, &why);
	struct search_question question = {.query = SLICE("file"), .strategy = SEARCH_SEMANTIC};
	static struct search_answer second;
	for (size_t i = COUNT_OF(rows); i-- > 0;)
		assert_true(search_put(other, slice_of(rows[i].server), slice_of(rows[i].name), slice_of(rows[i].definition), &why));
	search_ask(search, &question, &answer);
	search_ask(other, &question, &second);
	assert_int_equal(answer.count, second.count);
	for (size_t i = 0; i < answer.count; i++)
		assert_true(slice_equal(answer.hits[i].tool.name, second.hits[i].tool.name));
	search_close(other);
}

static void put_alike(struct search *to, const char *server, bool is_backwards) {
	char name[16], definition[64];
	for (int i = 0; i < 16; i++) {
		char last = (char)('b' + (is_backwards ? 15 - i : i));
		snprintf(name, sizeof name, "tool_%c", last);
		snprintf(definition, sizeof definition, "{\"description\":\"morpho%c\"}", last);
		assert_true(search_put(to, slice_of(server), slice_of(name), slice_of(definition), &why));
	}
}

/* Of many words that are as near, it is not the age of a word that chooses: what is hidden may have brought it. */
static void a_hidden_word_that_came_first_chooses_nothing(void **state) {
	(void)state;
	char found[2][SEARCH_MOST] = {0};
	const struct search_question question = {.query = SLICE("morphoz"), .strategy = SEARCH_SEMANTIC, .filter = no_vault};
	for (int with_vault = 0; with_vault < 2; with_vault++) {
		struct search *other = search_open(NULL, &why);
		assert_non_null(other);
		if (with_vault) put_alike(other, "vault", true);
		put_alike(other, "open", false);
		search_ask(other, &question, &answer);
		for (size_t i = 0; i < answer.count; i++) found[with_vault][i] = answer.hits[i].tool.name.bytes[5];
		search_close(other);
		assert_true(answer.count > 0 && answer.count < 16); /* some words were left out */
	}
	assert_string_equal(found[0], found[1]);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(tools_are_found_by_their_words_and_by_others, set_up, tear_down),
		cmocka_unit_test_setup_teardown(misspelt_begun_and_joined_words_are_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(pairs_of_characters_are_words, set_up, tear_down),
		cmocka_unit_test_setup_teardown(keyword_is_exact_names_first_and_no_other_words, set_up, tear_down),
		cmocka_unit_test_setup_teardown(category_browses_paths, set_up, tear_down),
		cmocka_unit_test_setup_teardown(categories_are_counted_after_the_filter, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_the_filter_hides_leaves_no_trace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nonsense_scores_low_or_finds_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(scores_are_those_of_what_is_seen, set_up, tear_down),
		cmocka_unit_test_setup_teardown(scores_tell_what_fits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_blob_says_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_tool_is_looked_up_as_a_filter_sees_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(deeds_are_told_apart, set_up, tear_down),
		cmocka_unit_test_setup_teardown(stuffing_gains_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tools_come_and_go, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names_that_never_repeat_leave_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_server_is_found_by_its_own_words, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_cannot_be_kept_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_index_is_full_at_its_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(answers_and_queries_are_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_definition_is_read_up_to_its_limits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_the_first_words_of_a_query_count, set_up, tear_down),
		cmocka_unit_test_setup_teardown(servers_and_categories_have_a_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_order_does_not_hang_on_who_came_first, set_up, tear_down),
		cmocka_unit_test(a_hidden_word_that_came_first_chooses_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
