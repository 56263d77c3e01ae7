/* SPDX-License-Identifier: Apache-2.0 */
/* Import toml: `[mcp_servers.NAME]`, as Codex has them. */
#include "cli/import_toml.h"

#include "base/toml.h"

#include <stdio.h>

AUTO_RELEASE(toml, toml_close)

/* False: nothing that one string can stand for. */
static bool plain(const struct toml *value, char number[32], struct slice *text) {
	switch (value->kind) {
	case TOML_STRING:
	case TOML_DATE: *text = slice_of(value->string); return true;
	case TOML_BOOLEAN: *text = value->boolean ? SLICE("true") : SLICE("false"); return true;
	case TOML_INTEGER:
		snprintf(number, 32, "%lld", (long long)value->integer);
		*text = slice_of(number);
		return true;
	default: return false;
	}
}

static bool read_pairs(struct import_file *file, const struct toml *value, struct import_pairs *pairs) {
	char number[32];
	struct slice text;
	for (const struct toml *one = value->first; one; one = one->next) {
		if (!plain(one, number, &text)) return false;
		import_list_add_pair(&file->memory, &file->failed, pairs, one->key ? slice_of(one->key) : SLICE(""), text);
	}
	return true;
}

static void read_value(struct import_file *file, const struct toml *value, struct import_field *field) {
	field->type = IMPORT_OTHER;
	field->boolean = value->boolean;
	if (value->kind == TOML_BOOLEAN) field->type = IMPORT_BOOLEAN;
	bool is_list = value->kind == TOML_ARRAY;
	if ((is_list || value->kind == TOML_TABLE) && read_pairs(file, value, &field->pairs))
		field->type = is_list ? IMPORT_LIST : IMPORT_TABLE;
	if (value->kind != TOML_STRING) return;
	field->type = IMPORT_STRING;
	if (!arena_copy(&file->memory, slice_of(value->string), &field->string)) file->failed = true;
}

static void read_entry(struct import_file *file, const struct toml *table) {
	struct import_entry *entry = import_list_add_entry(file, slice_of(table->key), IMPORT_CODEX);
	if (!entry) return;
	for (const struct toml *one = table->first; one; one = one->next) {
		struct import_field *field = import_list_add_field(file, entry, slice_of(one->key));
		if (field) read_value(file, one, field);
	}
}

bool import_toml_read(struct import_file *file, struct slice text, const char *name,
	struct fault *why) {
	size_t length = strlen(name);
	AUTO(toml) root = toml_open(text, length > 80 ? name + length - 80 : name, why);
	if (!root) return false;
	const struct toml *servers = toml_find(root, "mcp_servers");
	if (!servers) return fault_set(why, FAULT_NOT_FOUND, "%.80s has no [mcp_servers]", name);
	if (servers->kind != TOML_TABLE)
		return fault_set(why, FAULT_BAD_INPUT, "%.80s:%u: mcp_servers has to be a table", name, servers->line);
	for (const struct toml *one = servers->first; one; one = one->next) {
		if (one->kind != TOML_TABLE)
			return fault_set(why, FAULT_BAD_INPUT, "%.80s:%u: server \"%.60s\" has to be a table", name,
				one->line, one->key);
		read_entry(file, one);
	}
	return true;
}
