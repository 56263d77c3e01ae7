/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code defaults: the house's own lists for each language. Static; any thread.
 *
 * A pattern is a path of names: "os.system" wherever it stands, "eval(" where it is called or handed on,
 * "os.exec*" any name that begins so, ".__globals__" as a member of anything. Of shell, imports are the
 * commands it runs, and patterns are judged by code_shell.c alone.
 */
#ifndef HUSTINGS_VALIDATE_CODE_DEFAULTS_H
#define HUSTINGS_VALIDATE_CODE_DEFAULTS_H

#include "validate/code_rules.h"

struct code_defaults { /* each ends with a slice of no length */
	const struct slice *blocked_imports;
	const struct slice *allowed_imports; /* from strict on, where the rules name none */
	const struct slice *patterns;        /* from standard on */
	const struct slice *strict_patterns; /* from strict on */
	const struct slice *write_patterns;  /* readonly */
};

const struct code_defaults *code_defaults_of(enum code_language language);
struct code_list code_defaults_list(const struct slice *items);

#endif
