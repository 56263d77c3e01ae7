/* SPDX-License-Identifier: Apache-2.0 */
/* Decision wish: what is asked of people, and how large it may be (decide/decision.h). */
#ifndef HUSTINGS_DECIDE_DECISION_WISH_H
#define HUSTINGS_DECIDE_DECISION_WISH_H

#include "base/slice.h"

#define DECISION_NAME 256              /* octets of a server, a tool, a topic, a permission */
#define DECISION_NAMES 64              /* permissions, and deciders, of one decision */
#define DECISION_MESSAGE (4 * 1024)    /* octets for people */
#define DECISION_REASON 1000           /* octets of the decider's words */
#define DECISION_ARGUMENTS (64 * 1024) /* octets; nobody approves what cannot be shown */
#define DECISION_ANSWER (64 * 1024)    /* octets of JSON */
#define DECISION_TTL_MOST (365LL * 86400 * 1000)

enum decision_kind {
	DECISION_PROPOSAL,      /* of a room; approved, its request is sent: once */
	DECISION_AUTHORIZATION, /* of a call, by the tool's owner: single use */
	DECISION_PERMISSION,    /* of a server */
	DECISION_CALLBACK,      /* a server's question; `answer` holds what was said */
	DECISION_QUARANTINE,    /* of a changed tool definition */
	DECISION_REGISTRATION,  /* of a server */
	DECISION_CALL,          /* a dangerous one: single use */
	DECISION_KINDS
};

/* What is asked; slices are the asker's and are copied. What is empty is left out. */
struct decision_wish {
	enum decision_kind kind;
	struct slice requester; /* a principal's id, or "server:ID"; never empty */
	struct slice server;
	struct slice tool;
	struct slice topic;
	struct slice message;            /* for people */
	struct slice arguments;          /* one JSON value: of the call, or the diff, or the question */
	const struct slice *permissions; /* names */
	size_t permission_count;
	const struct slice *deciders; /* who alone may approve; none: administrators */
	size_t decider_count;
	int64_t ttl_ms; /* 0: [decide] ttl */
};

#endif
