/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Membership options: what a membership (client/membership.h) is opened with, and what it tells.
 */
#ifndef HUSTINGS_CLIENT_MEMBERSHIP_OPTIONS_H
#define HUSTINGS_CLIENT_MEMBERSHIP_OPTIONS_H

#include "base/fault.h"
#include "base/text.h"
#include "wire/envelope.h"

#define MEMBERSHIP_BACKOFF 1000 /* ms, the first */
#define MEMBERSHIP_BACKOFF_MOST 30000

enum membership_state {
	MEMBERSHIP_NEW,
	MEMBERSHIP_DIALLING,
	MEMBERSHIP_ENTERING, /* connected, the welcome is due */
	MEMBERSHIP_JOINED,
	MEMBERSHIP_WAITING, /* between two connections */
	MEMBERSHIP_ENDED,
	MEMBERSHIP_STATES
};

struct membership;

/* Adds the token to use for the next connection; asked before each one, so that short-lived tokens
 * are renewed. Must not wait long: the loop stands still meanwhile. */
typedef bool membership_token(void *context, struct text *token, struct fault *why);

struct uplink_maker; /* client/uplink.h */

struct membership_options {
	/* Makes the connections, in place of WebSockets: no url, token, id and ca then. Kept; may be NULL. */
	struct uplink_maker *maker;
	const char *url; /* all strings are copied; NULL: not given */
	const char *topic;
	const char *token; /* or: */
	membership_token *give_token;
	void *token_context;
	const char *id; /* open mode alone */
	const char *name;
	const char *kind;  /* human, agent, robot */
	const char *ca;    /* PEM file of trusted roots; NULL: the system's */
	const char *since; /* an envelope's id: what came after it follows the welcome */
	enum envelope_dialect dialect;
	unsigned history;    /* envelopes in the first welcome */
	unsigned backoff_ms; /* 0: MEMBERSHIP_BACKOFF */
	bool is_mcp;         /* announce that we are an MCP server */
	bool is_mute;        /* no echo: nothing is known to be stored, nothing sent again */
	bool is_beside;      /* use the identity, never replace who is there */
	bool stays;          /* reconnect */
	bool is_patient;     /* with stays: also when the first connection fails */
};

enum membership_origin {
	MEMBERSHIP_OTHERS,
	MEMBERSHIP_ECHO,   /* an envelope of ours came back: it is stored */
	MEMBERSHIP_MISSED, /* it was sent while we were away, and long ago */
};

struct membership_events {
	/* The welcome, borrowed; again: after a break. */
	void (*joined)(void *context, const struct envelope *welcome, bool again);
	/* Every other envelope, borrowed. */
	void (*envelope)(void *context, const struct envelope *envelope, enum membership_origin origin);
	void (*lost)(void *context, const struct fault *why, uint64_t again_in_ms);
	void (*drained)(void *context); /* all that was sent is through; may be NULL */
	/* For good. FAULT_EXISTS: replaced; FAULT_REFUSED: the gateway says no. */
	void (*ended)(void *context, const struct fault *why);
};

#endif
