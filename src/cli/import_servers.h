/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Import servers: what an imported file's entries mean as [[servers]] (MGP 15.2): ids made valid and
 * unique, references of each program translated to ${NAME}, secrets replaced by references unless
 * `is_inline`, and notes about everything that is not carried over.
 *
 * Owned: import_servers_init(), import_servers_finish(). Borrows the file while it is told.
 */
#ifndef HUSTINGS_CLI_IMPORT_SERVERS_H
#define HUSTINGS_CLI_IMPORT_SERVERS_H

#include "cli/import_file.h"

#define IMPORT_ID 64   /* octets of an id: ASCII letters, digits and _-. */
#define IMPORT_ARGS 64 /* arguments of one server */

struct import_server {
	struct import_server *next;
	char id[IMPORT_ID + 1];
	struct slice was; /* its name there */
	struct slice command, url, cwd;
	const char *transport; /* NULL: what follows from command or url */
	struct import_pairs args, env, headers;
};

struct import_variable { /* to be set before the gateway starts */
	struct import_variable *next;
	struct slice name;
	struct slice what;   /* "env GITHUB_TOKEN of github" */
	struct slice secret; /* the value it stood for; length 0: it had none there */
};

struct import_servers {
	struct arena memory;
	struct import_server *first;
	struct import_server **end;
	size_t count;
	struct import_variable *variables;
	struct import_pairs taken; /* ids that others have */
	struct import_pairs notes; /* name: the server's, value: what is to be said */
	bool is_inline;
	bool failed; /* no memory for something */
};

void import_servers_init(struct import_servers *servers, bool is_inline);
void import_servers_finish(struct import_servers *servers);
/* Before import_servers_take(): an id that is in use. */
void import_servers_reserve(struct import_servers *servers, struct slice id);
bool import_servers_take(struct import_servers *servers, const struct import_file *file,
	struct fault *why) MUST_USE;

/* For import_values.c: */
void import_note(struct import_servers *servers, const struct import_server *server,
	const char *format, ...) PRINTF_LIKE(3, 4);

#endif
