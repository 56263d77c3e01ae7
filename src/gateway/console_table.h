/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Console table: the files of the web console that are in this binary. tools/embed-console makes
 * it when the binary is built; a build without the console has an empty one. Never changes.
 */
#ifndef HUSTINGS_GATEWAY_CONSOLE_TABLE_H
#define HUSTINGS_GATEWAY_CONSOLE_TABLE_H

#include <stddef.h>

struct console_octets {
	const char *bytes; /* NULL: there are none */
	size_t length;
};

struct console_file {
	const char *path; /* "/", "/assets/index-1a2b3c4d.js" */
	const char *type; /* its Content-Type */
	const char *hash; /* SHA-256 of the plain octets, in hex */
	struct console_octets plain;
	struct console_octets packed; /* gzip; where that is shorter */
};

extern const struct console_file console_table[]; /* ends with an empty row */

#endif
