/* SPDX-License-Identifier: Apache-2.0 */
/* Decision digest: the parts in one text, and its hash. */
#include "decide/decision_digest.h"

#include "wire/scan.h"

static bool check_arguments(struct slice arguments, struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	struct arena arena;
	char lent[2048];
	bool has_duplicates = false;
	if (arguments.length > DECISION_ARGUMENTS)
		return fault_set(why, FAULT_TOO_LARGE,
			"arguments: %zu octets, of which at most %d can be shown to who decides: send less, or a reference",
			arguments.length, DECISION_ARGUMENTS);
	if (!scan_check(arguments, SCAN_DEPTH, &root, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "arguments: octet %zu: %s", fault.offset, fault.what);
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_checked = scan_has_duplicates(arguments, &arena, &has_duplicates);
	arena_finish(&arena);
	if (!is_checked) return fault_set(why, FAULT_NO_MEMORY, "no memory to read the arguments");
	if (has_duplicates)
		return fault_set(why, FAULT_BAD_INPUT,
			"arguments: a key stands twice in one object, which two readers could read in two ways");
	return true;
}

static void add_part(struct text *to, struct slice part) {
	text_add(to, part);
	text_add_char(to, '\0');
}

bool decision_digest(const struct decision_wish *wish, uint8_t digest[SECRET_HASH_SIZE],
	struct fault *why) {
	AUTO_TEXT struct text parts = {0};
	text_init(&parts, 0);
	if (wish->arguments.length && !check_arguments(wish->arguments, why)) return false;
	add_part(&parts, wish->server);
	add_part(&parts, wish->tool);
	add_part(&parts, wish->requester);
	if (wish->arguments.length) scan_compact(&parts, wish->arguments);
	text_add_char(&parts, '\0');
	for (size_t i = 0; i < wish->permission_count; i++) add_part(&parts, wish->permissions[i]);
	if (text_failed(&parts) || !secret_hash(text_slice(&parts), digest))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a decision");
	return true;
}
