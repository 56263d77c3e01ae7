/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Roster: who is in the room: the welcome's list, then presence (MCPx v0 4.2, 6). We ourselves are
 * not in it. A plain struct in its owner's; entries are the roster's, valid until they leave.
 */
#ifndef HUSTINGS_CLIENT_ROSTER_H
#define HUSTINGS_CLIENT_ROSTER_H

#include "base/list.h"
#include "base/map.h"
#include "wire/envelope.h"

#define ROSTER_ENTRIES 100000

enum roster_kind {
	ROSTER_UNSAID,
	ROSTER_HUMAN,
	ROSTER_AGENT,
	ROSTER_ROBOT,
	ROSTER_KINDS
};

struct roster_entry {
	struct link link; /* in the order of joining */
	char *id;
	char *name;        /* "": none, as with the next two */
	char *mcp_version; /* not empty: it says it is an MCP server */
	char *privilege;   /* "full", "restricted" */
	enum roster_kind kind;
	unsigned round; /* of the last welcome that listed it */
};

struct roster;
struct roster_events {
	void (*joined)(void *context, const struct roster_entry *entry);
	void (*left)(void *context, const struct roster_entry *entry); /* freed after the return */
};

struct roster {
	struct link entries;
	struct map by_id;
	const struct roster_events *events;
	void *context;
	unsigned round;
	bool is_partial; /* the welcome named more than it listed: the rest is to be asked for */
};

void roster_init(struct roster *roster, const struct roster_events *events, void *context);
void roster_finish(struct roster *roster); /* tells nobody */

/* The welcome's payload: whoever is not in it any more has left. */
void roster_welcome(struct roster *roster, const struct scan_value *payload);
/* The array of GET /v0/topics/{t}/participants: adds, removes nobody. */
void roster_add_all(struct roster *roster, const struct scan_value *participants, struct slice self);
/* A presence payload. */
void roster_presence(struct roster *roster, const struct scan_value *payload, struct slice self);

const struct roster_entry *roster_find(const struct roster *roster, struct slice id);
size_t roster_count(const struct roster *roster);
const char *roster_kind_word(enum roster_kind kind); /* "": unsaid */
/* {"participants":[...]} as presence.get answers (MCPx v0 8.2). */
void roster_write(const struct roster *roster, struct text *to);

#endif
