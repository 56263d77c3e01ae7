/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_call: one request of an MCP client that a hosted server answers, or a participant of a room,
 * on its way there and back: progress, log messages and the questions of who answers come to this
 * client alone, in its own era.
 *
 * A legacy client gets a question as a request on the answer's event stream, and answers it by a
 * POST. A modern client gets `input_required`: the call is held meanwhile (MCP_HELD_MS), and its
 * requestState, signed and bound to principal, face, method and params, brings the answers to it.
 * A modern client that goes has cancelled; a legacy one has not. Loop 0. A call frees itself.
 */
#ifndef HUSTINGS_GATEWAY_MCP_CALL_H
#define HUSTINGS_GATEWAY_MCP_CALL_H

#include "gateway/mcp_request.h"
#include "gateway/mcp_session.h"
#include "mcp/mgp.h"

#define MCP_CALLS 16384       /* under way or held */
#define MCP_CALLS_OF_ONE 2048 /* principal */

struct mcp_call;

/* Those who answer calls: hosted servers, the participants of a room. What they are promised and
 * promise is as in struct hosted_ask (hosted/hosted.h). `who` is one of them, which stays as long as a
 * call of its is under way. */
struct mcp_answerer {
	/* The call's request is `ask`, whose slices are borrowed until the return. mcp_call_answer()
	 * follows, once, unless `cancel` is called; never from inside. */
	bool (*start)(struct mcp_call *call, void *who, struct hosted_ask *ask, struct fault *why);
	void (*cancel)(struct mcp_call *call, struct hosted_ask *ask, const char *reason);
	/* deadline_ms 0: as long as a call has that names no deadline. */
	void (*extend)(struct mcp_call *call, struct hosted_ask *ask, uint64_t deadline_ms);
	/* The call's client does not take what it is told, or does again; NULL: who answers cannot wait. */
	void (*hold)(struct mcp_call *call, struct hosted_ask *ask, bool is_behind);
	/* Each takes the question. */
	void (*answer)(void *question, struct slice result);
	void (*refuse)(void *question, int64_t code, struct slice message, struct slice data);
	/* In which era an asker of that era is served, and what the answerer says of itself there (a JSON
	 * object, or length 0). */
	enum hosted_era (*era_for)(void *who, enum hosted_era asker);
	struct slice (*server_info)(void *who, enum hosted_era era);
};
extern const struct mcp_answerer mcp_call_servers; /* `who` is a struct hosted */

struct mcp_wish {
	struct mcp_face *face;
	struct mcp_stream *stream;
	struct principal *principal;
	struct mcp_session *session; /* NULL: modern */
	struct slice target;         /* of the face: a server's id, "" for all of them */
	const struct mcp_answerer *answerer;
	void *who;
	const struct mcp_request *request;
	struct mgp_agreed mgp; /* with this client */
	struct slice params;   /* as that server knows them; bytes NULL: the request's own */
};

/* The stream is answered, now or later. */
void mcp_call_start(const struct mcp_wish *wish);
/* notifications/cancelled of a legacy client; requestId as JSON text. */
void mcp_call_cancel(struct mcp_face *face, const struct mcp_session *session, struct slice id);
/* A request under way of that client, at that face and target (session NULL: a modern one), to a hosted server, by its
 * id as JSON text. NULL: there is none, or more than one. */
struct hosted_ask *mcp_call_find(struct mcp_face *face, const struct mcp_session *session,
	const struct principal *principal, struct slice target, struct slice id);
/* A legacy client's answer to a question. False: no such question is open. */
bool mcp_call_answered(struct mcp_face *face, const struct mcp_session *session,
	const struct jsonrpc *message);
/* Every call of the session is given up. */
void mcp_call_end_session(struct mcp_face *face, const struct mcp_session *session);
void mcp_call_end_all(struct mcp_face *face);

/* ---- For who answers: the events of struct hosted_ask ---- */

void mcp_call_answer(struct mcp_call *call, const struct hosted_answer *answer,
	const struct fault *why);
bool mcp_call_authorizing(struct mcp_call *call, const struct hosted_answer *error, struct slice id, bool is_twice);
bool mcp_call_wants_progress(const struct mcp_call *call);
void mcp_call_progress(struct mcp_call *call, const struct scan_value *params);
/* A part of a stream, or its progress (MGP 12.4, 12.6). */
void mcp_call_stream(struct mcp_call *call, struct slice method, const struct scan_value *params);
/* A notification during this call alone. */
void mcp_call_tell(struct mcp_call *call, struct slice method, const struct scan_value *params);
void mcp_call_ask(struct mcp_call *call, void *question, struct slice method,
	const struct scan_value *params);
void mcp_call_withdraw(struct mcp_call *call, const void *question);
/* A pointer of whoever answers. */
struct slice mcp_call_id(const struct mcp_call *call); /* of the client's request, JSON text */
const struct principal *mcp_call_principal(const struct mcp_call *call);
/* The id of a legacy client's; length 0: modern. */
struct slice mcp_call_session(const struct mcp_call *call);
struct mgp_agreed mcp_call_mgp(const struct mcp_call *call);
void mcp_call_set(struct mcp_call *call, void *errand);
void *mcp_call_errand(const struct mcp_call *call);

#endif
