/* SPDX-License-Identifier: Apache-2.0 */
/* Schema keywords: one table of names. */
#include "mcp/schema_keywords.h"

static const char *const names[SCHEMA_KEYWORDS] = {
	[KEY_SCHEMA] = "$schema",
	[KEY_ID] = "$id",
	[KEY_OLD_ID] = "id",
	[KEY_ANCHOR] = "$anchor",
	[KEY_DYNAMIC_ANCHOR] = "$dynamicAnchor",
	[KEY_REF] = "$ref",
	[KEY_DYNAMIC_REF] = "$dynamicRef",
	[KEY_RECURSIVE_REF] = "$recursiveRef",
	[KEY_DEFS] = "$defs",
	[KEY_DEFINITIONS] = "definitions",
	[KEY_TYPE] = "type",
	[KEY_CONST] = "const",
	[KEY_ENUM] = "enum",
	[KEY_MINIMUM] = "minimum",
	[KEY_MAXIMUM] = "maximum",
	[KEY_EXCLUSIVE_MINIMUM] = "exclusiveMinimum",
	[KEY_EXCLUSIVE_MAXIMUM] = "exclusiveMaximum",
	[KEY_MULTIPLE_OF] = "multipleOf",
	[KEY_MIN_LENGTH] = "minLength",
	[KEY_MAX_LENGTH] = "maxLength",
	[KEY_PATTERN] = "pattern",
	[KEY_FORMAT] = "format",
	[KEY_MIN_ITEMS] = "minItems",
	[KEY_MAX_ITEMS] = "maxItems",
	[KEY_UNIQUE_ITEMS] = "uniqueItems",
	[KEY_PREFIX_ITEMS] = "prefixItems",
	[KEY_ITEMS] = "items",
	[KEY_ADDITIONAL_ITEMS] = "additionalItems",
	[KEY_CONTAINS] = "contains",
	[KEY_MIN_CONTAINS] = "minContains",
	[KEY_MAX_CONTAINS] = "maxContains",
	[KEY_UNEVALUATED_ITEMS] = "unevaluatedItems",
	[KEY_MIN_PROPERTIES] = "minProperties",
	[KEY_MAX_PROPERTIES] = "maxProperties",
	[KEY_REQUIRED] = "required",
	[KEY_PROPERTIES] = "properties",
	[KEY_PATTERN_PROPERTIES] = "patternProperties",
	[KEY_ADDITIONAL_PROPERTIES] = "additionalProperties",
	[KEY_PROPERTY_NAMES] = "propertyNames",
	[KEY_DEPENDENT_REQUIRED] = "dependentRequired",
	[KEY_DEPENDENT_SCHEMAS] = "dependentSchemas",
	[KEY_DEPENDENCIES] = "dependencies",
	[KEY_UNEVALUATED_PROPERTIES] = "unevaluatedProperties",
	[KEY_ALL_OF] = "allOf",
	[KEY_ANY_OF] = "anyOf",
	[KEY_ONE_OF] = "oneOf",
	[KEY_NOT] = "not",
	[KEY_IF] = "if",
	[KEY_THEN] = "then",
	[KEY_ELSE] = "else",
	[KEY_REMARK] = "$comment",
};

static const char *const remarks[] = {"$comment", "title", "description", "default", "examples",
	"example", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType",
	"contentSchema", "$vocabulary", "$recursiveAnchor"};

const char *schema_keyword_name(enum schema_keyword keyword) {
	return names[keyword];
}

enum schema_keyword schema_keyword_find(const struct scan_member *member) {
	for (unsigned i = 0; i < SCHEMA_KEYWORDS; i++)
		if (scan_key_is(member, names[i])) return i;
	for (size_t i = 0; i < COUNT_OF(remarks); i++)
		if (scan_key_is(member, remarks[i])) return KEY_REMARK;
	return SCHEMA_KEYWORDS;
}
