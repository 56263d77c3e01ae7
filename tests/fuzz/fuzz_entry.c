/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: lines of a message each, sent by a seat in an open room that two readers of both
 * dialects listen to. What is published is a valid envelope in the reader's dialect, from the
 * sender, with the payload's octets as they came; the sender is answered once for every line.
 *
 * The first octet chooses the sender: 1 restricted, 2 echo off, 4 undeclared, 8 strict (no replies without
 * correlation, one recipient), 16 restricted may answer. A line may hold anything but LF.
 */
#include "../unit/room/fake_store.h"

#include "room/joining.h"
#include "room/rooms.h"
#include "room/seat.h"

#define SENDER "sender"
#define CHAT "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/chat/message\",\"params\":"
#define MUST(what) \
	do { \
		if (!(what)) abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct reader {
	struct outlet outlet;
	struct joining joining;
	struct seat *seat;
	enum envelope_dialect dialect;
	bool is_sender;
	bool mixes; /* undeclared: its dialect may change on the way */
	unsigned texts;
	unsigned published; /* of the sender's */
};

static struct slice line; /* as the sender sent it */
static bool was_published;

/* Against what was sent: one line goes through one pass. */
static void check_published(struct reader *reader, const struct envelope *got) {
	static char lent[16384];
	struct arena arena;
	struct envelope sent;
	struct slice payload = got->payload.text;
	arena_init(&arena, lent, sizeof lent, 0);
	MUST(envelope_read(&sent, line, &arena, NULL));
	MUST(slice_equal(got->id, sent.id) && slice_is(got->from, SENDER));
	MUST(got->ts.bytes && slice_equal(got->to.text, sent.to.text));
	MUST(slice_equal(got->correlation_id, sent.correlation_id));
	if (sent.kind == ENVELOPE_CHAT && got->dialect == ENVELOPE_V0) {
		MUST(got->kind == ENVELOPE_MCP && slice_starts_with(payload, CHAT));
		payload = slice_make(payload.bytes + sizeof CHAT - 1, payload.length - sizeof CHAT);
	} else
		MUST(got->kind == sent.kind);
	MUST(slice_equal(payload, sent.payload.text));
	reader->published++;
	was_published = true;
	arena_finish(&arena);
}

static size_t take(struct outlet *outlet, struct frame *frame, size_t offset, size_t length) {
	struct reader *reader = CONTAINER_OF(outlet, struct reader, outlet);
	struct slice text, range = slice_make(frame->bytes + offset, length);
	for (size_t at = 0; outlet_text(range, &at, &text);) {
		static char lent[16384];
		struct arena arena;
		struct envelope got;
		arena_init(&arena, lent, sizeof lent, 0);
		MUST(envelope_read(&got, text, &arena, NULL));
		MUST(reader->mixes || got.dialect == reader->dialect);
		reader->texts++;
		if (slice_is(got.from, SENDER)) check_published(reader, &got);
		else MUST(slice_is(got.from, "system:gateway"));
		arena_finish(&arena);
	}
	return 0;
}

static void gone(struct outlet *outlet, unsigned code, const char *reason) {
	struct reader *reader = CONTAINER_OF(outlet, struct reader, outlet);
	MUST(code >= 1000 && reason);
	MUST(reader->is_sender);
	reader->seat = NULL;
}

static const struct outlet_events events = {.send = take, .closed = gone};

static void seated(struct joining *joining, struct seat *seat, const struct fault *why) {
	(void)why;
	CONTAINER_OF(joining, struct reader, joining)->seat = seat;
}

static void come(struct reader *reader, struct rooms *rooms, const char *id, unsigned how) {
	struct principal *principal = principal_make(&(struct principal_facts){.id = slice_of(id)}, NULL);
	MUST(principal);
	reader->outlet.events = &events;
	reader->mixes = how & 4;
	reader->joining = (struct joining){
		.seated = seated,
		.principal = principal,
		.privilege = how & 1 ? PRIVILEGE_RESTRICTED : PRIVILEGE_FULL,
		.outlet = &reader->outlet,
		.has_dialect = !reader->mixes,
		.dialect = reader->dialect,
		.is_mute = how & 2,
	};
	joining_start(&reader->joining, rooms, SLICE("room:a"));
}

static void settle(struct store *store, struct loop *loop) {
	store_answer(store);
	loop_step(loop, 0);
}

/* A message of the sender, and a pass. */
static void send(struct reader readers[3], struct store *store, struct loop *loop) {
	struct reader *sender = &readers[0];
	unsigned heard = sender->texts, others = readers[1].published;
	bool echoes = sender->seat->echoes;
	char *copy = (malloc)(line.length + 1);
	MUST(copy);
	if (line.length) memcpy(copy, line.bytes, line.length);
	was_published = false;
	bool lives = seat_receive(sender->seat, slice_make(copy, line.length));
	MUST(lives == (sender->seat != NULL));
	free(copy);
	settle(store, loop);
	unsigned now = readers[1].published - others;
	MUST(now <= 1 && readers[1].published == readers[2].published);
	/* Published and echoed, repeated and echoed, or refused in words; echo=0 hears refusals alone. A
	 * proposal that is fulfilled brings one text more. */
	if (echoes && lives) MUST(sender->texts > heard && sender->texts <= heard + 2);
	if (!lives) MUST(!now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static struct loop *loop;
	struct store store = {.seed = {3, 4}};
	struct rooms_settings settings;
	struct reader readers[3] = {{.is_sender = true, .dialect = ENVELOPE_V01},
		{.dialect = ENVELOPE_V01}, {.dialect = ENVELOPE_V0}};
	unsigned how = size ? data[0] : 0;
	if (!loop) loop = loop_open(NULL);
	MUST(loop);
	rooms_settings_default(&settings);
	settings.pace = settings.proposal_pace = (struct pace_rate){0};
	settings.strict_replies = settings.one_recipient = how & 8;
	settings.restricted_may_answer = how & 16;
	settings.max_message = 64 * 1024;
	struct rooms *rooms = rooms_open(&(struct rooms_options){.loop = loop, .store = &store, .settings = &settings}, NULL);
	MUST(rooms);
	come(&readers[1], rooms, "reader-1", 0);
	settle(&store, loop);
	come(&readers[2], rooms, "reader-2", 0);
	come(&readers[0], rooms, SENDER, how);
	settle(&store, loop);
	MUST(readers[0].seat && readers[1].seat && readers[2].seat);
	struct slice rest = size > 1 ? slice_make(data + 1, size - 1) : SLICE_NONE;
	for (unsigned lines = 0; lines < 64 && readers[0].seat && slice_split(&rest, '\n', &line); lines++)
		send(readers, &store, loop);
	for (int i = 0; i < 3; i++) {
		if (readers[i].seat) seat_leave(readers[i].seat);
		principal_drop(readers[i].joining.principal);
	}
	rooms_drain(rooms);
	rooms_close(rooms);
	fake_store_finish(&store);
	return 0;
}
