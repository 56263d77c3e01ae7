/* SPDX-License-Identifier: Apache-2.0 */
/* Guests without a socket, in a room on loop 0 and in one on an island of its own. */
#include "gateway_rig.h"

#include "client/guest.h"
#include "gateway/inside_uplink.h"
#include "store/promotion_rows.h"

#include <poll.h>

static struct house house;
static struct client outside;
static const char *topics[2]; /* on loop 0, and on an island of its own */
static char names[2][32];
static struct fault why;

struct person {
	struct guest *guest;
	unsigned joined, lost, ended, arrived, left, chats, drained;
	bool closes_on_chat;
	enum fault_code why; /* of the end */
	char said[64];
	char privilege[32];
};

static void on_joined(void *context, const struct envelope *welcome, bool again) {
	struct person *person = context;
	assert_int_equal(welcome->kind, ENVELOPE_SYSTEM);
	assert_int_equal(again, person->joined > 0);
	person->joined++;
}
static void on_lost(void *context, const struct fault *fault, uint64_t again_in_ms) {
	(void)fault, (void)again_in_ms;
	((struct person *)context)->lost++;
}
static void on_ended(void *context, const struct fault *fault) {
	struct person *person = context;
	person->ended++;
	person->why = fault->code;
}
static void on_arrived(void *context, const struct roster_entry *entry) {
	(void)entry;
	((struct person *)context)->arrived++;
}
static void on_left(void *context, const struct roster_entry *entry) {
	(void)entry;
	((struct person *)context)->left++;
}
static void on_chat(void *context, const struct guest_chat *chat) {
	struct person *person = context;
	if (chat->moment != GUEST_LIVE) return;
	person->chats++;
	snprintf(person->said, sizeof person->said, "%.*s", SLICE_ARGS(chat->text));
	if (!person->closes_on_chat) return;
	guest_close(person->guest);
	person->guest = NULL;
}
static void on_privilege(void *context, struct slice old, struct slice now) {
	struct person *person = context;
	(void)old;
	snprintf(person->privilege, sizeof person->privilege, "%.*s", SLICE_ARGS(now));
}
static void on_drained(void *context) { ((struct person *)context)->drained++; }

static const struct guest_events person_events = {
	.joined = on_joined,
	.lost = on_lost,
	.ended = on_ended,
	.arrived = on_arrived,
	.left = on_left,
	.chat = on_chat,
	.privilege = on_privilege,
	.drained = on_drained,
};

static void come_in(struct person *person, const struct principal_facts *like, const char *topic) {
	AUTO(principal) principal = principal_make(like, &why);
	assert_non_null(principal);
	AUTO(uplink_maker) maker = inside_uplink_maker(&house.gateway, principal, INSIDE_AS_VISITOR, &why);
	assert_non_null(maker);
	const struct guest_options options = {
		.membership = {.maker = maker, .topic = topic, .backoff_ms = 20, .is_mcp = true, .stays = true, .dialect = ENVELOPE_V01},
	};
	*person = (struct person){.guest = NULL};
	person->guest = guest_open(house.gateway.loop, &options, &person_events, person, &why);
	assert_non_null(person->guest);
	assert_int_equal(person->joined, 0);
}

static void join(struct person *person, const char *id, const char *topic) {
	come_in(person, &(struct principal_facts){.id = slice_of(id), .kind = PRINCIPAL_AGENT, .privilege = PRIVILEGE_FULL}, topic);
	HOUSE_UNTIL(&house, person->joined);
}

static void go(struct person *person) {
	guest_close(person->guest);
	person->guest = NULL;
	loop_step(house.gateway.loop, 0);
}

static int set_up(void **state) {
	(void)state;
	house_open(&house, &(struct house_wish){.islands = 2});
	for (unsigned i = 0; i < 2; i++) {
		snprintf(names[i], sizeof names[i], "%s", house_topic(&house, i));
		topics[i] = names[i];
	}
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	house_close(&house);
	return 0;
}

static void a_guest_inside_hears_and_is_heard(void **state) {
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct person ann;
		client_join(&outside, &house, topics[i], house_full(&house, "bob"));
		client_hears(&outside, "welcome");
		join(&ann, "ann", topics[i]);
		client_hears(&outside, "{\"event\":\"join\",\"participant\":{\"id\":\"ann\",\"kind\":\"agent\",\"mcp\":");
		assert_true(slice_is(membership_id(guest_membership(ann.guest)), "ann"));
		assert_non_null(roster_find(guest_roster(ann.guest), SLICE("bob")));
		assert_true(slice_is(guest_privilege(ann.guest), "full"));
		assert_true(guest_say(ann.guest, SLICE_NONE, SLICE("hello out there"), false, NULL, &why));
		client_hears(&outside, "hello out there");
		HOUSE_UNTIL(&house, ann.drained);
		client_says(&outside, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"c1\",\"kind\":\"chat\","
				      "\"payload\":{\"text\":\"hello inside\"}}");
		HOUSE_UNTIL(&house, ann.chats);
		assert_string_equal(ann.said, "hello inside");
		go(&ann);
		client_hears(&outside, "\"event\":\"leave\"");
		client_close(&outside);
	}
}

static void many_texts_keep_their_order(void **state) {
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct person ann;
		char text[32];
		client_join(&outside, &house, topics[i], house_full(&house, "bob"));
		join(&ann, "ann", topics[i]);
		for (unsigned n = 0; n < 100; n++) {
			snprintf(text, sizeof text, "number %u.", n);
			assert_true(guest_say(ann.guest, SLICE_NONE, slice_of(text), false, NULL, &why));
		}
		for (unsigned n = 0; n < 100; n++) {
			snprintf(text, sizeof text, "number %u.", n);
			client_hears(&outside, "number ");
			assert_non_null(strstr(outside.message.bytes, text));
		}
		go(&ann);
		client_close(&outside);
	}
}

static void a_guest_may_go_inside_of_a_callback_and_before_it_came(void **state) {
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct person ann;
		come_in(&ann, &(struct principal_facts){.id = SLICE("ann")}, topics[i]);
		go(&ann);
		come_in(&ann, &(struct principal_facts){.id = SLICE("ann")}, topics[i]);
		loop_step(house.gateway.loop, 0); /* on its way in */
		go(&ann);
		assert_int_equal(ann.joined, 0);
		client_join(&outside, &house, topics[i], house_full(&house, "bob"));
		client_hears(&outside, "welcome");
		join(&ann, "ann", topics[i]);
		ann.closes_on_chat = true;
		for (unsigned n = 0; n < 3; n++) {
			char text[128];
			snprintf(text, sizeof text,
				"{\"protocol\":\"mcpx/v0.1\",\"id\":\"n%u\",\"kind\":\"chat\",\"payload\":{\"text\":\"go\"}}", n);
			client_says(&outside, text);
		}
		client_hears(&outside, "\"event\":\"leave\"");
		assert_int_equal(ann.chats, 1);
		client_close(&outside);
	}
}

static void whose_token_is_revoked_leaves_for_good(void **state) {
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct person ann;
		struct principal_facts like = {.id = SLICE("ann"), .privilege = PRIVILEGE_FULL};
		char token_id[TOKEN_ID];
		size_t count;
		(void)house_token(&house, (struct token_wish){.id = like.id, .privilege = PRIVILEGE_FULL}, token_id);
		like.token_id = slice_of(token_id);
		come_in(&ann, &like, topics[i]);
		HOUSE_UNTIL(&house, ann.joined);
		assert_true(token_revoke(house.gateway.state, token_id, SLICE_NONE, &count, &why));
		live_revoke(&house.gateway, slice_of(token_id), SLICE_NONE);
		HOUSE_UNTIL(&house, ann.ended);
		assert_int_equal(ann.why, FAULT_REFUSED);
		go(&ann);
		come_in(&ann, &like, topics[i]);
		HOUSE_UNTIL(&house, ann.ended);
		assert_int_equal(ann.why, FAULT_REFUSED);
		assert_int_equal(ann.joined, 0);
		go(&ann);
	}
}

static void a_token_is_good_for_its_topics_alone(void **state) {
	(void)state;
	struct person ann;
	come_in(&ann, &(struct principal_facts){.id = SLICE("ann"), .topics = SLICE("elsewhere")}, topics[1]);
	HOUSE_UNTIL(&house, ann.ended);
	assert_int_equal(ann.why, FAULT_REFUSED);
	go(&ann);
}

static void whoever_is_demoted_is_told(void **state) {
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct person ann;
		join(&ann, "ann", topics[i]);
		live_promote(&house.gateway, SLICE("ann"), slice_of(topics[i]), PRIVILEGE_RESTRICTED);
		HOUSE_UNTIL(&house, ann.privilege[0]);
		assert_string_equal(ann.privilege, "restricted");
		go(&ann);
	}
}

static void the_newest_connection_of_an_identity_replaces_the_guest(void **state) {
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct person ann;
		join(&ann, "ann", topics[i]);
		client_join(&outside, &house, topics[i], house_full(&house, "ann"));
		HOUSE_UNTIL(&house, ann.ended);
		assert_int_equal(ann.why, FAULT_EXISTS);
		go(&ann);
		client_close(&outside);
	}
}

/* ---- Loop 0 stands still, the room goes on ---- */

struct change {
	struct letter letter;
	struct rooms *rooms;
	sem_t done;
};

static void keep_little(struct letter *letter) {
	struct change *change = CONTAINER_OF(letter, struct change, letter);
	struct rooms_settings settings = change->rooms->settings;
	settings.max_behind = 64 * 1024;
	rooms_change(change->rooms, &settings);
	sem_post(&change->done);
}

static void change_island(void) {
	struct change change = {.rooms = house.gateway.islands[1].rooms};
	assert_int_equal(sem_init(&change.done, 0, 0), 0);
	mailbox_answer(house.gateway.islands[1].loop, &change.letter, keep_little);
	while (sem_wait(&change.done) != 0 && errno == EINTR) continue;
	sem_destroy(&change.done);
}

static void send_beside(struct client *client, struct slice bytes) {
	while (bytes.length) {
		struct pollfd ready = {.fd = client->descriptor, .events = POLLOUT};
		assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
		ssize_t sent = send(client->descriptor, bytes.bytes, bytes.length, MSG_NOSIGNAL);
		assert_true(sent > 0 || errno == EAGAIN || errno == EINTR);
		if (sent > 0) bytes = slice_make(bytes.bytes + sent, bytes.length - (size_t)sent);
	}
}

static void what_waits_for_loop_0_is_bounded(void **state) {
	(void)state;
	struct person ann;
	char target[96], bearer[128];
	AUTO_FREE char *filling = malloc(30001);
	memset(filling, 'x', 30000);
	filling[30000] = 0;
	snprintf(target, sizeof target, "/v0/ws?topic=%s&echo=0", topics[1]);
	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", house_full(&house, "bob"));
	client_open(&outside, &house);
	assert_int_equal(client_upgrade(&outside, target, bearer), 101);
	client_hears(&outside, "welcome");
	change_island();
	join(&ann, "ann", topics[1]);
	client_hears(&outside, "\"event\":\"join\"");
	for (unsigned n = 0; n < 150; n++) {
		AUTO_TEXT struct text text = {0}, frame = {0};
		text_init(&text, 0);
		text_init(&frame, 0);
		text_printf(&text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"n%u\",\"kind\":\"chat\",\"payload\":{\"text\":\"%s\"}}", n, filling);
		websocket_write(&frame, WEBSOCKET_CLIENT, WEBSOCKET_OP_TEXT, text_slice(&text));
		send_beside(&outside, text_slice(&frame));
	}
	HOUSE_UNTIL(&house, ann.lost);
	assert_true(ann.chats < 150);
	HOUSE_UNTIL(&house, ann.joined > 1);
	go(&ann);
	client_close(&outside);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_guest_inside_hears_and_is_heard, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_texts_keep_their_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_guest_may_go_inside_of_a_callback_and_before_it_came, set_up, tear_down),
		cmocka_unit_test_setup_teardown(whose_token_is_revoked_leaves_for_good, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_token_is_good_for_its_topics_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(whoever_is_demoted_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_newest_connection_of_an_identity_replaces_the_guest, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_waits_for_loop_0_is_bounded, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
