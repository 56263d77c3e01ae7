/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code rules: what code that a tool is given may hold (MGP 7.2, 7.3).
 *
 *   {"level":"unrestricted|standard|strict|readonly","language":"python|javascript|shell|...",
 *    "max_code_size_bytes":10000,"blocked_imports":[...],"blocked_patterns":[...],
 *    "allowed_imports":[...],"argument":"script"}
 *
 * The house has lists of its own for each language (code_defaults.h), which always hold: blocked_* add to
 * them; allowed_imports takes names out of the house's blocked imports, but never out of the rules' own,
 * and under a floor not at all. From strict on only allowed imports pass, the house's where none are
 * named. A plain value: what it points to lies in the arena it was read with. Any thread.
 */
#ifndef HUSTINGS_VALIDATE_CODE_RULES_H
#define HUSTINGS_VALIDATE_CODE_RULES_H

#include "base/arena.h"
#include "base/fault.h"

#define CODE_OCTETS (256 * 1024) /* of code in one call, whatever the rules say */
#define CODE_LIST 128            /* entries of a list of rules */
#define CODE_LIST_ENTRY 128      /* octets of an entry */
#define CODE_VIOLATIONS 32       /* told of; the rest is only counted */

enum code_level {
	CODE_UNRESTRICTED,
	CODE_STANDARD,
	CODE_STRICT,
	CODE_READONLY,
	CODE_LEVELS
};

enum code_language {
	CODE_UNSAID, /* told from the arguments, else guessed */
	CODE_PYTHON,
	CODE_JAVASCRIPT, /* and TypeScript */
	CODE_SHELL,
	CODE_OTHER, /* one we do not read: patterns alone, and nothing from strict on */
	CODE_LANGUAGES
};

struct code_list {
	const struct slice *items;
	size_t count;
};

struct code_rules {
	enum code_level level;
	enum code_language language;
	struct slice argument; /* the name of the argument that holds code; SLICE_NONE: code_safety.h */
	size_t max_size;       /* octets of code; 0: the level's */
	struct code_list blocked_imports;
	struct code_list blocked_patterns;
	struct code_list allowed_imports;
	bool has_allowed; /* named, though perhaps empty */
	bool is_floored;  /* of a sandboxed server: the house's lists stand whatever it names */
};

/* Level standard, the house's lists. */
void code_rules_init(struct code_rules *rules);
/* `object` is the text of a `security.code_safety` object; a member that is missing is as in
 * code_rules_init(). The lists lie in the arena, their characters there or in `object`. FAULT_BAD_INPUT
 * names the member. */
bool code_rules_read(struct slice object, struct arena *arena, struct code_rules *rules,
	struct fault *why) MUST_USE;
/* The stricter of both in every member (configuration over a server's claim): the higher level, the
 * smaller size, all that either blocks, only what both allow. What `more` names as language and argument
 * goes before. The lists lie in the arena. */
bool code_rules_join(struct code_rules *rules, const struct code_rules *more, struct arena *arena,
	struct fault *why) MUST_USE;
/* At least standard, and the house's lists stand (MGP 15.4: sandboxed servers). */
void code_rules_floor(struct code_rules *rules);
/* The octets that code may have. */
size_t code_rules_max_size(const struct code_rules *rules);

const char *code_level_word(enum code_level level);
bool code_level_read(struct slice word, enum code_level *level) MUST_USE;
/* Names, short forms and dialects in any case: "py", "TypeScript", "bash". CODE_OTHER: none of ours. */
enum code_language code_language_read(struct slice word);
const char *code_language_word(enum code_language language);

#endif
