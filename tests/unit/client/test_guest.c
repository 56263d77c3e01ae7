/* SPDX-License-Identifier: Apache-2.0 */
#include "room_rig.h"

#include "client/guest.h"
#include "client/guest_parts.h"
#include "client/peers.h"
#include "net/certificate_rig.h"

static struct loop *loop;
static struct room_rig rig;

/* A guest and all it was told. */
struct person {
	struct guest *guest;
	unsigned joined, lost, ended, arrived, left, chats, proposals, settlements, refusals, missed;
	bool closes_on_chat;
	bool is_markdown;    /* what was said last */
	uint64_t pauses[16]; /* before each new try, ms; the first ones */
	enum guest_moment moment;
	enum fault_code why; /* of the end */
	char said[256];
	char proposal[64];
	char status[32];
	char privilege[32];
};

static void copy(char *to, size_t size, struct slice from) {
	snprintf(to, size, "%.*s", SLICE_ARGS(from));
}

static void on_joined(void *context, const struct envelope *welcome, bool again) {
	struct person *person = context;
	assert_int_equal(welcome->kind, ENVELOPE_SYSTEM);
	assert_int_equal(again, person->joined > 0);
	person->joined++;
}
static void on_lost(void *context, const struct fault *why, uint64_t again_in_ms) {
	(void)why;
	struct person *person = context;
	assert_true(again_in_ms <= 30000);
	if (person->lost < COUNT_OF(person->pauses)) person->pauses[person->lost] = again_in_ms;
	person->lost++;
}
static void on_ended(void *context, const struct fault *why) {
	struct person *person = context;
	person->ended++;
	person->why = why->code;
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
	person->chats++;
	person->moment = chat->moment;
	person->is_markdown = chat->is_markdown;
	copy(person->said, sizeof person->said, chat->text);
	if (person->closes_on_chat) {
		guest_close(person->guest);
		person->guest = NULL;
	}
}
static void on_proposed(void *context, const struct guest_proposal *proposal) {
	struct person *person = context;
	person->proposals++;
	copy(person->proposal, sizeof person->proposal, proposal->id);
	check_slice(proposal->method, "tools/call");
}
static void on_settled(void *context, const struct guest_settlement *settlement) {
	struct person *person = context;
	person->settlements++;
	copy(person->status, sizeof person->status, settlement->status);
}
static void on_privilege(void *context, struct slice old, struct slice now) {
	struct person *person = context;
	check_slice(old, "full");
	copy(person->privilege, sizeof person->privilege, now);
}
static void on_refused(void *context, const struct guest_refusal *refusal) {
	struct person *person = context;
	person->refusals++;
	check_slice(refusal->code, "too_fast");
	assert_int_equal(refusal->retry_after_ms, 1500);
}
static void on_missed(void *context) { ((struct person *)context)->missed++; }

static const struct guest_events person_events = {
	.joined = on_joined,
	.lost = on_lost,
	.ended = on_ended,
	.arrived = on_arrived,
	.left = on_left,
	.chat = on_chat,
	.proposed = on_proposed,
	.settled = on_settled,
	.privilege = on_privilege,
	.refused = on_refused,
	.missed = on_missed,
};

static struct guest_options options_of(const char *id) {
	return (struct guest_options){
		.membership = {.url = rig.url, .topic = "demo", .id = id, .backoff_ms = 20, .is_mcp = true, .stays = true, .dialect = ENVELOPE_V01},
	};
}

static void enter(struct person *person, const struct guest_options *options) {
	struct fault why;
	*person = (struct person){.guest = NULL};
	person->guest = guest_open(loop, options, &person_events, person, &why);
	assert_non_null(person->guest);
	assert_int_equal(person->joined, 0);
}

static void join(struct person *person, const char *id) {
	struct guest_options options = options_of(id);
	enter(person, &options);
	RIG_UNTIL(loop, person->joined);
}

static int set_up(void **state) {
	struct fault why;
	(void)state;
	loop = loop_open(&why);
	assert_non_null(loop);
	room_rig_open(&rig, loop);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	room_rig_close(&rig);
	loop_close(loop);
	return 0;
}

/* ---- Chat and presence ---- */

static void what_one_says_all_hear_and_the_sender_as_its_own(void **state) {
	struct person ann, bob;
	struct fault why;
	(void)state;
	join(&ann, "ann");
	join(&bob, "bob");
	RIG_UNTIL(loop, ann.arrived == 1 && bob.arrived == 1);
	assert_true(guest_say(ann.guest, SLICE_NONE, SLICE("hel\"lo"), false, NULL, &why));
	RIG_UNTIL(loop, ann.chats == 1 && bob.chats == 1);
	assert_string_equal(bob.said, "hel\"lo");
	assert_int_equal(ann.moment, GUEST_OWN);
	assert_int_equal(bob.moment, GUEST_LIVE);
	assert_true(membership_is_drained(guest_membership(ann.guest)));
	guest_close(bob.guest);
	RIG_UNTIL(loop, ann.left == 1);
	assert_int_equal(roster_count(guest_roster(ann.guest)), 0);
	guest_close(ann.guest);
}

static void the_chat_of_both_dialects_is_chat(void **state) {
	struct person ann;
	(void)state;
	join(&ann, "ann");
	rig_tell_all(&rig, "{\"protocol\":\"mcp-x/v0\",\"id\":\"c1\",\"ts\":\"2026-01-01T00:00:00Z\",\"from\":\"old\","
			   "\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"method\":\"notifications/chat/message\","
			   "\"params\":{\"text\":\"old words\"}}}",
		NULL);
	RIG_UNTIL(loop, ann.chats == 1);
	assert_string_equal(ann.said, "old words");
	rig_tell_all(&rig, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"c2\",\"from\":\"new\",\"kind\":\"chat\","
			   "\"payload\":{\"text\":\"new words\"}}",
		NULL);
	RIG_UNTIL(loop, ann.chats == 2);
	assert_string_equal(ann.said, "new words");
	guest_close(ann.guest);
}

/* What has no text, or none that is a string, is shown to nobody; what says no format is plain. */
static void chat_without_a_text_is_none_and_without_a_format_it_is_plain(void **state) {
	struct person ann;
	const struct {
		const char *body;
		bool is_shown, is_markdown;
	} cases[] = {
		{"{}", false, false},
		{"{\"text\":7}", false, false},
		{"{\"text\":null,\"format\":\"plain\"}", false, false},
		{"{\"text\":[\"x\"]}", false, false},
		{"{\"text\":\"bare\"}", true, false},
		{"{\"text\":\"x\",\"format\":\"plain\"}", true, false},
		{"{\"text\":\"x\",\"format\":\"markdown\"}", true, true},
		{"{\"text\":\"x\",\"format\":\"html\"}", true, false},
		{"{\"text\":\"x\",\"format\":7}", true, false},
	};
	char said[600];
	(void)state;
	join(&ann, "ann");
	for (size_t i = 0; i < COUNT_OF(cases) * 2; i++) {
		unsigned before = ann.chats;
		bool is_v0 = i % 2;
		snprintf(said, sizeof said, is_v0 ? "{\"protocol\":\"mcp-x/v0\",\"id\":\"f%zu\",\"ts\":\"2026-01-01T00:00:00Z\",\"from\":\"old\","
						    "\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"method\":\"notifications/chat/message\",\"params\":%s}}"
						  : "{\"protocol\":\"mcpx/v0.1\",\"id\":\"f%zu\",\"from\":\"new\",\"kind\":\"chat\",\"payload\":%s}",
			i, cases[i / 2].body);
		rig_tell_all(&rig, said, NULL);
		snprintf(said, sizeof said, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"after%zu\",\"from\":\"new\",\"kind\":\"chat\",\"payload\":{\"text\":\"after\"}}", i);
		if (!cases[i / 2].is_shown) rig_tell_all(&rig, said, NULL); /* behind it, so that it has come */
		RIG_UNTIL(loop, ann.chats > before);
		assert_int_equal(ann.chats, before + 1);
		assert_int_equal(strcmp(ann.said, "after") != 0, cases[i / 2].is_shown);
		assert_int_equal(ann.is_markdown, cases[i / 2].is_markdown);
	}
	guest_close(ann.guest);
}

static void what_is_said_has_a_text_and_its_format_under_its_own_head(void **state) {
	const struct {
		enum envelope_dialect dialect;
		bool is_markdown;
		const char *head, *body;
	} cases[] = {
		{ENVELOPE_V01, false, "\"protocol\":\"mcpx/v0.1\"", "\"payload\":{\"text\":\"hi\",\"format\":\"plain\"}"},
		{ENVELOPE_V01, true, "\"protocol\":\"mcpx/v0.1\"", "\"payload\":{\"text\":\"hi\",\"format\":\"markdown\"}"},
		{ENVELOPE_V0, false, "\"protocol\":\"mcp-x/v0\"", "\"params\":{\"text\":\"hi\",\"format\":\"plain\"}"},
		{ENVELOPE_V0, true, "\"protocol\":\"mcp-x/v0\"", "\"params\":{\"text\":\"hi\",\"format\":\"markdown\"}"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct person ann;
		struct fault why;
		struct guest_options options = options_of("ann");
		options.membership.dialect = cases[i].dialect;
		enter(&ann, &options);
		RIG_UNTIL(loop, ann.joined);
		assert_true(guest_say(ann.guest, SLICE_NONE, SLICE("hi"), cases[i].is_markdown, NULL, &why));
		RIG_UNTIL(loop, ann.chats == 1);
		assert_non_null(strstr(rig.last, cases[i].head));
		assert_non_null(strstr(rig.last, cases[i].body));
		guest_close(ann.guest);
	}
}

static void a_v0_guest_says_things_as_a_notification(void **state) {
	struct person ann;
	struct fault why;
	struct guest_options options = options_of("ann");
	(void)state;
	options.membership.dialect = ENVELOPE_V0;
	enter(&ann, &options);
	RIG_UNTIL(loop, ann.joined);
	assert_true(guest_say(ann.guest, SLICE_NONE, SLICE("hello"), false, NULL, &why));
	RIG_UNTIL(loop, ann.chats == 1);
	assert_non_null(strstr(rig.last, "\"mcp-x/v0\""));
	assert_non_null(strstr(rig.last, "notifications/chat/message"));
	guest_close(ann.guest);
}

static void history_in_the_welcome_is_told_as_past(void **state) {
	struct person ann;
	struct guest_options options = options_of("ann");
	(void)state;
	rig.history = "[{\"protocol\":\"mcpx/v0.1\",\"id\":\"h1\",\"from\":\"new\",\"kind\":\"chat\","
		      "\"payload\":{\"text\":\"long ago\"}}]";
	options.membership.history = 5;
	enter(&ann, &options);
	RIG_UNTIL(loop, ann.chats == 1);
	assert_non_null(strstr(rig.target, "&history=5"));
	assert_int_equal(ann.moment, GUEST_PAST);
	check_slice(membership_last(guest_membership(ann.guest)), "h1");
	guest_close(ann.guest);
}

static void a_guest_may_be_closed_by_its_own_callback(void **state) {
	struct person ann, bob;
	struct fault why;
	(void)state;
	join(&ann, "ann");
	join(&bob, "bob");
	ann.closes_on_chat = true;
	assert_true(guest_say(bob.guest, SLICE_NONE, SLICE("go"), false, NULL, &why));
	RIG_UNTIL(loop, ann.guest == NULL && bob.left == 1);
	guest_close(bob.guest);
}

/* ---- The gateway's own words ---- */

static void the_gateway_alone_speaks_for_the_room(void **state) {
	struct person ann;
	(void)state;
	join(&ann, "ann");
	rig_tell_all(&rig, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"s1\",\"from\":\"mallory\",\"kind\":\"presence\","
			   "\"payload\":{\"event\":\"join\",\"participant\":{\"id\":\"ghost\"}}}",
		NULL);
	rig_tell_all(&rig, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"s2\",\"from\":\"mallory\",\"kind\":\"system\","
			   "\"payload\":{\"event\":\"gap\"}}",
		NULL);
	rig_tell_all(&rig, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"s3\",\"from\":\"system:gateway\",\"kind\":\"system\","
			   "\"payload\":{\"event\":\"privilege\",\"participant\":{\"id\":\"ann\",\"privilege\":\"restricted\","
			   "\"oldPrivilege\":\"full\"}}}",
		NULL);
	rig_tell_all(&rig, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"s4\",\"from\":\"system:gateway\",\"kind\":\"system\","
			   "\"correlation_id\":\"x\",\"payload\":{\"event\":\"error\",\"code\":\"too_fast\",\"message\":\"slow down\","
			   "\"gate\":\"pace\",\"retry_after_ms\":1500}}",
		NULL);
	rig_tell_all(&rig, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"s5\",\"from\":\"system:gateway\",\"kind\":\"system\","
			   "\"payload\":{\"event\":\"gap\"}}",
		NULL);
	RIG_UNTIL(loop, ann.missed == 1);
	assert_int_equal(ann.arrived, 0);
	assert_string_equal(ann.privilege, "restricted");
	assert_int_equal(ann.refusals, 1);
	guest_close(ann.guest);
}

static void who_slows_down_says_again_what_was_too_fast(void **state) {
	struct person ann;
	struct fault why;
	struct guest_options options = options_of("ann");
	char id[IDENT_UUID_SIZE], text[512];
	(void)state;
	options.slows_down = true;
	enter(&ann, &options);
	RIG_UNTIL(loop, ann.joined);
	rig.swallows = 1;
	assert_true(guest_say(ann.guest, SLICE_NONE, SLICE("twice"), false, id, &why));
	RIG_UNTIL(loop, rig.messages == 1);
	snprintf(text, sizeof text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"s4\",\"from\":\"system:gateway\",\"kind\":\"system\","
				    "\"correlation_id\":\"%s\",\"payload\":{\"event\":\"error\",\"code\":\"rate_limited\","
				    "\"message\":\"slow down\",\"gate\":\"pace\",\"retry_after_ms\":1}}",
		id);
	rig_tell_all(&rig, text, NULL);
	RIG_UNTIL(loop, ann.chats == 1);
	assert_int_equal(rig.messages, 2);
	assert_int_equal(ann.refusals, 0);
	guest_close(ann.guest);
}

static void a_proposal_is_heard_and_so_is_what_became_of_it(void **state) {
	struct person ann, bob;
	struct fault why;
	char id[IDENT_UUID_SIZE], text[512];
	(void)state;
	join(&ann, "ann");
	join(&bob, "bob");
	assert_true(guest_propose(ann.guest, SLICE("bob"), SLICE("tools/call"), SLICE("{\"name\":\"x\"}"),
		SLICE("because"), id, &why));
	RIG_UNTIL(loop, bob.proposals == 1 && ann.proposals == 1);
	assert_string_equal(bob.proposal, id);
	snprintf(text, sizeof text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"e1\",\"from\":\"system:gateway\",\"kind\":"
				    "\"system\",\"correlation_id\":\"%s\",\"payload\":{\"event\":\"proposal\",\"proposalId\":\"%s\","
				    "\"status\":\"rejected\",\"by\":\"bob\"}}",
		id, id);
	rig_tell_all(&rig, text, NULL);
	RIG_UNTIL(loop, ann.settlements == 1);
	assert_string_equal(ann.status, "rejected");
	guest_close(ann.guest);
	guest_close(bob.guest);
}

/* ---- Breaks ---- */

static void a_broken_connection_is_made_again_from_where_it_broke(void **state) {
	struct person ann;
	struct fault why;
	char since[128];
	(void)state;
	join(&ann, "ann");
	assert_true(guest_say(ann.guest, SLICE_NONE, SLICE("one"), false, NULL, &why));
	RIG_UNTIL(loop, ann.chats == 1);
	assert_null(strstr(rig.target, "since="));
	snprintf(since, sizeof since, "&since=%.*s", SLICE_ARGS(membership_last(guest_membership(ann.guest))));
	rig_cut(&rig, "ann");
	RIG_UNTIL(loop, ann.joined == 2);
	assert_int_equal(ann.lost, 1);
	assert_non_null(strstr(rig.target, since));
	guest_close(ann.guest);
}

static void what_was_not_echoed_is_sent_again(void **state) {
	struct person ann;
	struct fault why;
	(void)state;
	join(&ann, "ann");
	rig.swallows = 1;
	assert_true(guest_say(ann.guest, SLICE_NONE, SLICE("twice"), false, NULL, &why));
	RIG_UNTIL(loop, rig.messages == 1);
	assert_false(membership_is_drained(guest_membership(ann.guest)));
	char first[sizeof rig.last];
	memcpy(first, rig.last, sizeof first);
	rig_cut(&rig, "ann");
	RIG_UNTIL(loop, ann.chats == 1);
	assert_int_equal(rig.messages, 2);
	assert_string_equal(rig.last, first); /* the very octets, so that the room knows them */
	guest_close(ann.guest);
}

static void what_is_said_between_two_connections_waits(void **state) {
	struct person ann;
	struct fault why;
	(void)state;
	join(&ann, "ann");
	rig_cut(&rig, "ann");
	RIG_UNTIL(loop, ann.lost == 1);
	assert_true(guest_say(ann.guest, SLICE_NONE, SLICE("patience"), false, NULL, &why));
	RIG_UNTIL(loop, ann.chats == 1);
	assert_int_equal(ann.joined, 2);
	guest_close(ann.guest);
}

static void who_was_replaced_never_comes_back(void **state) {
	struct person ann;
	struct fault why;
	(void)state;
	join(&ann, "ann");
	rig_dismiss(&rig, "ann", WEBSOCKET_REPLACED);
	RIG_UNTIL(loop, ann.ended == 1);
	assert_int_equal(ann.why, FAULT_EXISTS);
	assert_int_equal(ann.lost, 0);
	assert_int_equal(membership_state(guest_membership(ann.guest)), MEMBERSHIP_ENDED);
	assert_false(guest_say(ann.guest, SLICE_NONE, SLICE("?"), false, NULL, &why));
	assert_int_equal(why.code, FAULT_CLOSED);
	guest_close(ann.guest);
}

static void other_close_codes_are_only_breaks(void **state) {
	struct person ann;
	(void)state;
	join(&ann, "ann");
	rig_dismiss(&rig, "ann", WEBSOCKET_AGAIN_LATER);
	RIG_UNTIL(loop, ann.joined == 2);
	rig_dismiss(&rig, "ann", WEBSOCKET_GOING_AWAY);
	RIG_UNTIL(loop, ann.joined == 3);
	guest_close(ann.guest);
}

static void a_refused_upgrade_ends_the_room_in_the_gateways_words(void **state) {
	struct person ann;
	struct guest_options options = options_of("ann");
	(void)state;
	rig.refuses = 1;
	rig.status = 403;
	options.membership.is_patient = true;
	enter(&ann, &options);
	RIG_UNTIL(loop, ann.ended == 1);
	assert_int_equal(ann.why, FAULT_REFUSED);
	guest_close(ann.guest);
}

static void a_busy_gateway_is_asked_again(void **state) {
	struct person ann;
	struct guest_options options = options_of("ann");
	(void)state;
	rig.refuses = 2;
	rig.status = 503;
	options.membership.is_patient = true;
	enter(&ann, &options);
	RIG_UNTIL(loop, ann.joined == 1);
	assert_int_equal(ann.lost, 2);
	guest_close(ann.guest);
}

/* Each pause is drawn between half of its bound and the bound, which doubles. */
static void each_new_try_waits_longer(void **state) {
	struct person ann;
	struct guest_options options = options_of("ann");
	(void)state;
	rig.refuses = 7;
	rig.status = 503;
	options.membership.is_patient = true;
	options.membership.backoff_ms = 4;
	enter(&ann, &options);
	RIG_UNTIL(loop, ann.joined == 1);
	assert_int_equal(ann.lost, 7);
	for (unsigned i = 0; i < 7; i++) assert_in_range(ann.pauses[i], (4U << i) / 2, 4U << i);
	assert_true(ann.pauses[6] > ann.pauses[0] * 4);
	guest_close(ann.guest);
}

static unsigned tokens_given;
static bool give_token(void *context, struct text *token, struct fault *why) {
	(void)context;
	(void)why;
	text_printf(token, "token-%u", ++tokens_given);
	return true;
}

static void a_revoked_token_is_replaced_by_the_next_one(void **state) {
	struct person ann;
	struct guest_options options = options_of("ann");
	(void)state;
	tokens_given = 0;
	options.membership.give_token = give_token;
	enter(&ann, &options);
	RIG_UNTIL(loop, ann.joined == 1);
	assert_string_equal(rig.authorization, "Bearer token-1");
	rig_dismiss(&rig, "ann", WEBSOCKET_REVOKED);
	RIG_UNTIL(loop, ann.joined == 2);
	assert_string_equal(rig.authorization, "Bearer token-2");
	guest_close(ann.guest);
}

static void a_lasting_token_that_is_revoked_ends_the_room(void **state) {
	struct person ann;
	struct guest_options options = options_of("ann");
	(void)state;
	options.membership.token = "lasting";
	enter(&ann, &options);
	RIG_UNTIL(loop, ann.joined == 1);
	rig_dismiss(&rig, "ann", WEBSOCKET_REVOKED);
	RIG_UNTIL(loop, ann.ended == 1);
	assert_int_equal(ann.why, FAULT_REFUSED);
	guest_close(ann.guest);
}

static void a_secure_gateway_is_trusted_by_its_certificate_alone(void **state) {
	struct certificate_rig certificate;
	struct fault why;
	struct person ann, bob;
	struct guest_options options = options_of("ann");
	(void)state;
	certificate_rig_open(&certificate);
	rig.tls = tls_server_open(certificate.certificate, certificate.key, &why);
	assert_non_null(rig.tls);
	snprintf(rig.url, sizeof rig.url, "wss://localhost:%u", acceptor_port(rig.acceptor));
	enter(&bob, &options); /* the system's roots do not know it */
	RIG_UNTIL(loop, bob.ended);
	assert_int_equal(bob.joined, 0);
	options.membership.ca = certificate.certificate;
	enter(&ann, &options);
	RIG_UNTIL(loop, ann.joined);
	assert_true(guest_say(ann.guest, SLICE_NONE, SLICE("whisper"), false, NULL, &why));
	RIG_UNTIL(loop, ann.chats == 1);
	guest_close(ann.guest);
	guest_close(bob.guest);
	loop_step(loop, 0);
	tls_close(rig.tls);
	rig.tls = NULL;
	certificate_rig_close(&certificate);
}

static void idle_strangers_are_forgotten(void **state) {
	struct person ann;
	struct fault why;
	struct guest_options options = options_of("ann");
	char id[32];
	(void)state;
	enter(&ann, &options);
	RIG_UNTIL(loop, ann.joined);
	struct peers *peers = &ann.guest->peers;
	for (int i = 0; i < 4 * PEERS_STRANGERS; i++) {
		snprintf(id, sizeof id, "stranger-%d", i);
		assert_non_null(peers_need(peers, slice_of(id), &why));
		assert_ptr_equal(peers_find(peers, slice_of(id)), peers_need(peers, slice_of(id), &why));
		peers_find(peers, slice_of(id))->asker.note.abilities = 1; /* as if it had said initialize */
	}
	assert_in_range(peers->by_id.count, 1, 2 * PEERS_STRANGERS);
	/* What was noted goes with it: it comes back as one that declared nothing. */
	assert_null(peers_find(peers, SLICE("stranger-0")));
	assert_int_equal(peers_need(peers, SLICE("stranger-0"), &why)->asker.note.abilities, 0);
	peers_find(peers, SLICE("stranger-0"))->asker.note.abilities = 1;
	peers_left(peers, SLICE("stranger-0"));
	assert_int_equal(peers_need(peers, SLICE("stranger-0"), &why)->asker.note.abilities, 0);
	guest_close(ann.guest);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(what_one_says_all_hear_and_the_sender_as_its_own),
		TEST(idle_strangers_are_forgotten),
		TEST(the_chat_of_both_dialects_is_chat),
		TEST(chat_without_a_text_is_none_and_without_a_format_it_is_plain),
		TEST(what_is_said_has_a_text_and_its_format_under_its_own_head),
		TEST(a_v0_guest_says_things_as_a_notification),
		TEST(history_in_the_welcome_is_told_as_past),
		TEST(a_guest_may_be_closed_by_its_own_callback),
		TEST(the_gateway_alone_speaks_for_the_room),
		TEST(who_slows_down_says_again_what_was_too_fast),
		TEST(a_proposal_is_heard_and_so_is_what_became_of_it),
		TEST(a_broken_connection_is_made_again_from_where_it_broke),
		TEST(what_was_not_echoed_is_sent_again),
		TEST(what_is_said_between_two_connections_waits),
		TEST(who_was_replaced_never_comes_back),
		TEST(other_close_codes_are_only_breaks),
		TEST(a_refused_upgrade_ends_the_room_in_the_gateways_words),
		TEST(a_busy_gateway_is_asked_again),
		TEST(each_new_try_waits_longer),
		TEST(a_revoked_token_is_replaced_by_the_next_one),
		TEST(a_lasting_token_that_is_revoked_ends_the_room),
		TEST(a_secure_gateway_is_trusted_by_its_certificate_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
