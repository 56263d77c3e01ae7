/* SPDX-License-Identifier: Apache-2.0 */
/* Config rig: texts into configurations, and what is said about bad ones. */
#ifndef HUSTINGS_TESTS_CONFIG_RIG_H
#define HUSTINGS_TESTS_CONFIG_RIG_H

#include "check.h"

#include "cli/config.h"
#include "cli/config_file.h"

static char *no_environment[] = {NULL};

/* A text that has to be good; config_free() it. */
static inline struct config *config_from(const char *text, char **environment) {
	struct fault why = {0};
	struct config *config = config_new(&why);
	assert_non_null(config);
	if (!config_file_apply(config, slice_of(text), "t.toml", environment, &why) ||
		!config_finish(config, &why))
		fail_msg("%s\n%s", text, why.text);
	return config;
}

/* A text that has to be refused, with `beginning` at the fault's front and `word` in it. */
static inline void check_refused_in(const char *text, char **environment, const char *beginning,
	const char *word) {
	struct fault why = {0};
	struct config *config = config_new(&why);
	assert_non_null(config);
	bool is_taken = config_file_apply(config, slice_of(text), "t.toml", environment, &why) &&
		config_finish(config, &why);
	if (is_taken) fail_msg("was taken: %s", text);
	if (!slice_starts_with(slice_of(why.text), beginning) || !strstr(why.text, word))
		fail_msg("%s\nsays '%s' instead of '%s... %s'", text, why.text, beginning, word);
	config_free(config);
}

static inline void check_refused(const char *text, const char *beginning, const char *word) {
	check_refused_in(text, no_environment, beginning, word);
}

#endif
