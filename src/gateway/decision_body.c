/* SPDX-License-Identifier: Apache-2.0 */
/* Decision body: member by member. */
#include "gateway/decision_body.h"

#include "base/clock.h"
#include "wire/scan.h"

static bool read_string(const struct scan_value *value, const char *name, struct arena *arena,
	struct slice *string, struct fault *why) {
	if (value->type != SCAN_STRING) return fault_set(why, FAULT_BAD_INPUT, "%s: has to be a string", name);
	return scan_string(value, arena, string) || fault_set(why, FAULT_NO_MEMORY, "no memory to read the body");
}

static bool read_decision(const struct scan_value *value, struct arena *arena, struct decision_body *body,
	struct fault *why) {
	struct slice word;
	body->has_word = true;
	if (!read_string(value, "decision", arena, &word, why)) return false;
	body->answer.approves = slice_is(word, "approve");
	body->has_decision = body->answer.approves || slice_is(word, "deny");
	return body->has_decision ||
		fault_set(why, FAULT_BAD_INPUT, "decision: '%.*s' is neither approve nor deny",
			(int)slice_cut(word, 40), word.bytes);
}

static bool read_until(const struct scan_value *value, struct arena *arena, struct decision_body *body,
	struct fault *why) {
	struct slice text;
	int64_t span_ms;
	if (!read_string(value, "validUntil", arena, &text, why)) return false;
	if (clock_read(text, &body->answer.valid_until) && body->answer.valid_until > 0) return true;
	if (clock_span_read(text, &span_ms, NULL) && span_ms > 0 && span_ms <= DECISION_TTL_MOST) {
		body->answer.valid_until = clock_wall_ms() + span_ms;
		return true;
	}
	return fault_set(why, FAULT_BAD_INPUT,
		"validUntil: has to be a time (RFC 3339), or a span like 1h of at most 365 days");
}

static bool read_only(const struct scan_value *value, struct arena *arena, struct decision_body *body,
	struct fault *why) {
	struct scan_walk walk;
	struct scan_member member;
	size_t count = 0;
	if (value->type != SCAN_ARRAY) return fault_set(why, FAULT_BAD_INPUT, "only: has to be an array of permissions");
	for (scan_open(&walk, value); scan_next(&walk, &member); count++) {
		if (count == DECISION_NAMES)
			return fault_set(why, FAULT_BAD_INPUT, "only: at most %d permissions", DECISION_NAMES);
		if (!read_string(&member.value, "only", arena, &body->only[count], why)) return false;
	}
	if (count == 0) return fault_set(why, FAULT_BAD_INPUT, "only: names nothing: deny it instead");
	body->answer.only = body->only;
	body->answer.only_count = count;
	return true;
}

static bool read_member(const struct scan_member *member, struct arena *arena, struct decision_body *body,
	struct fault *why) {
	const struct scan_value *value = &member->value;
	if (scan_key_is(member, "decision")) return read_decision(value, arena, body, why);
	if (value->type == SCAN_NULL && !scan_key_is(member, "answer")) return true;
	if (scan_key_is(member, "reason")) return read_string(value, "reason", arena, &body->answer.reason, why);
	if (scan_key_is(member, "validUntil")) return read_until(value, arena, body, why);
	if (scan_key_is(member, "only")) return read_only(value, arena, body, why);
	if (scan_key_is(member, "answer")) {
		body->answer.answer = value->text;
		return true;
	}
	return fault_set(why, FAULT_BAD_INPUT, "key %.*s is none of decision, reason, validUntil, only, answer",
		(int)slice_cut(member->key, 60), member->key.bytes);
}

bool decision_body_read(struct slice text, struct arena *arena, struct decision_body *body,
	struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	struct scan_walk walk;
	struct scan_member member;
	bool has_twice;
	*body = (struct decision_body){0};
	if (!scan_check(text, SCAN_DEPTH, &root, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "the body is not JSON: octet %zu: %s", fault.offset, fault.what);
	if (root.type != SCAN_OBJECT) return fault_set(why, FAULT_BAD_INPUT, "the body has to be a JSON object");
	if (!scan_has_duplicates(text, arena, &has_twice))
		return fault_set(why, FAULT_NO_MEMORY, "no memory to read the body");
	if (has_twice) return fault_set(why, FAULT_BAD_INPUT, "the body has a key twice");
	for (scan_open(&walk, &root); scan_next(&walk, &member);)
		if (!read_member(&member, arena, body, why)) return false;
	if (body->has_decision) return true;
	return fault_set(why, FAULT_BAD_INPUT, "decision: missing: write {\"decision\":\"approve\"} or \"deny\"");
}
