/* SPDX-License-Identifier: Apache-2.0 */
/* Table: an array of JSON objects as lines with columns, for people. */
#ifndef HUSTINGS_CLI_TABLE_H
#define HUSTINGS_CLI_TABLE_H

#include "base/fault.h"
#include "base/text.h"

struct table_column {
	const char *member; /* of each object */
	const char *title;
};

#define TABLE_COLUMNS 12

/* `columns` ends with an empty row; strings lose their quotes, arrays of strings their brackets, what
 * is missing is "-". */
bool table_write(struct slice json, const char *array, const struct table_column *columns,
	struct text *to, struct fault *why) MUST_USE;

#endif
