/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: a tool's definition. What is taken shows as JSON that reads back to the same risk at least, and
 * never lower than what it claims. */
#include "validate/tool_security.h"

#include "wire/scan.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void check(const struct tool_security *security) {
	AUTO_TEXT struct text shown = {0};
	struct scan_value root, value;
	struct scan_fault fault;
	struct permission_type_names names;
	text_init(&shown, 0);
	tool_security_write(&shown, security);
	require(scan_check(text_slice(&shown), SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT);
	require(scan_find(&root, "risk_level", &value) && scan_find(&root, "validator", &value));
	require(security->risk >= security->claimed && security->risk < RISK_LEVELS);
	for (size_t i = 0; i < security->permission_count; i++) {
		require(permission_type_read(security->permissions[i], &names, NULL) && names.count == 1);
		require(security->risk >= permission_type_risk(security->permissions[i]));
	}
}

static void read_one(struct slice definition, bool is_negotiated) {
	static const char *const validators[] = {"fetch*=network_restricted", NULL};
	const struct tool_rules rules = {.is_negotiated = is_negotiated,
		.is_sandboxed = !is_negotiated,
		.validators = is_negotiated ? NULL : validators};
	struct fault why = {.code = FAULT_NONE};
	AUTO(tool_security) security = tool_security_read(definition, &rules, &why);
	if (security) check(security);
	else require(why.code != FAULT_NONE && why.text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice text = slice_make(data, size);
	struct scan_value root;
	struct scan_fault fault;
	if (!scan_check(text, SCAN_DEPTH, &root, &fault)) return 0;
	read_one(root.text, true);
	read_one(root.text, false);
	return 0;
}
