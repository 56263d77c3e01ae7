/* SPDX-License-Identifier: Apache-2.0 */
/* What another process writes into state.db is written here by a second connection to it. */
#include "gateway_rig.h"

#include "store/promotion_rows.h"

static struct house house;
static struct state *elsewhere;
static struct client sitting;
static const char *topics[2]; /* on loop 0, and on an island of its own */
static char names[2][32];
static struct fault why;

static const struct identity_rule rule = {.id = "ruled*", .privilege = PRIVILEGE_FULL, .kind = PRINCIPAL_ROBOT};

static int set_up(void **state) {
	(void)state;
	house_open(&house, &(struct house_wish){.islands = 2, .rules = &rule, .rule_count = 1});
	elsewhere = state_open(house.folder, &why);
	assert_non_null(elsewhere);
	for (unsigned i = 0; i < 2; i++) {
		snprintf(names[i], sizeof names[i], "%s", house_topic(&house, i));
		topics[i] = names[i];
	}
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	state_close(elsewhere);
	house_close(&house);
	return 0;
}

static const char *token_of(const char *id, char token_id[TOKEN_ID], int64_t life_ms) {
	return house_token(&house, (struct token_wish){.id = slice_of(id), .privilege = PRIVILEGE_UNSAID, .life_ms = life_ms}, token_id);
}

static void a_token_revoked_elsewhere_ends_its_connections(void **state) {
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		char token_id[TOKEN_ID], other_id[TOKEN_ID];
		struct client other;
		size_t count;
		client_join(&sitting, &house, topics[i], token_of("ann", token_id, 0));
		client_join(&other, &house, topics[i], token_of("bob", other_id, 0));
		client_hears(&sitting, "welcome");
		client_hears(&other, "welcome");
		assert_true(token_revoke(elsewhere, token_id, SLICE_NONE, &count, &why));
		client_is_closed(&sitting, WEBSOCKET_REVOKED);
		client_hears(&other, "\"event\":\"leave\"");
		client_close(&sitting);
		client_close(&other);
	}
}

static void a_promotion_elsewhere_is_heard(void **state) {
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		char token_id[TOKEN_ID];
		client_join(&sitting, &house, topics[i], token_of("pia", token_id, 0));
		client_hears(&sitting, "\"privilege\":\"restricted\"");
		assert_true(promotion_set(elsewhere, SLICE("pia"), slice_of(topics[i]), "full", SLICE("root"), &why));
		client_hears(&sitting, "\"privilege\":\"full\",\"oldPrivilege\":\"restricted\"");
		assert_true(promotion_set(elsewhere, SLICE("pia"), SLICE_NONE, "restricted", SLICE("root"), &why));
		client_hears(&sitting, "\"privilege\":\"restricted\",\"oldPrivilege\":\"full\"");
		client_close(&sitting);
	}
}

/* However slow the machine is: a token that was over before it came in is made anew, with more time. */
static void an_expired_token_ends_its_connection(void **state) {
	(void)state;
	char target[64], bearer[128];
	for (unsigned i = 0; i < 2; i++) {
		unsigned status = 401;
		snprintf(target, sizeof target, "/v0/ws?topic=%s", topics[i]);
		for (int64_t life_ms = 500; status == 401; life_ms *= 2) {
			char token_id[TOKEN_ID];
			snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", token_of("eva", token_id, life_ms));
			client_open(&sitting, &house);
			status = client_upgrade(&sitting, target, bearer);
			if (status == 401) client_close(&sitting);
		}
		assert_int_equal(status, 101);
		client_is_closed(&sitting, WEBSOCKET_REVOKED);
		client_close(&sitting);
	}
}

/* Whatever comes first, the seat or the revocation: nobody stays who was sent away. */
static void whoever_is_revoked_while_joining_does_not_stay(void **state) {
	(void)state;
	char target[128], bearer[128], topic[64];
	for (unsigned i = 0; i < 10; i++) {
		char token_id[TOKEN_ID];
		snprintf(topic, sizeof topic, "%s-new-%u", topics[i % 2], i); /* is to be loaded first */
		const char *token = token_of("jan", token_id, 0);
		snprintf(target, sizeof target, "GET /v0/ws?topic=%s HTTP/1.1\r\nHost: 127.0.0.1\r\n", topic);
		snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", token);
		client_open(&sitting, &house);
		client_send(&sitting, target);
		client_send(&sitting, bearer);
		client_send(&sitting, "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
				      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
		live_revoke(&house.gateway, slice_of(token_id), SLICE_NONE);
		client_until_end(&sitting);
		client_close(&sitting);
	}
}

static void a_reload_changes_the_privilege_of_those_who_are_here(void **state) {
	(void)state;
	char token_id[TOKEN_ID];
	client_join(&sitting, &house, topics[1], token_of("ruled-1", token_id, 0));
	client_hears(&sitting, "\"kind\":\"robot\"");
	assert_non_null(strstr(sitting.message.bytes, "\"privilege\":\"full\""));
	const struct identity_settings without = {.default_privilege = PRIVILEGE_RESTRICTED};
	assert_true(identity_change(house.gateway.identity, &without, &why));
	live_review(house.gateway.live);
	client_hears(&sitting, "\"privilege\":\"restricted\",\"oldPrivilege\":\"full\"");
	client_close(&sitting);
}

static void revoking_an_identity_ends_all_its_connections(void **state) {
	(void)state;
	char token_id[TOKEN_ID];
	struct client other;
	client_join(&sitting, &house, topics[0], token_of("ida", token_id, 0));
	client_join(&other, &house, topics[1], token_of("ida", token_id, 0));
	client_hears(&sitting, "welcome");
	client_hears(&other, "welcome");
	live_revoke(&house.gateway, SLICE_NONE, SLICE("ida"));
	client_is_closed(&sitting, WEBSOCKET_REVOKED);
	client_is_closed(&other, WEBSOCKET_REVOKED);
	client_close(&sitting);
	client_close(&other);
}

static void guests_of_an_open_house_are_demoted_too(void **state) {
	(void)state;
	struct house open_house;
	struct client guest;
	house_open(&open_house, &(struct house_wish){.is_open = true});
	AUTO(state) beside = state_open(open_house.folder, &why);
	client_open(&guest, &open_house);
	assert_int_equal(client_upgrade(&guest, "/v0/ws?topic=a&id=gus", ""), 101);
	client_hears(&guest, "\"privilege\":\"full\"");
	assert_true(promotion_set(beside, SLICE("gus"), SLICE_NONE, "restricted", SLICE("root"), &why));
	client_hears(&guest, "\"privilege\":\"restricted\",\"oldPrivilege\":\"full\"");
	client_close(&guest);
	house_close(&open_house);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_token_revoked_elsewhere_ends_its_connections, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_promotion_elsewhere_is_heard, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_expired_token_ends_its_connection, set_up, tear_down),
		cmocka_unit_test_setup_teardown(whoever_is_revoked_while_joining_does_not_stay, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_reload_changes_the_privilege_of_those_who_are_here, set_up, tear_down),
		cmocka_unit_test_setup_teardown(revoking_an_identity_ends_all_its_connections, set_up, tear_down),
		cmocka_unit_test(guests_of_an_open_house_are_demoted_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
