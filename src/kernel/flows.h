/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flows: what the kernel keeps of guided sessions (MCP Flow): the book of those that are open, the key of the tokens
 * of stateless mode, and who brings what happens in a session to its client. What a session does next stands in
 * flow_course.h, what a client asks of it in flow_methods.h.
 *
 * Loop 0. Owned by the kernel: flows_open(), flows_close().
 */
#ifndef HUSTINGS_KERNEL_FLOWS_H
#define HUSTINGS_KERNEL_FLOWS_H

#include "flow/flow_message.h"
#include "flow/flow_token.h"
#include "kernel/flow_book.h"
#include "kernel/kernel_means.h"

struct flows; /* the kernel's: kernel_means->flows */

/* What runs for a session; entry->driver is one. */
struct flow_driver {
	/* The session has left the book, or is over: frees itself. */
	void (*give_up)(struct flow_driver *driver, const char *reason);
	/* What was asked while it runs has its answer (SCAN_NONE and null: none). NULL: it asks nothing of its own. */
	void (*answer)(struct flow_driver *driver, const struct scan_value *value);
};

/* ---- What a client is told without having asked ---- */

enum flow_news {
	FLOW_NEWS_PROMPT,   /* interaction.prompt, a request whose answer says nothing */
	FLOW_NEWS_COMPLETE, /* interaction.complete, the same; of a session in error too */
	FLOW_NEWS_WARNING,  /* notifications/interaction/timeout */
};

struct flow_push {
	struct slice principal; /* whose session it is */
	struct slice server;    /* whose tool */
	struct slice session;   /* the MCP session that it began in; length 0: none */
	bool is_anywhere;       /* that MCP session was of an earlier run: wherever the principal listens */
	const char *method;
	struct slice params; /* JSON object */
	uint64_t id;         /* of a request: its JSON-RPC id is "flow-ID"; 0: a notification */
};

/* Whoever has clients that listen. A plain struct in its owner's. */
struct flow_listener {
	struct link link;
	/* Borrowed during the call. Who cannot be told asks interaction.getState. */
	void (*told)(struct flow_listener *listener, const struct flow_push *push);
};
void flows_listen(struct flows *flows, struct flow_listener *listener);
void flows_unlisten(struct flow_listener *listener);

/* ---- For the kernel ---- */

/* `secret`: the house's, of which its keys are made. Sessions that were open are open again. */
struct flows *flows_open(const struct kernel_means *means, struct slice secret, struct fault *why) MUST_USE;
void flows_close(struct flows *flows); /* NULL is fine */
/* Nothing runs for a session any more: those that worked are in error after the next start. */
void flows_rest(struct flows *flows);
void flows_change(struct flows *flows); /* means->flow has changed */

struct flow_book *flows_book(const struct flows *flows);
const struct flow_key *flows_key(const struct flows *flows);
struct flow_limits flows_limits(const struct flows *flows);

/* A token of stateless mode was used up (store/flow_rows.h); *was_new: not before. */
bool flows_spend(struct flows *flows, const uint8_t token[SECRET_HASH_SIZE], int64_t expires_at, bool *was_new,
	struct fault *why) MUST_USE;
/* What runs for it, if anything does, is given up. */
void flows_give_up(struct flow_entry *entry, const char *reason);
/* `id`: what its client knows it by. */
void flows_push(struct flows *flows, const struct flow_session *session, struct slice id, enum flow_news news);
void flows_push_entry(struct flows *flows, const struct flow_entry *entry, enum flow_news news);
/* A request of the server's that leads it, with our id in it. */
void flows_push_led(struct flows *flows, const struct flow_entry *entry, enum flow_method method, struct slice params);

#endif
