/* SPDX-License-Identifier: Apache-2.0 */
/* Policy: the words of a configuration, and which of two counts. */
#include "hosted/policy.h"

#define CALL_MS 60000
#define IN_FLIGHT 1024
#define DECISION_MS (5 * 60 * 1000)
#define HEALTH_MS 15000

static const char *const permission_words[PERMISSION_POLICIES] = {"", "interactive", "auto_approve",
	"deny_all", "config_only"};
static const char *const approval_words[APPROVAL_POLICIES] = {"", "interactive", "auto_approve"};
static const char *const access_words[ACCESS_POLICIES] = {"", "opt-in", "opt-out"};

/* The place of a word among them, from 1 on; 0: none. */
static int place(struct slice word, const char *const *words, int count) {
	for (int i = 1; i < count; i++)
		if (slice_is(word, words[i])) return i;
	return 0;
}

bool permission_policy_read(struct slice word, enum permission_policy *policy) {
	int found = place(word, permission_words, PERMISSION_POLICIES);
	if (found) *policy = (enum permission_policy)found;
	return found != 0;
}

bool approval_policy_read(struct slice word, enum approval_policy *policy) {
	int found = place(word, approval_words, APPROVAL_POLICIES);
	if (found) *policy = (enum approval_policy)found;
	return found != 0;
}

bool access_policy_read(struct slice word, enum access_policy *policy) {
	int found = place(word, access_words, ACCESS_POLICIES);
	if (found) *policy = (enum access_policy)found;
	return found != 0;
}

const char *permission_policy_word(enum permission_policy policy) { return permission_words[policy]; }
const char *approval_policy_word(enum approval_policy policy) { return approval_words[policy]; }
const char *access_policy_word(enum access_policy policy) { return access_words[policy]; }

static const struct {
	const char *word;
	uint64_t ms;
} windows[] = {{"s", 1000}, {"min", 60000}, {"h", 3600000}, {"day", 86400000}};

void policy_rate_write(struct text *to, const struct policy_rate *rate) {
	if (!rate->count) text_add_cstr(to, "off");
	for (size_t i = 0; rate->count && i < COUNT_OF(windows); i++)
		if (windows[i].ms == rate->window_ms) text_printf(to, "%llu/%s", (unsigned long long)rate->count, windows[i].word);
}

bool policy_rate_read(struct slice words, struct policy_rate *rate, struct fault *why) {
	struct slice rest = words, number;
	uint64_t count;
	if (slice_is(words, "off")) {
		*rate = (struct policy_rate){0};
		return true;
	}
	if (slice_split(&rest, '/', &number) && slice_number(number, 1000000000, &count) && count)
		for (size_t i = 0; i < COUNT_OF(windows); i++) {
			if (!slice_is(rest, windows[i].word)) continue;
			*rate = (struct policy_rate){count, windows[i].ms};
			return true;
		}
	return fault_set(why, FAULT_BAD_INPUT, "\"%.*s\" is no rate: \"10/s\", \"100/min\", \"5/h\", \"1000/day\" or \"off\" are due",
		SLICE_ARGS(words));
}

static const struct policy built_in = {
	.permissions = PERMISSION_INTERACTIVE,
	.approval = APPROVAL_INTERACTIVE,
	.access = ACCESS_OPT_IN,
	.call_timeout_ms = CALL_MS,
	.has_call_rate = true,
	.has_quota = true,
	.max_in_flight = IN_FLIGHT,
	.decision_ttl_ms = DECISION_MS,
	.health_interval_ms = HEALTH_MS,
};

static void fill(struct policy *policy, const struct policy *from) {
	if (!policy->permissions) policy->permissions = from->permissions;
	if (!policy->approval) policy->approval = from->approval;
	if (!policy->access) policy->access = from->access;
	if (!policy->call_timeout_ms) policy->call_timeout_ms = from->call_timeout_ms;
	if (!policy->max_in_flight) policy->max_in_flight = from->max_in_flight;
	if (!policy->decision_ttl_ms) policy->decision_ttl_ms = from->decision_ttl_ms;
	if (!policy->health_interval_ms) policy->health_interval_ms = from->health_interval_ms;
	policy->is_flowless |= from->is_flowless;
	if (!policy->has_call_rate && from->has_call_rate) {
		policy->has_call_rate = true;
		policy->call_rate = from->call_rate;
	}
	if (!policy->has_quota && from->has_quota) {
		policy->has_quota = true;
		policy->quota = from->quota;
	}
}

struct policy policy_settle(const struct policy *of, const struct policy *kernel, bool is_open) {
	struct policy policy = *of, last = built_in;
	if (is_open) {
		last.permissions = PERMISSION_AUTO_APPROVE;
		last.approval = APPROVAL_AUTO_APPROVE;
		last.access = ACCESS_OPT_OUT;
	}
	fill(&policy, kernel);
	fill(&policy, &last);
	if (!policy.has_trust) policy.trust = MGP_STANDARD;
	return policy;
}
