/* SPDX-License-Identifier: Apache-2.0 */
/* Import list: entries, their fields, and pairs, each in the order in which it was read. */
#include "cli/import_list.h"

static struct slice copied(struct arena *memory, bool *failed, struct slice slice) {
	struct slice copy;
	if (arena_copy(memory, slice, &copy)) return copy;
	*failed = true;
	return SLICE("");
}

struct import_entry *import_list_add_entry(struct import_file *file, struct slice name, enum import_kind kind) {
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

struct import_field *import_list_add_field(struct import_file *file, struct import_entry *entry,
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

void import_list_add_pair(struct arena *memory, bool *failed, struct import_pairs *pairs, struct slice name,
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
