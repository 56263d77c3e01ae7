/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Library: what stands behind the opaque types of hustings.h, for client/library*.c alone. They do
 * nothing but turn slices into strings, faults into errors, and one kind of ownership into another.
 */
#ifndef HUSTINGS_CLIENT_LIBRARY_H
#define HUSTINGS_CLIENT_LIBRARY_H

#include "hustings.h"

#include "client/guest.h"
#include "client/inquiry.h"
#include "net/fetch.h"

/* Of a participant's note (client/guest_note.h), besides 1 << INQUIRY_FORM and the like: it knows ADR-001. */
#define LIBRARY_DECLARES (1U << INQUIRY_KINDS)

struct authorization_book;
struct caller;
struct flow_desk;
struct offerings;
struct stdio_face;
struct web_face;

struct hustings {
	struct loop *loop;
	struct mcp_server *server;
	struct fetch_desk *desk; /* NULL: nothing was fetched yet */
	struct link rooms;
	struct link servers; /* struct hustings_server */
	unsigned carriers;   /* of servers, whose memory has not gone */
	struct link tools;
	struct link requests;                      /* that are not answered */
	struct offerings *offerings;               /* prompts and resources */
	struct authorization_book *authorizations; /* NULL: nobody was asked yet, nor anything settled */
	bool declares;                             /* the call at hand does, that its caller knows ADR-001 */
	struct flow_desk *flows;                   /* NULL: no flow tool was offered yet */
	uint64_t last_service;
	struct link services;                        /* hosts that ask us (client/service.h) */
	struct link listeners;                       /* and those that want to hear of changes */
	const struct caller *caller;                 /* while a request of a host is begun; else NULL */
	struct stdio_face *face;                     /* while stdin and stdout are served */
	struct web_face *web;                        /* while HTTP is served */
	void (*answered)(struct hustings *hustings); /* a request was; NULL: nobody wants to know */
	char *name;
	char *version;
};

struct hustings_room {
	struct link link;
	struct hustings *hustings;
	struct guest *guest;
	const struct hustings_room_events *events;
	void *context;
	hustings_token *give_token;
	void *token_context;
	struct link calls;   /* struct hustings_call */
	struct link fetches; /* struct hustings_fetch */
	bool asks_choose;
	char id[129]; /* as handed out */
};

bool library_desk(struct hustings *hustings, struct fault *why) MUST_USE;        /* there is one now */
bool library_error(struct hustings_error *error, const struct fault *why);       /* returns false */
void *library_error_null(struct hustings_error *error, const struct fault *why); /* returns NULL */
static inline struct hustings_json library_json(struct slice slice) {
	return (struct hustings_json){slice.bytes, slice.length};
}
static inline struct slice library_slice(struct hustings_json json) {
	return slice_make(json.text, json.length);
}
/* {"name", "version"} */
void library_write_info(const struct hustings *hustings, struct text *to);
struct hustings_participant library_participant(const struct roster_entry *entry);
/* The characters with a NUL behind, in the arena; NULL for SLICE_NONE. Sets *failed without memory. */
const char *library_string(struct arena *arena, struct slice slice, bool *failed);

/* library_events.c */
extern const struct guest_events library_guest_events;
bool library_choose(void *context, const struct roster_entry *entry);
/* library_request.c */
void library_request_cancelled(void *context, struct peer_question *question);
/* library_tools.c: as hustings_offer(); `released` is called with the tool's context when it is withdrawn, and at
 * the close; may be NULL. */
bool library_offer(struct hustings *hustings, const struct hustings_tool *tool,
	void (*released)(void *context), struct fault *why) MUST_USE;
void library_tools_finish(struct hustings *hustings);
/* library_calls.c, library_fetch.c: the room is left */
void library_calls_end(struct hustings_room *room);
void library_fetches_end(struct hustings_room *room);
void library_ask_roster(void *context); /* of the room: more are there than the welcome lists */

#endif
