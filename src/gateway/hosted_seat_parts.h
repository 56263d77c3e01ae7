/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seat parts: what hosted_seat*.c share. */
#ifndef HUSTINGS_GATEWAY_HOSTED_SEAT_PARTS_H
#define HUSTINGS_GATEWAY_HOSTED_SEAT_PARTS_H

#include "client/guest.h"
#include "decide/inbox_settings.h"
#include "gateway/hosted_seat.h"
#include "kernel/call_run.h"
#include "kernel/flows.h"
#include "kernel/mgp_client.h"
#include "mcp/mgp_progress.h"

#define HOSTED_SEAT_QUESTION_MS (5 * 60 * 1000) /* a question waits so long for its participant */
#define HOSTED_SEAT_AT_ONCE 20                  /* words to one participant that nobody waits for, then */
#define HOSTED_SEAT_WORD_MS 50                  /* until there may be another one; what is too much is left out */

enum hosted_seat_exposure {
	HOSTED_SEAT_RESOURCES = 1,
	HOSTED_SEAT_PROMPTS = 2
}; /* bits */

struct hosted_seat {
	struct gateway *gateway;
	struct hosted *hosted;
	char *topic;
	char id[HOSTED_ID + 1];
	unsigned exposed;
	struct mcp_server *server; /* answers the handshake in the server's name */
	struct guest *guest;       /* NULL: there was no memory for one; of one that was sent away the next
	                              takes the place at `again` */
	struct deadline again;
	struct deadline calm;            /* lists that were told of as changed wait for it before they are again */
	unsigned told, changed;          /* such lists, and those of them that changed since: a bit a kind */
	struct link errands;             /* struct seat_errand */
	struct link clients;             /* struct seat_client: participants that speak MGP or MCP Flow, as the kernel's clients */
	struct flow_listener flows;      /* hosted_seat_client.c */
	struct inbox_listener decisions; /* hosted_seat_authorization.c */
	uint64_t asked_until;            /* seat_may_say(), of authorizations */
	char session[160];               /* what of a participant belongs together here */
	struct task closing;
};

/* One request of a participant's, until it is answered. The first member of whatever it is. */
struct seat_errand {
	struct link link;
	struct hosted_seat *seat;
	struct peer_question *question;
	struct hosted_ask *ask;          /* of the server; NULL: it is about something else */
	char authorization[DECISION_ID]; /* that its asker knows it waits for: it hears the outcome by a notification;
	                                    "": none */
	/* Frees it; the question is left to the caller. */
	void (*give_up)(struct seat_errand *errand, const char *reason);
};

/* hosted_seat_errand.c */
void seat_errand_begin(struct seat_errand *errand, struct hosted_seat *seat,
	struct peer_question *question);
/* Each takes the errand's question, which is its errand no more. What the room cannot take becomes a
 * refusal that says so. */
void seat_errand_answer(struct seat_errand *errand, struct slice result);
void seat_errand_fail(struct seat_errand *errand, int64_t code, struct slice message, struct slice data);
void seat_errand_refuse(struct seat_errand *errand, const struct fault *why);
void seat_errand_forget(struct seat_errand *errand); /* the question is answered otherwise */
/* A question that is no errand's. */
void seat_question_refuse(struct peer_question *question, const struct fault *why);
void seat_question_cancelled(struct peer_question *question);
void seat_errands_end(struct hosted_seat *seat, const struct fault *why);

/* A participant's request that the server has. */
struct seat_ask {
	struct seat_errand errand;
	struct hosted_ask ask;
	struct link asides; /* struct seat_aside: what the server asks of who asks it */

	/* hosted_seat_stream.c */
	struct mgp_progress_course course;
	uint64_t began_at;       /* loop ms */
	uint64_t progress_until; /* seat_may_say() */
	bool speaks_streams;     /* the participant hears of it in MGP's words (MGP 12) */
	bool wants_chunks;
	bool is_held;
};

/* hosted_seat_ask.c: a request that goes to the server. Takes the question. */
void hosted_seat_ask(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct jsonrpc *request);

/* hosted_seat_question.c: what the server asks meanwhile; of struct hosted_ask_events. */
void seat_questioned(struct hosted_ask *ask, struct hosted_question *question, struct slice method,
	const struct scan_value *params);
void seat_withdrawn(struct hosted_ask *ask, struct hosted_question *question);
void seat_asides_end(struct seat_ask *ask); /* nobody waits for them any more */
/* A callback of MGP that wants no answer. */
void seat_notified(struct seat_ask *ask, const struct scan_value *params);

/* hosted_seat_stream.c: what comes before the answer; of struct hosted_ask_events. */
void seat_stream_begin(struct seat_ask *ask, const struct scan_value *params, const struct guest_note *note);
void seat_progressed(struct hosted_ask *ask, const struct scan_value *params);
void seat_streamed(struct hosted_ask *ask, struct slice method, const struct scan_value *params);
/* The room has taken everything: who was held back goes on. */
void seat_streams_go_on(struct hosted_seat *seat);
/* Whether one more word may be said to a participant now; *until: the loop ms for which it has had its words. */
bool seat_may_say(const struct hosted_seat *seat, uint64_t *until);

/* hosted_seat_client.c: what a server says that it has, without a word of MGP. */
void hosted_seat_write_capabilities(const struct hosted_seat *seat, struct text *to);
/* A participant as the kernel sees it; `note` may be NULL. In a room nobody is an
 * administrator: an envelope says who speaks, and not by which token. */
struct call_asker seat_asker(const struct hosted_seat *seat, struct slice from, const struct guest_note *note);
/* The handshake of a participant; true: the question was taken. */
bool hosted_seat_greet(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct jsonrpc *request);
/* A method of the kernel's, about this server. False: not for this participant; else it takes the question. */
bool hosted_seat_method(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct jsonrpc *request);
void hosted_seat_forgot(void *context, struct guest_note *note); /* struct guest_options */
void seat_clients_begin(struct hosted_seat *seat);
void seat_clients_end(struct hosted_seat *seat); /* the kernel tells them nothing any more */
/* hosted_seat_list.c: a list of the server's, page by page. Takes the question. */
void hosted_seat_list(struct hosted_seat *seat, enum hosted_kind kind, struct slice from,
	struct peer_question *question, const struct jsonrpc *request);

#endif
