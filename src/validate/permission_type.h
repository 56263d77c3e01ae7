/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Permission type: the permissions of MGP 3.2 with their risk, and how a name is read (decision 23):
 * "shell" is shell.execute, "network" is network.outbound, "filesystem" is both filesystem permissions;
 * a name of somebody's own is written as a reverse domain, "com.example.name", and counts as moderate.
 * Constant data; any thread.
 */
#ifndef HUSTINGS_VALIDATE_PERMISSION_TYPE_H
#define HUSTINGS_VALIDATE_PERMISSION_TYPE_H

#include "base/fault.h"
#include "base/slice.h"

enum risk_level { /* MGP 4.4, in order */
	RISK_SAFE,
	RISK_MODERATE,
	RISK_DANGEROUS,
	RISK_LEVELS
};

struct permission_type {
	const char *name;
	const char *description;
	enum risk_level risk;
};

extern const struct permission_type permission_types[]; /* ends with a row without a name */

#define PERMISSION_TYPE_NAMES 2  /* that one word may stand for */
#define PERMISSION_TYPE_NAME 128 /* octets of a name */

struct permission_type_names {
	struct slice names[PERMISSION_TYPE_NAMES]; /* constant, or the word that was read itself */
	size_t count;
};

/* FAULT_BAD_INPUT names the word that is none. */
bool permission_type_read(
	struct slice word, struct permission_type_names *names, struct fault *why) MUST_USE;
/* Of a name that was read; moderate where the table has it not. */
enum risk_level permission_type_risk(struct slice name);
/* For people; NULL: the table has it not. */
const char *permission_type_description(struct slice name);

const char *risk_level_word(enum risk_level risk); /* "dangerous"; static */
bool risk_level_read(struct slice word, enum risk_level *risk) MUST_USE;

#endif
