/* SPDX-License-Identifier: Apache-2.0 */
/* Import servers: one table says what each field of each program means. */
#include "cli/import_servers.h"

#include "cli/import_values.h"

#include <stdio.h>

struct taking {
	struct import_servers *servers;
	const struct import_file *file;
	const struct import_entry *entry;
	struct import_server *server;
	bool is_off;
	bool is_unclear; /* a field it cannot do without cannot be read */
};

void import_servers_init(struct import_servers *servers, bool is_inline) {
	*servers = (struct import_servers){.is_inline = is_inline};
	arena_init(&servers->memory, NULL, 0, 8 * IMPORT_OCTETS);
	servers->end = &servers->first;
}

void import_servers_finish(struct import_servers *servers) { arena_finish(&servers->memory); }

/* ---- Ids ---- */

void import_servers_reserve(struct import_servers *servers, struct slice id) {
	import_list_add_pair(&servers->memory, &servers->failed, &servers->taken, id, SLICE(""));
}

static bool is_taken(const struct import_servers *servers, const char *id) {
	for (const struct import_pair *one = servers->taken.first; one; one = one->next)
		if (slice_equal_ignoring_case(one->name, slice_of(id))) return true;
	return false;
}

static bool is_id_octet(char c) {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
		c == '.' || c == '-';
}

/* What may not stand in an id becomes one dash. */
static void write_id(struct slice name, char id[IMPORT_ID + 1]) {
	size_t length = 0;
	for (size_t i = 0; i < name.length && length < IMPORT_ID; i++) {
		bool is_fine = is_id_octet(name.bytes[i]);
		if (is_fine) id[length++] = name.bytes[i];
		else if (length && id[length - 1] != '-') id[length++] = '-';
	}
	while (length && id[length - 1] == '-') length--;
	id[length] = '\0';
	if (!length) snprintf(id, IMPORT_ID + 1, "server");
}

static void choose_id(struct import_servers *servers, struct import_server *server) {
	char wanted[IMPORT_ID + 1];
	write_id(server->was, wanted);
	snprintf(server->id, sizeof server->id, "%s", wanted);
	for (unsigned number = 2; is_taken(servers, server->id); number++)
		snprintf(server->id, sizeof server->id, "%.*s-%u", IMPORT_ID - 8, wanted, number);
	import_servers_reserve(servers, slice_of(server->id));
	if (!slice_is(server->was, server->id))
		import_draft_note(servers, server, "is called \"%.*s\" there", (int)slice_cut(server->was, 80),
			server->was.bytes);
}

/* ---- Fields ---- */

static struct slice translated(const struct taking *taking, struct slice value) {
	return import_value_translate(taking->servers, taking->server, taking->file, taking->entry->kind, value);
}

static void add_pair(struct taking *taking, struct import_pairs *to, const char *where, struct slice name,
	struct slice value) {
	value = import_value_hide(taking->servers, taking->server, where, name, value);
	for (struct import_pair *one = to->first; one; one = one->next) {
		if (slice_equal(one->name, name)) {
			one->value = value;
			return;
		}
	}
	import_list_add_pair(&taking->servers->memory, &taking->servers->failed, to, name, value);
}

static void take_command(struct taking *taking, const struct import_field *field) {
	taking->server->command = translated(taking, field->string);
}

static void take_url(struct taking *taking, const struct import_field *field) {
	taking->server->url = translated(taking, field->string);
}

static void take_cwd(struct taking *taking, const struct import_field *field) {
	taking->server->cwd = translated(taking, field->string);
}

/* "--api-key=VALUE", and VALUE behind "--api-key". */
static struct slice hidden_argument(struct taking *taking, struct slice argument, struct slice before) {
	AUTO_TEXT struct text text = {0};
	struct slice flag, rest = argument, joined;
	bool is_flag = argument.length > 2 && argument.bytes[0] == '-';
	if (is_flag && slice_split(&rest, '=', &flag) && rest.bytes) {
		struct slice name = flag;
		while (name.length && name.bytes[0] == '-') name = slice_make(name.bytes + 1, name.length - 1);
		rest = import_value_hide(taking->servers, taking->server, "argument", name, rest);
		text_init(&text, 0);
		text_printf(&text, "%.*s=%.*s", SLICE_ARGS(flag), SLICE_ARGS(rest));
		if (!text_failed(&text) && arena_copy(&taking->servers->memory, text_slice(&text), &joined)) return joined;
		taking->servers->failed = true;
		return SLICE("");
	}
	if (is_flag) return argument;
	bool follows = before.length > 2 && before.bytes[0] == '-' && !memchr(before.bytes, '=', before.length);
	while (follows && before.length && before.bytes[0] == '-')
		before = slice_make(before.bytes + 1, before.length - 1);
	return import_value_hide(taking->servers, taking->server, "argument", follows ? before : SLICE("arg"), argument);
}

static void take_args(struct taking *taking, const struct import_field *field) {
	struct slice before = SLICE("");
	if (field->pairs.count > IMPORT_ARGS) {
		import_draft_note(taking->servers, taking->server, "has more than %d arguments", IMPORT_ARGS);
		taking->is_unclear = true;
		return;
	}
	for (const struct import_pair *one = field->pairs.first; one; one = one->next) {
		struct slice argument = hidden_argument(taking, translated(taking, one->value), before);
		import_list_add_pair(&taking->servers->memory, &taking->servers->failed, &taking->server->args, SLICE(""),
			argument);
		before = one->value;
	}
}

static bool is_env_name(struct slice name) {
	return name.length && !memchr(name.bytes, '=', name.length);
}

static void take_env(struct taking *taking, const struct import_field *field) {
	for (const struct import_pair *one = field->pairs.first; one; one = one->next) {
		if (is_env_name(one->name))
			add_pair(taking, &taking->server->env, "env", one->name, translated(taking, one->value));
		else import_draft_note(taking->servers, taking->server, "a variable of its env has no name that can be");
	}
}

static void take_headers(struct taking *taking, const struct import_field *field) {
	for (const struct import_pair *one = field->pairs.first; one; one = one->next)
		add_pair(taking, &taking->server->headers, "header", one->name, translated(taking, one->value));
}

/* Codex: names of variables, each handed on. */
static void take_reference(struct taking *taking, struct import_pairs *to, struct slice name,
	const char *before, struct slice variable) {
	AUTO_TEXT struct text value = {0};
	if (!import_value_is_variable(variable)) {
		import_draft_note(taking->servers, taking->server, "\"%.*s\" names no variable",
			(int)slice_cut(variable, 60), variable.bytes);
		return;
	}
	text_init(&value, 0);
	text_printf(&value, "%s${%.*s}", before, SLICE_ARGS(variable));
	if (text_failed(&value)) taking->servers->failed = true;
	else import_list_add_pair(&taking->servers->memory, &taking->servers->failed, to, name, text_slice(&value));
}

static void take_env_vars(struct taking *taking, const struct import_field *field) {
	for (const struct import_pair *one = field->pairs.first; one; one = one->next)
		take_reference(taking, &taking->server->env, one->value, "", one->value);
}

static void take_env_headers(struct taking *taking, const struct import_field *field) {
	for (const struct import_pair *one = field->pairs.first; one; one = one->next)
		take_reference(taking, &taking->server->headers, one->name, "", one->value);
}

static void take_bearer(struct taking *taking, const struct import_field *field) {
	take_reference(taking, &taking->server->headers, SLICE("Authorization"), "Bearer ", field->string);
}

static void take_transport(struct taking *taking, const struct import_field *field) {
	static const struct {
		const char *theirs, *ours;
	} words[] = {{"stdio", "stdio"}, {"local", "stdio"}, {"http", "http"}, {"streamable-http", "http"},
		{"streamableHttp", "http"}, {"streamable_http", "http"}, {"remote", "http"}, {"sse", "sse"}};
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (slice_is(field->string, words[i].theirs)) {
			taking->server->transport = words[i].ours;
			return;
		}
	}
	import_draft_note(taking->servers, taking->server, "speaks \"%.*s\", which is not known here",
		(int)slice_cut(field->string, 60), field->string.bytes);
	taking->is_unclear = true;
}

static void take_disabled(struct taking *taking, const struct import_field *field) {
	taking->is_off = field->boolean;
}

static void take_enabled(struct taking *taking, const struct import_field *field) {
	taking->is_off = !field->boolean;
}

#define ANY (IMPORT_MCP_SERVERS | IMPORT_VS_CODE | IMPORT_CODEX)
#define JSON (IMPORT_MCP_SERVERS | IMPORT_VS_CODE)

static const struct field_rule {
	const char *name;
	unsigned kinds;
	enum import_type type;
	void (*take)(struct taking *taking, const struct import_field *field);
	bool is_needed; /* without it the server is another one */
} rules[] = {
	{"args", ANY, IMPORT_LIST, take_args, true},
	{"bearer_token_env_var", IMPORT_CODEX, IMPORT_STRING, take_bearer, false},
	{"command", ANY, IMPORT_STRING, take_command, true},
	{"cwd", ANY, IMPORT_STRING, take_cwd, false},
	{"disabled", JSON, IMPORT_BOOLEAN, take_disabled, false},
	{"enabled", ANY, IMPORT_BOOLEAN, take_enabled, false},
	{"env", ANY, IMPORT_TABLE, take_env, false},
	{"env_http_headers", IMPORT_CODEX, IMPORT_TABLE, take_env_headers, false},
	{"env_vars", IMPORT_CODEX, IMPORT_LIST, take_env_vars, false},
	{"headers", JSON, IMPORT_TABLE, take_headers, false},
	{"http_headers", IMPORT_CODEX, IMPORT_TABLE, take_headers, false},
	{"serverUrl", IMPORT_MCP_SERVERS, IMPORT_STRING, take_url, true},
	{"transport", JSON, IMPORT_STRING, take_transport, true},
	{"type", JSON, IMPORT_STRING, take_transport, true},
	{"url", ANY, IMPORT_STRING, take_url, true},
};

static void take_field(struct taking *taking, const struct import_field *field) {
	static const char *const types[] = {"a string", "true or false", "a list of strings",
		"a table of strings"};
	int shown = (int)slice_cut(field->name, 60);
	for (size_t i = 0; i < COUNT_OF(rules); i++) {
		const struct field_rule *rule = &rules[i];
		if (!(rule->kinds & taking->entry->kind) || !slice_is(field->name, rule->name)) continue;
		if (rule->type == field->type) {
			rule->take(taking, field);
			return;
		}
		import_draft_note(taking->servers, taking->server, "%s is not taken over: it has to be %s", rule->name,
			types[rule->type]);
		if (rule->is_needed) taking->is_unclear = true;
		return;
	}
	import_draft_note(taking->servers, taking->server, "%.*s is not taken over: it is not known here", shown,
		field->name.bytes);
}

/* ---- Servers ---- */

static bool is_web(struct slice url) {
	return slice_starts_with(url, "http://") || slice_starts_with(url, "https://") ||
		slice_starts_with(url, "${");
}

/* Why it cannot be hosted, or NULL. */
static const char *flaw_of(const struct taking *taking) {
	const struct import_server *server = taking->server;
	bool speaks_stdio = server->transport && strcmp(server->transport, "stdio") == 0;
	if (taking->is_off) return "it is switched off there";
	if (taking->is_unclear) return "not all of it could be read";
	if (server->command.length && server->url.length) return "it has both command and url";
	if (!server->command.length && !server->url.length) return "it has neither command nor url";
	if (server->url.length && (speaks_stdio || !is_web(server->url))) return "its url is no http or https one";
	if (server->command.length && server->transport && !speaks_stdio) return "a command speaks stdio alone";
	return NULL;
}

static void warn_of_url(struct import_servers *servers, const struct import_server *server) {
	struct slice rest = server->url, part;
	if (servers->is_inline) return;
	bool is_suspect = import_value_is_secret(server->url);
	if (!slice_split(&rest, '?', &part)) return;
	while (slice_split(&rest, '&', &part)) {
		struct slice name, value = part;
		if (slice_split(&value, '=', &name) && value.length && !slice_starts_with(value, "${") &&
			import_value_is_secret_name(name))
			is_suspect = true;
	}
	if (is_suspect) import_draft_note(servers, server, "its url seems to hold a secret: replace it by a ${NAME}");
}

static bool take_entry(struct import_servers *servers, const struct import_file *file,
	const struct import_entry *entry) {
	struct import_server *server = arena_zero(&servers->memory, sizeof *server);
	if (!server || !arena_copy(&servers->memory, entry->name, &server->was)) return false;
	struct taking taking = {servers, file, entry, server, false, false};
	choose_id(servers, server);
	for (const struct import_field *field = entry->fields; field; field = field->next)
		take_field(&taking, field);
	const char *flaw = flaw_of(&taking);
	if (flaw) {
		import_draft_note(servers, server, "left out: %s", flaw);
		return true;
	}
	warn_of_url(servers, server);
	*servers->end = server;
	servers->end = &server->next;
	servers->count++;
	return true;
}

/* Codex names variables in these fields, and nowhere else. */
static bool may_name(const struct import_entry *entry, const struct import_field *field) {
	return entry->kind != IMPORT_CODEX || slice_is(field->name, "env_vars") ||
		slice_is(field->name, "env_http_headers") || slice_is(field->name, "bearer_token_env_var");
}

static void note_names(struct import_servers *servers, const struct import_entry *entry) {
	for (const struct import_field *field = entry->fields; field; field = field->next) {
		if (!may_name(entry, field)) continue;
		if (field->type == IMPORT_STRING) import_value_note_names(servers, entry->kind, field->string);
		for (const struct import_pair *one = field->pairs.first; one; one = one->next)
			import_value_note_names(servers, entry->kind, one->value);
	}
}

bool import_servers_take(struct import_servers *servers, const struct import_file *file,
	struct fault *why) {
	for (const struct import_entry *entry = file->entries; entry; entry = entry->next)
		note_names(servers, entry);
	for (const struct import_entry *entry = file->entries; entry; entry = entry->next)
		if (!take_entry(servers, file, entry)) servers->failed = true;
	if (file->elsewhere)
		import_draft_note(servers, NULL, "%zu servers of single projects are left out", file->elsewhere);
	if (!servers->failed) return true;
	return fault_set(why, FAULT_NO_MEMORY, "no memory for the servers");
}
