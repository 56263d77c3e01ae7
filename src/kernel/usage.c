/* SPDX-License-Identifier: Apache-2.0 */
/* Usage: a row a principal; rates are buckets, quotas are windows. */
#include "kernel/usage.h"

#include "base/map.h"

#include <stdlib.h>

struct user {
	struct slice key; /* behind the struct */
	unsigned in_flight;
	double tokens; /* of the rate's bucket */
	uint64_t filled_at;
	uint64_t window_at; /* when the quota's window began */
	uint64_t used;      /* within it */
	uint64_t seen_at;
};

struct usage {
	struct map by_principal;
};

struct usage *usage_open(struct fault *why) {
	struct usage *usage = calloc(1, sizeof *usage);
	if (!usage) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	map_init(&usage->by_principal);
	return usage;
}

static void drop(struct usage *usage, struct user *user) {
	map_remove(&usage->by_principal, user->key);
	free(user);
}

void usage_close(struct usage *usage) {
	void *each;
	if (!usage) return;
	for (size_t at = 0; map_each(&usage->by_principal, &at, &each);) drop(usage, each);
	map_finish(&usage->by_principal);
	free(usage);
}

/* Whose row says nothing that a new one would not. */
static bool is_forgettable(const struct user *user, const struct policy *policy, uint64_t now) {
	uint64_t longest = policy->call_rate.window_ms > policy->quota.window_ms ? policy->call_rate.window_ms
										 : policy->quota.window_ms;
	return !user->in_flight && now - user->seen_at >= longest;
}

static void sweep(struct usage *usage, const struct policy *policy, uint64_t now) {
	void *each;
	for (size_t at = 0; map_each(&usage->by_principal, &at, &each);)
		if (is_forgettable(each, policy, now)) drop(usage, each);
}

static struct user *find(struct usage *usage, const struct policy *policy, struct slice principal, uint64_t now) {
	struct user *user = map_find(&usage->by_principal, principal);
	if (user) return user;
	if (usage->by_principal.count >= USAGE_PRINCIPALS) sweep(usage, policy, now);
	if (usage->by_principal.count >= USAGE_PRINCIPALS) return NULL;
	user = calloc(1, sizeof *user + principal.length);
	if (!user) return NULL;
	if (principal.length) memcpy(user + 1, principal.bytes, principal.length);
	user->key = slice_make(user + 1, principal.length);
	user->tokens = (double)policy->call_rate.count;
	user->filled_at = user->window_at = now;
	if (map_add(&usage->by_principal, user->key, user, NULL)) return user;
	free(user);
	return NULL;
}

static void write_limit(struct text *details, const struct policy_rate *rate, uint64_t current) {
	text_printf(details, "{\"limit\":%llu,\"window_secs\":%llu,\"current\":%llu}", (unsigned long long)rate->count,
		(unsigned long long)(rate->window_ms / 1000), (unsigned long long)current);
}

/* The bucket holds the count, and refills evenly. */
static bool has_token(struct user *user, const struct policy_rate *rate, uint64_t now, uint64_t *pause_ms) {
	double each = (double)rate->window_ms / (double)rate->count;
	user->tokens += (double)(now - user->filled_at) / each;
	if (user->tokens > (double)rate->count) user->tokens = (double)rate->count;
	user->filled_at = now;
	if (user->tokens >= 1) return true;
	*pause_ms = (uint64_t)((1 - user->tokens) * each) + 1;
	return false;
}

static void begin_window(struct user *user, const struct policy_rate *quota, uint64_t now) {
	if (now - user->window_at < quota->window_ms) return;
	user->window_at = now;
	user->used = 0;
}

int usage_enter(struct usage *usage, const struct policy *policy, struct slice principal, uint64_t now,
	uint64_t *retry_after_ms, struct text *details) {
	struct user *user = find(usage, policy, principal, now);
	if (!user) return MGP_RESOURCE_EXHAUSTED;
	user->seen_at = now;
	if (user->in_flight >= policy->max_in_flight) {
		text_printf(details, "{\"limit\":%u,\"current\":%u}", policy->max_in_flight, user->in_flight);
		return MGP_RESOURCE_EXHAUSTED;
	}
	if (policy->quota.count) {
		begin_window(user, &policy->quota, now);
		if (user->used >= policy->quota.count) {
			write_limit(details, &policy->quota, user->used);
			return MGP_QUOTA_EXCEEDED;
		}
	}
	if (policy->call_rate.count) {
		if (!has_token(user, &policy->call_rate, now, retry_after_ms)) {
			write_limit(details, &policy->call_rate, policy->call_rate.count);
			return MGP_RATE_LIMITED;
		}
		user->tokens -= 1;
	}
	user->used++;
	user->in_flight++;
	return 0;
}

void usage_leave(struct usage *usage, struct slice principal) {
	struct user *user = map_find(&usage->by_principal, principal);
	if (user && user->in_flight) user->in_flight--;
}
