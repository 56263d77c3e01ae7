/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uplink: one connection to a room, from the attempt to its end, whatever it is made of: a WebSocket
 * (client/websocket_uplink.h), or what an uplink_maker makes.
 *
 * Callback contract: `opened` at most once, then `arrived` any number of times, then `ended` once
 * (network, refusal, close frame, silence); never from inside of what opens it or uplink_send(). The
 * owner calls uplink_close() afterwards, or at any time, also inside callbacks; nothing is called
 * after that.
 */
#ifndef HUSTINGS_CLIENT_UPLINK_H
#define HUSTINGS_CLIENT_UPLINK_H

#include "base/fault.h"
#include "base/slice.h"
#include "net/loop.h"
#include "wire/envelope.h"

#define UPLINK_MESSAGE (16u << 20)
#define UPLINK_BEHIND ((size_t)16 << 20) /* octets that may wait to leave */

struct uplink_end {
	unsigned status;    /* what HTTP calls a refusal; 0: none */
	unsigned code;      /* of the close frame; 0: none came */
	struct fault fault; /* in words, always set */
};

struct uplink_events {
	void (*opened)(void *context);
	void (*arrived)(void *context, struct slice text); /* one message; borrowed until the return */
	void (*drained)(void *context);                    /* all that waited has left */
	void (*ended)(void *context, const struct uplink_end *end);
};

struct uplink;

struct uplink_kind {
	bool (*send)(struct uplink *uplink, struct slice text, struct fault *why);
	void (*close)(struct uplink *uplink, unsigned code);
};

struct uplink { /* the first member of whatever it is */
	const struct uplink_kind *kind;
};

/* One text message. False: not open, or too much waits (FAULT_FULL: `drained` follows). */
bool uplink_send(struct uplink *uplink, struct slice text, struct fault *why) MUST_USE;
/* Says goodbye with that code if it is open. NULL is fine. */
void uplink_close(struct uplink *uplink, unsigned code);

/* ---- Uplinks that are no WebSockets ---- */

/* As what one wants to come in (MCPx v0 5.2). All borrowed; length 0: not given. */
struct uplink_wish {
	struct slice topic;
	struct slice name;
	struct slice kind;        /* human, agent, robot */
	struct slice mcp_version; /* announced */
	struct slice since;       /* an envelope's id */
	enum envelope_dialect dialect;
	unsigned history; /* envelopes in the welcome */
	bool is_mute;
	bool is_beside;
};

struct uplink_maker;
/* FAULT_REFUSED, FAULT_BAD_INPUT, FAULT_EXISTS: another attempt would end the same. */
typedef struct uplink *uplink_make(struct uplink_maker *maker, struct loop *loop,
	const struct uplink_wish *wish, const struct uplink_events *events, void *context,
	struct fault *why);

/* Counted; one thread. The first member of whatever it is. */
struct uplink_maker {
	unsigned references; /* the first is who made it */
	uplink_make *make;
	/* Octets of one text: a longer one would end the connection. NULL: no limit is known. */
	size_t (*max_message)(const struct uplink_maker *maker);
	void (*free)(struct uplink_maker *maker);
};

struct uplink_maker *uplink_maker_keep(struct uplink_maker *maker);
void uplink_maker_drop(struct uplink_maker *maker); /* NULL is fine */
AUTO_RELEASE(uplink_maker, uplink_maker_drop)

#endif
