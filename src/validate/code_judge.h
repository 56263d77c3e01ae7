/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code judge: what is said of an import, a path of names, a string, by one set of rules and in one
 * language. It notes violations in the report, and nothing while it is silent. A plain value of one check,
 * borrowing rules, report and arena.
 */
#ifndef HUSTINGS_VALIDATE_CODE_JUDGE_H
#define HUSTINGS_VALIDATE_CODE_JUDGE_H

#include "validate/code_defaults.h"
#include "validate/code_report.h"

#define CODE_JUDGE_BUCKETS 64

/* How a path of names stands in the code. */
enum code_use {
	CODE_CALLED,   /* an opening parenthesis follows */
	CODE_USED,     /* handed on as a value */
	CODE_EXTENDED, /* a part of a longer path */
	CODE_ASSIGNED, /* a value is put there */
};

/* The two halves of a path's pattern, "os." and "system"; what is no path is looked for as it stands. */
struct code_pattern {
	struct slice shown;
	struct slice head;
	struct slice tail;
	bool is_path;
	bool is_member; /* begins with a dot: of anything */
	bool is_call;   /* ends with a parenthesis */
	bool is_begun;  /* ends with a star: names that begin so */
	bool is_write;  /* of readonly */
	uint32_t next;  /* in its bucket; 0: the last */
};

struct code_judge {
	const struct code_rules *rules;
	const struct code_defaults *defaults;
	struct code_report *report;
	struct arena *arena;
	enum code_language language;
	struct code_pattern *patterns; /* from 1 */
	uint32_t count;
	uint32_t buckets[CODE_JUDGE_BUCKETS]; /* by the first letter of the tail */
	uint64_t known[64];                   /* by length and first letter: paths below which a rule speaks */
	bool is_silent;
	bool is_guessed; /* the language: what is certainly written in another one cannot be read */
};

/* False: no memory. */
bool code_judge_init(struct code_judge *judge, const struct code_rules *rules, enum code_language language,
	struct code_report *report, struct arena *arena) MUST_USE;

/* "os.path", "node:fs"; of shell the command's name. */
void code_judge_import(struct code_judge *judge, struct slice name);
/* What is taken out of a module may be a module: blocked ones alone are told of. False: it is none. */
bool code_judge_member(struct code_judge *judge, struct slice name);
/* "fs/promises" and "node:fs" as paths: the module's name alone. */
struct slice code_judge_module(const struct code_judge *judge, struct slice name);
/* A path of names from its root: "os.system", "?.system" behind something that is not known. */
void code_judge_path(struct code_judge *judge, struct slice path, enum code_use use);
/* Whether a rule might speak of what lies below the path. */
bool code_judge_knows(const struct code_judge *judge, struct slice path);
/* A string's text: names that reach into an interpreter stand in no harmless string alone. */
void code_judge_string(struct code_judge *judge, struct slice text);
/* Patterns that are no paths, in `text` (comments and strings left out) or, where they hold a quotation
 * mark, in the code as it stands. */
void code_judge_text(struct code_judge *judge, struct slice text, struct slice code);
void code_judge_pattern(struct code_judge *judge, const char *pattern); /* "Blocked pattern: '...'" */
/* "Blocked pattern: '`what` `name`'" */
void code_judge_path_text(struct code_judge *judge, const char *what, struct slice name);
/* "Dynamic import: '...'": of a name that is only known when it runs. */
void code_judge_dynamic(struct code_judge *judge, const char *importer);
void code_judge_write(struct code_judge *judge, struct slice path); /* "Write operation: '...'" */
bool code_judge_is_strict(const struct code_judge *judge);
bool code_judge_is_readonly(const struct code_judge *judge);

#endif
