/* SPDX-License-Identifier: Apache-2.0 */
/* Import file: which language it is. */
#include "cli/import_file.h"

#include "cli/import_json.h"
#include "cli/import_toml.h"

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

void import_file_init(struct import_file *file) {
	*file = (struct import_file){0};
	arena_init(&file->memory, NULL, 0, 4 * IMPORT_OCTETS);
	file->end = &file->entries;
}

void import_file_finish(struct import_file *file) { arena_finish(&file->memory); }

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
