/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: what a room may send to a participant: the welcome (when the first octet is odd), then
 * envelopes, one a line. No network: what the guest says stays in its outbox. */
#include "client/errand.h"
#include "client/guest.h"
#include "client/membership_parts.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static unsigned told;

static void on_chat(void *context, const struct guest_chat *chat) {
	(void)context;
	require(chat->text.bytes && chat->id.length > 0);
	told++;
}
static void on_arrived(void *context, const struct roster_entry *entry) {
	(void)context;
	require(entry->id[0]);
	told++;
}
static void on_proposed(void *context, const struct guest_proposal *proposal) {
	(void)context;
	require(proposal->method.bytes != NULL);
	told++;
}
static void on_settled(void *context, const struct guest_settlement *settlement) {
	(void)context;
	require(settlement->status.bytes != NULL);
	told++;
}
static const struct guest_events events = {
	.chat = on_chat,
	.arrived = on_arrived,
	.proposed = on_proposed,
	.settled = on_settled,
};

static void on_done(void *context, const struct errand_result *result, const struct fault *why) {
	(void)context;
	require((result == NULL) == (why != NULL));
	told++;
}

static void ask(struct guest *guest, enum errand_kind kind) {
	struct errand_options options = {
		.kind = kind,
		.to = SLICE("bob"),
		.name = SLICE("t"),
		.deadline_ms = UINT64_MAX,
		.done = on_done,
	};
	require(errand_open(guest, &options, NULL) != NULL);
}

static void feed(struct guest *guest, struct slice rest) {
	struct membership *membership = guest_membership(guest);
	struct slice line;
	task_clear(&membership->task); /* the first dial */
	membership_enter(membership, MEMBERSHIP_DIALLING);
	if (rest.length && rest.bytes[0] & 1) membership_enter(membership, MEMBERSHIP_ENTERING);
	memcpy(membership->id, "me", 3);
	while (slice_split(&rest, '\n', &line)) {
		membership_take(membership, line);
		loop_step(guest_loop(guest), 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct fault why;
	struct loop *loop = loop_open(&why);
	struct guest_options options = {
		.membership = {.url = "ws://127.0.0.1:9", .topic = "t", .dialect = ENVELOPE_V01},
		.strategy = GUEST_EAGER,
	};
	require(loop != NULL);
	struct guest *guest = guest_open(loop, &options, &events, NULL, &why);
	require(guest && guest_offer_chat(guest, &why));
	ask(guest, ERRAND_LIST);
	ask(guest, ERRAND_CALL);
	feed(guest, slice_make(data, size));
	guest_close(guest);
	loop_close(loop);
	return 0;
}
