/* SPDX-License-Identifier: Apache-2.0 */
/* Import file: which language it is, and the lists that both readers fill. */
#include "cli/import_file.h"

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

void import_file_init(struct import_file *file) {
	*file = (struct import_file){0};
	arena_init(&file->memory, NULL, 0, 4 * IMPORT_OCTETS);
	file->end = &file->entries;
}

void import_file_finish(struct import_file *file) { arena_finish(&file->memory); }

static struct slice copied(struct arena *memory, bool *failed, struct slice slice) {
	struct slice copy;
	if (arena_copy(memory, slice, &copy)) return copy;
	*failed = true;
	return SLICE("");
}

struct import_entry *import_entry_add(struct import_file *file, struct slice name, enum import_kind kind) {
	struct import_entry *entry = arena_zero(&file->memory, sizeof *entry);
	if (!entry) {
		file->failed = true;
		return NULL;
	}
	entry->name = copied(&file->memory, &file->failed, name);
	entry->kind = kind;
	*file->end = entry;
	file->end = &entry->next;
	file->count++;
	return entry;
}

struct import_field *import_field_add(struct import_file *file, struct import_entry *entry,
	struct slice name) {
	struct import_field *field = arena_zero(&file->memory, sizeof *field);
	struct import_field **end = &entry->fields;
	if (!field) {
		file->failed = true;
		return NULL;
	}
	while (*end) end = &(*end)->next;
	field->name = copied(&file->memory, &file->failed, name);
	*end = field;
	return field;
}

void import_pair_add(struct arena *memory, bool *failed, struct import_pairs *pairs, struct slice name,
	struct slice value) {
	struct import_pair *pair = arena_zero(memory, sizeof *pair);
	if (!pair) {
		*failed = true;
		return;
	}
	pair->name = copied(memory, failed, name);
	pair->value = copied(memory, failed, value);
	if (!pairs->first) pairs->end = &pairs->first;
	*pairs->end = pair;
	pairs->end = &pair->next;
	pairs->count++;
}

/* JSON is an object, perhaps behind comments; no TOML begins like that. */
static bool is_json(struct slice text) {
	for (size_t i = 0; i < text.length; i++) {
		char c = text.bytes[i];
		if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return c == '{' || c == '/';
	}
	return false;
}

bool import_file_read(struct import_file *file, struct slice text, const char *name,
	struct fault *why) {
	if (slice_starts_with(text, BYTE_ORDER_MARK)) text = slice_make(text.bytes + 3, text.length - 3);
	bool is_read = is_json(text) ? import_json_read(file, text, name, why)
				     : import_toml_read(file, text, name, why);
	if (!is_read) return false;
	if (file->failed) return fault_set(why, FAULT_NO_MEMORY, "no memory for the servers of %.80s", name);
	if (file->count > IMPORT_SERVERS)
		return fault_set(why, FAULT_TOO_LARGE, "%.80s has more than %d servers", name, IMPORT_SERVERS);
	return true;
}
