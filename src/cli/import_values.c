/* SPDX-License-Identifier: Apache-2.0 */
/* Import values: references first, then secrets. */
#include "cli/import_values.h"

#include <stdio.h>

#define NAME_MOST 100   /* octets of a variable's name */
#define SECRET_LEAST 16 /* shorter values are no tokens of the kinds that are known by their beginning */

bool import_value_is_variable(struct slice name) {
	for (size_t i = 0; i < name.length; i++) {
		char c = name.bytes[i];
		bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
		if (!is_letter && (i == 0 || c < '0' || c > '9')) return false;
	}
	return name.length > 0 && name.length <= NAME_MOST;
}

static struct slice kept(struct import_servers *servers, const struct text *text) {
	struct slice copy;
	if (!text_failed(text) && arena_copy(&servers->memory, text_slice(text), &copy)) return copy;
	servers->failed = true;
	return SLICE("");
}

/* ---- Names ---- */

/* "api-key of GitHub" as "API_KEY_OF_GITHUB". */
static void add_upper(struct text *to, struct slice name) {
	if (!to->length && name.length && name.bytes[0] >= '0' && name.bytes[0] <= '9') text_add_char(to, '_');
	for (size_t i = 0; i < name.length && to->length < NAME_MOST; i++) {
		char c = name.bytes[i];
		if (c >= 'a' && c <= 'z') c = (char)(c - 'a' + 'A');
		bool is_plain = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		text_add_char(to, is_plain ? c : '_');
	}
}

static struct import_variable *variable_find(struct import_servers *servers, struct slice name) {
	for (struct import_variable *one = servers->variables; one; one = one->next)
		if (slice_equal(one->name, name)) return one;
	return NULL;
}

static void variable_add(struct import_servers *servers, struct slice name, struct slice secret,
	struct slice what) {
	struct import_variable *one = arena_zero(&servers->memory, sizeof *one), **end = &servers->variables;
	while (*end) end = &(*end)->next;
	if (!one || !arena_copy(&servers->memory, name, &one->name) ||
		!arena_copy(&servers->memory, secret, &one->secret) ||
		!arena_copy(&servers->memory, what, &one->what)) {
		servers->failed = true;
		return;
	}
	*end = one;
}

static void variable_need(struct import_servers *servers, const struct import_server *server,
	struct slice name, const char *format, struct slice word) {
	AUTO_TEXT struct text what = {0};
	text_init(&what, 0);
	if (variable_find(servers, name)) return;
	text_printf(&what, format, SLICE_ARGS(word));
	text_printf(&what, " of %s", server->id);
	variable_add(servers, name, SLICE_NONE, kept(servers, &what));
}

/* ---- References ---- */

struct reference {
	struct import_servers *servers;
	const struct import_server *server;
	const struct import_file *file;
	enum import_kind kind;
};

static struct slice behind(struct slice text, size_t length) {
	return slice_make(text.bytes + length, text.length - length);
}

static void add_reference(struct text *to, struct slice name) {
	text_printf(to, "${%.*s}", SLICE_ARGS(name));
}

static struct slice input_words(const struct import_file *file, struct slice id) {
	for (const struct import_pair *one = file->inputs.first; one; one = one->next)
		if (slice_equal(one->name, id) && one->value.length) return one->value;
	return id;
}

static void translate_input(const struct reference *reference, struct slice id, struct text *to) {
	AUTO_TEXT struct text name = {0};
	text_init(&name, 0);
	add_upper(&name, id);
	if (text_failed(&name)) return;
	add_reference(to, text_slice(&name));
	struct slice words = input_words(reference->file, id);
	words.length = slice_cut(words, 200);
	variable_need(reference->servers, reference->server, text_slice(&name), "input \"%.*s\"", words);
}

static bool is_own_form(struct slice inside) {
	const char *colon = inside.length ? memmem(inside.bytes, inside.length, ":-", 2) : NULL;
	if (colon) inside.length = (size_t)(colon - inside.bytes);
	return import_value_is_variable(inside);
}

/* What stands between ${ and }. False: it is no reference there. */
static bool translate_one(const struct reference *reference, struct slice inside, struct text *to) {
	struct import_servers *servers = reference->servers;
	if (reference->kind == IMPORT_CODEX) return false;
	if (slice_starts_with(inside, "env:") && import_value_is_variable(behind(inside, 4))) {
		add_reference(to, behind(inside, 4));
	} else if (slice_starts_with(inside, "input:") && inside.length > 6) {
		translate_input(reference, behind(inside, 6), to);
	} else if (slice_is(inside, "userHome")) {
		text_add_cstr(to, "${HOME}");
	} else if (slice_is(inside, "/") || slice_is(inside, "pathSeparator")) {
		text_add_char(to, '/');
	} else if (slice_is(inside, "workspaceFolder")) {
		text_add_cstr(to, "${WORKSPACE_FOLDER}");
		variable_need(servers, reference->server, SLICE("WORKSPACE_FOLDER"), "%.*s", SLICE("the editor's folder"));
	} else if (reference->kind == IMPORT_MCP_SERVERS && is_own_form(inside)) {
		add_reference(to, inside);
	} else {
		import_draft_note(servers, reference->server, "${%.*s} is nothing known here: it stays as it is written",
			(int)slice_cut(inside, 60), inside.bytes);
		return false;
	}
	return true;
}

struct slice import_value_translate(struct import_servers *servers, const struct import_server *server,
	const struct import_file *file, enum import_kind kind, struct slice value) {
	AUTO_TEXT struct text to = {0};
	const struct reference reference = {servers, server, file, kind};
	text_init(&to, 0);
	for (size_t at = 0; at < value.length;) {
		struct slice rest = behind(value, at);
		const char *end = slice_starts_with(rest, "${") ? memchr(rest.bytes, '}', rest.length) : NULL;
		bool is_escaped = at > 0 && value.bytes[at - 1] == '$';
		size_t length = end ? (size_t)(end - rest.bytes) + 1 : 0;
		if (end && !is_escaped && translate_one(&reference, slice_make(rest.bytes + 2, length - 3), &to)) {
			at += length;
		} else if (slice_starts_with(rest, "${")) {
			text_add_cstr(&to, "$${");
			at += 2;
		} else {
			text_add_char(&to, rest.bytes[0]);
			at++;
		}
	}
	return kept(servers, &to);
}

/* "env:NAME", "input:id", "NAME:-otherwise" as the variable that it becomes. */
static void note_name(struct import_servers *servers, struct slice inside) {
	AUTO_TEXT struct text name = {0};
	text_init(&name, 0);
	const char *colon = inside.length ? memmem(inside.bytes, inside.length, ":-", 2) : NULL;
	if (colon) inside.length = (size_t)(colon - inside.bytes);
	if (slice_starts_with(inside, "env:")) inside = behind(inside, 4);
	if (slice_starts_with(inside, "input:")) add_upper(&name, behind(inside, 6));
	else text_add(&name, inside);
	if (text_failed(&name)) servers->failed = true;
	else if (import_value_is_variable(text_slice(&name)))
		import_list_add_pair(&servers->memory, &servers->failed, &servers->named, text_slice(&name), SLICE(""));
}

void import_value_note_names(struct import_servers *servers, enum import_kind kind, struct slice value) {
	if (kind == IMPORT_CODEX) { /* there a name stands alone */
		if (import_value_is_variable(value)) note_name(servers, value);
		return;
	}
	while (value.length) {
		const char *begin = memmem(value.bytes, value.length, "${", 2);
		if (!begin) return;
		value = behind(value, (size_t)(begin - value.bytes) + 2);
		const char *end = value.length ? memchr(value.bytes, '}', value.length) : NULL;
		if (!end) return;
		note_name(servers, slice_make(value.bytes, (size_t)(end - value.bytes)));
	}
}

static bool is_named(const struct import_servers *servers, struct slice name) {
	for (const struct import_pair *one = servers->named.first; one; one = one->next)
		if (slice_equal(one->name, name)) return true;
	return false;
}

/* ---- Secrets ---- */

static bool has_part(struct slice name, const char *part) {
	return name.length && memmem(name.bytes, name.length, part, strlen(part)) != NULL;
}

static bool ends_with(struct slice name, const char *end) {
	size_t length = strlen(end);
	return name.length >= length && memcmp(name.bytes + name.length - length, end, length) == 0;
}

bool import_value_is_secret_name(struct slice name) {
	static const char *const parts[] = {"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL",
		"APIKEY", "AUTHORIZATION", "COOKIE"};
	static const char *const ends[] = {"_KEY", "_PAT", "_AUTH", "_PASS", "_PWD", "_DSN"};
	static const char *const harmless[] = {"TOKENS", "_FILE", "_PATH", "_DIR", "_PUBLIC_KEY"};
	AUTO_TEXT struct text upper = {0};
	text_init(&upper, 0);
	add_upper(&upper, name);
	if (text_failed(&upper)) return true;
	struct slice word = text_slice(&upper);
	for (size_t i = 0; i < COUNT_OF(harmless); i++)
		if (ends_with(word, harmless[i])) return false;
	for (size_t i = 0; i < COUNT_OF(parts); i++)
		if (has_part(word, parts[i])) return true;
	for (size_t i = 0; i < COUNT_OF(ends); i++)
		if (ends_with(word, ends[i])) return true;
	return slice_is(word, "KEY") || slice_is(word, "PASS") || slice_is(word, "AUTH");
}

/* "scheme://name:password@host" */
static bool has_password(struct slice value) {
	const char *scheme = value.length ? memmem(value.bytes, value.length, "://", 3) : NULL;
	if (!scheme) return false;
	struct slice rest = behind(value, (size_t)(scheme - value.bytes) + 3);
	const char *at = rest.length ? memchr(rest.bytes, '@', rest.length) : NULL;
	const char *slash = rest.length ? memchr(rest.bytes, '/', rest.length) : NULL;
	if (!at || (slash && slash < at)) return false;
	const char *colon = memchr(rest.bytes, ':', (size_t)(at - rest.bytes));
	return colon && colon + 1 < at;
}

bool import_value_is_secret(struct slice value) {
	static const char *const beginnings[] = {"sk-", "sk_", "rk_live_", "ghp_", "gho_", "ghs_", "ghu_",
		"github_pat_", "glpat-", "xoxb-", "xoxp-", "xapp-", "AKIA", "AIza", "hf_", "npm_", "pypi-", "eyJ",
		"hus_", "lin_api_", "ntn_", "secret_", "ATATT", "Bearer ", "Basic "};
	if (has_password(value)) return true;
	if (value.length < SECRET_LEAST) return false;
	for (size_t i = 0; i < COUNT_OF(beginnings); i++)
		if (slice_starts_with(value, beginnings[i])) return true;
	return false;
}

/* The variable for a secret: its own name where that is free or stands for the same, else with the
 * server's id before it. */
static struct slice name_secret(struct import_servers *servers, const struct import_server *server,
	struct slice name, struct slice secret, bool is_own) {
	AUTO_TEXT struct text wanted = {0};
	text_init(&wanted, 0);
	if (is_own) text_add(&wanted, name);
	struct import_variable *there = is_own ? variable_find(servers, name) : NULL;
	bool is_free = is_own && !is_named(servers, name) && (!there || slice_equal(there->secret, secret));
	for (unsigned number = 1; !is_free && !text_failed(&wanted) && number < 2 * IMPORT_SERVERS; number++) {
		text_clear(&wanted);
		add_upper(&wanted, slice_of(server->id));
		text_add_char(&wanted, '_');
		add_upper(&wanted, name);
		if (number > 1) text_printf(&wanted, "_%u", number);
		there = variable_find(servers, text_slice(&wanted));
		is_free = !is_named(servers, text_slice(&wanted)) && (!there || slice_equal(there->secret, secret));
	}
	return kept(servers, &wanted);
}

static size_t scheme_length(struct slice value) {
	static const char *const schemes[] = {"Bearer ", "bearer ", "Basic ", "basic ", "Token ", "token "};
	for (size_t i = 0; i < COUNT_OF(schemes); i++)
		if (slice_starts_with(value, schemes[i])) return strlen(schemes[i]);
	return 0;
}

struct slice import_value_hide(struct import_servers *servers, const struct import_server *server,
	const char *where, struct slice name, struct slice value) {
	AUTO_TEXT struct text to = {0};
	bool has_reference = value.length && memmem(value.bytes, value.length, "${", 2);
	bool is_secret = import_value_is_secret_name(name) || import_value_is_secret(value);
	if (servers->is_inline || !value.length || !is_secret || has_reference) return value;
	size_t scheme = scheme_length(value);
	struct slice secret = behind(value, scheme);
	bool is_env = strcmp(where, "env") == 0 && import_value_is_variable(name);
	struct slice variable = name_secret(servers, server, name, secret, is_env);
	text_init(&to, 0);
	if (!variable_find(servers, variable)) {
		text_printf(&to, "%s %.*s of %s", where, SLICE_ARGS(name), server->id);
		variable_add(servers, variable, secret, kept(servers, &to));
		text_clear(&to);
	}
	text_add(&to, slice_make(value.bytes, scheme));
	add_reference(&to, variable);
	return kept(servers, &to);
}
