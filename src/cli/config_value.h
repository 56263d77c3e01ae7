/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Config value: one text, or a list of texts, read by its key's kind and put where the key says.
 */
#ifndef HUSTINGS_CLI_CONFIG_VALUE_H
#define HUSTINGS_CLI_CONFIG_VALUE_H

#include "base/arena.h"
#include "cli/config_keys.h"

#define CONFIG_SCRATCH 1024 /* the largest place that a key of a later version needs */

/* `base`: the struct that the key's offset is in. Strings are copied into the arena. The fault does not name
 * the key. Lists are parted by commas. */
bool config_value_set(const struct config_key *key, struct slice text, void *base,
	struct arena *memory, struct fault *why) MUST_USE;
bool config_value_set_list(const struct config_key *key, const struct slice *parts, size_t count,
	void *base, struct arena *memory, struct fault *why) MUST_USE;
/* Whether a list is what the kind wants. */
bool config_value_is_list(enum config_kind kind);
/* The defaults of all rows. */
bool config_value_defaults(const struct config_key *keys, void *base, struct arena *memory,
	struct fault *why) MUST_USE;

#endif
