/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer rig: a peer whose messages land in a list of strings, in a loop of its own.
 */
#ifndef HUSTINGS_TESTS_PEER_RIG_H
#define HUSTINGS_TESTS_PEER_RIG_H

#include "check.h"

#include "mcp/peer.h"

#include <stdio.h>
#include <stdlib.h>

#define RIG_PATIENCE_MS 60000
#define RIG_UNTIL(loop, condition) \
	do { \
		uint64_t rig_end_ = clock_monotonic_ms() + RIG_PATIENCE_MS; \
		while (!(condition)) { \
			assert_true(clock_monotonic_ms() < rig_end_); \
			loop_step((loop), 20); \
		} \
	} while (0)
#define RIG_SENT 64

struct peer_rig {
	struct loop *loop;
	struct peer *peer;
	char *sent[RIG_SENT];
	char about[RIG_SENT][64];
	unsigned count;
	bool is_deaf;    /* sending fails */
	bool recalls;    /* what was sent had not left yet */
	const char *tag; /* under which messages leave; NULL: none */
	struct peer_question *questions[8];
	unsigned asked, cancelled, told;
	unsigned answered, progressed;
	enum fault_code why;
	int64_t code;
	char result[256];
	bool closes_when_answered;
};

static inline bool rig_send(void *context, struct slice message, struct slice about, char *sent,
	struct fault *why) {
	struct peer_rig *rig = context;
	if (rig->is_deaf) return fault_set(why, FAULT_CLOSED, "deaf");
	assert_true(rig->count < RIG_SENT);
	snprintf(rig->about[rig->count], sizeof rig->about[0], "%.*s", SLICE_ARGS(about));
	rig->sent[rig->count++] = slice_copy(message);
	if (rig->tag) strcpy(sent, rig->tag);
	return true;
}
static inline bool rig_recalled(void *context, struct slice sent) {
	struct peer_rig *rig = context;
	check_slice(sent, rig->tag);
	return rig->recalls;
}
static inline void rig_asked(void *context, struct peer_question *question,
	const struct jsonrpc *request) {
	struct peer_rig *rig = context;
	assert_int_equal(request->kind, JSONRPC_REQUEST);
	rig->questions[rig->asked++ % 8] = question;
}
static inline void rig_told(void *context, const struct jsonrpc *notification) {
	(void)notification;
	((struct peer_rig *)context)->told++;
}
static inline void rig_cancelled(void *context, struct peer_question *question) {
	assert_true(peer_is_cancelled(question));
	((struct peer_rig *)context)->cancelled++;
}
static const struct peer_events rig_events = {
	.send = rig_send,
	.recalled = rig_recalled,
	.asked = rig_asked,
	.told = rig_told,
	.cancelled = rig_cancelled,
};

static inline void peer_rig_open(struct peer_rig *rig) {
	struct fault why;
	memset(rig, 0, sizeof *rig);
	rig->loop = loop_open(&why);
	assert_non_null(rig->loop);
	rig->peer = peer_open(rig->loop, &rig_events, rig, &why);
	assert_non_null(rig->peer);
}

static inline void peer_rig_close(struct peer_rig *rig) {
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "over");
	peer_close(rig->peer, &why);
	for (unsigned i = 0; i < rig->count; i++) free(rig->sent[i]);
	loop_close(rig->loop);
}

static inline void rig_answered(void *context, const struct peer_reply *reply,
	const struct fault *why) {
	struct peer_rig *rig = context;
	assert_true((reply == NULL) == (why != NULL));
	rig->answered++;
	rig->why = why ? why->code : FAULT_NONE;
	rig->code = reply ? reply->code : 0;
	if (reply) snprintf(rig->result, sizeof rig->result, "%.*s", SLICE_ARGS(reply->result));
	if (!rig->closes_when_answered) return;
	struct fault over;
	fault_set(&over, FAULT_CLOSED, "over");
	rig->closes_when_answered = false;
	peer_close(TAKE(rig->peer), &over);
}
static inline void rig_progressed(void *context, const struct scan_value *params) {
	(void)params;
	((struct peer_rig *)context)->progressed++;
}

static inline void rig_hear(struct peer_rig *rig, const char *message) {
	peer_read(rig->peer, slice_of(message));
}

/* The id of the request that left as the n-th message. */
static inline long long rig_id(const struct peer_rig *rig, unsigned at) {
	long long id;
	assert_true(at < rig->count);
	assert_int_equal(sscanf(rig->sent[at], "{\"jsonrpc\":\"2.0\",\"id\":%lld", &id), 1);
	return id;
}

#endif
