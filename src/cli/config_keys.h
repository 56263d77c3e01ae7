/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Config keys: the one table of all keys: name, kind, default, limits, where a value goes, and what
 * it is for. The reader, the environment's names, `config schema` and the suggestions in errors
 * all come from it.
 */
#ifndef HUSTINGS_CLI_CONFIG_KEYS_H
#define HUSTINGS_CLI_CONFIG_KEYS_H

#include "base/text.h"
#include "cli/config_shape.h"

enum config_kind {
	CONFIG_TEXT,    /* const char * */
	CONFIG_PATTERN, /* char[]: a name, maybe with one * at its end */
	CONFIG_BOOL,    /* bool: true, false, on, off */
	CONFIG_COUNT,   /* an integer of 4 or 8 octets */
	CONFIG_SIZE,    /* the same, in octets: 4096, "64KiB" */
	CONFIG_SPAN,    /* the same, in ms: 30, "30s"; 0 is written "off" where CONFIG_MAY_BE_OFF */
	CONFIG_PACE,    /* struct pace_rate */
	CONFIG_CHOICE,  /* the index of one of `words`: a bool or an enum */
	CONFIG_CHOICES, /* several of `words`, as bits */
	CONFIG_LIST,    /* const char *[], NULL ended */
	CONFIG_LISTEN,  /* struct gateway_settings: its host and port */
	CONFIG_ITEMS,   /* struct config_array: an array of tables */
	CONFIG_STRINGS, /* a table of strings, as an environment is; only for later versions */
	CONFIG_ANY,     /* anything; only for later versions */
	CONFIG_NOTHING, /* an empty table */
	CONFIG_KINDS
};

enum config_flag {
	CONFIG_FIXED = 1, /* a change needs a new start */
	CONFIG_LATER = 2, /* checked, and used by later versions */
	CONFIG_MAY_BE_OFF = 4,
	CONFIG_IS_SECRET = 8, /* its value is never shown */
	CONFIG_OF_WORDS = 16, /* a list whose entries are lists of words: CONFIG_BETWEEN_WORDS between them */
};

#define CONFIG_BETWEEN_WORDS '\x1f'

struct config_items;

struct config_key {
	const char *name;
	enum config_kind kind;
	unsigned flags;
	size_t offset; /* in struct config, or in the item */
	size_t size;
	const char *standard; /* the default, as text; NULL: none */
	int64_t least, most;  /* of COUNT, SIZE, SPAN */
	const char *words;    /* "restricted|full" */
	const struct config_items *items;
	const char *help;
};

struct config_items {
	const struct config_key *keys;
	size_t size; /* of one item */
};

extern const struct config_key config_keys[]; /* ends with an empty row */

/* NULL: there is no such key. */
const struct config_key *config_key_find(const struct config_key *keys, struct slice name);
/* Whether keys begin with "name.". */
bool config_key_is_section(const struct config_key *keys, struct slice name);
/* The name that looks most like it, or NULL. */
const char *config_key_nearest(const struct config_key *keys, struct slice name);
/* "a size", "one of restricted, full"; for `config schema` and faults. */
const char *config_kind_text(enum config_kind kind);
/* HUSTINGS_ROOMS_PACE for rooms.pace. */
void config_key_variable(const struct config_key *key, char variable[96]);

#endif
