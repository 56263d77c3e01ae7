/* SPDX-License-Identifier: Apache-2.0 */
/* Authorization wishes: checked, then copied word by word. */
#include "client/authorization_wishes.h"

#include <stdlib.h>

_Static_assert((int)HUSTINGS_DELEGATED == (int)AUTHORIZATION_DELEGATED, "modes are the same numbers");
_Static_assert((int)HUSTINGS_DENY == (int)AUTHORIZATION_DENY, "actions are the same numbers");

static bool check(const struct hustings_authorization *wished, struct fault *why) {
	if ((unsigned)wished->mode > HUSTINGS_DELEGATED) return fault_set(why, FAULT_BAD_INPUT, "mode: there is no such mode");
	if (wished->mode == HUSTINGS_DELEGATED && !wished->delegate)
		return fault_set(why, FAULT_BAD_INPUT, "delegate: who decides has to be named");
	if (wished->timeout > AUTHORIZATION_TIMEOUT_MOST)
		return fault_set(why, FAULT_BAD_INPUT, "timeout: %d ms at most", AUTHORIZATION_TIMEOUT_MOST);
	for (size_t i = 0; i < wished->rule_count; i++) {
		if ((unsigned)wished->rules[i].action > HUSTINGS_DENY)
			return fault_set(why, FAULT_BAD_INPUT, "rules: there is no such action");
		if (wished->rules[i].value && !wished->rules[i].argument)
			return fault_set(why, FAULT_BAD_INPUT, "rules: a value needs the argument that it is of");
	}
	return true;
}

static bool copy_words(const char *words, const char **copy) {
	*copy = words ? slice_copy(slice_of(words)) : NULL;
	return !words || *copy;
}

static bool copy_rules(struct authorization_wishes *wishes, const struct hustings_authorization *wished) {
	struct authorization_rule *rules = calloc(wished->rule_count + 1, sizeof *rules);
	wishes->settings.rules = rules;
	wishes->settings.rule_count = rules ? wished->rule_count : 0;
	bool is_whole = rules != NULL;
	for (size_t i = 0; is_whole && i < wished->rule_count; i++) {
		rules[i].action = (enum authorization_action)wished->rules[i].action;
		is_whole = copy_words(wished->rules[i].tool, &rules[i].tool) && copy_words(wished->rules[i].caller, &rules[i].caller) &&
			copy_words(wished->rules[i].argument, &rules[i].argument) && copy_words(wished->rules[i].value, &rules[i].value);
	}
	return is_whole;
}

static bool copy_deciders(struct authorization_wishes *wishes, const char *const *deciders) {
	size_t count = 0;
	if (!deciders) return true;
	while (deciders[count]) count++;
	wishes->deciders = calloc(count + 1, sizeof *wishes->deciders);
	for (size_t i = 0; wishes->deciders && i < count; i++) {
		wishes->deciders[i] = slice_copy(slice_of(deciders[i]));
		if (!wishes->deciders[i]) return false;
	}
	return wishes->deciders != NULL;
}

bool authorization_wishes_copy(struct authorization_wishes *wishes, const struct hustings_authorization *wished,
	struct fault *why) {
	struct authorization_wishes made = {
		.is_settled = true,
		.settings = {.mode = (enum authorization_mode)wished->mode, .timeout_ms = wished->timeout},
		.authorize = wished->authorize,
		.context = wished->context,
	};
	if (!check(wished, why)) return false;
	if (copy_rules(&made, wished) && copy_words(wished->delegate, &made.settings.delegate) &&
		copy_deciders(&made, wished->deciders)) {
		*wishes = made;
		return true;
	}
	authorization_wishes_finish(&made);
	return fault_set(why, FAULT_NO_MEMORY, "no memory for settings");
}

void authorization_wishes_finish(struct authorization_wishes *wishes) {
	struct authorization_rule *rules = (struct authorization_rule *)wishes->settings.rules;
	for (size_t i = 0; rules && i < wishes->settings.rule_count; i++) {
		free((char *)rules[i].tool);
		free((char *)rules[i].caller);
		free((char *)rules[i].argument);
		free((char *)rules[i].value);
	}
	free(rules);
	free((char *)wishes->settings.delegate);
	for (size_t i = 0; wishes->deciders && wishes->deciders[i]; i++) free(wishes->deciders[i]);
	free(wishes->deciders);
	*wishes = (struct authorization_wishes){0};
}

bool authorization_wishes_list(const struct authorization_wishes *wishes, struct slice participant) {
	if (!wishes->deciders) return true;
	for (size_t i = 0; wishes->deciders[i]; i++)
		if (slice_is(participant, wishes->deciders[i])) return true;
	return false;
}
