/* SPDX-License-Identifier: Apache-2.0 */
/* Policy answer: three members of one object. */
#include "decide/policy_answer.h"

#include "wire/scan.h"

static bool read_verdict(struct slice word, enum policy_verdict *verdict) {
	if (slice_is(word, "allow")) *verdict = POLICY_ALLOW;
	else if (slice_is(word, "deny")) *verdict = POLICY_DENY;
	else if (slice_is(word, "ask")) *verdict = POLICY_ASK;
	else return false;
	return true;
}

/* Empty when it is not there, or no string. */
static bool read_string(const struct scan_value *root, const char *name, struct arena *arena,
	struct slice *string) {
	struct scan_value value;
	*string = SLICE_NONE;
	return !scan_find(root, name, &value) || value.type != SCAN_STRING || scan_string(&value, arena, string);
}

bool policy_answer_read(struct slice text, struct arena *arena, struct policy_answer *answer,
	struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	struct slice word;
	bool has_duplicates;
	*answer = (struct policy_answer){.verdict = POLICY_ASK};
	if (!scan_check(text, SCAN_DEPTH, &root, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "octet %zu: %s", fault.offset, fault.what);
	if (root.type != SCAN_OBJECT) return fault_set(why, FAULT_BAD_INPUT, "no JSON object");
	if (!scan_has_duplicates(text, arena, &has_duplicates) ||
		!read_string(&root, "id", arena, &answer->id) ||
		!read_string(&root, "reason", arena, &answer->reason) ||
		!read_string(&root, "decision", arena, &word))
		return fault_set(why, FAULT_NO_MEMORY, "no memory to read an answer");
	answer->reason.length = slice_cut(answer->reason, DECISION_REASON);
	if (has_duplicates) return fault_set(why, FAULT_BAD_INPUT, "a key stands twice in one object");
	if (read_verdict(word, &answer->verdict)) return true;
	return fault_set(why, FAULT_BAD_INPUT, "decision has to be allow, deny or ask");
}
