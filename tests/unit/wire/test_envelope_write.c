/* SPDX-License-Identifier: Apache-2.0 */
/* What leaves for the readers of each dialect; every form must be an envelope that says the same. */
#include "check.h"

#include "base/clock.h"
#include "wire/envelope.h"
#include "wire/jsonrpc.h"

#define FROM "\"robot \\u00e9\""
#define TS "2026-11-22T05:04:52.123Z"

static char lent[8192];
static struct arena arena;

static int arena_begin(void **state) {
	(void)state;
	arena_init(&arena, lent, sizeof(lent), 0);
	return 0;
}

static int arena_end(void **state) {
	(void)state;
	arena_finish(&arena);
	return 0;
}

static void read_text(struct envelope *envelope, const char *text) {
	struct envelope_refusal refusal;
	if (!envelope_read(envelope, slice_of(text), &arena, &refusal))
		fail_msg("%s: %s", text, refusal.message);
}

static size_t write_text(struct text *to, const char *from, enum envelope_dialect dialect) {
	struct envelope envelope;
	struct envelope_form form;
	read_text(&envelope, from);
	envelope_write(&envelope, dialect, SLICE(FROM), SLICE(TS), &form);
	assert_in_range(form.count, 1, ENVELOPE_PIECES);
	text_clear(to);
	for (size_t i = 0; i < form.count; i++) text_add(to, form.pieces[i]);
	assert_false(text_failed(to));
	assert_int_equal(to->length, form.length);
	return form.count;
}

struct row {
	const char *sent, *received;
	enum envelope_dialect dialect;
};

static void check_rows(const struct row *rows, size_t count) {
	for (size_t i = 0; i < count; i++) {
		AUTO_TEXT struct text text = {0};
		struct envelope envelope;
		text_init(&text, 0);
		write_text(&text, rows[i].sent, rows[i].dialect);
		check_text(&text, rows[i].received);
		read_text(&envelope, text.bytes);
		assert_int_equal(envelope.dialect, rows[i].dialect);
	}
}

static void the_same_dialect_gets_the_very_octets(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	static const char *const texts[] = {
		"{ \"payload\" : {\"x\": 1e400 } , \"ts\":\"2026-01-01T00:00:00Z\",\"from\":\"a\",\"kind\":\"mcp\","
		"\"id\":\"1\",\"protocol\":\"mcp-x/v0\",\"extra\":[ ]}",
		"{\"protocol\":\"mcp-x/v0\",\"id\":\"1\",\"ts\":\"2026-01-01T00:00:00Z\",\"from\":\"a\","
		"\"kind\":\"mcp\\/proposal\",\"payload\":{}}",
	};
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		assert_int_equal(write_text(&text, texts[i], ENVELOPE_V0), 1);
		check_text(&text, texts[i]);
	}
	assert_int_equal(write_text(&text, "  {\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"from\":\"a\",\"kind\":\"chat\","
					   "\"ts\":\"2026-01-01T00:00:00Z\",\"payload\":{}} ",
				 ENVELOPE_V01),
		1);
	check_text(&text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"from\":\"a\",\"kind\":\"chat\","
			  "\"ts\":\"2026-01-01T00:00:00Z\",\"payload\":{}}");
}

static void what_the_sender_left_out_is_filled_in(void **state) {
	(void)state;
	static const struct row rows[] = {
		{"{\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"mcp\",\"payload\":{},\"x\":0}",
			"{\"from\":" FROM ",\"ts\":\"" TS "\",\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"mcp\","
			"\"payload\":{},\"x\":0}",
			ENVELOPE_V01},
		{"{ \"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"mcp\",\"payload\":{},\"from\":\"a\"}",
			"{\"ts\":\"" TS "\", \"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"mcp\",\"payload\":{},"
			"\"from\":\"a\"}",
			ENVELOPE_V01},
		{"{\"ts\":\"2026-01-01T00:00:00Z\",\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"mcp\","
		 "\"payload\":{}}",
			"{\"from\":" FROM ",\"ts\":\"2026-01-01T00:00:00Z\","
			"\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"mcp\",\"payload\":{}}",
			ENVELOPE_V01},
	};
	check_rows(rows, COUNT_OF(rows));
}

static void the_other_dialect_changes_the_protocol_alone(void **state) {
	(void)state;
	static const struct row rows[] = {
		{"{\"payload\":{ \"method\" : \"x\" },\"to\":[ \"b\", \"c\\u0064\"],\"kind\":\"mc\\u0070\",\"id\":\"a\\/1\","
		 "\"correlation_id\":\"\\u0065\",\"protocol\": \"mcp-x\\/v0\",\"ts\":\"2026-01-01T00:00:00Z\","
		 "\"from\":\"f\\u0066\",\"extra\":1}",
			"{\"payload\":{ \"method\" : \"x\" },\"to\":[ \"b\", \"c\\u0064\"],\"kind\":\"mc\\u0070\",\"id\":\"a\\/1\","
			"\"correlation_id\":\"\\u0065\",\"protocol\": \"mcpx/v0.1\",\"ts\":\"2026-01-01T00:00:00Z\","
			"\"from\":\"f\\u0066\",\"extra\":1}",
			ENVELOPE_V01},
		{"{\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"mcp/proposal\",\"payload\":{\"a\":1}}",
			"{\"from\":" FROM ",\"ts\":\"" TS "\",\"protocol\":\"mcp-x/v0\",\"id\":\"1\",\"kind\":\"mcp/proposal\","
			"\"payload\":{\"a\":1}}",
			ENVELOPE_V0},
		{"{\"protocol\":\"mcp-x/v0\",\"id\":\"1\",\"kind\":\"chat\",\"payload\":{\"text\":\"hi\"}}",
			"{\"from\":" FROM ",\"ts\":\"" TS "\",\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"chat\","
			"\"payload\":{\"text\":\"hi\"}}",
			ENVELOPE_V01},
	};
	check_rows(rows, COUNT_OF(rows));
}

/* All of them, whichever head the sender chose: v0 knows chat as a notification alone. */
static void readers_of_v0_get_every_chat_wrapped(void **state) {
	(void)state;
	static const struct row rows[] = {
		{"{\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"chat\",\"to\":[],\"correlation_id\":\"c\","
		 "\"payload\":{ \"text\":\"hi\",\"n\":1e400}}",
			"{\"from\":" FROM ",\"ts\":\"" TS "\",\"protocol\":\"mcp-x/v0\",\"id\":\"1\",\"kind\":\"mcp\",\"to\":[],"
			"\"correlation_id\":\"c\",\"payload\":{\"jsonrpc\":\"2.0\",\"method\":"
			"\"notifications/chat/message\",\"params\":{ \"text\":\"hi\",\"n\":1e400}}}",
			ENVELOPE_V0},
		{"{\"protocol\":\"mcp-x/v0\",\"id\":\"1\",\"kind\":\"c\\u0068at\",\"from\":\"a\","
		 "\"ts\":\"2026-01-01T00:00:00Z\",\"payload\":{\"text\":\"hi\"}}",
			"{\"protocol\":\"mcp-x/v0\",\"id\":\"1\",\"kind\":\"mcp\",\"from\":\"a\","
			"\"ts\":\"2026-01-01T00:00:00Z\",\"payload\":{\"jsonrpc\":\"2.0\",\"method\":\"notifications/chat/message\","
			"\"params\":{\"text\":\"hi\"}}}",
			ENVELOPE_V0},
	};
	check_rows(rows, COUNT_OF(rows));

	AUTO_TEXT struct text text = {0};
	struct envelope envelope;
	struct jsonrpc message;
	int64_t code;
	text_init(&text, 0);
	write_text(&text, rows[0].sent, ENVELOPE_V0);
	read_text(&envelope, text.bytes);
	assert_true(jsonrpc_read_value(&message, &envelope.payload, &arena, &code, NULL));
	assert_int_equal(message.kind, JSONRPC_NOTIFICATION);
	check_slice(message.method, "notifications/chat/message");
	check_slice(message.params.text, "{ \"text\":\"hi\",\"n\":1e400}");
}

static void the_gateways_own_envelopes_are_sound(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	struct envelope envelope;
	int64_t before = clock_wall_ms();
	text_init(&text, 0);
	envelope_compose(&text, ENVELOPE_V0, ENVELOPE_SYSTEM, SLICE("a\"b"), SLICE("e\n1"), SLICE("{\"event\":1}"));
	assert_false(text_failed(&text));
	assert_non_null(strstr(text.bytes, ",\"to\":[\"a\\\"b\"],\"kind\":\"system\",\"correlation_id\":\"e\\n1\",\"payload\""));

	text_clear(&text);
	envelope_compose(&text, ENVELOPE_V01, ENVELOPE_PROPOSAL, SLICE("bob"), SLICE("e-1"), SLICE("{\"event\":1}"));
	read_text(&envelope, text.bytes);
	assert_int_equal(envelope.dialect, ENVELOPE_V01);
	assert_int_equal(envelope.kind, ENVELOPE_PROPOSAL);
	check_slice(envelope.from, "system:gateway");
	check_slice(envelope.recipient, "bob");
	check_slice(envelope.correlation_id, "e-1");
	check_slice(envelope.payload.text, "{\"event\":1}");
	assert_int_equal(envelope.id.length, 36);
	assert_true(envelope.moment >= before);

	text_clear(&text);
	envelope_compose(&text, ENVELOPE_V0, ENVELOPE_PRESENCE, SLICE_NONE, SLICE_NONE, SLICE("{}"));
	read_text(&envelope, text.bytes);
	assert_int_equal(envelope.dialect, ENVELOPE_V0);
	assert_int_equal(envelope.to.type, SCAN_NONE);
	assert_null(envelope.correlation_id.bytes);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_dialect_gets_the_very_octets),
		cmocka_unit_test(what_the_sender_left_out_is_filled_in),
		cmocka_unit_test(the_other_dialect_changes_the_protocol_alone),
		cmocka_unit_test(readers_of_v0_get_every_chat_wrapped),
		cmocka_unit_test(the_gateways_own_envelopes_are_sound),
	};
	return cmocka_run_group_tests(tests, arena_begin, arena_end);
}
