/* SPDX-License-Identifier: Apache-2.0 */
/* A call that is proposed, where no word comes of how that ended. */
#include "gateway_rig.h"

#include "gateway/mcp_room_proposal.h"

#undef MCP_ROOM_PROPOSAL_GRACE_MS
#define MCP_ROOM_PROPOSAL_GRACE_MS 50
#undef MCP_ROOM_PROPOSAL_BEAT_MS
#define MCP_ROOM_PROPOSAL_BEAT_MS 10
#include "gateway/mcp_room_proposal.c"

#define MODERN \
	"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"," \
	"\"io.modelcontextprotocol/clientCapabilities\":{}}"

static struct house house;
static struct client client, bob;
static struct answer answer;
static struct hosted_servers *servers;

static int set_up(void **state) {
	static const uint8_t key[SECRET_HASH_SIZE] = {7};
	struct fault why;
	(void)state;
	house_open(&house, &(struct house_wish){.islands = 1});
	assert_non_null(servers = hosted_servers_open(house.gateway.loop, &house.log, &why));
	assert_non_null(house.gateway.mcp = mcp_face_open(&house.gateway, servers, key, &why));
	client_open(&client, &house);
	client_join(&bob, &house, "demo", house_full(&house, "bob"));
	return 0;
}

static int tear_down(void **state) {
	struct fault why;
	(void)state;
	client_close(&client);
	client_close(&bob);
	connections_close(house.gateway.connections);
	mcp_face_close(house.gateway.mcp);
	loop_step(house.gateway.loop, 0);
	hosted_servers_close(servers);
	assert_non_null(house.gateway.connections = connections_open(&house.gateway, &why));
	house_close(&house);
	return 0;
}

static void call(const char *token, const char *tool) {
	AUTO_TEXT struct text body = {0}, text = {0};
	text_init(&body, 0);
	text_init(&text, 0);
	text_printf(&body,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"," MODERN "}}", tool);
	text_printf(&text,
		"POST /mcp/rooms/demo HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
		"Content-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
		"Mcp-Name: %s\r\nContent-Length: %zu\r\n\r\n%s",
		token, tool, body.length, body.bytes);
	client_send_octets(&client, text_slice(&text));
}

static void its_time_being_over_the_call_ends_and_the_proposal_is_withdrawn(void **state) {
	(void)state;
	const char *guest = house_token(&house,
		(struct token_wish){.id = SLICE("guest"), .privilege = PRIVILEGE_RESTRICTED}, NULL);
	/* The room itself has the life of proposals that it was opened with. */
	house.gateway.rooms_settings.proposal_ttl_ms = 1;
	call(guest, "bob__wave");
	client_answer(&client, &answer);
	assert_true(answer_has(&answer, "it is not known what became of the proposal"));
	HOUSE_UNTIL(&house, client_ask(&client, "GET", "/v0/topics/demo/proposals", guest, NULL, &answer) == 200 && answer_has(&answer, "\"status\":\"withdrawn\""));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(its_time_being_over_the_call_ends_and_the_proposal_is_withdrawn, set_up,
			tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
