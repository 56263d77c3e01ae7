/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema keywords: those that are understood, and the values that one schema gives them. Private to
 * mcp/schema*; plain values that borrow the schema's text.
 */
#ifndef HUSTINGS_MCP_SCHEMA_KEYWORDS_H
#define HUSTINGS_MCP_SCHEMA_KEYWORDS_H

#include "wire/scan.h"

enum schema_keyword {
	KEY_SCHEMA,
	KEY_ID,
	KEY_OLD_ID, /* "id" of draft-04 */
	KEY_ANCHOR,
	KEY_DYNAMIC_ANCHOR,
	KEY_REF,
	KEY_DYNAMIC_REF,
	KEY_RECURSIVE_REF, /* of 2019-09 */
	KEY_DEFS,
	KEY_DEFINITIONS,
	KEY_TYPE,
	KEY_CONST,
	KEY_ENUM,
	KEY_MINIMUM,
	KEY_MAXIMUM,
	KEY_EXCLUSIVE_MINIMUM,
	KEY_EXCLUSIVE_MAXIMUM,
	KEY_MULTIPLE_OF,
	KEY_MIN_LENGTH,
	KEY_MAX_LENGTH,
	KEY_PATTERN,
	KEY_FORMAT,
	KEY_MIN_ITEMS,
	KEY_MAX_ITEMS,
	KEY_UNIQUE_ITEMS,
	KEY_PREFIX_ITEMS,
	KEY_ITEMS,
	KEY_ADDITIONAL_ITEMS,
	KEY_CONTAINS,
	KEY_MIN_CONTAINS,
	KEY_MAX_CONTAINS,
	KEY_UNEVALUATED_ITEMS,
	KEY_MIN_PROPERTIES,
	KEY_MAX_PROPERTIES,
	KEY_REQUIRED,
	KEY_PROPERTIES,
	KEY_PATTERN_PROPERTIES,
	KEY_ADDITIONAL_PROPERTIES,
	KEY_PROPERTY_NAMES,
	KEY_DEPENDENT_REQUIRED,
	KEY_DEPENDENT_SCHEMAS,
	KEY_DEPENDENCIES,
	KEY_UNEVALUATED_PROPERTIES,
	KEY_ALL_OF,
	KEY_ANY_OF,
	KEY_ONE_OF,
	KEY_NOT,
	KEY_IF,
	KEY_THEN,
	KEY_ELSE,
	KEY_REMARK, /* title, description, default ...: says nothing of an instance */
	SCHEMA_KEYWORDS
};

struct schema_words {
	struct scan_value values[SCHEMA_KEYWORDS]; /* SCAN_NONE: it does not stand there */
};

const char *schema_keyword_name(enum schema_keyword keyword);
/* SCHEMA_KEYWORDS: unknown. */
enum schema_keyword schema_keyword_find(const struct scan_member *member);

static inline const struct scan_value *schema_word(const struct schema_words *words,
	enum schema_keyword keyword) {
	return words->values[keyword].type == SCAN_NONE ? NULL : &words->values[keyword];
}

#endif
