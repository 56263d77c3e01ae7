/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seat parts: what hosted_seat*.c share. */
#ifndef HUSTINGS_GATEWAY_HOSTED_SEAT_PARTS_H
#define HUSTINGS_GATEWAY_HOSTED_SEAT_PARTS_H

#include "client/guest.h"
#include "gateway/hosted_seat.h"

#define HOSTED_SEAT_QUESTION_MS (5 * 60 * 1000) /* a question waits so long for its participant */

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
	struct deadline calm;   /* lists that were told of as changed wait for it before they are again */
	unsigned told, changed; /* such lists, and those of them that changed since: a bit a kind */
	struct link errands;    /* struct seat_errand */
	struct task closing;
};

/* One request of a participant's, until it is answered. The first member of whatever it is. */
struct seat_errand {
	struct link link;
	struct hosted_seat *seat;
	struct peer_question *question;
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

/* hosted_seat_ask.c: a request that goes to the server. Takes the question. */
void hosted_seat_ask(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct jsonrpc *request);
/* hosted_seat_list.c: a list of the server's, page by page. Takes the question. */
void hosted_seat_list(struct hosted_seat *seat, enum hosted_kind kind, struct slice from,
	struct peer_question *question, const struct jsonrpc *request);

#endif
