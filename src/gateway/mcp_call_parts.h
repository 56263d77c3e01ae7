/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_call parts: what mcp_call*.c share. */
#ifndef HUSTINGS_GATEWAY_MCP_CALL_PARTS_H
#define HUSTINGS_GATEWAY_MCP_CALL_PARTS_H

#include "decide/decision.h"
#include "gateway/mcp_call.h"
#include "mcp/mgp_progress.h"

enum mcp_call_state {
	MCP_CALL_RUNNING,
	MCP_CALL_HELD
};

struct mcp_call {
	struct link link; /* of the face's calls, the oldest first */
	struct mcp_face *face;
	struct mcp_stream_user user; /* whom it answers; none while it is held */
	struct hosted_ask ask;
	const struct mcp_answerer *answerer;
	void *who;
	void *errand;                /* the answerer's */
	struct mcp_session *session; /* kept; NULL: modern */
	struct principal *principal; /* kept */
	struct mgp_agreed mgp;
	uint64_t admitted_at; /* loop ms */
	enum mcp_call_state state;
	struct link questions;
	bool *is_gone;          /* set when it ends, for who answers its questions one by one; NULL: nobody does */
	struct deadline settle; /* the questions that came so far become one answer */
	struct deadline expiry; /* while it is held */
	uint64_t number;
	char alone[32]; /* the session of one that can be held: nothing else belongs to it */
	unsigned round; /* how often it was held */
	bool can_be_held;
	uint8_t digest[SECRET_HASH_SIZE]; /* of what requestState is bound to, when it can be held */
	struct text keys;                 /* of all its questions so far, LF behind each */
	struct mcp_late *late;            /* what was answered while it was held: the ask is over. NULL: nothing */
	char *responses;                  /* JSON object: inputResponses that came with it; may be NULL */
	char *id;                         /* JSON text, as with the next; replaced by a retry */
	char *token;                      /* of progress; NULL: none wanted */
	bool is_slow;                     /* its client does not take what it is told: who answers is held back */
	char authorization[DECISION_ID];  /* that its client was told it waits for: the outcome goes elsewhere; "": none */
	char *early;                      /* the error that says so, until it has left */
	struct task leaves;
	uint64_t began_at; /* loop ms */
	struct mgp_progress_course course;
	struct slice method; /* behind the struct, as the next two */
	struct slice name;
	struct slice target;
};

struct mcp_question {
	struct link link;
	void *question; /* the answerer's */
	struct slice method;
	struct slice params; /* JSON text */
	uint64_t number;     /* legacy: its id is "hustings-NUMBER" */
	char key[80];        /* modern */
};

/* mcp_call.c */
bool mcp_call_is_modern(const struct mcp_call *call);
bool mcp_call_may_hear(struct mcp_call *call); /* its asker may still be here */
void mcp_call_free(struct mcp_call *call);
void mcp_call_refuse(struct mcp_call *call, int64_t code, struct slice message, struct slice data);
/* What who answers says of itself in the era that the asker is served in. */
struct slice mcp_call_server_info(const struct mcp_call *call);
/* mcp_call_told.c */
void mcp_call_drained(struct mcp_stream_user *user); /* its client has taken everything */
void mcp_call_keep_up(struct mcp_call *call);        /* or nothing more is said to it: who answers goes on */
/* mcp_question.c */
void mcp_question_free_all(struct mcp_call *call);
/* What can be answered by `responses` is; true: something is still open. False: nothing, or the call has ended. */
bool mcp_question_settle(struct mcp_call *call);
/* mcp_call_authorization.c */
/* The answer, a whole message, becomes the outcome of the authorization; frees the call. */
void mcp_call_resolve(struct mcp_call *call, const struct text *message);
void mcp_call_leave(struct mcp_call *call); /* the early error leaves now, if it has not */
/* mcp_callback.c */
/* A server's question to a client that speaks MGP; its params hold no request_id. */
void mcp_callback_ask(struct mcp_call *call, void *question, const struct scan_value *params);
/* The notification alone. False: it was not said. */
bool mcp_callback_say(struct mcp_call *call, const struct scan_value *params, bool may_drop);
/* mcp_held.c */
bool mcp_held_bind(struct mcp_call *call, const struct mcp_request *request) MUST_USE;
/* It was answered while it is held: kept for its asker. False: no memory, or too large. */
bool mcp_held_keep(struct mcp_call *call, const struct hosted_answer *answer,
	const struct fault *why) MUST_USE;
/* Answers with input_required; the call waits. */
void mcp_held_park(struct mcp_call *call);
/* The call whose requestState that is; NULL: none (answered). */
void mcp_held_resume(const struct mcp_wish *wish);
bool mcp_held_is_known(const struct mcp_wish *wish); /* there is such a call */

#endif
