/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Visit: a question for one room: carried to its island, the room entered, and back, for an
 * exchange that waits. The handler gives what is to be done in the room and what becomes of it.
 */
#ifndef HUSTINGS_GATEWAY_VISIT_H
#define HUSTINGS_GATEWAY_VISIT_H

#include "gateway/exchange.h"
#include "gateway/question.h"

struct visit;

struct visit_steps {
	/* On the island, in the open room. Fills in `status` and `body`, or sets `fault` and `failed`. It may
	 * wait: then it returns false and calls visit_done() later. */
	bool (*ask)(struct visit *visit, struct room *room);
	/* On loop 0, only while the exchange is there; NULL: status and body are the answer. */
	void (*answer)(struct visit *visit, struct exchange *exchange);
	/* What the visit's own memory holds, on loop 0; may be NULL. */
	void (*finish)(struct visit *visit);
};

struct visit {
	struct question question;
	struct visitor visitor;
	const struct visit_steps *steps;
	enum rooms_entry how;
	struct principal *principal; /* kept */
	enum privilege privilege;
	struct slice topic; /* copies, in this allocation */
	struct slice text;  /* what the handler brings along */
	struct slice other; /* the same */
	bool failed;
	struct fault fault;
	unsigned status;
	unsigned retry_after_s; /* 0: no such header */
	struct text body;
	void *context; /* the handler's own */
};

/* The principal's privilege in the topic is found out here. `text` and `other` are copied. False:
 * answered already. */
bool visit_start(struct exchange *exchange, struct slice topic, enum rooms_entry how,
	struct slice text, struct slice other, const struct visit_steps *steps, void *context) MUST_USE;
void visit_done(struct visit *visit);

#endif
