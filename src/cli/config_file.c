/* SPDX-License-Identifier: Apache-2.0 */
/* Config file: a walk over the TOML tree beside the table of keys. */
#include "cli/config_file.h"

#include "base/toml.h"
#include "cli/config_value.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_SHOWN 90 /* octets of a file's name in faults, the last ones */

AUTO_RELEASE(toml, toml_close)

struct walk {
	struct config *config;
	const char *name; /* of the file, as faults show it */
	char **environment;
	struct arena scratch; /* filled in strings */
};

/* What a walk goes over at the moment: the root, or one table of an array. */
struct level {
	const struct config_key *keys;
	void *base;
	const char *title; /* "auth.identities." in faults, "" at the root */
};

static bool fill(struct walk *walk, const char *string, struct slice *filled, struct fault *why) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, CONFIG_FILE_OCTETS);
	if (!config_variable_fill(walk->environment, string, &text, why)) return false;
	if (text_failed(&text) || !arena_copy(&walk->scratch, text_slice(&text), filled))
		return fault_set(why, FAULT_TOO_LARGE, "the string is too long");
	return true;
}

/* The text of a scalar as the readers of kinds want it. */
static bool scalar(struct walk *walk, const struct toml *value, struct slice *text, struct fault *why) {
	char number[32];
	switch (value->kind) {
	case TOML_STRING: return fill(walk, value->string, text, why);
	case TOML_INTEGER: {
		int length = snprintf(number, sizeof number, "%lld", (long long)value->integer);
		if (!arena_copy(&walk->scratch, slice_make(number, (size_t)length), text))
			return fault_set(why, FAULT_NO_MEMORY, "no memory");
		return true;
	}
	case TOML_BOOLEAN: *text = value->boolean ? SLICE("true") : SLICE("false"); return true;
	default: return fault_set(why, FAULT_BAD_INPUT, "that is no single value");
	}
}

static bool is_stringy(enum config_kind kind) {
	return kind == CONFIG_TEXT || kind == CONFIG_PATTERN || kind == CONFIG_CHOICE ||
		kind == CONFIG_PACE || kind == CONFIG_LISTEN;
}

/* A refusal quotes what it refuses, but what stands in a file may be a secret. */
static bool refuse(const struct config_key *key, const char *string, struct fault *why) {
	if (!string || !strstr(string, "${file:")) return false;
	return fault_set(why, FAULT_BAD_INPUT, "what stands in the file does not fit: it has to be %s",
		config_kind_text(key->kind));
}

static bool set_scalar(struct walk *walk, const struct config_key *key, const struct toml *value,
	void *base, struct fault *why) {
	struct slice text;
	bool is_single = value->kind == TOML_STRING || value->kind == TOML_INTEGER ||
		value->kind == TOML_BOOLEAN;
	if (!is_single || (is_stringy(key->kind) && value->kind != TOML_STRING))
		return fault_set(why, FAULT_BAD_INPUT, "it has to be %s", config_kind_text(key->kind));
	if (!scalar(walk, value, &text, why)) return false;
	return config_value_set(key, text, base, &walk->config->memory, why) ||
		refuse(key, value->kind == TOML_STRING ? value->string : NULL, why);
}

static bool join_words(struct walk *walk, const struct toml *list, struct slice *joined, struct fault *why) {
	AUTO_TEXT struct text text = {0};
	struct slice word;
	text_init(&text, CONFIG_FILE_OCTETS);
	for (const struct toml *one = list->first; one; one = one->next) {
		if (one->kind != TOML_STRING)
			return fault_set(why, FAULT_BAD_INPUT, "it has to be a list of lists of strings");
		if (!fill(walk, one->string, &word, why)) return false;
		if (one != list->first) text_add_char(&text, CONFIG_BETWEEN_WORDS);
		text_add(&text, word);
	}
	return (!text_failed(&text) && arena_copy(&walk->scratch, text_slice(&text), joined)) ||
		fault_set(why, FAULT_NO_MEMORY, "no memory");
}

static bool set_list(struct walk *walk, const struct config_key *key, const struct toml *value,
	void *base, struct fault *why) {
	struct slice parts[CONFIG_SCRATCH / sizeof(char *)];
	size_t count = 0;
	const char *from_file = NULL;
	if (value->kind != TOML_ARRAY)
		return fault_set(why, FAULT_BAD_INPUT, "it has to be %s", config_kind_text(key->kind));
	for (const struct toml *one = value->first; one; one = one->next) {
		bool is_words = (key->flags & CONFIG_OF_WORDS) != 0;
		if (one->kind != (is_words ? TOML_ARRAY : TOML_STRING))
			return fault_set(why, FAULT_BAD_INPUT, "it has to be %s",
				is_words ? "a list of lists of strings" : config_kind_text(key->kind));
		if (count == COUNT_OF(parts))
			return fault_set(why, FAULT_TOO_LARGE, "at most %zu entries are allowed", COUNT_OF(parts) - 1);
		if (is_words) {
			if (!join_words(walk, one, &parts[count++], why)) return false;
			continue;
		}
		if (!fill(walk, one->string, &parts[count++], why)) return false;
		if (strstr(one->string, "${file:")) from_file = one->string;
	}
	return config_value_set_list(key, parts, count, base, &walk->config->memory, why) ||
		refuse(key, from_file, why);
}

/* Strings of any value are filled in, so that an unset variable is found there too. */
static bool check_any(struct walk *walk, const struct toml *value, struct fault *why) {
	struct slice filled;
	if (value->kind == TOML_STRING) return fill(walk, value->string, &filled, why);
	for (const struct toml *one = value->first; one; one = one->next)
		if (!check_any(walk, one, why)) return false;
	return true;
}

/* A table of strings becomes a list of "NAME=value", or whatever stands between the two. */
static bool set_strings(struct walk *walk, const struct config_key *key, const struct toml *value,
	void *base, struct fault *why) {
	AUTO_TEXT struct text joined = {0};
	struct slice parts[CONFIG_STRINGS_MOST + 1], filled;
	size_t count = 0;
	text_init(&joined, CONFIG_FILE_OCTETS);
	for (const struct toml *one = value->first; one; one = one->next) {
		if (count == CONFIG_STRINGS_MOST)
			return fault_set(why, FAULT_TOO_LARGE, "at most %d entries are allowed", CONFIG_STRINGS_MOST);
		if (!fill(walk, one->string, &filled, why)) return false;
		text_clear(&joined);
		text_printf(&joined, "%s%s", one->key, key->words);
		text_add(&joined, filled);
		if (text_failed(&joined) || !arena_copy(&walk->scratch, text_slice(&joined), &parts[count++]))
			return fault_set(why, FAULT_NO_MEMORY, "no memory");
	}
	return config_value_set_list(key, parts, count, base, &walk->config->memory, why);
}

static bool check_strings(struct walk *walk, const struct toml *value, struct fault *why) {
	if (value->kind != TOML_TABLE)
		return fault_set(why, FAULT_BAD_INPUT, "it has to be a table of strings");
	for (const struct toml *one = value->first; one; one = one->next)
		if (one->kind != TOML_STRING)
			return fault_set(why, FAULT_BAD_INPUT, "%s in it has to be a string", one->key);
	return check_any(walk, value, why);
}

static bool walk_table(struct walk *walk, const struct level *level, const char *prefix,
	const struct toml *table, struct fault *why);

static size_t count_of(const struct toml *array) {
	size_t count = 0;
	for (const struct toml *one = array->first; one; one = one->next) count++;
	return count;
}

/* An array of tables; each is a level of its own. The fault is whole already. */
static bool set_items(struct walk *walk, const struct config_key *key, const struct toml *value,
	void *base, struct fault *why) {
	bool is_later = key->flags & CONFIG_LATER;
	size_t count = count_of(value), size = key->items->size;
	char title[64], *items = NULL;
	snprintf(title, sizeof title, "%s.", key->name);
	if (!is_later && count && !(items = arena_zero(&walk->config->memory, count * size)))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for %zu %s", count, key->name);
	const struct toml *one = value->first;
	for (size_t i = 0; one; i++, one = one->next) {
		struct level level = {key->items->keys, is_later ? NULL : items + i * size, title};
		if (one->kind != TOML_TABLE)
			return fault_set(why, FAULT_BAD_INPUT, "%s:%u: %s has to be an array of tables", walk->name,
				one->line, key->name);
		if (!is_later && !config_value_defaults(level.keys, level.base, &walk->config->memory, why))
			return false;
		if (!walk_table(walk, &level, "", one, why)) return false;
	}
	if (is_later) return true;
	*(struct config_array *)((char *)base + key->offset) = (struct config_array){items, count};
	return true;
}

static bool set_value(struct walk *walk, const struct config_key *key, const struct toml *value,
	void *base, struct fault *why) {
	switch (key->kind) {
	case CONFIG_ANY: return check_any(walk, value, why);
	case CONFIG_STRINGS: return check_strings(walk, value, why) && set_strings(walk, key, value, base, why);
	case CONFIG_NOTHING:
		if (value->kind == TOML_TABLE && !value->first) return true;
		return fault_set(why, FAULT_BAD_INPUT, "it has no keys in this version");
	default: break;
	}
	if (config_value_is_list(key->kind)) return set_list(walk, key, value, base, why);
	return set_scalar(walk, key, value, base, why);
}

static void note_later(struct walk *walk, const struct level *level, const struct config_key *key) {
	struct text *later = &walk->config->later;
	if (!(key->flags & CONFIG_LATER) || level->title[0] || key->kind == CONFIG_NOTHING) return;
	text_printf(later, "%s%s", later->length ? ", " : "", key->name);
}

static bool set_key(struct walk *walk, const struct level *level, const struct config_key *key,
	const struct toml *value, struct fault *why) {
	note_later(walk, level, key);
	if (key->kind == CONFIG_ITEMS && value->kind == TOML_ARRAY)
		return set_items(walk, key, value, level->base, why);
	if (key->kind == CONFIG_ITEMS)
		return fault_set(why, FAULT_BAD_INPUT, "%s:%u: %s has to be an array of tables", walk->name,
			value->line, key->name);
	if (set_value(walk, key, value, level->base, why)) return true;
	return fault_before(why, "%s:%u: %s%s: ", walk->name, value->line, level->title, key->name);
}

static bool refuse_unknown(const struct walk *walk, const struct level *level, const char *name,
	const struct toml *value, struct fault *why) {
	const char *nearest = config_key_nearest(level->keys, slice_of(name));
	char hint[128] = "hustings config schema lists all keys";
	if (nearest) snprintf(hint, sizeof hint, "did you mean %s%s?", level->title, nearest);
	return fault_set(why, FAULT_BAD_INPUT, "%s:%u: there is no key %s%.60s: %s", walk->name, value->line,
		level->title, name, hint);
}

static bool walk_table(struct walk *walk, const struct level *level, const char *prefix,
	const struct toml *table, struct fault *why) {
	for (const struct toml *value = table->first; value; value = value->next) {
		char name[160];
		int length = snprintf(name, sizeof name, "%s%s", prefix, value->key);
		bool fits = length > 0 && (size_t)length < sizeof name - 1 && !strchr(value->key, '.');
		const struct config_key *key = fits ? config_key_find(level->keys, slice_of(name)) : NULL;
		if (key) {
			if (!set_key(walk, level, key, value, why)) return false;
			continue;
		}
		if (!fits || value->kind != TOML_TABLE || !config_key_is_section(level->keys, slice_of(name)))
			return refuse_unknown(walk, level, fits ? name : value->key, value, why);
		memcpy(name + length, ".", 2);
		if (!walk_table(walk, level, name, value, why)) return false;
	}
	return true;
}

/* What nobody named may start programs, never change how the gateway behaves. */
static bool holds_servers_alone(const struct toml *root, const char *name, struct fault *why) {
	for (const struct toml *value = root->first; value; value = value->next)
		if (strcmp(value->key, "servers") != 0)
			return fault_set(why, FAULT_REFUSED,
				"%s:%u: a file that is only found here may hold [[servers]] alone, not %.40s: name it with "
				"--config to use all of it",
				name, value->line, value->key);
	return true;
}

bool config_file_apply(struct config *config, struct slice text, const char *name,
	char **environment, struct fault *why) {
	size_t length = strlen(name);
	const char *shown = length > NAME_SHOWN ? name + length - NAME_SHOWN : name;
	AUTO(toml) root = toml_open(text, shown, why);
	if (!root) return false;
	if (config->is_found && !holds_servers_alone(root, shown, why)) return false;

	struct walk walk = {.config = config, .name = shown, .environment = environment};
	struct level level = {config_keys, config, ""};
	arena_init(&walk.scratch, NULL, 0, 0);
	bool done = walk_table(&walk, &level, "", root, why);
	arena_finish(&walk.scratch);
	return done;
}

bool config_file_load(const char *path, struct text *text, struct fault *why) {
	struct stat found;
	char octets[16 * 1024];
	AUTO_CLOSE int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (descriptor < 0) return fault_errno(why, errno, "%s", path);
	if (fstat(descriptor, &found) == 0 && S_ISDIR(found.st_mode))
		return fault_set(why, FAULT_BAD_INPUT, "%s is a folder: name a TOML file", path);
	for (;;) {
		ssize_t count = read(descriptor, octets, sizeof octets);
		if (count < 0 && errno == EINTR) continue;
		if (count < 0) return fault_errno(why, errno, "%s", path);
		if (count == 0) break;
		text_add(text, slice_make(octets, (size_t)count));
		if (text_failed(text))
			return fault_set(why, FAULT_TOO_LARGE, "%s is larger than 1 MiB", path);
	}
	return true;
}

bool config_file_find(const char *named, char **environment, struct arena *memory,
	const char **path, bool *is_found, struct fault *why) {
	const char *home = config_variable(environment, SLICE("HOME"));
	char user[1024] = "";
	struct slice copy;
	*is_found = false;
	if (home) snprintf(user, sizeof user, "%s/.config/mgp/servers.toml", home);
	if (!named) {
		named = config_variable(environment, SLICE("MGP_CONFIG_PATH"));
		if (named && !named[0]) named = NULL;
	}
	if (!named && access("./mgp.toml", F_OK) == 0) {
		named = "./mgp.toml";
		*is_found = true;
	}
	if (!named && home && access(user, F_OK) == 0) named = user;
	*path = NULL;
	if (!named) return true;
	if (!arena_copy(memory, slice_of(named), &copy))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a file's name");
	*path = copy.bytes;
	return true;
}
