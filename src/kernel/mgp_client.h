/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_client: whoever asks the kernel, as a client that can be told something later and has other requests
 * under way: the session of a legacy MCP client, a modern client's stream, a participant of a room. It lies in
 * its face's struct, which fills in the first part and calls mgp_client_end() before that is gone.
 *
 * What belongs to a client (subscriptions of MGP 13.2, the tools of MGP 16.7) belongs to its principal and
 * session: another principal's, or another session's, is unknown to it. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_MGP_CLIENT_H
#define HUSTINGS_KERNEL_MGP_CLIENT_H

#include "base/list.h"
#include "wire/scan.h"

struct hosted;
struct hosted_ask;
struct mgp_client;

/* Functions may be NULL. None calls the kernel back from inside. */
struct mgp_client_face {
	/* A notification ("notifications/mgp.event"). False: it was not taken now; an event may be had by
	 * mgp/events/replay. */
	bool (*tell)(struct mgp_client *client, const char *method, const struct scan_value *params);
	/* Its request under way that has this id (a JSON-RPC id as JSON text); NULL: there is none. */
	struct hosted_ask *(*find)(struct mgp_client *client, struct slice id);
	/* Lists that it has seen are old. */
	void (*list_changed)(struct mgp_client *client);
	/* The name under which that tool is called here; NULL: the tool's own. */
	void (*write_call_name)(struct mgp_client *client, struct text *to, struct slice server, struct slice tool);
	/* Which server and tool of it that name stands for here (MCP Flow, toolName); *tool lies in the name, the arena,
	 * or a list, and is good until the return to the loop. NULL here: the server's whose face it is, and the
	 * tool's own name. False: none. */
	bool (*find_tool)(struct mgp_client *client, struct slice name, struct arena *arena, struct hosted **hosted,
		struct slice *tool);
	/* Whether it may have tools of that server called at all, whatever was granted; NULL here: it may. */
	bool (*may_call)(struct mgp_client *client, struct hosted *hosted, struct fault *why);
	/* What it was to be told of has ended: nothing ties the kernel to it any more. */
	void (*is_free)(struct mgp_client *client);
};

/* What the kernel keeps for a client, and ends with it. */
struct mgp_client_tie {
	struct link link; /* of the client's ties */
	void (*ended)(struct mgp_client_tie *tie);
};

struct mgp_client {
	const struct mgp_client_face *face;
	struct slice principal; /* its id; the face's, as the next */
	struct slice session;   /* of a legacy MCP client; length 0: the principal is all there is */

	struct link ties;     /* the kernel's, as the next: struct mgp_client_tie */
	uint64_t event_count; /* events that it was told of so far, over all of its subscriptions */
	uint64_t event;       /* the number of the one that it is being told of; 0: it is none */
};

void mgp_client_begin(struct mgp_client *client, const struct mgp_client_face *face, struct slice principal,
	struct slice session);
/* It hears nothing any more; what may be replayed stays for a while. Harmless twice, and when zeroed. */
void mgp_client_end(struct mgp_client *client);
/* For the kernel: from now on until mgp_client_untie(), or until it has ended. */
void mgp_client_tie(struct mgp_client *client, struct mgp_client_tie *tie, void (*ended)(struct mgp_client_tie *tie));
void mgp_client_untie(struct mgp_client *client, struct mgp_client_tie *tie);
bool mgp_client_tell(struct mgp_client *client, const char *method, const struct scan_value *params);

#endif
