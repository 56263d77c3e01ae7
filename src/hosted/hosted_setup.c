/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted setup: settings are checked and copied once, what is left out becomes what it stands for. */
#include "hosted/hosted_parts.h"
#include "hosted/policy.h"

static bool is_id(const char *id) {
	size_t length = id ? strlen(id) : 0;
	if (length == 0 || length > HOSTED_ID) return false;
	for (const char *at = id; *at; at++)
		if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
			    *at == '_' || *at == '-' || *at == '.'))
			return false;
	return true;
}

/* The house's own names (docs/protocol.md). */
static bool is_reserved(const char *id) {
	struct slice name = slice_of(id);
	return slice_starts_with(name, "mgp.") || slice_is(name, "mgp") || slice_is(name, "system") ||
		slice_starts_with(name, "system.");
}

bool hosted_settings_check(const struct hosted_settings *settings, struct fault *why) {
	struct scan_value roots;
	struct scan_fault fault;
	if (!is_id(settings->id))
		return fault_set(why, FAULT_BAD_INPUT,
			"server id \"%.80s\": 1 to %d ASCII letters, digits and _-.", settings->id ? settings->id : "",
			HOSTED_ID);
	if (is_reserved(settings->id))
		return fault_set(why, FAULT_BAD_INPUT, "server id \"%s\": mgp. and system are reserved", settings->id);
	if (!settings->arguments == !settings->url || (settings->arguments && !settings->arguments[0]))
		return fault_set(why, FAULT_BAD_INPUT, "server %s: either a command or a url", settings->id);
	if (settings->url && !slice_starts_with(slice_of(settings->url), "http://") &&
		!slice_starts_with(slice_of(settings->url), "https://"))
		return fault_set(why, FAULT_BAD_INPUT, "server %s: a url begins with http:// or https://",
			settings->id);
	if (settings->roots && (!scan_check(slice_of(settings->roots), SCAN_DEPTH, &roots, &fault) || roots.type != SCAN_ARRAY))
		return fault_set(why, FAULT_BAD_INPUT, "server %s: roots are no JSON array", settings->id);
	return true;
}

static const char *copy_string(struct arena *arena, const char *string, bool *is_fine) {
	struct slice copy;
	if (!string) return NULL;
	if (arena_copy(arena, slice_of(string), &copy)) return copy.bytes;
	*is_fine = false;
	return NULL;
}

static const char *const *copy_strings(struct arena *arena, const char *const *strings,
	bool *is_fine) {
	size_t count = 0;
	if (!strings) return NULL;
	while (strings[count]) count++;
	const char **copies = arena_zero(arena, (count + 1) * sizeof *copies);
	if (!copies) *is_fine = false;
	for (size_t i = 0; copies && i < count; i++) copies[i] = copy_string(arena, strings[i], is_fine);
	return copies;
}

static void copy_authorization(struct arena *arena, struct authorization_settings *of, bool *is_fine) {
	struct authorization_rule *rules = of->rule_count ? arena_zero(arena, of->rule_count * sizeof *rules) : NULL;
	if (of->rule_count && !rules) *is_fine = false;
	for (size_t i = 0; rules && i < of->rule_count; i++) {
		rules[i] = of->rules[i];
		rules[i].tool = copy_string(arena, of->rules[i].tool, is_fine);
		rules[i].caller = copy_string(arena, of->rules[i].caller, is_fine);
		rules[i].argument = copy_string(arena, of->rules[i].argument, is_fine);
		rules[i].value = copy_string(arena, of->rules[i].value, is_fine);
	}
	of->rules = rules;
	of->delegate = copy_string(arena, of->delegate, is_fine);
}

static const struct policy *copy_policy(struct arena *arena, const struct policy *policy, bool *is_fine) {
	if (!policy) return NULL;
	struct policy *copy = arena_zero(arena, sizeof *copy);
	if (!copy) {
		*is_fine = false;
		return NULL;
	}
	*copy = *policy;
	copy->permissions_required = copy_strings(arena, policy->permissions_required, is_fine);
	copy->permissions_granted = copy_strings(arena, policy->permissions_granted, is_fine);
	copy->validators = copy_strings(arena, policy->validators, is_fine);
	copy->authorization_deciders = copy_strings(arena, policy->authorization_deciders, is_fine);
	copy_authorization(arena, &copy->authorization, is_fine);
	return copy;
}

static void fill(uint64_t *value, uint64_t standard) {
	if (!*value) *value = standard;
}

static void fill_all(struct hosted_settings *of) {
	if (!of->children) of->children = 4;
	if (of->share == HOSTED_SHARE_ALL) of->children = 2; /* one of each era */
	if (of->is_sse) of->eras = HOSTED_ERA_ONLY_LEGACY;   /* 2024-11-05 */
	if (!of->restarts) of->restarts = 5;
	fill(&of->start_ms, 120000);
	fill(&of->idle_ms, 300000);
	fill(&of->call_ms, HOSTED_CALL_MS);
	fill(&of->list_ms, 30000);
	fill(&of->stop_ms, 5000);
	fill(&of->back_off_ms, 1000);
	fill(&of->back_off_most_ms, 30000);
	fill(&of->restart_window_ms, 300000);
	if (!of->roots) of->roots = "[]";
}

bool hosted_setup_init(struct hosted_setup *setup, const struct hosted_settings *settings,
	struct fault *why) {
	bool is_fine = true;
	if (!hosted_settings_check(settings, why)) return false;
	arena_init(&setup->arena, NULL, 0, 0);
	struct arena *arena = &setup->arena;
	struct hosted_settings *of = &setup->of;
	*of = *settings;
	of->id = copy_string(arena, settings->id, &is_fine);
	of->arguments = copy_strings(arena, settings->arguments, &is_fine);
	of->environment = copy_strings(arena, settings->environment, &is_fine);
	of->directory = copy_string(arena, settings->directory, &is_fine);
	of->url = copy_string(arena, settings->url, &is_fine);
	of->ca = copy_string(arena, settings->ca, &is_fine);
	of->headers = copy_strings(arena, settings->headers, &is_fine);
	of->rooms = copy_strings(arena, settings->rooms, &is_fine);
	of->expose = copy_strings(arena, settings->expose, &is_fine);
	of->roots = copy_string(arena, settings->roots, &is_fine);
	of->created_by = copy_string(arena, settings->created_by, &is_fine);
	of->policy = copy_policy(arena, settings->policy, &is_fine);
	fill_all(of);
	if (is_fine) return true;
	arena_finish(arena);
	return fault_set(why, FAULT_NO_MEMORY, "no memory for another server");
}

void hosted_setup_finish(struct hosted_setup *setup) { arena_finish(&setup->arena); }
