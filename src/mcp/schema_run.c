/* SPDX-License-Identifier: Apache-2.0 */
/* Schema run: what a check has found, in words that somebody can act on. */
#include "mcp/schema_run.h"

#include <stdarg.h>
#include <stdio.h>

#define KEY_SHOWN 200  /* octets */
#define NAME_SHOWN 100 /* so that there is room for what is wrong */
#define NUMBER_SHOWN 40

bool schema_run_end(struct schema_run *run, const char *why) {
	if (!run->over) run->over = why;
	run->steps = 0;
	return false;
}

bool schema_run_string(struct schema_run *run, struct slice inner, bool is_escaped,
	struct slice *string) {
	*string = inner;
	if (!is_escaped) return true;
	struct scan_member member = {.key = inner, .key_escaped = true};
	arena_reset(&run->leaf);
	if (!schema_run_take(run, inner)) return false;
	if (scan_key(&member, &run->leaf, string)) return true;
	return schema_run_end(run, "a string in it needs more memory than there is");
}

static bool is_word(struct slice key) {
	for (size_t i = 0; i < key.length; i++) {
		char octet = key.bytes[i], letter = (char)(octet | 0x20);
		bool is_letter = (letter >= 'a' && letter <= 'z') || octet == '_';
		if (!is_letter && !(i && ((octet >= '0' && octet <= '9') || octet == '-'))) return false;
	}
	return key.length > 0;
}

static void name_add(struct text *name, struct slice key) {
	if (!is_word(key)) {
		text_add_char(name, '[');
		text_json(name, key);
		text_add_char(name, ']');
		return;
	}
	text_add_char(name, '.');
	text_add(name, key);
}

static void pointer_add(struct text *pointer, struct slice key) {
	text_add_char(pointer, '/');
	for (size_t i = 0; i < key.length; i++) {
		if (key.bytes[i] == '~') text_add_cstr(pointer, "~0");
		else if (key.bytes[i] == '/') text_add_cstr(pointer, "~1");
		else text_add_char(pointer, key.bytes[i]);
	}
}

/* Outermost first: as deep as the instance is. */
static void place_write(struct arena *arena, const struct schema_place *place, struct text *pointer,
	struct text *name) {
	if (!place) return;
	place_write(arena, place->up, pointer, name);
	if (!place->key.bytes) {
		text_printf(pointer, "/%zu", place->index);
		text_printf(name, "[%zu]", place->index);
		return;
	}
	struct scan_member member = {.key = place->key, .key_escaped = place->key_escaped};
	struct slice key;
	if (!scan_key(&member, arena, &key)) key = place->key;
	key.length = slice_cut(key, KEY_SHOWN);
	pointer_add(pointer, key);
	name_add(name, key);
}

static void finding_write(struct schema_finding *finding, const char *subject,
	const struct schema_place *place, const char *words) {
	char lent[1024];
	struct arena arena;
	AUTO_TEXT struct text pointer = {0}, name = {0};
	arena_init(&arena, lent, sizeof lent, (size_t)1 << 20);
	text_init(&pointer, 0);
	text_init(&name, 0);
	if (place && place->is_name) text_add_cstr(&name, "the name of ");
	text_add_cstr(&name, subject ? subject : "it");
	place_write(&arena, place, &pointer, &name);
	arena_finish(&arena);
	if (name.length > NAME_SHOWN) {
		name.length = slice_cut(text_slice(&name), NAME_SHOWN);
		text_add_cstr(&name, "...");
	}
	text_printf(&name, " %s", words);
	bool is_whole = !text_failed(&name);
	text_display_in(finding->where, sizeof finding->where, text_slice(&pointer));
	text_display_in(finding->sentence, sizeof finding->sentence,
		is_whole ? text_slice(&name) : slice_of(words));
}

bool schema_run_say(struct schema_run *run, const struct schema_place *place, const char *keyword,
	const char *format, ...) {
	if (run->quiet || !run->findings || run->findings->count >= run->findings->most) return false;

	char words[240];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(words, sizeof words, format, arguments);
	va_end(arguments);
	finding_write(&run->findings->list[run->findings->count++], run->findings->subject, place, words);
	run->findings->list[run->findings->count - 1].keyword = keyword;
	return false;
}

const char *schema_run_shown(const struct scan_value *value, char *to, size_t size) {
	switch (value->type) {
	case SCAN_STRING: return "a string";
	case SCAN_ARRAY: return "an array";
	case SCAN_OBJECT: return "an object";
	case SCAN_NONE:
	case SCAN_NULL:
	case SCAN_BOOLEAN:
	case SCAN_NUMBER: break;
	}
	if (value->text.length > NUMBER_SHOWN) return "a number";
	snprintf(to, size, "%.*s", SLICE_ARGS(value->text));
	return to;
}

const char *schema_run_types(unsigned types, char *to, size_t size) {
	static const char *const words[SCHEMA_TYPES] = {"null", "true or false", "a whole number",
		"a number", "a string", "an array", "an object"};
	size_t length = 0;
	if (types & SCHEMA_NUMBER) types &= ~(unsigned)SCHEMA_INTEGER;
	/* What it is rather than nothing comes first. */
	for (unsigned i = 1; i <= SCHEMA_TYPES; i++) {
		unsigned type = i % SCHEMA_TYPES;
		if (!(types >> type & 1) || length >= size) continue;
		length += (size_t)snprintf(to + length, size - length, "%s%s", length ? " or " : "", words[type]);
	}
	return to;
}
