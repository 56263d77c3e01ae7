/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit source: where the audit commands read: a gateway, or, where none runs on the data folder and
 * no other was named, the files themselves. What a killed gateway left in its spool is in the files
 * after its next start.
 */
#ifndef HUSTINGS_CLI_AUDIT_SOURCE_H
#define HUSTINGS_CLI_AUDIT_SOURCE_H

#include "base/trace.h"
#include "cli/reach.h"
#include "store/audit_question.h"

/* The options that all of them have, as the rows of a form's table. */
#define AUDIT_FILTER_OPTIONS \
	{"since", "TIME", "from then on: RFC 3339, or a span before now like 1h"}, \
		{"until", "TIME", "up to then"}, {"actor", "ID", "of that identity or server"}, \
		{"event", "TYPE", "TOOL_BLOCKED, dev.hustings.token_changed, dev.hustings.*; joined, refused, ..."}, \
		{"trace", "ID", "of that call: its trace id"}, {"server", "ID", "about that hosted server"}, \
		{"tool", "NAME", "about that tool"}, {"topic", "TOPIC", "in that topic"}, {"gate", "NAME", "refused at that gate"}, \
		{"result", "WORD", "SUCCESS, BLOCKED or FAILED, or a room's own word"}, { \
		"source", "WHOSE", "kernel (default); claimed or server:ID: what hosted servers say of themselves" \
	}

struct audit_source {
	const struct command_line *line;
	struct archive *archive; /* NULL: a gateway is asked */
	struct reach reach;
	struct audit_filter filter; /* for the files; borrows from the line and `trace` */
	char trace[TRACE_SIZE];
};

/* `needs_gateway`: the files will not do. In any case audit_source_close(). */
bool audit_source_open(struct audit_source *source, const struct command_line *line, bool needs_gateway,
	struct fault *why) MUST_USE;
void audit_source_close(struct audit_source *source);
/* "PATH?actor=..." with the options that were given; and one more parameter, behind. */
void audit_source_path(const struct audit_source *source, const char *path, struct text *to);
void audit_source_parameter(struct text *path, const char *name, struct slice value);

#endif
