/* SPDX-License-Identifier: Apache-2.0 */
/* What `hustings call` prints of a stream: the test's own stdout is a file meanwhile. */
#include "check.h"
#include "cli/call_stream.h"

#include <stdio.h>
#include <unistd.h>

static struct call_stream stream;
static FILE *file;
static int own;

static int set_up(void **state) {
	(void)state;
	call_stream_init(&stream, false);
	assert_non_null(file = tmpfile());
	fflush(stdout);
	own = dup(STDOUT_FILENO);
	assert_true(own >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0);
	return 0;
}

static void give_stdout_back(void) {
	if (own < 0) return;
	fflush(stdout);
	(void)dup2(own, STDOUT_FILENO);
	close(own);
	own = -1;
}

static int tear_down(void **state) {
	(void)state;
	give_stdout_back();
	fclose(file);
	call_stream_finish(&stream);
	return 0;
}

static void printed(const char *words) {
	char read[400];
	give_stdout_back();
	rewind(file);
	size_t length = fread(read, 1, sizeof read - 1, file);
	read[length] = '\0';
	assert_string_equal(read, words);
}

static void take(int index, const char *text) {
	char json[200];
	snprintf(json, sizeof json,
		"{\"request_id\":1,\"index\":%d,\"content\":{\"type\":\"text\",\"text\":\"%s\"},\"done\":false}", index, text);
	const struct scan_value params = {.text = slice_of(json), .type = SCAN_OBJECT};
	assert_true(call_stream_take(&stream, &params));
}

static bool end(const char *text, bool is_error) {
	char json[200];
	bool has_failed = false;
	struct fault why;
	snprintf(json, sizeof json, "{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}],\"isError\":%s}", text,
		is_error ? "true" : "false");
	assert_true(call_stream_end(&stream, slice_of(json), &has_failed, &why));
	return has_failed;
}

static void what_was_read_is_not_said_again(void **state) {
	(void)state;
	take(0, "one ");
	take(1, "two\\n");
	take(2, "three");
	assert_false(end("one two\\nthree", false));
	printed("one two\nthree\n");
}

static void its_own_last_line_is_enough(void **state) {
	(void)state;
	take(0, "one\\n");
	assert_false(end("one\\n", false));
	printed("one\n");
}

static void without_parts_the_answer_is_printed(void **state) {
	(void)state;
	assert_false(end("all of it", false));
	printed("all of it\n");
}

static void behind_a_gap_the_whole_is_printed(void **state) {
	(void)state;
	take(0, "one ");
	take(2, "three");
	assert_false(end("one two three", false));
	printed("one three\none two three\n");
}

static void another_answer_than_its_parts_is_printed_whole(void **state) {
	(void)state;
	take(0, "one");
	assert_false(end("two", false));
	printed("one\ntwo\n");
}

static void a_failure_is_told(void **state) {
	(void)state;
	take(0, "one");
	assert_true(end("one", true));
	printed("one\n");
}

static void what_is_no_part_is_passed_over(void **state) {
	(void)state;
	const struct scan_value params = {.text = SLICE("{\"index\":\"0\"}"), .type = SCAN_OBJECT};
	assert_true(call_stream_take(&stream, &params));
	assert_false(end("all", false));
	printed("all\n");
}

static void as_json_each_part_is_a_line(void **state) {
	(void)state;
	stream.as_json = true;
	take(0, "one");
	assert_false(end("one", false));
	printed("{\"request_id\":1,\"index\":0,\"content\":{\"type\":\"text\",\"text\":\"one\"},\"done\":false}\n"
		"{\"content\":[{\"type\":\"text\",\"text\":\"one\"}],\"isError\":false}\n");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_read_is_not_said_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(its_own_last_line_is_enough, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_parts_the_answer_is_printed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(behind_a_gap_the_whole_is_printed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_answer_than_its_parts_is_printed_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_failure_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_no_part_is_passed_over, set_up, tear_down),
		cmocka_unit_test_setup_teardown(as_json_each_part_is_a_line, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
