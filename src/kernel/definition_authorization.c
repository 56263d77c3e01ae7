/* SPDX-License-Identifier: Apache-2.0 */
/* Definition authorization: members of the object, and of each of its rules. */
#include "kernel/definition_authorization.h"

#include "decide/decision_wish.h"

struct reading {
	struct arena *arena;
	struct policy *policy;
	struct fault *why;
};

static bool bad(const struct reading *reading, const char *name, const char *wanted) {
	return fault_set(reading->why, FAULT_BAD_INPUT, "authorization.%s has to be %s", name, wanted);
}

/* NUL-ended, of one line. */
static bool word(const struct reading *reading, const char *name, const struct scan_value *value, const char **to) {
	struct slice read, copy;
	if (value->type != SCAN_STRING || !scan_string(value, reading->arena, &read) || !read.length ||
		read.length > AUTHORIZATION_NAME || memchr(read.bytes, 0, read.length) || memchr(read.bytes, '\n', read.length) ||
		memchr(read.bytes, '\r', read.length))
		return bad(reading, name, "a string of one line, of 1 to 256 octets");
	if (!arena_copy(reading->arena, read, &copy)) return fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a definition");
	*to = copy.bytes;
	return true;
}

/* ---- Rules ---- */

static bool read_action(const struct reading *reading, const struct scan_value *value, struct authorization_rule *rule) {
	const char *action;
	return word(reading, "rules[].action", value, &action) &&
		(authorization_action_read(slice_of(action), &rule->action) || bad(reading, "rules[].action", "allow, ask or deny"));
}

static bool read_rule(const struct reading *reading, const struct scan_value *object, struct authorization_rule *rule) {
	struct scan_walk walk;
	struct scan_member member;
	bool is_fine = true;
	if (object->type != SCAN_OBJECT) return bad(reading, "rules", "an array of objects");
	*rule = (struct authorization_rule){.action = AUTHORIZATION_ASK};
	for (scan_open(&walk, object); is_fine && scan_next(&walk, &member);) {
		if (member.value.type == SCAN_NULL) continue;
		if (scan_key_is(&member, "tool")) is_fine = word(reading, "rules[].tool", &member.value, &rule->tool);
		else if (scan_key_is(&member, "caller"))
			is_fine = word(reading, "rules[].caller", &member.value, &rule->caller);
		else if (scan_key_is(&member, "argument"))
			is_fine = word(reading, "rules[].argument", &member.value, &rule->argument);
		else if (scan_key_is(&member, "value"))
			is_fine = word(reading, "rules[].value", &member.value, &rule->value);
		else if (scan_key_is(&member, "action"))
			is_fine = read_action(reading, &member.value, rule);
		else is_fine = bad(reading, "rules", "of tool, caller, argument, value and action");
	}
	return is_fine;
}

static bool read_rules(const struct reading *reading, const struct scan_value *value) {
	struct authorization_settings *settings = &reading->policy->authorization;
	struct scan_walk walk;
	struct scan_member member;
	size_t count = value->type == SCAN_ARRAY ? scan_count(value) : SIZE_MAX, at = 0;
	if (count > DEFINITION_RULES) return bad(reading, "rules", "an array of at most 64 rules");
	struct authorization_rule *rules = arena_zero(reading->arena, (count + 1) * sizeof *rules);
	if (!rules) return fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a definition");
	for (scan_open(&walk, value); scan_next(&walk, &member);)
		if (!read_rule(reading, &member.value, &rules[at++])) return false;
	settings->rules = rules;
	settings->rule_count = count;
	return true;
}

/* ---- The members ---- */

static bool read_deciders(const struct reading *reading, const struct scan_value *value) {
	struct scan_walk walk;
	struct scan_member member;
	size_t count = value->type == SCAN_ARRAY ? scan_count(value) : SIZE_MAX, at = 0;
	if (count > DECISION_NAMES) return bad(reading, "deciders", "an array of a few names");
	const char **list = arena_zero(reading->arena, (count + 1) * sizeof *list);
	if (!list) return fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a definition");
	for (scan_open(&walk, value); scan_next(&walk, &member);)
		if (!word(reading, "deciders", &member.value, &list[at++])) return false;
	reading->policy->authorization_deciders = count ? list : NULL;
	return true;
}

static bool read_timeout(const struct reading *reading, const struct scan_value *value) {
	int64_t seconds;
	if (value->type != SCAN_NUMBER || !scan_integer(value, &seconds) || seconds < 1 ||
		seconds > AUTHORIZATION_TIMEOUT_MOST / 1000)
		return bad(reading, "timeout", "a whole number of seconds, from 1 to 86400");
	reading->policy->authorization.timeout_ms = (uint64_t)seconds * 1000;
	return true;
}

static bool read_mode(const struct reading *reading, const struct scan_value *value) {
	const char *mode;
	return word(reading, "mode", value, &mode) &&
		(authorization_mode_read(slice_of(mode), &reading->policy->authorization.mode) ||
			bad(reading, "mode", "always_allow, always_prompt, selective or delegated"));
}

static bool read_member(const struct reading *reading, const struct scan_member *member) {
	if (scan_key_is(member, "mode")) return read_mode(reading, &member->value);
	if (scan_key_is(member, "rules")) return read_rules(reading, &member->value);
	if (scan_key_is(member, "deciders")) return read_deciders(reading, &member->value);
	if (scan_key_is(member, "timeout")) return read_timeout(reading, &member->value);
	if (scan_key_is(member, "delegate"))
		return word(reading, "delegate", &member->value, &reading->policy->authorization.delegate);
	return fault_set(reading->why, FAULT_BAD_INPUT, "authorization.%.*s is none of mode, rules, delegate, deciders, timeout",
		(int)slice_cut(member->key, 80), member->key.bytes);
}

bool definition_authorization_read(const struct scan_value *object, struct arena *arena, struct policy *policy,
	struct fault *why) {
	const struct reading reading = {.arena = arena, .policy = policy, .why = why};
	struct scan_walk walk;
	struct scan_member member;
	if (object->type != SCAN_OBJECT) return fault_set(why, FAULT_BAD_INPUT, "authorization has to be an object");
	for (scan_open(&walk, object); scan_next(&walk, &member);)
		if (member.value.type != SCAN_NULL && !read_member(&reading, &member)) return false;
	return authorization_settings_check(&policy->authorization, why);
}

/* ---- Showing ---- */

static const char *comma(const struct text *to) {
	return to->length && to->bytes[to->length - 1] == '{' ? "" : ",";
}

static void write_word(struct text *to, const char *name, const char *words) {
	if (!words) return;
	text_printf(to, "%s\"%s\":", comma(to), name);
	text_json(to, slice_of(words));
}

static void write_rules(struct text *to, const struct authorization_settings *settings) {
	if (!settings->rule_count) return;
	text_printf(to, "%s\"rules\":[", comma(to));
	for (size_t i = 0; i < settings->rule_count; i++) {
		const struct authorization_rule *rule = &settings->rules[i];
		text_add_cstr(to, i ? ",{" : "{");
		write_word(to, "tool", rule->tool);
		write_word(to, "caller", rule->caller);
		write_word(to, "argument", rule->argument);
		write_word(to, "value", rule->value);
		write_word(to, "action", authorization_action_word(rule->action));
		text_add_char(to, '}');
	}
	text_add_char(to, ']');
}

static void write_deciders(struct text *to, const char *const *deciders) {
	if (!deciders) return;
	text_printf(to, "%s\"deciders\":[", comma(to));
	for (size_t i = 0; deciders[i]; i++) {
		if (i) text_add_char(to, ',');
		text_json(to, slice_of(deciders[i]));
	}
	text_add_char(to, ']');
}

void definition_authorization_write(struct text *to, const struct policy *policy) {
	const struct authorization_settings *settings = policy ? &policy->authorization : NULL;
	bool is_said = settings && (settings->mode != AUTHORIZATION_UNSAID || settings->delegate || settings->timeout_ms || policy->authorization_deciders);
	if (!is_said) return;
	text_add_cstr(to, ",\"authorization\":{");
	if (settings->mode != AUTHORIZATION_UNSAID) write_word(to, "mode", authorization_mode_word(settings->mode));
	write_word(to, "delegate", settings->delegate);
	write_rules(to, settings);
	write_deciders(to, policy->authorization_deciders);
	if (settings->timeout_ms)
		text_printf(to, "%s\"timeout\":%llu", comma(to), (unsigned long long)(settings->timeout_ms + 999) / 1000);
	text_add_char(to, '}');
}
