/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Membership parts: what the files of a membership share; for client/membership*.c alone.
 */
#ifndef HUSTINGS_CLIENT_MEMBERSHIP_PARTS_H
#define HUSTINGS_CLIENT_MEMBERSHIP_PARTS_H

#include "client/gateway_url.h"
#include "client/membership_options.h"
#include "client/outbox.h"
#include "client/uplink.h"
#include "net/loop.h"
#include "net/tls.h"

struct membership {
	struct loop *loop;
	const struct membership_events *events;
	void *context;
	struct membership_options options; /* its strings are ours */
	struct gateway_url url;
	struct tls *tls;
	struct uplink *uplink;
	struct outbox outbox;
	struct deadline deadline; /* of the welcome, or of the next dial */
	struct deadline pace;     /* until it nothing leaves: the gateway found us too fast */
	unsigned paced;           /* envelopes that wait for it because they were refused */
	struct task task;         /* the first dial; drained */
	enum membership_state state;
	unsigned attempts;    /* breaks in a row */
	bool was_joined;      /* ever */
	bool is_resuming;     /* this connection asked for what was missed */
	bool wants_new_token; /* the last one was refused */
	uint64_t joined_at;   /* loop ms */
	int64_t welcome_at;   /* the gateway's wall ms */
	bool *gone;           /* told when closed inside a callback */
	char *last_token;
	char id[ENVELOPE_IDENTITY + 1];
	char last[ENVELOPE_NAME + 1];
};

/* membership_dial.c */
void membership_dial(struct membership *membership);
void membership_break(struct membership *membership, const struct uplink_end *end);
/* membership_intake.c */
void membership_take(struct membership *membership, struct slice text);
/* membership_send.c */
void membership_flush(struct membership *membership); /* everything that waits */
void membership_note_drained(struct membership *membership);
/* membership.c */
void membership_enter(struct membership *membership, enum membership_state state);
void membership_end(struct membership *membership, const struct fault *why);

#endif
