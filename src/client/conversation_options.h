/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversation options: what a conversation (client/conversation.h) is opened with, and what it tells.
 */
#ifndef HUSTINGS_CLIENT_CONVERSATION_OPTIONS_H
#define HUSTINGS_CLIENT_CONVERSATION_OPTIONS_H

#include "client/inquiry.h"
#include "client/remote.h"
#include "client/spawned.h"

#define CONVERSATION_PROBE_MS 10000
#define CONVERSATION_STREAM_MS 3000 /* for a legacy server's own stream to be there */
#define CONVERSATION_CALL_MS 60000

struct conversation;

struct conversation_events {
	void (*ready)(void *context); /* again after a session that the server has forgotten */
	/* A question; `inquiry_context()` is free for the callee. Only of the kinds in `abilities`. */
	void (*asked)(void *context, struct hustings_question *question);
	void (*withdrawn)(void *context, struct hustings_question *question);
	void (*told)(void *context, struct slice method, const struct scan_value *params);
	void (*ended)(void *context, const struct fault *why); /* for good; still to be closed */
};

struct conversation_options {
	struct remote_options remote;   /* url NULL: spawned */
	struct spawned_options spawned; /* stays until conversation_close() */
	struct fetch_desk *desk;        /* for remote; borrowed until the loop has made a pass after the close */
	const char *version;            /* NULL: whatever both sides know */
	struct slice name, software;    /* ours */
	unsigned abilities;             /* 1 << INQUIRY_FORM | ... */
	uint64_t hello_ms;              /* until the handshake must be over; 0: CONVERSATION_CALL_MS */
	uint64_t call_ms;               /* of a turn without a deadline of its own; 0: CONVERSATION_CALL_MS */
};

/* What the server said of itself; empty before `ready`. Borrowed until the next `ready`. */
struct conversation_facts {
	const char *version; /* of MCP */
	const char *name;    /* of the server, as the next two; "": not said */
	const char *software;
	const char *instructions;
	struct slice capabilities; /* JSON object */
	struct slice result;       /* of initialize or server/discover */
};

#endif
