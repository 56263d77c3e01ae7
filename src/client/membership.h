/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Membership: one identity in one topic, over as many connections as that takes (MCPx v0 5.2, 12).
 *
 * It dials, asks to enter, hears the welcome, and then carries envelopes both ways. A connection
 * that breaks is made again after 1 s, doubling to 30 s, with jitter, asking for everything since
 * the last envelope it saw; what was not echoed is sent again. It is over for good when another
 * connection of the same id took the seat (4001), when the gateway says no, or, unless `stays`, at
 * the first break. Owned; one thread; callbacks may close it. Nothing is called from inside
 * membership_open() or membership_send().
 */
#ifndef HUSTINGS_CLIENT_MEMBERSHIP_H
#define HUSTINGS_CLIENT_MEMBERSHIP_H

#include "base/ident.h"
#include "client/gateway_url.h"
#include "client/membership_options.h"
#include "net/loop.h"
#include "wire/envelope.h"

struct membership *membership_open(struct loop *loop, const struct membership_options *options,
	const struct membership_events *events, void *context, struct fault *why) MUST_USE;
void membership_close(struct membership *membership); /* leaves; NULL is fine */

/* One envelope: `to` may be NULL (count 0: to all), correlation_id SLICE_NONE, payload is JSON text
 * of an object. It is sent now, or when we are in the room. `id` (may be NULL) takes its id.
 * FAULT_FULL: go on when some are through. FAULT_TOO_LARGE: the room would end the connection for it,
 * as far as the maker of connections knows. */
bool membership_send(struct membership *membership, enum envelope_kind kind, const struct slice *to,
	size_t count, struct slice correlation_id, struct slice payload, char id[IDENT_UUID_SIZE],
	struct fault *why) MUST_USE;
/* A whole envelope as it stands, for who writes them by hand. */
bool membership_send_raw(struct membership *membership, struct slice text,
	struct fault *why) MUST_USE;
/* Not sent yet: it never will be (true). */
bool membership_withdraw(struct membership *membership, struct slice id);
/* The gateway refused it: it is not sent again. */
void membership_refused(struct membership *membership, struct slice id);
/* The gateway refused it for its pace: it is sent again behind a pause of `in_ms` for each that was
 * refused so, in which nothing else leaves. False: it is not under way (any more). */
bool membership_again(struct membership *membership, struct slice id, uint64_t in_ms);

enum membership_state membership_state(const struct membership *membership);
bool membership_is_drained(const struct membership *membership);
/* What was sent and is not known to be in the room yet. */
size_t membership_waiting(const struct membership *membership);
size_t membership_waiting_octets(const struct membership *membership);
struct slice membership_id(const struct membership *membership); /* empty before the welcome */
struct slice membership_topic(const struct membership *membership);
struct slice membership_last(const struct membership *membership); /* the id to resume from */
enum envelope_dialect membership_dialect(const struct membership *membership);
const struct gateway_url *membership_url(const struct membership *membership);
/* The token as the provider gives it now. */
bool membership_give_token(struct membership *membership, struct text *token,
	struct fault *why) MUST_USE;
const char *membership_ca(const struct membership *membership);

#endif
