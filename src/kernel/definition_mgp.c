/* SPDX-License-Identifier: Apache-2.0 */
/* Definition mgp: one row a member, as its configuration has it. */
#include "kernel/definition_mgp.h"

#include "validate/permission_type.h"
#include "validate/validator_word.h"

#include <stdio.h>

#define ENTRIES 64

struct reading {
	struct arena *arena;
	struct hosted_settings *settings;
	struct policy *policy;
	const char *name;
	struct fault *why;
};

static bool bad(const struct reading *reading, const char *wanted) {
	return fault_set(reading->why, FAULT_BAD_INPUT, "mgp.%s has to be %s", reading->name, wanted);
}

static bool word(const struct reading *reading, const struct scan_value *value, struct slice *to) {
	struct slice read;
	if (value->type != SCAN_STRING || !scan_string(value, reading->arena, &read) ||
		memchr(read.bytes, 0, read.length) || memchr(read.bytes, '\n', read.length))
		return bad(reading, "a string of one line");
	return arena_copy(reading->arena, read, to) ||
		fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a definition");
}

static bool whole(const struct reading *reading, const struct scan_value *value, uint64_t most, uint64_t *to) {
	int64_t read;
	if (value->type != SCAN_NUMBER || !scan_integer(value, &read) || read < 0 || (uint64_t)read > most) {
		char wanted[60];
		snprintf(wanted, sizeof wanted, "a whole number from 0 to %llu", (unsigned long long)most);
		return bad(reading, wanted);
	}
	*to = (uint64_t)read;
	return true;
}

static const char **list_for(const struct reading *reading, const struct scan_value *value, enum scan_type type) {
	if (value->type != type || scan_count(value) > ENTRIES) return NULL;
	return arena_zero(reading->arena, (scan_count(value) + 1) * sizeof(char *));
}

static bool permissions(const struct reading *reading, const struct scan_value *value,
	const char *const **to) {
	const char **list = list_for(reading, value, SCAN_ARRAY);
	struct permission_type_names names;
	struct scan_walk walk;
	struct scan_member member;
	struct slice name;
	size_t count = 0;
	if (!list) return bad(reading, "an array of at most 64 permissions");
	for (scan_open(&walk, value); scan_next(&walk, &member);) {
		if (!word(reading, &member.value, &name)) return false;
		if (!permission_type_read(name, &names, reading->why))
			return fault_before(reading->why, "mgp.%s: ", reading->name);
		list[count++] = name.bytes;
	}
	*to = list;
	return true;
}

/* ---- The members ---- */

static bool read_extensions(struct reading *reading, const struct scan_value *value) {
	struct scan_walk walk;
	struct scan_member member;
	struct slice name;
	if (value->type != SCAN_ARRAY) return bad(reading, "an array of extensions");
	for (scan_open(&walk, value); scan_next(&walk, &member);) {
		if (!word(reading, &member.value, &name)) return false;
		reading->policy->extensions |= mgp_extension_read(name);
	}
	reading->policy->is_mgp_limited = true;
	return true;
}

static bool read_required(struct reading *reading, const struct scan_value *value) {
	return permissions(reading, value, &reading->policy->permissions_required);
}

static bool read_granted(struct reading *reading, const struct scan_value *value) {
	return permissions(reading, value, &reading->policy->permissions_granted);
}

static bool read_trust(struct reading *reading, const struct scan_value *value) {
	struct slice name;
	if (!word(reading, value, &name)) return false;
	reading->policy->has_trust = mgp_trust_read(name, &reading->policy->trust);
	return reading->policy->has_trust || bad(reading, "trusted, standard or sandboxed");
}

static bool read_policy(struct reading *reading, const struct scan_value *value) {
	struct slice name;
	return word(reading, value, &name) && (permission_policy_read(name, &reading->policy->permissions) || bad(reading, "interactive, auto_approve, deny_all or config_only"));
}

static bool read_approval(struct reading *reading, const struct scan_value *value) {
	struct slice name;
	return word(reading, value, &name) &&
		(approval_policy_read(name, &reading->policy->approval) || bad(reading, "interactive or auto_approve"));
}

static bool read_default(struct reading *reading, const struct scan_value *value) {
	struct slice name;
	return word(reading, value, &name) &&
		(access_policy_read(name, &reading->policy->access) || bad(reading, "opt-in or opt-out"));
}

static const char *const restart_words[] = {
	[HOSTED_RESTART_ON_FAILURE] = "on_failure",
	[HOSTED_RESTART_NEVER] = "never",
	[HOSTED_RESTART_ALWAYS] = "always",
};

static bool read_restart(struct reading *reading, const struct scan_value *value) {
	struct slice name;
	if (!word(reading, value, &name)) return false;
	for (size_t i = 0; i < COUNT_OF(restart_words); i++)
		if (slice_is(name, restart_words[i])) {
			if (reading->settings->restart != HOSTED_RESTART_NEVER || !reading->settings->restarts)
				reading->settings->restart = (enum hosted_restart)i;
			return true;
		}
	return bad(reading, "never, on_failure or always");
}

static bool read_restarts(struct reading *reading, const struct scan_value *value) {
	uint64_t count = 0;
	if (!whole(reading, value, 1000, &count)) return false;
	reading->settings->restarts = (unsigned)count;
	if (!count) reading->settings->restart = HOSTED_RESTART_NEVER;
	return true;
}

static bool read_window(struct reading *reading, const struct scan_value *value) {
	if (!whole(reading, value, 86400, &reading->settings->restart_window_ms)) return false;
	reading->settings->restart_window_ms *= 1000;
	return true;
}

static bool read_base(struct reading *reading, const struct scan_value *value) {
	return whole(reading, value, 3600000, &reading->settings->back_off_ms);
}

static bool read_most(struct reading *reading, const struct scan_value *value) {
	return whole(reading, value, 3600000, &reading->settings->back_off_most_ms);
}

static bool rate(struct reading *reading, const struct scan_value *value, bool *has, struct policy_rate *to) {
	struct slice name;
	if (!word(reading, value, &name)) return false;
	*has = true;
	return policy_rate_read(name, to, reading->why) || fault_before(reading->why, "mgp.%s: ", reading->name);
}

static bool read_rate(struct reading *reading, const struct scan_value *value) {
	return rate(reading, value, &reading->policy->has_call_rate, &reading->policy->call_rate);
}

static bool read_quota(struct reading *reading, const struct scan_value *value) {
	return rate(reading, value, &reading->policy->has_quota, &reading->policy->quota);
}

static bool read_in_flight(struct reading *reading, const struct scan_value *value) {
	uint64_t count = 0;
	if (!whole(reading, value, 100000, &count)) return false;
	reading->policy->max_in_flight = (unsigned)count;
	return true;
}

static bool read_validators(struct reading *reading, const struct scan_value *value) {
	const char **list = list_for(reading, value, SCAN_OBJECT);
	enum validator validator;
	struct scan_walk walk;
	struct scan_member member;
	struct slice key, name;
	size_t count = 0;
	if (!list) return bad(reading, "an object of at most 64 tools and their validators");
	for (scan_open(&walk, value); scan_next(&walk, &member);) {
		if (!word(reading, &member.value, &name)) return false;
		if (!validator_word_read(name, &validator) || !scan_key(&member, reading->arena, &key))
			return bad(reading, "an object of sandbox, readonly, network_restricted, code_safety or none");
		size_t size = key.length + name.length + 2;
		char *pair = arena_alloc(reading->arena, size);
		if (!pair) return fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a definition");
		snprintf(pair, size, "%.*s=%.*s", SLICE_ARGS(key), SLICE_ARGS(name));
		list[count++] = pair;
	}
	reading->policy->validators = list;
	return true;
}

static const struct row {
	const char *name;
	bool (*read)(struct reading *reading, const struct scan_value *value);
} rows[] = {
	{"extensions", read_extensions},
	{"permissions_required", read_required},
	{"permissions_granted", read_granted},
	{"trust_level", read_trust},
	{"policy", read_policy},
	{"approval", read_approval},
	{"default_policy", read_default},
	{"restart_policy", read_restart},
	{"max_restarts", read_restarts},
	{"restart_window_secs", read_window},
	{"backoff_base_ms", read_base},
	{"backoff_max_ms", read_most},
	{"call_rate", read_rate},
	{"quota", read_quota},
	{"max_in_flight", read_in_flight},
	{"validators", read_validators},
};

static const struct row *find(const struct scan_member *member) {
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (scan_key_is(member, rows[i].name)) return &rows[i];
	return NULL;
}

bool definition_mgp_read(const struct scan_value *object, struct arena *arena,
	struct hosted_settings *settings, struct fault *why) {
	struct reading reading = {.arena = arena, .settings = settings, .why = why};
	struct scan_walk walk;
	struct scan_member member;
	if (object->type != SCAN_OBJECT) return fault_set(why, FAULT_BAD_INPUT, "mgp has to be an object");
	reading.policy = arena_zero(arena, sizeof *reading.policy);
	if (!reading.policy) return fault_set(why, FAULT_NO_MEMORY, "no memory for a definition");
	if (settings->policy) *reading.policy = *settings->policy; /* of `authorization` */
	for (scan_open(&walk, object); scan_next(&walk, &member);) {
		const struct row *row = find(&member);
		if (!row)
			return fault_set(why, FAULT_BAD_INPUT, "mgp.%.*s is no member that is known: extensions, permissions_required, trust_level, policy ...",
				(int)slice_cut(member.key, 80), member.key.bytes);
		reading.name = row->name;
		if (member.value.type != SCAN_NULL && !row->read(&reading, &member.value)) return false;
	}
	settings->policy = reading.policy;
	return true;
}

/* ---- Showing ---- */

static const char *comma(const struct text *to) {
	return to->length && to->bytes[to->length - 1] == '{' ? "" : ",";
}

static void write_list(struct text *to, const char *name, const char *const *list) {
	if (!list || !list[0]) return;
	text_printf(to, "%s\"%s\":[", comma(to), name);
	for (size_t i = 0; list[i]; i++) {
		if (i) text_add_char(to, ',');
		text_json(to, slice_of(list[i]));
	}
	text_add_char(to, ']');
}

static void write_word(struct text *to, const char *name, const char *words) {
	if (*words) text_printf(to, "%s\"%s\":\"%s\"", comma(to), name, words);
}

static void write_count(struct text *to, const char *name, uint64_t count) {
	if (count) text_printf(to, "%s\"%s\":%llu", comma(to), name, (unsigned long long)count);
}

static void write_rate(struct text *to, const char *name, bool has, const struct policy_rate *rate) {
	if (!has) return;
	text_printf(to, "%s\"%s\":\"", comma(to), name);
	policy_rate_write(to, rate);
	text_add_char(to, '"');
}

static void write_extensions(struct text *to, const struct policy *policy) {
	const char *before = "";
	if (!policy->is_mgp_limited) return;
	text_printf(to, "%s\"extensions\":[", comma(to));
	for (unsigned bit = 1; bit < 1u << MGP_EXTENSIONS; bit <<= 1) {
		if (!(policy->extensions & bit)) continue;
		text_printf(to, "%s\"%s\"", before, mgp_extension_word((enum mgp_extension)bit));
		before = ",";
	}
	text_add_char(to, ']');
}

/* "TOOL=VALIDATOR": a tool's name may hold an equals sign, a validator's does not. */
static void write_validators(struct text *to, const char *const *list) {
	if (!list || !list[0]) return;
	text_printf(to, "%s\"validators\":{", comma(to));
	for (size_t i = 0; list[i]; i++) {
		const char *equals = strrchr(list[i], '=');
		if (i) text_add_char(to, ',');
		text_json(to, slice_make(list[i], (size_t)(equals - list[i])));
		text_printf(to, ":\"%s\"", equals + 1);
	}
	text_add_char(to, '}');
}

static void write_restarts(struct text *to, const struct hosted_settings *settings) {
	write_word(to, "restart_policy", restart_words[settings->restart]);
	write_count(to, "max_restarts", settings->restarts);
	write_count(to, "restart_window_secs", settings->restart_window_ms / 1000);
	write_count(to, "backoff_base_ms", settings->back_off_ms);
	write_count(to, "backoff_max_ms", settings->back_off_most_ms);
}

void definition_mgp_write(struct text *to, const struct hosted_settings *settings) {
	const struct policy *policy = settings->policy;
	if (!policy) return;
	text_add_cstr(to, ",\"mgp\":{");
	write_extensions(to, policy);
	write_list(to, "permissions_required", policy->permissions_required);
	write_list(to, "permissions_granted", policy->permissions_granted);
	if (policy->has_trust) write_word(to, "trust_level", mgp_trust_word(policy->trust));
	write_word(to, "policy", permission_policy_word(policy->permissions));
	write_word(to, "approval", approval_policy_word(policy->approval));
	write_word(to, "default_policy", access_policy_word(policy->access));
	write_restarts(to, settings);
	write_rate(to, "call_rate", policy->has_call_rate, &policy->call_rate);
	write_rate(to, "quota", policy->has_quota, &policy->quota);
	write_count(to, "max_in_flight", policy->max_in_flight);
	write_validators(to, policy->validators);
	text_add_char(to, '}');
}
