/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room line: one envelope as people read it: who said what, who came, who asked whom for which tool,
 * which proposal waits. What strangers wrote is shown harmless (control characters and those that
 * turn text around are escaped) and cut to a bounded length.
 */
#ifndef HUSTINGS_CLI_ROOM_LINE_H
#define HUSTINGS_CLI_ROOM_LINE_H

#include "wire/envelope.h"

struct room_line_style {
	bool has_colours;
	bool is_utc;       /* times in UTC rather than local */
	bool is_raw;       /* the envelopes' own text */
	struct slice self; /* our id; what concerns us is said with "you" */
};

/* Lines with their LF; nothing where there is nothing to show (heartbeats, pings and handshakes of
 * others). */
void room_line_write(struct text *to, const struct envelope *envelope,
	const struct room_line_style *style);
/* The text of a chat in either form (MCPx v0 8.1, v0.1 4.3), unescaped, as lines. False: it is none. */
bool room_line_is_chat(const struct envelope *envelope, struct arena *arena, struct slice *text);

#endif
