/* SPDX-License-Identifier: Apache-2.0 */
/* Import draft: notes are kept with the id of whom they are about. */
#include "cli/import_draft.h"

#include <stdarg.h>
#include <stdio.h>

void import_draft_note(struct import_servers *servers, const struct import_server *server,
	const char *format, ...) {
	char words[400];
	va_list rest;
	va_start(rest, format);
	vsnprintf(words, sizeof words, format, rest);
	va_end(rest);
	import_list_add_pair(&servers->memory, &servers->failed, &servers->notes,
		server ? slice_of(server->id) : SLICE(""), slice_of(words));
}
