/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: the scan against jansson, on the same octets. They must agree on what is JSON and on
 * what it says, but for these: the scan refuses more than SCAN_DEPTH levels; jansson refuses
 * numbers that a double or a 64-bit integer cannot hold, NUL written in a key, and (asked to) a key
 * twice, which is held against scan_has_duplicates(), ends at its first complaint, and overlooks a
 * NUL octet behind a number. The look-ups are also let loose on the octets as they are.
 */
#include "wire/scan.h"

#include <jansson.h>
#include <stdlib.h>

#define MUST(what) \
	do { \
		if (!(what)) abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct arena arena;

static void same_value(const struct scan_value *value, json_t *json);

static void same_object(const struct scan_value *value, json_t *json) {
	struct scan_walk walk;
	struct scan_member member;
	MUST(value->type == SCAN_OBJECT && scan_count(value) == json_object_size(json));
	for (scan_open(&walk, value); scan_next(&walk, &member);) {
		struct slice key;
		struct scan_value found;
		MUST(scan_key(&member, &arena, &key));
		json_t *other = json_object_getn(json, key.bytes, key.length);
		MUST(other);
		MUST(member.key_escaped || memchr(key.bytes, '\\', key.length) == NULL);
		char *name = slice_copy(key);
		MUST(name && scan_key_is(&member, name) && scan_find(value, name, &found));
		MUST(found.text.bytes == member.value.text.bytes);
		free(name);
		same_value(&member.value, other);
	}
}

static void same_array(const struct scan_value *value, json_t *json) {
	struct scan_walk walk;
	struct scan_member member;
	size_t at = 0;
	MUST(value->type == SCAN_ARRAY && scan_count(value) == json_array_size(json));
	for (scan_open(&walk, value); scan_next(&walk, &member); at++)
		same_value(&member.value, json_array_get(json, at));
}

static void same_number(const struct scan_value *value, json_t *json) {
	int64_t integer;
	double number;
	MUST(scan_number(value, &number) && number == json_number_value(json));
	bool is_whole = scan_integer(value, &integer);
	if (json_is_integer(json)) MUST(is_whole && integer == json_integer_value(json));
	else if (is_whole) MUST((double)integer == json_real_value(json));
}

/* As deep as SCAN_DEPTH at most. */
static void same_value(const struct scan_value *value, json_t *json) {
	struct slice string;
	bool boolean;
	switch (json_typeof(json)) {
	case JSON_OBJECT: same_object(value, json); return;
	case JSON_ARRAY: same_array(value, json); return;
	case JSON_STRING:
		MUST(scan_string(value, &arena, &string));
		MUST(slice_equal(string, slice_make(json_string_value(json), json_string_length(json))));
		return;
	case JSON_INTEGER:
	case JSON_REAL: same_number(value, json); return;
	case JSON_TRUE:
	case JSON_FALSE: MUST(scan_boolean(value, &boolean) && boolean == json_is_true(json)); return;
	case JSON_NULL: MUST(value->type == SCAN_NULL); return;
	}
}

static bool member_seen(void *context, unsigned level, const struct scan_member *member) {
	size_t *count = context;
	MUST(level == 1 ? !member->parent : level == 2 && member->parent);
	if (level == 1) ++*count;
	struct scan_value again;
	MUST(scan_check(member->value.text, SCAN_DEPTH, &again, NULL));
	MUST(again.type == member->value.type && again.escaped == member->value.escaped);
	return true;
}

static void check_object(const struct scan_value *root) {
	struct scan_fault fault;
	size_t count = 0;
	bool is_object = scan_object(root->text, SCAN_DEPTH, member_seen, &count, &fault);
	MUST(is_object == (root->type == SCAN_OBJECT));
	if (is_object) MUST(count == scan_count(root));
	else MUST(fault.error == SCAN_NOT_OBJECT);
}

static void check_compact(const struct scan_value *root) {
	struct scan_value again;
	AUTO_TEXT struct text once = {0}, twice = {0};
	text_init(&once, 0);
	text_init(&twice, 0);
	scan_compact(&once, root->text);
	MUST(!text_failed(&once) && once.length <= root->text.length);
	MUST(scan_check(text_slice(&once), SCAN_DEPTH, &again, NULL) && again.type == root->type);
	scan_compact(&twice, text_slice(&once));
	MUST(slice_equal(text_slice(&once), text_slice(&twice)));
}

static void check_sound(struct slice text, const struct scan_value *root) {
	json_error_t error;
	bool is_twice;
	MUST(scan_is_utf8(text));
	MUST(scan_has_duplicates(text, &arena, &is_twice));
	check_object(root);
	check_compact(root);
	json_t *json = json_loadb(text.bytes, text.length,
		JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
	if (json) {
		MUST(!is_twice);
		same_value(root, json);
		json_decref(json);
		return;
	}
	enum json_error_code code = json_error_code(&error);
	MUST(code == json_error_numeric_overflow || code == json_error_null_byte_in_key ||
		code == json_error_duplicate_key);
	if (code == json_error_duplicate_key) MUST(is_twice);
}

static void check_refused(struct slice text, const struct scan_fault *fault) {
	json_error_t error;
	json_t *json;
	MUST(fault->error != SCAN_FINE && fault->what && fault->offset <= text.length);
	if (fault->error == SCAN_DEEP) return;
	if (fault->error == SCAN_UTF8) MUST(!scan_is_utf8(text));
	/* jansson loses a NUL octet that it has to put back, and passes what stands around it. */
	if (text.length && memchr(text.bytes, '\0', text.length)) return;
	json = json_loadb(text.bytes, text.length, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
	MUST(!json);
}

/* None of these may read outside the octets, whatever they are. */
static void look_anywhere(struct slice text) {
	static const enum scan_type types[] = {SCAN_ARRAY, SCAN_OBJECT};
	for (size_t i = 0; i < COUNT_OF(types); i++) {
		struct scan_value value = {.text = text, .type = types[i]};
		struct scan_value found;
		MUST(scan_count(&value) <= text.length);
		(void)scan_path(&value, &found, "a", "b", NULL);
	}
	struct scan_value value = {.text = text, .type = SCAN_STRING, .escaped = true};
	struct scan_member member = {.key = text, .key_escaped = true};
	struct slice string;
	bool is_twice;
	MUST(scan_string(&value, &arena, &string) == (text.length >= 2));
	(void)scan_key_is(&member, "a name");
	MUST(scan_has_duplicates(text, &arena, &is_twice));
	AUTO_TEXT struct text compact = {0};
	text_init(&compact, 0);
	scan_compact(&compact, text);
	MUST(compact.length <= text.length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static char lent[64 * 1024];
	static bool is_seeded;
	struct slice text = slice_make(data, size);
	struct scan_value root;
	struct scan_fault fault;
	if (!is_seeded) json_object_seed(1);
	is_seeded = true;
	arena_init(&arena, lent, sizeof(lent), 0);
	if (scan_check(text, SCAN_DEPTH, &root, &fault)) check_sound(text, &root);
	else check_refused(text, &fault);
	look_anywhere(text);
	arena_finish(&arena);
	return 0;
}
