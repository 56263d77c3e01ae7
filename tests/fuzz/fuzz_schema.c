/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a schema, a NUL, an instance (which may be missing: then the text is both). Whether
 * somebody asks why changes no answer; what does not fit has a reason, in UTF-8 and ended; a value
 * equals itself.
 */
#include "mcp/schema.h"

#include <stdlib.h>

#define MUST(what) \
	do { \
		if (!(what)) abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct schema *schema, struct slice instance) {
	struct schema_finding list[3];
	struct schema_findings findings = {.subject = "arguments", .list = list, .most = COUNT_OF(list)};
	bool fits = schema_check(schema, instance, &findings);
	MUST(fits == schema_check(schema, instance, NULL) || strcmp(list[0].keyword, "") == 0);
	MUST(fits == (findings.count == 0) && findings.count <= findings.most);
	for (size_t i = 0; i < findings.count; i++) {
		MUST(memchr(list[i].where, '\0', sizeof list[i].where));
		MUST(memchr(list[i].sentence, '\0', sizeof list[i].sentence));
		MUST(list[i].sentence[0] && scan_is_utf8(slice_of(list[i].sentence)));
	}
}

static void read_and_check(struct slice text, struct slice instance, bool asserts_formats) {
	struct schema_options options = {.asserts_formats = asserts_formats};
	struct fault why = {0};
	struct schema *schema = schema_read_as(text, &options, &why);
	MUST(schema || (why.code != FAULT_NONE && why.text[0]));
	if (!schema) return;
	for (size_t i = 0; i < schema_note_count(schema); i++)
		MUST(schema_note_at(schema, i)->where && schema_note_at(schema, i)->what[0]);
	check(schema, instance);
	schema_free(schema);
}

/* {"const":X,"enum":[X]} fits X, and {"uniqueItems":true} does not fit [X,X]. */
static void equals_itself(struct slice value) {
	struct scan_value root;
	struct scan_fault fault;
	struct fault why;
	if (value.length > 2000 || !scan_check(value, SCAN_DEPTH - 2, &root, &fault)) return;
	AUTO_TEXT struct text schema = {0}, twice = {0};
	text_init(&schema, 0);
	text_init(&twice, 0);
	text_printf(&schema, "{\"const\":%.*s,\"enum\":[%.*s]}", SLICE_ARGS(value), SLICE_ARGS(value));
	text_printf(&twice, "[%.*s,%.*s]", SLICE_ARGS(value), SLICE_ARGS(value));
	AUTO(schema) constant = schema_read(text_slice(&schema), &why);
	AUTO(schema) unique = schema_read(SLICE("{\"uniqueItems\":true}"), &why);
	MUST(constant && unique);
	MUST(schema_check(constant, value, NULL));
	MUST(!schema_check(unique, text_slice(&twice), NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice all = slice_make(data, size), text, instance = SLICE_NONE;
	if (!slice_split(&all, '\0', &text)) return 0;
	instance = all.bytes ? all : text;
	read_and_check(text, instance, false);
	read_and_check(text, instance, true);
	equals_itself(instance);
	return 0;
}
