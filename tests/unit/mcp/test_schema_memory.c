/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that runs out at every call in turn, while a schema is read and while an instance is checked. */
#include "failing_malloc.h"

#include "base/arena.c"
#include "base/map.c"
#include "base/pattern.c"
#include "base/slice.c"
#undef DEFAULT_LIMIT
#undef SMALLEST_CAPACITY
#include "base/text.c"
#include "mcp/schema.c"

#include "check.h"

#include <stdio.h>

static const char text[] =
	"{\"$id\":\"http://a.example/b/c\",\"properties\":{\"a\\u0062\":{\"$ref\":\"d#x\"},\"e\":{\"pattern\":"
	"\"^(a|b)*$\"}},\"patternProperties\":{\"^f\":{\"$ref\":\"#/$defs/\\u0067/0\"}},\"required\":[\"e\"],"
	"\"$defs\":{\"h\":{\"$id\":\"d\",\"$anchor\":\"x\",\"items\":{\"enum\":[1,2]}},\"g\":[{\"uniqueItems\":true}]},"
	"\"dependencies\":{\"e\":[\"e\"]},\"anyOf\":[{\"unknown\":1},{\"minimum\":1e2}],"
	"\"unevaluatedProperties\":{\"$dynamicRef\":\"#\"}}";

static void a_schema_that_finds_no_memory_is_not_read(void **state) {
	(void)state;
	int call = 0;
	struct schema *schema = NULL;
	for (; !schema; call++) {
		struct fault why = {0};
		malloc_fails_at(call + 1);
		schema = schema_read(SLICE(text), &why);
		malloc_fails_at(0);
		if (!schema) assert_int_equal(why.code, FAULT_NO_MEMORY);
		assert_true(call < 1000);
	}
	assert_true(call > 8);
	schema_free(schema);
}

static void a_check_that_finds_no_memory_fits_nothing(void **state) {
	struct fault why;
	char instance[1200];
	(void)state;
	AUTO(schema) schema = schema_read(SLICE(text), &why);
	assert_non_null(schema);
	size_t length = (size_t)snprintf(instance, sizeof instance, "{\"e\":\"");
	for (int i = 0; i < 400; i++) length += (size_t)snprintf(instance + length, 3, "ab");
	length += (size_t)snprintf(instance + length, 200,
		"\",\"f\\u0067\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27]}");
	int call = 0;
	bool fits = false;
	for (; !fits; call++) {
		struct schema_finding found;
		struct schema_findings findings = {.subject = "it", .list = &found, .most = 1};
		malloc_fails_at(call + 1);
		fits = schema_check(schema, slice_make(instance, length), &findings);
		malloc_fails_at(0);
		if (!fits) assert_string_equal(found.keyword, "");
		assert_true(call < 100);
	}
	assert_true(call > 1);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_schema_that_finds_no_memory_is_not_read),
		cmocka_unit_test(a_check_that_finds_no_memory_fits_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
