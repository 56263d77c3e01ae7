/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seat stream: what a server says before its answer, said to the participant that asked: parts of the
 * answer, and how far it is. */
#include "gateway/hosted_seat_parts.h"

#include "client/outbox.h"
#include "kernel/call.h"
#include "mcp/mgp_chunk.h"

/* Of what may wait to be taken by the room: from there on a server is not read that serves this request alone;
 * and from there on parts are left out, which the answer has all the same. */
#define HELD (OUTBOX_ENVELOPES / 16)
#define HELD_OCTETS (OUTBOX_OCTETS / 16)
#define LOST (OUTBOX_ENVELOPES / 4)
#define LOST_OCTETS (OUTBOX_OCTETS / 4)

static struct seat_ask *ask_of(struct hosted_ask *ask) {
	return CONTAINER_OF(ask, struct seat_ask, ask);
}

static uint64_t now_of(const struct hosted_seat *seat) { return loop_now(seat->gateway->loop); }

/* A server that counts to a million must not hold up what others are answered. */
bool seat_may_say(const struct hosted_seat *seat, uint64_t *until) {
	uint64_t now = now_of(seat), had = *until > now ? *until : now;
	if (had - now > (HOSTED_SEAT_AT_ONCE - 1) * HOSTED_SEAT_WORD_MS) return false;
	*until = had + HOSTED_SEAT_WORD_MS;
	return true;
}

void seat_stream_begin(struct seat_ask *ask, const struct scan_value *params, const struct guest_note *note) {
	struct scan_value stream;
	bool is_wanted = false;
	ask->began_at = now_of(ask->errand.seat);
	ask->speaks_streams = note && (note->mgp.extensions & MGP_STREAMING);
	if (scan_path(params, &stream, "_mgp", "stream", NULL) && !scan_boolean(&stream, &is_wanted))
		is_wanted = false;
	ask->wants_chunks = ask->speaks_streams && is_wanted;
}

/* ---- How far it is ---- */

static void send(const struct seat_ask *ask, const struct text *notification) {
	if (!text_failed(notification)) peer_question_send(ask->errand.question, notification);
}

/* In MGP's words, or in MCP's for who wanted any (MGP 12.6). */
static void tell_progress(struct seat_ask *ask, struct mgp_progress *progress) {
	const struct peer_question *question = ask->errand.question;
	struct slice token = peer_question_token(question);
	AUTO_TEXT struct text text = {0};
	if (!ask->speaks_streams && !token.bytes) return;
	if (!seat_may_say(ask->errand.seat, &ask->progress_until)) return;
	text_init(&text, 0);
	mgp_progress_follow(&ask->course, progress);
	if (ask->speaks_streams) {
		mgp_progress_estimate(progress, now_of(ask->errand.seat) - ask->began_at);
		mgp_progress_write(&text, peer_question_id(question), progress);
	} else
		mgp_progress_write_plain(&text, token, progress, &ask->course);
	send(ask, &text);
}

/* From a plain server to a plain participant: as it is. */
static void pass_progress(struct seat_ask *ask, const struct scan_value *params) {
	struct scan_value value;
	struct slice message = SLICE_NONE;
	double progress, total = 0;
	char lent[512];
	struct arena arena;
	if (!scan_find(params, "progress", &value) || !scan_number(&value, &progress) ||
		!seat_may_say(ask->errand.seat, &ask->progress_until))
		return;
	if (scan_find(params, "total", &value) && !scan_number(&value, &total)) total = 0;
	arena_init(&arena, lent, sizeof lent, 0);
	if (scan_find(params, "message", &value) && !scan_string(&value, &arena, &message))
		message = SLICE_NONE;
	peer_progress(ask->errand.question, progress, total, message);
	arena_finish(&arena);
}

void seat_progressed(struct hosted_ask *hosted_ask, const struct scan_value *params) {
	struct seat_ask *ask = ask_of(hosted_ask);
	struct mgp_progress progress;
	if (!ask->speaks_streams) pass_progress(ask, params);
	else if (mgp_progress_read_plain(params, &progress)) tell_progress(ask, &progress);
}

/* ---- Parts of the answer ---- */

static void hold(struct seat_ask *ask, bool is_behind) {
	if (ask->is_held == is_behind) return;
	ask->is_held = is_behind;
	call_hold_back(&ask->ask, is_behind);
}

/* Everybody in the room gets them, and the room keeps them: what it does not take in time is left out, and the
 * number of the next part shows it (MGP 12.4). */
static bool has_room(struct seat_ask *ask, size_t length) {
	struct guest *guest = ask->errand.seat->guest;
	struct membership *membership = guest ? guest_membership(guest) : NULL;
	if (!membership) return false;
	size_t waiting = membership_waiting(membership), octets = membership_waiting_octets(membership);
	if (waiting >= HELD || octets + length >= HELD_OCTETS) hold(ask, true);
	return waiting < LOST && octets + length < LOST_OCTETS;
}

static void tell_chunk(struct seat_ask *ask, const struct scan_value *params) {
	struct mgp_chunk chunk;
	AUTO_TEXT struct text text = {0};
	if (!ask->wants_chunks || !mgp_chunk_read(params, &chunk) || !has_room(ask, params->text.length)) return;
	text_init(&text, 0);
	text_add(&text, mgp_chunk_begin(&text, SLICE(MGP_CHUNK_METHOD), params, peer_question_id(ask->errand.question)));
	text_add_cstr(&text, "}}");
	send(ask, &text);
}

void seat_streamed(struct hosted_ask *hosted_ask, struct slice method, const struct scan_value *params) {
	struct seat_ask *ask = ask_of(hosted_ask);
	struct mgp_progress progress;
	if (slice_is(method, MGP_CHUNK_METHOD)) tell_chunk(ask, params);
	else if (slice_is(method, MGP_PROGRESS_METHOD) && mgp_progress_read(params, &progress))
		tell_progress(ask, &progress);
}

void seat_streams_go_on(struct hosted_seat *seat) {
	LIST_EACH(link, &seat->errands) {
		struct seat_errand *errand = CONTAINER_OF(link, struct seat_errand, link);
		if (errand->ask) hold(ask_of(errand->ask), false);
	}
}
