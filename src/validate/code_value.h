/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code value: what is known of an expression without running it: a path of names, a string, or nothing.
 * A plain value; texts that are too long for it are no longer known.
 */
#ifndef HUSTINGS_VALIDATE_CODE_VALUE_H
#define HUSTINGS_VALIDATE_CODE_VALUE_H

#include "base/slice.h"

#define CODE_VALUE_TEXT 156

enum code_value_kind {
	CODE_VALUE_NONE,   /* no operand yet */
	CODE_VALUE_PATH,   /* "os.system"; "?" stands for what is not known before it */
	CODE_VALUE_STRING, /* the whole text */
	CODE_VALUE_BEGUN,  /* a string whose beginning alone is known */
	CODE_VALUE_OTHER,
};

struct code_value {
	uint8_t kind;
	uint8_t length;
	bool is_computed; /* put together by calls and operators */
	char text[CODE_VALUE_TEXT];
};

struct code_value code_value_none(void);
struct code_value code_value_other(bool is_computed);
struct code_value code_value_path(struct slice path);
struct code_value code_value_string(struct slice text);
/* A copy is short: what lies behind the text is not read. */
void code_value_set(struct code_value *value, const struct code_value *other);
/* "a" becomes "a.name". */
void code_value_extend(struct code_value *value, struct slice name);
/* Left and right of a plus, or string behind string; the outcome is in `left`. */
void code_value_join(struct code_value *left, const struct code_value *right);
struct slice code_value_text(const struct code_value *value);
bool code_value_is(const struct code_value *value, const char *path);
/* The path without ".name" at its end; false: it has another one. */
bool code_value_without(const struct code_value *value, const char *name, struct slice *base);

#endif
