/* SPDX-License-Identifier: Apache-2.0 */
/* Parts decide: the inbox of questions to people, as the configuration wants it. */
#include "cli/parts_inside.h"

#include "decide/inbox.h"

#include <stdlib.h>

#define WORDS 32 /* of the policy hook's command */

/* The settings as the inbox wants them, while they are read. */
struct wanted {
	struct inbox_settings settings;
	const char *words[WORDS + 1];
	char *text; /* of the words; to be freed */
};

static bool split_hook(struct wanted *wanted, const char *hook, struct fault *why) {
	size_t count = 0;
	char *rest;
	if (!hook) return true;
	wanted->text = slice_copy(slice_of(hook));
	if (!wanted->text) return fault_set(why, FAULT_NO_MEMORY, "no memory for decide.policy_hook");
	for (char *word = strtok_r(wanted->text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (count == WORDS)
			return fault_set(why, FAULT_TOO_LARGE, "decide.policy_hook: at most %d words", WORDS);
		wanted->words[count++] = word;
	}
	wanted->settings.policy_hook = wanted->words;
	return true;
}

static bool apply(struct gateway *gateway, const struct config *config, struct wanted *wanted, struct fault *why) {
	if (!split_hook(wanted, config->policy_hook, why)) return false;
	if (gateway->inbox) return inbox_change(gateway->inbox, &wanted->settings, why);
	const struct inbox_options options = {
		.state = gateway->state,
		.loop = gateway->loop,
		.spool = store_spool(gateway->store, 0),
		.log = gateway->log,
		.settings = &wanted->settings,
	};
	gateway->inbox = inbox_open(&options, why);
	return gateway->inbox != NULL;
}

bool parts_decide(struct gateway *gateway, const struct config *config, struct fault *why) {
	struct wanted wanted = {.settings = config->decide};
	bool is_done = apply(gateway, config, &wanted, why);
	free(wanted.text);
	return is_done;
}
