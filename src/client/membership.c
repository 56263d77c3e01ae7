/* SPDX-License-Identifier: Apache-2.0 */
/* Membership: the one place where its state changes, and what may be asked of it. Opening and
 * closing is membership_open.c. */
#include "client/membership.h"
#include "client/membership_parts.h"

#include "wire/websocket.h"

#include <stdlib.h>

/* From which states each may be entered, a bit per state. */
static const unsigned allowed[MEMBERSHIP_STATES] = {
	[MEMBERSHIP_DIALLING] = 1u << MEMBERSHIP_NEW | 1u << MEMBERSHIP_WAITING,
	[MEMBERSHIP_ENTERING] = 1u << MEMBERSHIP_DIALLING,
	[MEMBERSHIP_JOINED] = 1u << MEMBERSHIP_ENTERING,
	[MEMBERSHIP_WAITING] = 1u << MEMBERSHIP_DIALLING | 1u << MEMBERSHIP_ENTERING |
		1u << MEMBERSHIP_JOINED,
	[MEMBERSHIP_ENDED] = 1u << MEMBERSHIP_NEW | 1u << MEMBERSHIP_DIALLING |
		1u << MEMBERSHIP_ENTERING | 1u << MEMBERSHIP_JOINED | 1u << MEMBERSHIP_WAITING,
};

void membership_enter(struct membership *membership, enum membership_state state) {
	if (!(allowed[state] & 1u << membership->state)) abort(); /* a mistake of ours, never a peer's */
	membership->state = state;
}

void membership_end(struct membership *membership, const struct fault *why) {
	struct fault own = *why;
	if (membership->state == MEMBERSHIP_ENDED) return;
	membership_enter(membership, MEMBERSHIP_ENDED);
	deadline_clear(&membership->deadline);
	deadline_clear(&membership->pace);
	uplink_close(TAKE(membership->uplink), WEBSOCKET_NORMAL);
	membership->events->ended(membership->context, &own);
}

/* ---- Questions ---- */

enum membership_state membership_state(const struct membership *membership) {
	return membership->state;
}
struct slice membership_id(const struct membership *membership) {
	return slice_of(membership->id);
}
struct slice membership_topic(const struct membership *membership) {
	return slice_of(membership->options.topic);
}
struct slice membership_last(const struct membership *membership) {
	return slice_of(membership->last);
}
enum envelope_dialect membership_dialect(const struct membership *membership) {
	return membership->options.dialect;
}
const struct gateway_url *membership_url(const struct membership *membership) {
	return &membership->url;
}
const char *membership_ca(const struct membership *membership) { return membership->options.ca; }
bool membership_is_drained(const struct membership *membership) {
	return outbox_is_empty(&membership->outbox);
}
size_t membership_waiting(const struct membership *membership) {
	return membership->outbox.by_id.count;
}
size_t membership_waiting_octets(const struct membership *membership) {
	return membership->outbox.octets;
}

bool membership_give_token(struct membership *membership, struct text *token, struct fault *why) {
	const struct membership_options *options = &membership->options;
	if (options->give_token) return options->give_token(options->token_context, token, why);
	if (options->token) text_add_cstr(token, options->token);
	return true;
}
