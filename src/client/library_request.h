/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Library request: what stands behind `struct hustings_request`: somebody wants a tool of ours run, a
 * prompt, a resource. It is answered once, by whoever was asked; for client/ alone.
 *
 * A modern caller that is asked back gets an answer at once, and comes again: in between the request
 * has no question (client/asking.h).
 */
#ifndef HUSTINGS_CLIENT_LIBRARY_REQUEST_H
#define HUSTINGS_CLIENT_LIBRARY_REQUEST_H

#include "base/ident.h"
#include "client/caller.h"
#include "client/library.h"

#define REQUEST_STATE (2 * 24 + 1) /* octets of requestState, and NUL */

#define REQUEST_KEY 64

enum request_kind {
	REQUEST_TOOL,
	REQUEST_PROMPT,
	REQUEST_RESOURCE,
	REQUEST_COMPLETION
};

struct hustings_request {
	struct link link; /* of the hustings' requests */
	struct hustings *hustings;
	enum request_kind kind;
	struct peer_question *question; /* NULL: the caller is to come again */
	struct caller caller;
	void (*cancelled)(void *context, struct hustings_request *request); /* may be NULL */
	void *context;
	char *type;        /* of a resource; NULL: not said */
	char *begins;      /* of a guided session that is to begin: its params; NULL: a call */
	char *warned;      /* the id of an authorization that the caller was told of: its answer is a notification of
	                      what became of that; NULL: none */
	bool is_cancelled; /* the caller has not come again */
	bool *is_gone;     /* set when it ends, for whoever has called out; may be NULL */
	struct link asks;  /* struct request_ask: what the caller is asked back */
	unsigned ask_count;
	char state[REQUEST_STATE]; /* under which it comes again; "": it is not asked */
	struct task flush;
	struct deadline patience;
	struct text early;  /* the answer, given before it came again: a result, or words of an error */
	int64_t early_code; /* of that error; 0: a result */
	char name[];
};

/* NULL: the question was answered. */
struct hustings_request *library_request_open(struct hustings *hustings, enum request_kind kind,
	struct peer_question *question, struct slice name) MUST_USE;
/* Of a peer's question: nobody waits for it any more. */
void library_request_cancelled(void *context, struct peer_question *question);
/* Each takes the request. `result` is JSON text of an object. */
void library_request_answer(struct hustings_request *request, struct slice result);
void library_request_refuse(struct hustings_request *request, int64_t code, const char *words);
/* The same with data, JSON text. */
void library_request_refuse_data(struct hustings_request *request, int64_t code, const char *words,
	struct slice data);
/* A result that is written as the caller's era has it. Only while the caller is here. */
void library_request_answer_raw(struct hustings_request *request, struct slice result);
void library_requests_finish(struct hustings *hustings);

/* client/asking.c: set once, so that a request need not know how callers are asked back */
struct request_ask {
	struct link link;
	struct hustings_request *request;
	char key[REQUEST_KEY + 1];
	struct peer_call *call; /* to a legacy caller */
	char *method, *params;
	struct text reply; /* JSON text of an object; empty: none yet */
	bool is_sent;
	struct deadline deadline;
	hustings_answered *replied;
	void *context;
};
void library_request_drop_ask(struct request_ask *ask); /* without a word */

#endif
