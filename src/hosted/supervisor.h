/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Supervisor: the life of one hosted server as a state machine (MGP 11.2), its restarts with growing
 * pauses and a budget (MGP 11.5). Restarting leads through Connecting.
 *
 * Lies in struct hosted. The state is assigned in supervisor_step() alone.
 */
#ifndef HUSTINGS_HOSTED_SUPERVISOR_H
#define HUSTINGS_HOSTED_SUPERVISOR_H

#include "hosted/hosted.h"

enum supervisor_event {
	SUPERVISOR_START,
	SUPERVISOR_READY,  /* a handshake succeeded */
	SUPERVISOR_FAILED, /* its last conversation could not begin, or ended on its own with an error */
	SUPERVISOR_EXITED, /* it ended on its own, without an error */
	SUPERVISOR_SHUTDOWN,
	SUPERVISOR_DRAINED, /* everything of it has gone */
	SUPERVISOR_RESTART,
	SUPERVISOR_EVENTS
};

struct supervisor {
	enum hosted_state state;
	int64_t changed_at; /* wall ms, when it came into that state */
	enum hosted_health health;
	char reason[240];
	uint64_t total;   /* restarts */
	uint64_t *stamps; /* of the last restarts, loop ms; a ring of `restarts` */
	unsigned stamp_at;
	unsigned failures;        /* in a row, without an answer in between */
	bool starts_again;        /* when drained */
	struct deadline deadline; /* the pause before a restart, or the patience of draining */
};

bool supervisor_init(struct hosted *hosted, struct fault *why) MUST_USE;
void supervisor_finish(struct hosted *hosted);
/* False: that state refuses the event. */
bool supervisor_step(struct hosted *hosted, enum supervisor_event event, const char *reason);
/* After whatever ended: drained, failed, or nothing. */
void supervisor_look(struct hosted *hosted, int status, bool was_asked_to, const struct fault *why);
void supervisor_drain(struct hosted *hosted); /* ends what is idle, when it drains */
/* True: an ask may wait for it; else why not. */
bool supervisor_may_wait(const struct hosted *hosted, struct fault *why);
void supervisor_answered(struct hosted *hosted); /* it lives: failures begin anew */

#endif
