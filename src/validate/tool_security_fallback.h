/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool security fallback: which validator fits a tool that declares none, by its name and the properties
 * of its inputSchema (MGP 8.2). Pure; any thread.
 */
#ifndef HUSTINGS_VALIDATE_TOOL_SECURITY_FALLBACK_H
#define HUSTINGS_VALIDATE_TOOL_SECURITY_FALLBACK_H

#include "validate/validator_word.h"
#include "wire/scan.h"

/* `definition`: the tool as an object; says_read_only: its readOnlyHint. */
enum validator tool_security_fallback(
	struct slice name, const struct scan_value *definition, bool says_read_only) MUST_USE;

#endif
