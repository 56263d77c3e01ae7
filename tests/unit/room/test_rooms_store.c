/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rooms over the real store, in a folder of their own: what was echoed is there after a restart, and
 * is replayed as it was. Waits are for conditions.
 */
#include "check.h"

#include "room/joining.h"
#include "room/rooms.h"
#include "room/seat.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATIENCE_MS 60000

struct house {
	char folder[64];
	struct store *store;
	struct loop *loop;
	struct rooms *rooms;
	struct rooms_settings settings;
};

struct guest {
	struct outlet outlet;
	struct joining joining;
	struct principal *principal;
	struct seat *seat;
	bool has_joined;
	struct text heard;
};

static size_t guest_send(struct outlet *outlet, struct frame *frame, size_t offset, size_t length) {
	struct guest *guest = CONTAINER_OF(outlet, struct guest, outlet);
	struct slice text, range = slice_make(frame->bytes + offset, length);
	for (size_t at = 0; outlet_text(range, &at, &text);) {
		text_add(&guest->heard, text);
		text_add_char(&guest->heard, '\n');
	}
	return 0;
}

static void guest_closed(struct outlet *outlet, unsigned code, const char *reason) {
	(void)outlet;
	fail_msg("closed with %u: %s", code, reason);
}

static void guest_joined(struct outlet *outlet) {
	CONTAINER_OF(outlet, struct guest, outlet)->has_joined = true;
}

static const struct outlet_events events = {guest_send, guest_closed, guest_joined};

static void guest_seated(struct joining *joining, struct seat *seat, const struct fault *why) {
	if (!seat) fail_msg("not seated: %s", why->text);
	CONTAINER_OF(joining, struct guest, joining)->seat = seat;
}

static bool heard(const struct guest *guest, const char *words) {
	return guest->heard.length && strstr(guest->heard.bytes, words);
}

static void wait_for(struct house *house, const struct guest *guest, const char *words) {
	uint64_t end = loop_now(house->loop) + PATIENCE_MS;
	while (!heard(guest, words)) {
		if (loop_now(house->loop) > end) fail_msg("never heard: %s", words);
		loop_step(house->loop, 100);
	}
}

static void guest_come(struct guest *guest, struct house *house, const char *since, uint16_t history) {
	*guest = (struct guest){.outlet.events = &events};
	text_init(&guest->heard, 0);
	guest->principal = principal_make(&(struct principal_facts){.id = SLICE("alice")}, NULL);
	assert_non_null(guest->principal);
	guest->joining = (struct joining){
		.seated = guest_seated,
		.principal = guest->principal,
		.privilege = PRIVILEGE_FULL,
		.outlet = &guest->outlet,
		.has_dialect = true,
		.dialect = ENVELOPE_V01,
		.history = history,
	};
	snprintf(guest->joining.since, sizeof guest->joining.since, "%s", since);
	joining_start(&guest->joining, house->rooms, SLICE("room:a"));
	wait_for(house, guest, "\"event\":\"welcome\"");
	assert_true(guest->has_joined);
}

static void guest_go(struct guest *guest) {
	seat_leave(guest->seat);
	principal_drop(guest->principal);
	text_finish(&guest->heard);
}

static void say(struct guest *guest, const char *id) {
	char text[256];
	snprintf(text, sizeof text,
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"%s\",\"kind\":\"chat\",\"payload\":{\"text\":\"hi\"}}", id);
	assert_true(seat_receive(guest->seat, slice_of(text)));
}

static void house_open(struct house *house, bool power_safe) {
	struct fault why;
	struct store_options options = {.directory = house->folder, .spools = 1, .durability = power_safe ? STORE_POWER : STORE_PROCESS};
	house->store = store_open(&options, &why);
	if (!house->store) fail_msg("%s", why.text);
	house->loop = loop_open(NULL);
	assert_non_null(house->loop);
	rooms_settings_default(&house->settings);
	house->settings.power_safe = power_safe;
	struct rooms_options rooms = {.loop = house->loop, .store = house->store, .settings = &house->settings};
	house->rooms = rooms_open(&rooms, NULL);
	assert_non_null(house->rooms);
}

static void house_close(struct house *house) {
	rooms_drain(house->rooms);
	rooms_close(house->rooms);
	store_close(house->store);
	loop_close(house->loop);
}

static void remove_folder(const char *path) {
	DIR *folder = opendir(path);
	if (!folder) return;
	for (const struct dirent *entry; (entry = readdir(folder));) {
		char inside[512];
		if (entry->d_name[0] == '.') continue;
		snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
		if (unlink(inside) != 0) remove_folder(inside);
	}
	closedir(folder);
	rmdir(path);
}

static void what_was_echoed_is_replayed_after_a_restart(bool power_safe) {
	struct house house = {.folder = "/tmp/hustings-rooms-XXXXXX"};
	struct guest alice;
	char id[32], words[64];
	assert_non_null(mkdtemp(house.folder));
	house_open(&house, power_safe);
	guest_come(&alice, &house, "", 0);
	for (int i = 0; i < 40; i++) {
		snprintf(id, sizeof id, "m%02d", i);
		say(&alice, id);
		snprintf(words, sizeof words, "\"id\":\"m%02d\"", i);
		if (i % 8 == 7) wait_for(&house, &alice, words);
	}
	guest_go(&alice);
	house_close(&house);

	house_open(&house, power_safe);
	guest_come(&alice, &house, "m09", 3);
	wait_for(&house, &alice, "\"id\":\"m39\"");
	say(&alice, "m40");
	say(&alice, "m12"); /* a repetition, known after the restart */
	wait_for(&house, &alice, "\"id\":\"m40\"");
	const char *at = strchr(alice.heard.bytes, '\n'); /* behind the welcome, which holds the last three */
	for (int i = 10; i <= 40; i++) {
		snprintf(words, sizeof words, "\"id\":\"m%02d\"", i);
		at = strstr(at, words);
		if (!at) fail_msg("out of order or missing: %s", words);
	}
	assert_false(heard(&alice, "\"id\":\"m09\""));
	assert_false(heard(&alice, "\"event\":\"gap\""));
	assert_int_equal(rooms_find(house.rooms, SLICE("room:a"))->sequence, 41);
	guest_go(&alice);
	house_close(&house);
	remove_folder(house.folder);
}

static void with_process_durability_what_was_echoed_is_there_after_a_restart(void **state) {
	(void)state;
	what_was_echoed_is_replayed_after_a_restart(false);
}

static void with_power_durability_what_was_echoed_is_there_after_a_restart(void **state) {
	(void)state;
	what_was_echoed_is_replayed_after_a_restart(true);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_process_durability_what_was_echoed_is_there_after_a_restart),
		cmocka_unit_test(with_power_durability_what_was_echoed_is_there_after_a_restart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
