/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool security: what a tool may do, as the kernel sees it (MGP 4): read once from its definition and
 * from configuration, then only asked.
 *
 * The risk is the kernel's: the greatest of what its permissions, annotations, side effects, validator
 * and its own claim say. A tool can raise it and never lower it. A tool that declares no validator gets
 * one by its name and schema (MGP 8.2): what runs commands the sandbox, what runs code code_safety, what
 * fetches a URL network_restricted, what says it only reads and takes SQL readonly. Configuration goes
 * before both.
 *
 * Owned, immutable; any thread.
 */
#ifndef HUSTINGS_VALIDATE_TOOL_SECURITY_H
#define HUSTINGS_VALIDATE_TOOL_SECURITY_H

#include "validate/code_rules.h"
#include "validate/permission_type.h"
#include "validate/validator_word.h"
#include "base/text.h"

#define TOOL_SECURITY_LIST 64 /* entries of a list in a definition */

/* What configuration says of a server's tools; borrowed while tool_security_read() runs. Zeroed: nothing,
 * and the server does not speak the extension. */
struct tool_rules {
	bool is_negotiated; /* MGP's `security` is agreed on: the tool's own object counts */
	bool is_sandboxed;  /* code safety is at least standard (MGP 15.4) */
	/* "TOOL=VALIDATOR", "fetch_*=network_restricted"; the first that fits counts; NULL ended, may be NULL. */
	const char *const *validators;
	struct slice code_safety; /* JSON object of MGP 7.3; SLICE_NONE: none */
};

enum tool_claim {
	TOOL_UNSAID,
	TOOL_NO,
	TOOL_YES,
};

enum tool_side_effect { /* MGP 4.3; bits */
	TOOL_EFFECT_FILESYSTEM = 1,
	TOOL_EFFECT_NETWORK = 2,
	TOOL_EFFECT_PROCESS = 4,
	TOOL_EFFECT_DATABASE = 8,
	TOOL_EFFECT_NOTIFICATION = 16,
	TOOL_EFFECT_OTHER = 32, /* a word that MGP does not know */
};

struct tool_security {
	bool is_declared;        /* it has a `security` object that counts */
	bool has_claim;          /* with a risk_level */
	enum risk_level claimed; /* safe, where it claims none */
	enum risk_level risk;    /* computed; the one that counts */
	enum validator validator;
	bool is_fallback;          /* the validator was chosen by name and schema */
	enum tool_claim read_only; /* annotations, as they stand */
	enum tool_claim destructive;
	enum tool_claim idempotent;
	enum tool_claim reversible;
	enum tool_claim confirmation_required;
	unsigned side_effects;           /* enum tool_side_effect */
	const struct slice *permissions; /* normalised, each once */
	size_t permission_count;
	struct code_rules code;   /* counts where the validator is code_safety */
	struct slice code_safety; /* the claimed object's text; SLICE_NONE: none */
	struct arena arena;       /* of all that is pointed to */
};

/* `definition`: a tool of tools/list, checked JSON. NULL: FAULT_BAD_INPUT names the member that is wrong
 * (an unknown permission, validator, risk level, another type), FAULT_NO_MEMORY. */
struct tool_security *tool_security_read(
	struct slice definition, const struct tool_rules *rules, struct fault *why) MUST_USE;
void tool_security_free(struct tool_security *security); /* NULL is fine */
AUTO_RELEASE(tool_security, tool_security_free)

/* Whether a rule of configuration is one: "TOOL=VALIDATOR". */
bool tool_security_check_rule(const char *rule, struct fault *why) MUST_USE;

/* The `security` object that MGP clients see: the computed risk_level, the validator that is applied, and
 * the tool's other claims. */
void tool_security_write(struct text *to, const struct tool_security *security);
/* Whether a person is asked before it is called (MGP 4.4): dangerous, or it wants to be confirmed. */
bool tool_security_wants_confirmation(const struct tool_security *security);

#endif
