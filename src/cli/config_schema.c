/* SPDX-License-Identifier: Apache-2.0 */
/* Config schema: one line a key, grouped by section; items of arrays of tables under their key. */
#include "cli/config_schema.h"

#include "cli/config_keys.h"

static bool is_number(enum config_kind kind) {
	return kind == CONFIG_COUNT || kind == CONFIG_SIZE || kind == CONFIG_SPAN;
}

/* "restricted, full" of "restricted|full". */
static void write_words(struct text *to, const char *words) {
	for (; *words; words++) {
		if (*words == '|') text_add_cstr(to, ", ");
		else text_add_char(to, *words);
	}
}

static void write_type(struct text *to, const struct config_key *key) {
	if (key->words) {
		text_add_cstr(to, key->kind == CONFIG_CHOICES ? "a list of " : "one of ");
		write_words(to, key->words);
	} else
		text_add_cstr(to, config_kind_text(key->kind));
}

static void write_key(struct text *to, const char *prefix, const struct config_key *key) {
	text_printf(to, "%s%s\n    %s: ", prefix, key->name, key->help);
	write_type(to, key);
	if (key->standard) text_printf(to, "; default %s", key->standard);
	if (key->flags & CONFIG_FIXED) text_add_cstr(to, "; needs a new start");
	if (key->flags & CONFIG_LATER) text_add_cstr(to, "; not used by this version");
	text_add_char(to, '\n');
	if (!key->items) return;
	for (const struct config_key *item = key->items->keys; item->name; item++) {
		text_add_cstr(to, "  ");
		write_key(to, "- ", item);
	}
}

void config_schema_write(struct text *to) {
	text_add_cstr(to,
		"One TOML file: --config FILE, else $MGP_CONFIG_PATH, else ./mgp.toml (its [[servers]] alone), else\n"
		"~/.config/mgp/servers.toml. rooms.pace is pace under [rooms]. HUSTINGS_ROOMS_PACE beats the file,\n"
		"--set rooms.pace=off beats both. \"${NAME}\", \"${NAME:-DEFAULT}\" and \"${file:PATH}\" are\n"
		"filled in.\n\n");
	for (const struct config_key *key = config_keys; key->name; key++) write_key(to, "", key);
}

static void write_string(struct text *to, const char *name, const char *value) {
	if (!value) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, slice_of(value));
}

static void write_choices(struct text *to, const char *words) {
	struct slice rest = slice_of(words), word;
	text_add_cstr(to, ",\"values\":[");
	for (bool is_first = true; slice_split(&rest, '|', &word); is_first = false) {
		if (!is_first) text_add_char(to, ',');
		text_json(to, word);
	}
	text_add_char(to, ']');
}

static void write_key_json(struct text *to, const struct config_key *key, bool has_variable) {
	char variable[96];
	text_add_cstr(to, "{\"key\":");
	text_json(to, slice_of(key->name));
	write_string(to, "type", config_kind_text(key->kind));
	write_string(to, "default", key->standard);
	if (key->words) write_choices(to, key->words);
	if (is_number(key->kind) && key->most)
		text_printf(to, ",\"least\":%lld,\"most\":%lld", (long long)key->least, (long long)key->most);
	config_key_variable(key, variable);
	if (has_variable && !key->items) write_string(to, "variable", variable);
	write_string(to, "help", key->help);
	text_printf(to, ",\"reload\":%s,\"used\":%s", key->flags & CONFIG_FIXED ? "false" : "true",
		key->flags & CONFIG_LATER ? "false" : "true");
	if (key->items) {
		text_add_cstr(to, ",\"items\":[");
		for (const struct config_key *item = key->items->keys; item->name; item++) {
			if (item != key->items->keys) text_add_char(to, ',');
			write_key_json(to, item, false);
		}
		text_add_char(to, ']');
	}
	text_add_char(to, '}');
}

void config_schema_write_json(struct text *to) {
	text_add_cstr(to, "{\"keys\":[");
	for (const struct config_key *key = config_keys; key->name; key++) {
		if (key != config_keys) text_add_char(to, ',');
		write_key_json(to, key, true);
	}
	text_add_cstr(to, "]}\n");
}
