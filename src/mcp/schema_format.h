/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema format: the formats of JSON Schema that can be checked. Plain functions, any thread.
 */
#ifndef HUSTINGS_MCP_SCHEMA_FORMAT_H
#define HUSTINGS_MCP_SCHEMA_FORMAT_H

#include "base/slice.h"

enum schema_format {
	SCHEMA_FORMAT_NONE, /* unknown ones too: they accept */
	SCHEMA_DATE,        /* RFC 3339 */
	SCHEMA_TIME,
	SCHEMA_DATE_TIME,
	SCHEMA_EMAIL, /* RFC 5321, an address */
	SCHEMA_URI,   /* RFC 3986, with a scheme */
	SCHEMA_UUID,  /* RFC 4122 */
	SCHEMA_IPV4,
	SCHEMA_IPV6, /* without a zone */
	SCHEMA_FORMATS
};

enum schema_format schema_format_find(struct slice name);
/* "a date (YYYY-MM-DD) like 2026-01-31" */
const char *schema_format_words(enum schema_format format);
bool schema_format_fits(enum schema_format format, struct slice text);

#endif
