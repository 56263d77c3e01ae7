/* SPDX-License-Identifier: Apache-2.0 */
/* Import write: TOML by TOML's own rules for strings and keys. */
#include "cli/import_write.h"

/* ---- TOML ---- */

/* What cannot be seen is written by its number: somebody is asked whether this may be run. */
static void add_toml(struct text *to, struct slice value) {
	text_add_char(to, '"');
	for (size_t i = 0, length; i < value.length; i += length) {
		struct slice rest = slice_make(value.bytes + i, value.length - i);
		uint32_t character = (unsigned char)value.bytes[i];
		length = slice_character(rest, &character);
		if (!length) length = 1;
		if (character == '"' || character == '\\') text_printf(to, "\\%c", (int)character);
		else if (character == '\n') text_add_cstr(to, "\\n");
		else if (character == '\t') text_add_cstr(to, "\\t");
		else if (character < 0x20 || slice_character_is_hidden(character))
			text_printf(to, character > 0xffff ? "\\U%08X" : "\\u%04X", (unsigned)character);
		else text_add(to, slice_make(rest.bytes, length));
	}
	text_add_char(to, '"');
}

static bool is_bare(struct slice key) {
	for (size_t i = 0; i < key.length; i++) {
		char c = key.bytes[i];
		bool is_fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			c == '_' || c == '-';
		if (!is_fine) return false;
	}
	return key.length > 0;
}

static void add_line(struct text *to, struct slice key, struct slice value) {
	if (is_bare(key)) text_add(to, key);
	else add_toml(to, key);
	text_add_cstr(to, " = ");
	add_toml(to, value);
	text_add_char(to, '\n');
}

static void add_table(struct text *to, const char *title, const struct import_pairs *pairs) {
	if (!pairs->count) return;
	text_printf(to, "[servers.%s]\n", title);
	for (const struct import_pair *one = pairs->first; one; one = one->next)
		add_line(to, one->name, one->value);
}

static void add_list(struct text *to, const struct import_pairs *pairs) {
	if (!pairs->count) return;
	text_add_cstr(to, "args = [");
	for (const struct import_pair *one = pairs->first; one; one = one->next) {
		add_toml(to, one->value);
		if (one->next) text_add_cstr(to, ", ");
	}
	text_add_cstr(to, "]\n");
}

void import_write_toml(struct text *to, const struct import_servers *servers) {
	for (const struct import_server *server = servers->first; server; server = server->next) {
		if (server != servers->first) text_add_char(to, '\n');
		text_add_cstr(to, "[[servers]]\n");
		add_line(to, SLICE("id"), slice_of(server->id));
		if (server->command.length) add_line(to, SLICE("command"), server->command);
		add_list(to, &server->args);
		if (server->url.length) add_line(to, SLICE("url"), server->url);
		if (server->transport && server->url.length)
			add_line(to, SLICE("transport"), slice_of(server->transport));
		if (server->cwd.length) add_line(to, SLICE("cwd"), server->cwd);
		add_table(to, "env", &server->env);
		add_table(to, "headers", &server->headers);
	}
}

/* ---- JSON ---- */

static void add_member(struct text *to, const char *name, struct slice value) {
	if (!value.length) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, value);
}

static void add_members(struct text *to, const char *name, const struct import_pairs *pairs, bool is_list) {
	if (!pairs->count) return;
	text_printf(to, ",\"%s\":%c", name, is_list ? '[' : '{');
	for (const struct import_pair *one = pairs->first; one; one = one->next) {
		if (!is_list) {
			text_json(to, one->name);
			text_add_char(to, ':');
		}
		text_json(to, one->value);
		if (one->next) text_add_char(to, ',');
	}
	text_add_char(to, is_list ? ']' : '}');
}

static void add_server(struct text *to, const struct import_server *server) {
	text_add_cstr(to, "{\"id\":");
	text_json(to, slice_of(server->id));
	add_member(to, "was", server->was);
	add_member(to, "command", server->command);
	add_members(to, "args", &server->args, true);
	add_member(to, "url", server->url);
	add_member(to, "transport", slice_of(server->transport));
	add_member(to, "cwd", server->cwd);
	add_members(to, "env", &server->env, false);
	add_members(to, "headers", &server->headers, false);
	text_add_char(to, '}');
}

void import_write_json(struct text *to, const struct import_servers *servers) {
	text_add_cstr(to, "{\"servers\":[");
	for (const struct import_server *server = servers->first; server; server = server->next) {
		add_server(to, server);
		if (server->next) text_add_char(to, ',');
	}
	text_add_cstr(to, "],\"variables\":[");
	for (const struct import_variable *one = servers->variables; one; one = one->next) {
		text_add_cstr(to, "{\"name\":");
		text_json(to, one->name);
		add_member(to, "what", one->what);
		text_add_cstr(to, one->next ? "}," : "}");
	}
	text_add_cstr(to, "],\"notes\":[");
	for (const struct import_pair *one = servers->notes.first; one; one = one->next) {
		text_add_cstr(to, "{\"server\":");
		text_json(to, one->name);
		add_member(to, "note", one->value);
		text_add_cstr(to, one->next ? "}," : "}");
	}
	text_add_cstr(to, "]}\n");
}
