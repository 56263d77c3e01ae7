/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access: which principal may use which server and which of its tools (MGP 5). A tool's own grant
 * counts before the server's, and that before the server's default policy (5.2). Grants are rows of
 * DATA/state.db, live at once, whoever wrote them; an expired one counts as none.
 *
 * Loop 0. Owned: access_open(), access_close().
 */
#ifndef HUSTINGS_KERNEL_ACCESS_H
#define HUSTINGS_KERNEL_ACCESS_H

#include "base/log.h"
#include "hosted/policy.h"
#include "net/loop.h"
#include "store/state.h"

#define ACCESS_GRANTS 100000      /* rows in all */
#define ACCESS_JUSTIFICATION 1000 /* octets */

struct access;

enum access_entry { /* MGP 5.3 */
	ACCESS_SERVER_GRANT,
	ACCESS_TOOL_GRANT,
};

/* Where an answer comes from. */
enum access_source {
	ACCESS_FROM_TOOL,
	ACCESS_FROM_SERVER,
	ACCESS_FROM_POLICY,
	ACCESS_FROM_ADMINISTRATOR, /* administrators and the gateway's own local user pass */
};

struct access_grant {
	enum access_entry entry;
	bool is_allowed;
	struct slice agent; /* a principal's id */
	struct slice server;
	struct slice tool; /* length 0: of a server's grant */
	struct slice granted_by;
	struct slice justification; /* may be empty */
	int64_t granted_at;         /* wall ms */
	int64_t expires_at;         /* wall ms; 0: never */
};

struct access_answer {
	bool is_allowed;
	enum access_source source;
	const struct access_grant *grant; /* NULL: of no grant; valid until the return to the loop */
};

struct access *access_open(struct state *state, struct loop *loop, struct log *log,
	struct fault *why) MUST_USE;
void access_close(struct access *access); /* NULL is fine */

/* A look-up in memory. `tool` length 0: the server as a whole, where a tool's grant alone lets nobody
 * into it (but access_has_any() tells). `fallback`: the server's default policy. */
struct access_answer access_ask(struct access *access, struct slice agent, struct slice server,
	struct slice tool, enum access_policy fallback);
/* Whether anything of that server may be used: the server itself, or at least one tool. */
bool access_has_any(struct access *access, struct slice agent, struct slice server,
	enum access_policy fallback);

/* One of the same key takes the place of the one before. FAULT_BAD_INPUT names the member; FAULT_FULL. */
bool access_grant(struct access *access, const struct access_grant *grant, struct fault *why) MUST_USE;
/* FAULT_NOT_FOUND: there is none. */
bool access_revoke(struct access *access, enum access_entry entry, struct slice agent,
	struct slice server, struct slice tool, struct fault *why) MUST_USE;

/* All grants, in the order they were made; empty slices: any. `seen` returns false to end. */
typedef bool access_seen(void *context, const struct access_grant *grant);
void access_each(struct access *access, struct slice agent, struct slice server, access_seen *seen,
	void *context);

/* Somebody's access has changed (granted, revoked, expired): lists are old. agent length 0: anybody's. */
struct access_listener {
	struct link link;
	void (*changed)(struct access_listener *listener, struct slice agent, struct slice server);
};
void access_listen(struct access *access, struct access_listener *listener);
void access_unlisten(struct access_listener *listener);

const char *access_entry_word(enum access_entry entry); /* "server_grant" */
bool access_entry_read(struct slice word, enum access_entry *entry) MUST_USE;
const char *access_source_word(enum access_source source); /* "tool_grant", "server_grant", "default_policy" */
/* The object of a grant: entry_type, agent_id, server_id, tool_name, permission, granted_by, granted_at,
 * justification, expires_at. */
void access_write_grant(struct text *to, const struct access_grant *grant);

#endif
