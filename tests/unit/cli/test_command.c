/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "cli/command.h"
#include "cli/nearest.h"
#include "cli/table.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct command_option options[] = {
	{"topic", "TOPIC", "where"},
	{"open", NULL, "a switch"},
	{"size", "N", "a number"},
	{0},
};
static const struct command_form form = {
	.name = "try",
	.usage = "A [B] [options]",
	.summary = "Tries.",
	.more = "Example: try it.",
	.options = options,
	.least = 1,
	.most = 2,
	.reaches = true,
	.prints = true,
};
static const struct command_form rest_form = {
	.name = "run",
	.usage = "-- COMMAND",
	.summary = "Runs.",
	.has_rest = true,
};

/* What the commands print while one of these tests runs. */
struct streams {
	int kept[2];
	FILE *files[2];
};

static void streams_take(struct streams *streams) {
	fflush(stdout);
	fflush(stderr);
	for (int i = 0; i < 2; i++) {
		streams->kept[i] = dup(i + 1);
		streams->files[i] = tmpfile();
		assert_non_null(streams->files[i]);
		assert_int_equal(dup2(fileno(streams->files[i]), i + 1), i + 1);
	}
}

static void streams_give(struct streams *streams, char out[4096], char error[4096]) {
	char *texts[2] = {out, error};
	fflush(stdout);
	fflush(stderr);
	for (int i = 0; i < 2; i++) {
		rewind(streams->files[i]);
		size_t length = fread(texts[i], 1, 4095, streams->files[i]);
		texts[i][length] = '\0';
		assert_int_equal(dup2(streams->kept[i], i + 1), i + 1);
		close(streams->kept[i]);
		fclose(streams->files[i]);
	}
}

struct tried {
	struct command_line line;
	bool goes_on;
	int status;
	char out[4096], error[4096];
};

static void try_form(struct tried *tried, const struct command_form *which, int argc, char **argv) {
	struct streams streams;
	*tried = (struct tried){.status = -1};
	streams_take(&streams);
	tried->goes_on = command_read(&tried->line, which, argc, argv, &tried->status);
	streams_give(&streams, tried->out, tried->error);
}

#define TRY(tried, which, ...) \
	try_form(tried, which, (int)COUNT_OF(((char *[]){"x", __VA_ARGS__})), (char *[]){"x", __VA_ARGS__, NULL})

static void options_stand_anywhere(void **state) {
	(void)state;
	struct tried tried;
	char *arguments[] = {"try", "--topic", "lobby", "one", "--open", "--size=5", "two", "--topic=b=c",
		NULL};
	try_form(&tried, &form, 8, arguments);
	assert_true(tried.goes_on);
	assert_int_equal(tried.line.count, 2);
	assert_string_equal(tried.line.words[0], "one");
	assert_string_equal(tried.line.words[1], "two");
	assert_true(command_has(&tried.line, "open"));
	assert_false(command_has(&tried.line, "json"));
	assert_string_equal(command_value(&tried.line, "topic"), "b=c");
	size_t at = 0;
	assert_string_equal(command_next(&tried.line, "topic", &at), "lobby");
	assert_string_equal(command_next(&tried.line, "topic", &at), "b=c");
	assert_null(command_next(&tried.line, "topic", &at));
	uint64_t size;
	assert_true(command_number(&tried.line, "size", 1, 10, 3, &size));
	assert_int_equal(size, 5);
	command_finish(&tried.line);
}

static void common_options_belong_to_the_form(void **state) {
	(void)state;
	struct tried tried;
	TRY(&tried, &form, "a", "--url", "http://h", "--token", "t", "--data", "d", "--ca", "c", "--json");
	assert_true(tried.goes_on);
	assert_string_equal(command_value(&tried.line, "url"), "http://h");
	assert_true(command_has(&tried.line, "json"));
	command_finish(&tried.line);
	TRY(&tried, &rest_form, "--json");
	assert_false(tried.goes_on);
	assert_int_equal(tried.status, COMMAND_USAGE);
	command_finish(&tried.line);
}

static void what_stands_behind_two_dashes_is_left_alone(void **state) {
	(void)state;
	struct tried tried;
	TRY(&tried, &rest_form, "--", "npx", "-y", "--help", "--");
	assert_true(tried.goes_on);
	assert_int_equal(tried.line.rest_count, 4);
	assert_string_equal(tried.line.rest[2], "--help");
	assert_null(tried.line.rest[4]);
	command_finish(&tried.line);
	TRY(&tried, &form, "a", "--", "--open");
	assert_true(tried.goes_on);
	assert_int_equal(tried.line.count, 2);
	assert_string_equal(tried.line.words[1], "--open");
	assert_false(command_has(&tried.line, "open"));
	assert_null(tried.line.rest);
	command_finish(&tried.line);
}

static void misuse_is_said_with_the_usage(void **state) {
	(void)state;
	static const struct {
		char *arguments[3];
		const char *says;
	} cases[] = {
		{{"--tpic", "a"}, "did you mean --topic?"},
		{{"a", "--topic"}, "--topic needs TOPIC"},
		{{"--topic", "--"}, "--topic needs TOPIC"},
		{{"a", "--open=yes"}, "--open takes no value"},
		{{"a", "-o"}, "there is no option -o"},
		{{"a", "b", "c"}, "'c' is one word too many"},
		{{"--open"}, "hustings try: A is missing"},
		{{"--shape", "a"}, "there is no option --shape\n"},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char *arguments[5] = {"try"};
		int count = 1;
		for (size_t j = 0; j < 3 && cases[i].arguments[j]; j++) arguments[count++] = cases[i].arguments[j];
		struct tried tried;
		try_form(&tried, &form, count, arguments);
		assert_false(tried.goes_on);
		assert_int_equal(tried.status, COMMAND_USAGE);
		assert_string_equal(tried.out, "");
		assert_non_null(strstr(tried.error, cases[i].says));
		assert_non_null(strstr(tried.error, "usage: hustings try A [B] [options]"));
		command_finish(&tried.line);
	}
}

static void help_is_an_answer_and_no_error(void **state) {
	(void)state;
	struct tried tried;
	char *words[] = {"--help", "-h"};
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		TRY(&tried, &form, words[i]);
		assert_false(tried.goes_on);
		assert_int_equal(tried.status, COMMAND_FINE);
		assert_string_equal(tried.error, "");
		assert_non_null(strstr(tried.out, "Tries."));
		assert_non_null(strstr(tried.out, "--topic TOPIC"));
		assert_non_null(strstr(tried.out, "--url URL"));
		assert_non_null(strstr(tried.out, "--json"));
		assert_non_null(strstr(tried.out, "Example: try it."));
		command_finish(&tried.line);
	}
}

static void a_number_out_of_range_is_misuse(void **state) {
	(void)state;
	struct tried tried;
	struct streams streams;
	char out[4096], error[4096];
	uint64_t size = 77;
	TRY(&tried, &form, "a", "--size", "11");
	streams_take(&streams);
	bool is_read = command_number(&tried.line, "size", 1, 10, 3, &size);
	streams_give(&streams, out, error);
	assert_false(is_read);
	assert_int_equal(size, 77);
	assert_non_null(strstr(error, "from 1 to 10"));
	command_finish(&tried.line);
	TRY(&tried, &form, "a");
	assert_true(command_number(&tried.line, "size", 1, 10, 3, &size));
	assert_int_equal(size, 3);
	command_finish(&tried.line);
}

/* Choosing */

static int ran;
static int first_command(int argc, char **argv) {
	(void)argv;
	ran = argc;
	return 7;
}
static const struct command table[] = {{"token", "tokens", first_command}, {"serve", "serves", first_command}, {0}};

static int choose(char **argv, int argc, char error[4096], char out[4096]) {
	struct streams streams;
	streams_take(&streams);
	int status = command_choose(table, "hustings", "more words", argc, argv);
	streams_give(&streams, out, error);
	return status;
}

static void a_command_is_chosen_by_its_name_or_plural(void **state) {
	(void)state;
	char error[4096], out[4096];
	assert_int_equal(choose((char *[]){"h", "token", "a"}, 3, error, out), 7);
	assert_int_equal(ran, 2);
	assert_int_equal(choose((char *[]){"h", "tokens"}, 2, error, out), 7);
	assert_int_equal(ran, 1);
	assert_int_equal(choose((char *[]){"h", "srve"}, 2, error, out), COMMAND_USAGE);
	assert_non_null(strstr(error, "did you mean 'serve'?"));
	assert_string_equal(out, "");
	assert_int_equal(choose((char *[]){"h"}, 1, error, out), COMMAND_USAGE);
	assert_non_null(strstr(error, "more words"));
	assert_int_equal(choose((char *[]){"h", "--help"}, 2, error, out), COMMAND_FINE);
	assert_non_null(strstr(out, "serves"));
}

static void near_words_are_found_and_far_ones_are_not(void **state) {
	(void)state;
	struct nearest nearest;
	assert_int_equal(nearest_distance(SLICE("pace"), SLICE("paec"), 9), 1);
	assert_int_equal(nearest_distance(SLICE(""), SLICE("abc"), 9), 3);
	assert_int_equal(nearest_distance(SLICE("kitten"), SLICE("sitting"), 9), 3);
	assert_int_equal(nearest_distance(SLICE("aaaaaaaa"), SLICE("bbbbbbbb"), 3), 4);
	nearest_init(&nearest, SLICE("sevre"));
	nearest_try(&nearest, "version");
	nearest_try(&nearest, "serve");
	assert_string_equal(nearest.best, "serve");
	nearest_init(&nearest, SLICE("completely-else"));
	nearest_try(&nearest, "serve");
	assert_null(nearest.best);
	char longest[100];
	memset(longest, 'x', sizeof longest);
	assert_int_equal(nearest_distance(slice_make(longest, sizeof longest), SLICE("x"), 5), 6);
}

static void a_table_has_columns_as_wide_as_their_cells(void **state) {
	(void)state;
	static const struct table_column columns[] = {{"id", "ID"}, {"topics", "TOPICS"}, {"n", "N"}, {0}};
	AUTO_TEXT struct text text = {0};
	struct fault why = {0};
	assert_true(table_write(SLICE("{\"rows\":[{\"id\":\"alice\",\"n\":7},"
				      "{\"topics\":[\"a\",\"b\"],\"id\":\"x\\u001b[2J\",\"n\":null}]}"),
		"rows", columns, &text, &why));
	assert_null(memchr(text.bytes, 0x1b, text.length));
	assert_non_null(strstr(text.bytes, "alice"));
	assert_non_null(strstr(text.bytes, "a,b"));
	struct slice rest = text_slice(&text), line;
	size_t lines = 0, width = 0;
	while (slice_split(&rest, '\n', &line) && line.length) {
		const char *last = memrchr(line.bytes, ' ', line.length);
		assert_non_null(last);
		if (lines++ == 0) width = (size_t)(last - line.bytes);
		assert_int_equal(last - line.bytes, width);
	}
	assert_int_equal(lines, 3);
	assert_false(table_write(SLICE("{}"), "rows", columns, &text, &why));
	assert_false(table_write(SLICE("{\"rows\":"), "rows", columns, &text, &why));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_stand_anywhere),
		cmocka_unit_test(common_options_belong_to_the_form),
		cmocka_unit_test(what_stands_behind_two_dashes_is_left_alone),
		cmocka_unit_test(misuse_is_said_with_the_usage),
		cmocka_unit_test(help_is_an_answer_and_no_error),
		cmocka_unit_test(a_number_out_of_range_is_misuse),
		cmocka_unit_test(a_command_is_chosen_by_its_name_or_plural),
		cmocka_unit_test(near_words_are_found_and_far_ones_are_not),
		cmocka_unit_test(a_table_has_columns_as_wide_as_their_cells),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
