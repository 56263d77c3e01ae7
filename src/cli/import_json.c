/* SPDX-License-Identifier: Apache-2.0 */
/* Import json: `mcpServers` and `servers`. Comments and commas that JSON does not know are blanked
 * first, so that places in faults stay true. */
#include "cli/import_json.h"

#include "wire/scan.h"

#include <stdlib.h>

static size_t string_end(const char *text, size_t length, size_t at) {
	for (at++; at < length && text[at] != '"'; at++)
		if (text[at] == '\\') at++;
	return at < length ? at + 1 : length;
}

static size_t comment_end(const char *text, size_t length, size_t at) {
	bool is_line = text[at + 1] == '/';
	for (at += 2; at < length; at++) {
		if (is_line && text[at] == '\n') return at;
		if (!is_line && text[at] == '/' && text[at - 1] == '*') return at + 1;
	}
	return length;
}

static void blank(char *text, size_t from, size_t to) {
	for (; from < to; from++)
		if (text[from] != '\n') text[from] = ' ';
}

static void blank_comments(char *text, size_t length) {
	for (size_t at = 0; at < length;) {
		bool is_comment = text[at] == '/' && at + 1 < length && (text[at + 1] == '/' || text[at + 1] == '*');
		if (text[at] == '"') {
			at = string_end(text, length, at);
		} else if (is_comment) {
			size_t end = comment_end(text, length, at);
			blank(text, at, end);
			at = end;
		} else {
			at++;
		}
	}
}

/* A comma behind a value and before the end of its container. */
static void blank_last_commas(char *text, size_t length) {
	size_t comma = SIZE_MAX;
	char before = '{';
	for (size_t at = 0; at < length;) {
		char c = text[at];
		size_t next = c == '"' ? string_end(text, length, at) : at + 1;
		bool is_space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
		if ((c == '}' || c == ']') && comma != SIZE_MAX) text[comma] = ' ';
		if (c == ',' && !strchr("{[,:", before)) comma = at;
		else if (!is_space) comma = SIZE_MAX;
		if (!is_space) before = c;
		at = next;
	}
}

/* A string, or a number or truth as it stands. False: something else, or a string with a NUL. */
static bool plain(struct import_file *file, const struct scan_value *value, struct slice *text) {
	if (value->type == SCAN_NUMBER || value->type == SCAN_BOOLEAN) {
		*text = value->text;
		return true;
	}
	if (value->type != SCAN_STRING) return false;
	if (!scan_string(value, &file->memory, text)) {
		file->failed = true;
		return false;
	}
	return !text->length || !memchr(text->bytes, '\0', text->length);
}

static bool key_of(struct import_file *file, const struct scan_member *member, struct slice *key) {
	if (!member->key.bytes) {
		*key = SLICE("");
		return true;
	}
	if (!scan_key(member, &file->memory, key)) {
		file->failed = true;
		return false;
	}
	return !key->length || !memchr(key->bytes, '\0', key->length);
}

/* Of lists and tables whose values are all plain; a null stands for nothing. */
static bool read_pairs(struct import_file *file, const struct scan_value *value,
	struct import_pairs *pairs) {
	struct scan_walk walk;
	struct scan_member member;
	struct slice key, text;
	for (scan_open(&walk, value); scan_next(&walk, &member);) {
		if (member.value.type == SCAN_NULL) continue;
		if (!key_of(file, &member, &key) || !plain(file, &member.value, &text)) return false;
		import_list_add_pair(&file->memory, &file->failed, pairs, key, text);
	}
	return true;
}

static void read_value(struct import_file *file, const struct scan_value *value,
	struct import_field *field) {
	struct slice text;
	field->type = IMPORT_OTHER;
	if (value->type == SCAN_BOOLEAN && scan_boolean(value, &field->boolean)) field->type = IMPORT_BOOLEAN;
	if (value->type == SCAN_STRING && plain(file, value, &text)) {
		field->type = IMPORT_STRING;
		if (!arena_copy(&file->memory, text, &field->string)) file->failed = true;
	}
	bool is_list = value->type == SCAN_ARRAY;
	if ((is_list || value->type == SCAN_OBJECT) && read_pairs(file, value, &field->pairs))
		field->type = is_list ? IMPORT_LIST : IMPORT_TABLE;
}

static bool read_entry(struct import_file *file, const struct scan_member *member, enum import_kind kind,
	const char *name, struct fault *why) {
	struct scan_walk walk;
	struct scan_member inside;
	struct slice key;
	if (!key_of(file, member, &key) || member->value.type != SCAN_OBJECT)
		return fault_set(why, FAULT_BAD_INPUT, "%.80s: server \"%.*s\" has to be an object", name,
			(int)slice_cut(member->key, 60), member->key.bytes);
	struct import_entry *entry = import_list_add_entry(file, key, kind);
	if (!entry) return true;
	for (scan_open(&walk, &member->value); scan_next(&walk, &inside);) {
		if (inside.value.type == SCAN_NULL || !key_of(file, &inside, &key)) continue;
		struct import_field *field = import_list_add_field(file, entry, key);
		if (field) read_value(file, &inside.value, field);
	}
	return true;
}

static bool read_entries(struct import_file *file, const struct scan_value *servers,
	enum import_kind kind, const char *name, struct fault *why) {
	struct scan_walk walk;
	struct scan_member member;
	if (servers->type != SCAN_OBJECT)
		return fault_set(why, FAULT_BAD_INPUT, "%.80s: %s has to be an object of servers by name", name,
			kind == IMPORT_VS_CODE ? "servers" : "mcpServers");
	for (scan_open(&walk, servers); scan_next(&walk, &member);)
		if (!read_entry(file, &member, kind, name, why)) return false;
	return true;
}

static void read_inputs(struct import_file *file, const struct scan_value *inputs) {
	struct scan_walk walk;
	struct scan_member member;
	if (inputs->type != SCAN_ARRAY) return;
	for (scan_open(&walk, inputs); scan_next(&walk, &member);) {
		struct scan_value value;
		struct slice id, words = SLICE("");
		if (!scan_find(&member.value, "id", &value) || !plain(file, &value, &id)) continue;
		if (scan_find(&member.value, "description", &value) && !plain(file, &value, &words)) words = SLICE("");
		import_list_add_pair(&file->memory, &file->failed, &file->inputs, id, words);
	}
}

static void count_projects(struct import_file *file, const struct scan_value *root) {
	struct scan_value projects, servers;
	struct scan_walk walk;
	struct scan_member member;
	if (!scan_find(root, "projects", &projects) || projects.type != SCAN_OBJECT) return;
	for (scan_open(&walk, &projects); scan_next(&walk, &member);)
		if (scan_find(&member.value, "mcpServers", &servers) && servers.type == SCAN_OBJECT)
			file->elsewhere += scan_count(&servers);
}

static bool read_root(struct import_file *file, const struct scan_value *root, const char *name,
	struct fault *why) {
	struct scan_value servers, inputs, mcp = *root;
	bool is_found = false;
	if (scan_find(root, "mcpServers", &servers)) {
		is_found = true;
		if (!read_entries(file, &servers, IMPORT_MCP_SERVERS, name, why)) return false;
	}
	bool has_servers = scan_find(root, "servers", &servers);
	if (!has_servers && scan_find(root, "mcp", &mcp)) has_servers = scan_find(&mcp, "servers", &servers);
	if (has_servers) {
		is_found = true;
		if (!read_entries(file, &servers, IMPORT_VS_CODE, name, why)) return false;
		if (scan_find(&mcp, "inputs", &inputs)) read_inputs(file, &inputs);
	}
	count_projects(file, root);
	if (is_found || file->elsewhere) return true;
	return fault_set(why, FAULT_NOT_FOUND, "%.80s has neither mcpServers nor servers", name);
}

static bool read_checked(struct import_file *file, struct slice text, const char *name,
	struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	unsigned line = 1;
	bool twins;
	if (!scan_check(text, SCAN_DEPTH, &root, &fault)) {
		for (size_t i = 0; i < fault.offset && i < text.length; i++) line += text.bytes[i] == '\n';
		return fault_set(why, FAULT_BAD_INPUT, "%.80s:%u: this is no JSON: %s", name, line, fault.what);
	}
	if (!scan_has_duplicates(text, &file->memory, &twins))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for %.80s", name);
	if (twins) return fault_set(why, FAULT_BAD_INPUT, "%.80s: a key stands twice in one object", name);
	return read_root(file, &root, name, why);
}

bool import_json_read(struct import_file *file, struct slice text, const char *name,
	struct fault *why) {
	AUTO_FREE char *copy = slice_copy(text);
	if (!copy) return fault_set(why, FAULT_NO_MEMORY, "no memory for %.80s", name);
	blank_comments(copy, text.length);
	blank_last_commas(copy, text.length);
	return read_checked(file, slice_make(copy, text.length), name, why);
}
