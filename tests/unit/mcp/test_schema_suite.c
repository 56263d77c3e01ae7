/* SPDX-License-Identifier: Apache-2.0 */
/* The published tests of JSON Schema, from where Debian's packages put them (json-schema-test-suite has
 * the drafts up to 7, libtest-json-schema-acceptance-perl 2020-12 too). Each folder prints its score.
 * What refers to another document is counted apart: nothing is fetched. */
#include "check.h"

#include "mcp/schema.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCEPTANCE "/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests"
#define SUITE "/usr/share/json-schema-test-suite/tests"

struct score {
	const struct schema_options *options;
	const char *path;
	const char *file;
	int passed, failed, remote_passed, remote;
	bool is_quiet;
};

static char *file_read(const char *path, size_t *length) {
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*length = (size_t)ftell(file);
	rewind(file);
	char *bytes = malloc(*length + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *length, file), *length);
	fclose(file);
	return bytes;
}

static struct scan_value member(const struct scan_value *object, const char *name) {
	struct scan_value value = {0};
	assert_true(scan_find(object, name, &value));
	return value;
}

static bool leads_out(const struct schema *schema) {
	for (size_t i = 0; i < schema_note_count(schema); i++)
		if (strstr(schema_note_at(schema, i)->what, "is not followed")) return true;
	return false;
}

static void one_test(struct score *score, const struct scan_value *group, const struct scan_value *test,
	const struct schema *schema) {
	struct scan_value data = member(test, "data"), valid = member(test, "valid"),
			  title = member(group, "description"), words = member(test, "description");
	struct schema_finding list[4];
	struct schema_findings findings = {.subject = "data", .list = list, .most = COUNT_OF(list)};
	bool is_valid, fits = schema_check(schema, data.text, &findings);
	assert_true(scan_boolean(&valid, &is_valid));
	/* Whether somebody wants to know why changes nothing. */
	assert_int_equal(fits, schema_check(schema, data.text, NULL));
	assert_int_equal(findings.count == 0, fits);
	bool is_remote = leads_out(schema) || strcmp(score->file, "vocabulary.json") == 0;
	if (is_remote) {
		score->remote++;
		score->remote_passed += fits == is_valid;
		return;
	}
	if (fits == is_valid) score->passed++;
	else score->failed++;
	if (fits != is_valid && !score->is_quiet)
		fprintf(stderr, "%s: %.*s: %.*s: %s\n", score->file, SLICE_ARGS(title.text),
			SLICE_ARGS(words.text), fits ? "fits" : list[0].sentence);
}

static void one_file(struct score *score, const char *name) {
	char path[500];
	size_t length;
	struct scan_value root, tests;
	struct scan_fault fault;
	struct scan_walk groups, walk;
	struct scan_member group, test;
	snprintf(path, sizeof path, "%s/%s", score->path, name);
	char *bytes = file_read(path, &length);
	assert_true(scan_check(slice_make(bytes, length), SCAN_DEPTH, &root, &fault));
	score->file = name;
	for (scan_open(&groups, &root); scan_next(&groups, &group);) {
		struct fault why = {0};
		struct scan_value text = member(&group.value, "schema");
		struct schema *schema = schema_read_as(text.text, score->options, &why);
		if (!schema) fprintf(stderr, "%s: %s\n", name, why.text);
		assert_non_null(schema);
		tests = member(&group.value, "tests");
		for (scan_open(&walk, &tests); scan_next(&walk, &test);)
			one_test(score, &group.value, &test.value, schema);
		schema_free(schema);
	}
	free(bytes);
}

static int is_json(const struct dirent *entry) {
	size_t length = strlen(entry->d_name);
	return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

/* False: there is no such folder. */
static bool folder(struct score *score) {
	struct dirent **entries = NULL;
	int count = scandir(score->path, &entries, is_json, alphasort);
	if (count < 0) {
		fprintf(stderr, "%s is not there: nothing was tested\n", score->path);
		return false;
	}
	for (int i = 0; i < count; i++) {
		one_file(score, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	fprintf(stderr, "%s: %d of %d; with other documents %d of %d\n", score->path, score->passed,
		score->passed + score->failed, score->remote_passed, score->remote);
	return true;
}

static void required(const char *path, enum schema_dialect dialect) {
	struct schema_options options = {.dialect = dialect};
	struct score score = {.options = &options, .path = path};
	if (!folder(&score)) fail_msg("%s is missing: tools/install-packages check", score.path);
	assert_int_equal(score.failed, 0);
	assert_true(score.passed > 300);
}

static void draft_2020_12(void **state) {
	(void)state;
	required(ACCEPTANCE "/draft2020-12", SCHEMA_2020_12);
}

static void draft_7(void **state) {
	(void)state;
	required(ACCEPTANCE "/draft7", SCHEMA_DRAFT_7);
}

static void draft_7_as_debian_has_it(void **state) {
	(void)state;
	required(SUITE "/draft7", SCHEMA_DRAFT_7);
}

static void draft_4(void **state) {
	(void)state;
	required(ACCEPTANCE "/draft4", SCHEMA_DRAFT_7);
}

/* A score alone: not all that is optional is wanted here. */
static void optional(void **state) {
	(void)state;
	struct schema_options options = {.dialect = SCHEMA_2020_12};
	struct score score = {.options = &options, .path = ACCEPTANCE "/draft2020-12/optional"};
	if (!folder(&score)) fail_msg("%s is missing: tools/install-packages check", score.path);
	assert_true(score.passed > score.failed);
}

static void formats(void **state) {
	static const char *const names[] = {"date.json", "time.json", "date-time.json", "email.json",
		"uri.json", "uuid.json", "ipv4.json", "ipv6.json"};
	(void)state;
	struct schema_options options = {.dialect = SCHEMA_2020_12, .asserts_formats = true};
	struct score score = {.options = &options, .path = ACCEPTANCE "/draft2020-12/optional/format"};
	DIR *there = opendir(score.path);
	if (!there) fail_msg("%s is missing: tools/install-packages check", score.path);
	closedir(there);
	for (size_t i = 0; i < COUNT_OF(names); i++) one_file(&score, names[i]);
	fprintf(stderr, "formats: %d of %d\n", score.passed, score.passed + score.failed);
	assert_int_equal(score.failed, 0);
	assert_true(score.passed > 100);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draft_2020_12),
		cmocka_unit_test(draft_7),
		cmocka_unit_test(draft_7_as_debian_has_it),
		cmocka_unit_test(draft_4),
		cmocka_unit_test(optional),
		cmocka_unit_test(formats),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
