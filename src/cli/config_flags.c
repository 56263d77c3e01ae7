/* SPDX-License-Identifier: Apache-2.0 */
/* Config flags: named flags first, then every --set in its order. */
#include "cli/config_flags.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *flag;
	const char *key;
} named[] = {
	{"listen", "gateway.listen"},
	{"data", "gateway.data"},
	{"threads", "gateway.threads"},
	{"history", "rooms.history"},
	{"log-level", "gateway.log_level"},
};

struct flag {
	char key[128];
	char title[144];
};

/* "KEY=VALUE" into a flag and its value. */
static bool read_set(const char *text, struct flag *flag, const char **value, struct fault *why) {
	const char *equal = strchr(text, '=');
	size_t length = equal ? (size_t)(equal - text) : 0;
	if (length == 0 || length >= sizeof flag->key)
		return fault_set(why, FAULT_BAD_INPUT, "--set %.80s: write --set KEY=VALUE, like --set rooms.pace=off",
			text);
	memcpy(flag->key, text, length);
	flag->key[length] = '\0';
	snprintf(flag->title, sizeof flag->title, "--set %s", flag->key);
	*value = equal + 1;
	return true;
}

static bool gather(const struct command_line *line, struct flag *flags,
	struct config_flag_value *values, size_t *count, struct fault *why) {
	const char *value;
	*count = 0;
	for (size_t i = 0; i < COUNT_OF(named); i++) {
		struct flag *flag = &flags[*count];
		if (!(value = command_value(line, named[i].flag))) continue;
		snprintf(flag->key, sizeof flag->key, "%s", named[i].key);
		snprintf(flag->title, sizeof flag->title, "--%s", named[i].flag);
		values[(*count)++] = (struct config_flag_value){flag->key, value, flag->title};
	}
	for (size_t at = 0; (value = command_next(line, "set", &at)); (*count)++) {
		struct flag *flag = &flags[*count];
		if (!read_set(value, flag, &value, why)) return false;
		values[*count] = (struct config_flag_value){flag->key, value, flag->title};
	}
	return true;
}

struct config *config_flags_read(const struct command_line *line, const char *file,
	char **environment, struct fault *why) {
	size_t most = COUNT_OF(named) + line->given_count;
	AUTO_FREE struct flag *flags = calloc(most, sizeof *flags);
	AUTO_FREE struct config_flag_value *values = calloc(most, sizeof *values);
	struct config_wish wish = {.file = file, .flags = values, .environment = environment};
	if (!flags || !values) return fault_null(why, FAULT_NO_MEMORY, "no memory for flags");
	if (!gather(line, flags, values, &wish.flag_count, why)) return NULL;
	return config_read(&wish, why);
}
