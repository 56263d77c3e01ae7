/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room scene: rooms on a real loop over the fake store, and guests whose outlets write down what
 * they were sent. Nothing waits for time: a pass is a call.
 */
#ifndef HUSTINGS_TESTS_ROOM_SCENE_H
#define HUSTINGS_TESTS_ROOM_SCENE_H

#include "check.h"
#include "fake_store.h"

#include "room/arrears.h"
#include "room/injection.h"
#include "room/joining.h"
#include "room/leaving.h"
#include "room/participant.h"
#include "room/proposals.h"
#include "room/room.h"
#include "room/room_log.h"
#include "room/rooms.h"
#include "room/seat.h"
#include "room/telling.h"
#include "wire/websocket.h"

struct scene {
	struct store store;
	struct loop *loop;
	struct rooms *rooms;
	struct rooms_settings settings;
};

static inline void scene_open_rooms(struct scene *scene) {
	struct rooms_options options = {.loop = scene->loop, .store = &scene->store, .settings = &scene->settings};
	scene->rooms = rooms_open(&options, NULL);
	assert_non_null(scene->rooms);
}

static inline void scene_open(struct scene *scene) {
	*scene = (struct scene){.store.seed = {1, 2}};
	rooms_settings_default(&scene->settings);
	scene->settings.pace = (struct pace_rate){0};
	scene->settings.proposal_pace = (struct pace_rate){0};
	scene->loop = loop_open(NULL);
	assert_non_null(scene->loop);
	scene_open_rooms(scene);
}

static inline void scene_close(struct scene *scene) {
	if (scene->rooms) {
		rooms_drain(scene->rooms);
		rooms_close(scene->rooms);
	}
	if (scene->store.sync) store_synced(&scene->store, false);
	store_answer(&scene->store);
	loop_close(scene->loop);
	fake_store_finish(&scene->store);
}

static inline void scene_change(struct scene *scene) { rooms_change(scene->rooms, &scene->settings); }

/* One pass; and one more for each round of answers, unless the store holds them back. */
static inline void scene_pass(struct scene *scene) {
	loop_step(scene->loop, 0);
	while (scene->store.question_count && !scene->store.holds) {
		store_answer(&scene->store);
		loop_step(scene->loop, 0);
	}
}

static inline struct room *scene_room(struct scene *scene, const char *topic) {
	return rooms_find(scene->rooms, slice_of(topic));
}

static inline int64_t scene_counter(struct scene *scene, enum counter which) {
	return counters_read(loop_counters(scene->loop), which);
}

/* ---- Guests ---- */

struct guest {
	struct outlet outlet;
	struct joining joining;
	struct scene *scene;
	struct principal *principal;
	struct seat *seat;
	struct fault why; /* of a refused joining */
	unsigned seated;  /* times it was called */
	unsigned joined;
	unsigned code; /* it was closed with */
	char reason[256];
	unsigned sends;
	bool lags; /* takes nothing: what is sent is kept */
	size_t behind;
	struct frame *held[64];
	size_t held_count;
	struct text heard; /* texts, an LF behind each */
	void (*on_closed)(struct guest *guest);
};

static inline size_t guest_send(struct outlet *outlet, struct frame *frame, size_t offset, size_t length) {
	struct guest *guest = CONTAINER_OF(outlet, struct guest, outlet);
	struct slice text, range = slice_make(frame->bytes + offset, length);
	assert_null(guest->code ? guest : NULL); /* nothing comes after the end */
	assert_true(offset + length <= frame->used);
	guest->sends++;
	size_t at = 0;
	while (outlet_text(range, &at, &text)) {
		text_add(&guest->heard, text);
		text_add_char(&guest->heard, '\n');
	}
	assert_int_equal(at, length);
	if (!guest->lags) return 0;
	if (guest->held_count < COUNT_OF(guest->held)) guest->held[guest->held_count++] = frame_keep(frame);
	guest->behind += length;
	return guest->behind;
}

static inline void guest_closed(struct outlet *outlet, unsigned code, const char *reason) {
	struct guest *guest = CONTAINER_OF(outlet, struct guest, outlet);
	assert_int_equal(guest->code, 0);
	guest->code = code;
	guest->seat = NULL;
	snprintf(guest->reason, sizeof guest->reason, "%s", reason);
	if (guest->on_closed) guest->on_closed(guest);
}

static inline void guest_joined(struct outlet *outlet) {
	CONTAINER_OF(outlet, struct guest, outlet)->joined++;
}

static const struct outlet_events guest_events = {guest_send, guest_closed, guest_joined};

static inline void guest_seated(struct joining *joining, struct seat *seat, const struct fault *why) {
	struct guest *guest = CONTAINER_OF(joining, struct guest, joining);
	guest->seated++;
	guest->seat = seat;
	if (!seat) guest->why = *why;
}

/* Somebody with full privilege in v0.1; the test may change `joining` before guest_join(). */
static inline void guest_init(struct guest *guest, struct scene *scene, const char *id) {
	struct principal_facts like = {.id = slice_of(id), .privilege = PRIVILEGE_UNSAID};
	*guest = (struct guest){.scene = scene, .outlet.events = &guest_events};
	text_init(&guest->heard, 0);
	guest->principal = principal_make(&like, NULL);
	assert_non_null(guest->principal);
	guest->joining = (struct joining){
		.seated = guest_seated,
		.principal = guest->principal,
		.privilege = PRIVILEGE_FULL,
		.outlet = &guest->outlet,
		.has_dialect = true,
		.dialect = ENVELOPE_V01,
	};
}

static inline void guest_init_like(struct guest *guest, struct scene *scene, const struct principal_facts *like) {
	guest_init(guest, scene, "somebody");
	principal_drop(guest->principal);
	guest->principal = principal_make(like, NULL);
	assert_non_null(guest->principal);
	guest->joining.principal = guest->principal;
}

static inline void guest_start(struct guest *guest, const char *topic) {
	joining_start(&guest->joining, guest->scene->rooms, slice_of(topic));
}

/* Until it sits and is welcomed, or was refused. */
static inline void guest_join(struct guest *guest, const char *topic) {
	guest_start(guest, topic);
	scene_pass(guest->scene);
	assert_int_equal(guest->seated, 1);
}

static inline void guest_comes(struct guest *guest, struct scene *scene, const char *id) {
	guest_init(guest, scene, id);
	guest_join(guest, "room:a");
	assert_non_null(guest->seat);
	assert_int_equal(guest->joined, 1);
}

static inline void guest_leave(struct guest *guest) {
	if (guest->seat) seat_leave(guest->seat);
	guest->seat = NULL;
}

static inline void guest_read_all(struct guest *guest) {
	while (guest->held_count) frame_drop(guest->held[--guest->held_count]);
	guest->behind = 0;
}

/* Before the scene is closed, or after. */
static inline void guest_finish(struct guest *guest) {
	guest_leave(guest);
	guest_read_all(guest);
	principal_drop(guest->principal);
	text_finish(&guest->heard);
}

static inline void guest_clear(struct guest *guest) {
	text_clear(&guest->heard);
	guest->sends = 0;
}

/* How many of its texts hold these words. */
static inline unsigned guest_heard(const struct guest *guest, const char *words) {
	struct slice rest = text_slice(&guest->heard), line;
	unsigned count = 0;
	size_t length = strlen(words);
	while (rest.length && slice_split(&rest, '\n', &line))
		if (line.length && memmem(line.bytes, line.length, words, length)) count++;
	return count;
}

static inline unsigned guest_texts(const struct guest *guest) { return guest_heard(guest, "{"); }

/* Where in what it heard these words stand; fails when they do not. */
static inline size_t guest_heard_at(const struct guest *guest, const char *words) {
	const char *at = guest->heard.length ? strstr(guest->heard.bytes, words) : NULL;
	if (!at) fail_msg("never heard: %s\n%s", words, guest->heard.length ? guest->heard.bytes : "");
	return (size_t)(at - guest->heard.bytes);
}

static inline bool guest_says(struct guest *guest, const char *text) {
	char *copy = strdup(text);
	assert_non_null(copy);
	bool lives = seat_receive(guest->seat, slice_of(copy));
	(free)(copy);
	return lives;
}

static inline bool guest_chats(struct guest *guest, const char *id) {
	char text[512];
	snprintf(text, sizeof text,
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"%s\",\"kind\":\"chat\",\"payload\":{\"text\":\"hi\"}}", id);
	return guest_says(guest, text);
}

static inline bool guest_proposes(struct guest *guest, const char *id) {
	char text[512];
	snprintf(text, sizeof text,
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"%s\",\"kind\":\"mcp/proposal\",\"to\":[\"bob\"],\"payload\":"
		"{\"method\":\"tools/call\",\"params\":{\"name\":\"x\"},\"reason\":\"why\"}}",
		id);
	return guest_says(guest, text);
}

/* An mcp request to bob, with more fields in front of its payload. */
static inline bool guest_requests(struct guest *guest, const char *id, const char *fields) {
	char text[512];
	snprintf(text, sizeof text,
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"%s\",\"kind\":\"mcp\",\"to\":[\"bob\"],%s\"payload\":"
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}}",
		id, fields);
	return guest_says(guest, text);
}

#endif
