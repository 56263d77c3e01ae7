/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Import draft: the [[servers]] that an import comes to, while they are made: what is taken over, what
 * is to be set, what is to be said. Everything lies in its arena; import_servers.h owns it.
 */
#ifndef HUSTINGS_CLI_IMPORT_DRAFT_H
#define HUSTINGS_CLI_IMPORT_DRAFT_H

#include "cli/import_list.h"

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
	struct import_pairs named; /* variables that servers name: what they hold is not known */
	struct import_pairs notes; /* name: the server's, value: what is to be said */
	bool is_inline;
	bool failed; /* no memory for something */
};

/* Something that people should know; about no single one: server NULL. */
void import_draft_note(struct import_servers *servers, const struct import_server *server,
	const char *format, ...) PRINTF_LIKE(3, 4);

#endif
