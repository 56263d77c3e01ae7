/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow link: the other side of a guided session, as `hustings flow` talks to it: the face of a hosted server, or
 * a participant of a room, in which we stay meanwhile; and the user's lines, for which it waits without leaving
 * either. A plain struct in its owner's, which stays where it is; flow_link_close() after an open, also when that
 * failed. One thread.
 */
#ifndef HUSTINGS_CLI_FLOW_LINK_H
#define HUSTINGS_CLI_FLOW_LINK_H

#include "cli/beside.h"

#define FLOW_LINE ((size_t)64 << 10) /* octets of a line */

enum flow_line_state {
	FLOW_LINE_READ,
	FLOW_LINE_END,     /* of the input */
	FLOW_LINE_STOPPED, /* Ctrl-C, or another signal */
	FLOW_LINE_FAILED,  /* we are not there any more, or a line is too long: *why */
};

struct flow_link {
	const struct command_line *line;
	const char *server;       /* NULL: a room's */
	const char *topic;        /* NULL: a server's */
	struct slice participant; /* of the room; length 0: whoever offers the tool, once it is found */
	uint64_t timeout_ms;      /* of one request */

	/* Its own. */
	struct beside beside; /* of a server's only the entrance's loop, reach and signals are used */
	char found[300];      /* who offers the tool */
	bool is_ready, has_answer;
	struct errand *errand;
	struct text *result;
	const char *asked_for; /* a tool, while the room is searched */
	struct fault why;
	struct text input; /* what was read of stdin and is not used up */
	size_t used;       /* of it */
	bool has_ended;
};

/* Fills in the second part. */
bool flow_link_open(struct flow_link *link, struct fault *why) MUST_USE;
void flow_link_close(struct flow_link *link);
/* Who in the room offers that tool: exactly one has to. Nothing where it is known. */
bool flow_link_find(struct flow_link *link, const char *tool, struct fault *why) MUST_USE;

/* One request and its result, JSON text. FAULT_REFUSED: it answers with an error. FAULT_CLOSED: stopped. */
bool flow_link_ask(struct flow_link *link, const char *method, struct slice params, struct text *result,
	struct fault *why) MUST_USE;
/* The user's next line, without its end; valid until the next. */
enum flow_line_state flow_link_line(struct flow_link *link, struct slice *line, struct fault *why);
/* So long, or until a signal: false. */
bool flow_link_wait(struct flow_link *link, uint64_t ms);

#endif
