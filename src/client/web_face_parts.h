/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Web face parts: what the files of the served HTTP share; for client/web_*.c alone.
 *
 * A host is a conversation: a legacy session, or all of the modern callers, which have none. A request
 * over HTTP is an exchange; its number is the tag of its questions, so that what belongs to them
 * finds its way back.
 */
#ifndef HUSTINGS_CLIENT_WEB_FACE_PARTS_H
#define HUSTINGS_CLIENT_WEB_FACE_PARTS_H

#include "client/service.h"
#include "client/web_guard.h"
#include "client/web_wire.h"
#include "net/acceptor.h"

#define WEB_SESSIONS 1000
#define WEB_SESSION_MS (30 * 60 * 1000) /* without a request */
#define WEB_SESSION_ID 33               /* octets and NUL */
#define WEB_BATCH 100                   /* messages of one body */

struct web_host {
	struct service service; /* the first: the context of its peer */
	struct link link;       /* of the face's sessions */
	struct web_face *face;
	struct link exchanges;
	struct web_exchange *ear;     /* the GET that is open; NULL: none */
	char session[WEB_SESSION_ID]; /* "": of the modern ones */
	struct deadline idle;
	struct task going;
	bool is_going;
};

struct web_exchange {
	struct link link; /* of its host's */
	struct web_host *host;
	struct web_wire *wire;
	char tag[24];
	unsigned missing;                                              /* answers */
	bool is_batch, is_streaming, takes_events, takes_json, begins; /* `begins`: it is initialize */
	struct text answers;                                           /* of a batch */
};

struct web_face {
	struct hustings *hustings;
	struct acceptor *acceptor;
	struct web_guard guard;
	struct link wires;
	struct link sessions;
	size_t session_count;
	struct web_host modern;
	bool has_modern;
	uint64_t last_tag;
	char *path;
	char url[300];
};

#endif
