/* SPDX-License-Identifier: Apache-2.0 */
/* Envelopes as MCPx v0 4 and v0.1 4 have them, and everything that is refused as one. */
#include "check.h"

#include "wire/envelope.h"

#include <stdlib.h>

#define HEAD "\"protocol\":\"mcpx/v0.1\",\"id\":\"e-1\",\"kind\":\"mcp\""
#define BODY "\"payload\":{}"

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

static bool read_text(struct envelope *envelope, const char *text,
	struct envelope_refusal *refusal) {
	arena_reset(&arena);
	return envelope_read(envelope, slice_of(text), &arena, refusal);
}

static void must_read(struct envelope *envelope, const char *text) {
	struct envelope_refusal refusal;
	if (!read_text(envelope, text, &refusal)) fail_msg("%s: %s", text, refusal.message);
}

static void must_refuse(const char *text, const char *gate, const char *word) {
	struct envelope envelope;
	struct envelope_refusal refusal = {.is_utf8_fault = true};
	if (read_text(&envelope, text, &refusal)) fail_msg("passed: %s", text);
	if (strcmp(refusal.gate, gate) != 0 || strcmp(refusal.word, word) != 0)
		fail_msg("%s: %s %s: %s", text, refusal.gate, refusal.word, refusal.message);
	assert_true(refusal.message[0] != '\0');
	assert_false(refusal.is_utf8_fault);
}

/* ---- What is read ---- */

static void every_field_of_a_request_is_read(void **state) {
	(void)state;
	struct envelope envelope;
	must_read(&envelope, " {\"protocol\":\"mcp-x/v0\",\"id\":\"2f6b6e70-7b36\",\"ts\":\"1970-01-01T00:00:01.5Z\","
			     "\"from\":\"robot-alpha\",\"to\":[\"coordinator\"],\"kind\":\"mcp\",\"correlation_id\":\"env-1\","
			     "\"payload\":{\"jsonrpc\":\"2.0\",\"id\":42,\"method\":\"tools/call\",\"params\":{\"x\":[1]}}} \n");
	assert_int_equal(envelope.text.bytes[0], '{');
	assert_int_equal(envelope.text.bytes[envelope.text.length - 1], '}');
	assert_int_equal(envelope.dialect, ENVELOPE_V0);
	assert_int_equal(envelope.kind, ENVELOPE_MCP);
	check_slice(envelope.protocol_value, "\"mcp-x/v0\"");
	check_slice(envelope.id, "2f6b6e70-7b36");
	check_slice(envelope.id_value.text, "\"2f6b6e70-7b36\"");
	check_slice(envelope.ts, "1970-01-01T00:00:01.5Z");
	assert_int_equal(envelope.moment, 1500);
	check_slice(envelope.from, "robot-alpha");
	check_slice(envelope.from_value.text, "\"robot-alpha\"");
	check_slice(envelope.to.text, "[\"coordinator\"]");
	assert_int_equal(envelope.recipients, 1);
	check_slice(envelope.recipient, "coordinator");
	check_slice(envelope.kind_text, "mcp");
	check_slice(envelope.correlation_id, "env-1");
	check_slice(envelope.correlation_value.text, "\"env-1\"");
	assert_int_equal(envelope.payload.type, SCAN_OBJECT);
	check_slice(envelope.body.id.text, "42");
	check_slice(envelope.body.method.text, "\"tools/call\"");
	check_slice(envelope.body.params.text, "{\"x\":[1]}");
	assert_int_equal(envelope.body.result.type, SCAN_NONE);
	assert_true(envelope_is_request(&envelope));
	assert_false(envelope_is_response(&envelope));
}

static void what_is_not_given_is_none(void **state) {
	(void)state;
	struct envelope envelope;
	memset(&envelope, 0xa5, sizeof(envelope));
	must_read(&envelope, "{" HEAD "," BODY "}");
	assert_null(envelope.from.bytes);
	assert_null(envelope.correlation_id.bytes);
	assert_null(envelope.ts.bytes);
	assert_null(envelope.recipient.bytes);
	assert_int_equal(envelope.moment, 0);
	assert_int_equal(envelope.recipients, 0);
	assert_int_equal(envelope.to.type, SCAN_NONE);
	assert_int_equal(envelope.from_value.type, SCAN_NONE);
	assert_int_equal(envelope.correlation_value.type, SCAN_NONE);
	const struct scan_value *parts[] = {&envelope.body.method, &envelope.body.id, &envelope.body.params,
		&envelope.body.result, &envelope.body.error, &envelope.body.reason, &envelope.body.text};
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		assert_int_equal(parts[i]->type, SCAN_NONE);
		assert_null(parts[i]->text.bytes);
	}
	assert_false(envelope_is_request(&envelope));
	assert_false(envelope_is_response(&envelope));
}

static void every_kind_is_known_by_its_exact_name(void **state) {
	(void)state;
	static const struct {
		const char *kind, *text;
		enum envelope_kind is;
	} rows[] = {
		{"mcp", "mcp", ENVELOPE_MCP},
		{"mcp/proposal", "mcp/proposal", ENVELOPE_PROPOSAL},
		{"chat", "chat", ENVELOPE_CHAT},
		{"presence", "presence", ENVELOPE_PRESENCE},
		{"system", "system", ENVELOPE_SYSTEM},
		{"mc\\u0070", "mcp", ENVELOPE_MCP},
		{"mcp\\/proposal", "mcp/proposal", ENVELOPE_PROPOSAL},
		{"MCP", "MCP", ENVELOPE_OTHER},
		{" mcp", " mcp", ENVELOPE_OTHER},
		{"mcp ", "mcp ", ENVELOPE_OTHER},
		{"mcp/other", "mcp/other", ENVELOPE_OTHER},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_TEXT struct text text = {0};
		struct envelope envelope;
		text_init(&text, 0);
		text_printf(&text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"%s\"," BODY "}", rows[i].kind);
		must_read(&envelope, text.bytes);
		assert_int_equal(envelope.kind, rows[i].is);
		check_slice(envelope.kind_text, rows[i].text);
		if (rows[i].is != ENVELOPE_OTHER)
			assert_string_equal(envelope_kind_text(rows[i].is), rows[i].text);
	}
	assert_string_equal(envelope_kind_text(ENVELOPE_OTHER), "unknown");
}

static void names_written_with_escapes_are_read(void **state) {
	(void)state;
	struct envelope envelope;
	must_read(&envelope, "{\"\\u0070rotocol\":\"mcpx\\/v0.1\",\"i\\u0064\":\"a\\u00e9\","
			     "\"fro\\u006d\":\"b\\u0062\",\"t\\u006f\":[\"c\\u0063\",\"d\"],\"\\u006bind\":\"chat\","
			     "\"correlation\\u005fid\":\"\\ud83d\\ude00\",\"\\u0074s\":\"2026-01-01T00:00:00\\u005a\","
			     "\"payloa\\u0064\":{\"\\u0074ext\":\"hi\",\"i\\u0064\":7,\"m\\u0065thod\":1,\"o\\u0074her\":2,"
			     "\"\\u0061\\u0061\\u0061\\u0061\\u0061\\u0061\\u0061\":3}}");
	check_slice(envelope.id, "a\xc3\xa9");
	check_slice(envelope.from, "bb");
	check_slice(envelope.recipient, "cc");
	check_slice(envelope.correlation_id, "\xf0\x9f\x98\x80");
	check_slice(envelope.ts, "2026-01-01T00:00:00Z");
	check_slice(envelope.body.text.text, "\"hi\"");
	check_slice(envelope.body.id.text, "7");
	check_slice(envelope.body.method.text, "1");
	check_slice(envelope.id_value.text, "\"a\\u00e9\"");
}

static void only_the_top_of_the_payload_is_read(void **state) {
	(void)state;
	struct envelope envelope;
	must_read(&envelope, "{" HEAD ",\"extra\":{\"method\":\"no\",\"i\\u0064\":1},\"payload\":{\"a\":{\"method\":1},"
			     "\"b\":[{\"id\":2}],\"error\":{},\"reason\":\"because\",\"text\":\"t\",\"result\":null,\"nothing\":0}}");
	assert_int_equal(envelope.body.method.type, SCAN_NONE);
	assert_int_equal(envelope.body.id.type, SCAN_NONE);
	assert_int_equal(envelope.body.error.type, SCAN_OBJECT);
	assert_int_equal(envelope.body.result.type, SCAN_NULL);
	check_slice(envelope.body.reason.text, "\"because\"");
	check_slice(envelope.body.text.text, "\"t\"");
	assert_true(envelope_is_response(&envelope));
}

static void recipients_come_in_order(void **state) {
	(void)state;
	struct envelope envelope;
	struct slice name;
	size_t at = 0;
	must_read(&envelope, "{" HEAD "," BODY ",\"to\": [ \"a\" , \"b\\u0062\",\"c\" ] }");
	assert_int_equal(envelope.recipients, 3);
	assert_true(envelope_recipient(&envelope, &at, &arena, &name));
	check_slice(name, "a");
	assert_true(envelope_recipient(&envelope, &at, &arena, &name));
	check_slice(name, "bb");
	assert_true(envelope_recipient(&envelope, &at, &arena, &name));
	check_slice(name, "c");
	assert_false(envelope_recipient(&envelope, &at, &arena, &name));
	assert_false(envelope_recipient(&envelope, &at, &arena, &name));
	at = 1000;
	assert_false(envelope_recipient(&envelope, &at, &arena, &name));

	must_read(&envelope, "{" HEAD "," BODY ",\"to\":[]}");
	assert_int_equal(envelope.recipients, 0);
	assert_int_equal(envelope.to.type, SCAN_ARRAY);
	at = 0;
	assert_false(envelope_recipient(&envelope, &at, &arena, &name));
	must_read(&envelope, "{" HEAD "," BODY "}");
	assert_false(envelope_recipient(&envelope, &at, &arena, &name));
}

static void extra_fields_pass(void **state) {
	(void)state;
	struct envelope envelope;
	AUTO_TEXT struct text text = {0};
	must_read(&envelope, "{" HEAD "," BODY ",\"x\":1,\"idx\":2,\"\":3,\"X\":4,\"payload_\":{\"id\":5},"
			     "\"\xc5\xbf\":6,\"\xe2\x84\xaa\":7,\"tt\":8,\"fram\":9,\"paylaod\":1,\"protocal\":1,\"correlation-id\":1}");
	text_init(&text, 0);
	text_add_cstr(&text, "{" HEAD "," BODY);
	for (int i = 0; i < 500; i++) text_printf(&text, ",\"extra %d\":%d", i, i);
	text_add_cstr(&text, "}");
	must_read(&envelope, text.bytes);
}

static void names_may_be_as_long_as_their_limit(void **state) {
	(void)state;
	struct envelope envelope;
	AUTO_TEXT struct text text = {0};
	char name[ENVELOPE_NAME + 1] = "";
	text_init(&text, 0);
	memset(name, 'n', ENVELOPE_NAME);
	text_printf(&text, "{\"protocol\":\"mcpx/v0.1\",\"kind\":\"mcp\",\"id\":\"%s\",\"correlation_id\":\"%s\","
			   "\"from\":\"%.128s\",\"to\":[\"%.128s\"]," BODY "}",
		name, name, name, name);
	must_read(&envelope, text.bytes);
	assert_int_equal(envelope.id.length, ENVELOPE_NAME);
	assert_int_equal(envelope.from.length, ENVELOPE_IDENTITY);
	/* Escapes do not count: only what they stand for does. */
	text_clear(&text);
	text_add_cstr(&text, "{\"protocol\":\"mcpx/v0.1\",\"kind\":\"mcp\"," BODY ",\"id\":\"");
	for (int i = 0; i < ENVELOPE_NAME; i++) text_add_cstr(&text, "\\u0061");
	text_add_cstr(&text, "\"}");
	must_read(&envelope, text.bytes);
	assert_int_equal(envelope.id.length, ENVELOPE_NAME);
}

static void as_many_recipients_as_there_may_be(void **state) {
	(void)state;
	struct envelope envelope;
	struct slice name;
	AUTO_TEXT struct text text = {0};
	size_t at = 0;
	unsigned count = 0;
	text_init(&text, 0);
	text_add_cstr(&text, "{" HEAD "," BODY ",\"to\":[\"r\"");
	for (int i = 1; i < ENVELOPE_RECIPIENTS; i++) text_printf(&text, ",\"r%d\"", i);
	text_add_cstr(&text, "]}");
	must_read(&envelope, text.bytes);
	assert_int_equal(envelope.recipients, ENVELOPE_RECIPIENTS);
	while (envelope_recipient(&envelope, &at, &arena, &name)) count++;
	assert_int_equal(count, ENVELOPE_RECIPIENTS);
	text.length -= 2;
	text_add_cstr(&text, ",\"one more\"]}");
	must_refuse(text.bytes, "shape", "bad_envelope");
}

/* ---- What is refused ---- */

static void text_that_is_no_envelope_is_refused(void **state) {
	(void)state;
	static const char *const broken[] = {
		"",
		"{",
		"{" HEAD "," BODY,
		"{" HEAD "," BODY "}}",
		"{" HEAD "," BODY "} {}",
		"{" HEAD "," BODY ",}",
		"{" HEAD ",\"payload\":{\"a\":\"\\ud800\"}}",
		"{" HEAD ",\"payload\":{\"a\":01}}",
		"[" HEAD "]",
		"nul",
		"{" HEAD ",\"payload\":{\"a\":\"\n\"}}",
		"\xef\xbb\xbf{}",
	};
	for (size_t i = 0; i < COUNT_OF(broken); i++) must_refuse(broken[i], "shape", "bad_json");
	static const char *const others[] = {"null", "[]", " [{}]", "\"{}\"", "1", "true"};
	for (size_t i = 0; i < COUNT_OF(others); i++) must_refuse(others[i], "shape", "bad_envelope");
	struct envelope envelope;
	assert_false(envelope_read(&envelope, SLICE_NONE, &arena, NULL));
	assert_false(envelope_read(&envelope, SLICE("{\"a\":"), &arena, NULL));
}

static void octets_that_are_no_utf8_are_told_apart(void **state) {
	(void)state;
	struct envelope envelope;
	struct envelope_refusal refusal;
	assert_false(read_text(&envelope, "{" HEAD ",\"payload\":{\"a\":\"\xff\"}}", &refusal));
	assert_true(refusal.is_utf8_fault);
	assert_string_equal(refusal.word, "bad_json");
	assert_false(read_text(&envelope, "[\"\xed\xa0\x80\"]", &refusal));
	assert_true(refusal.is_utf8_fault);
}

static void depth_is_refused_by_its_own_word(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	struct envelope envelope;
	text_init(&text, 0);
	for (int inside = SCAN_DEPTH - 2; inside < SCAN_DEPTH; inside++) {
		text_clear(&text);
		text_add_cstr(&text, "{" HEAD ",\"payload\":{\"a\":");
		for (int i = 0; i < inside; i++) text_add_char(&text, '[');
		for (int i = 0; i < inside; i++) text_add_char(&text, ']');
		text_add_cstr(&text, "}}");
		if (inside == SCAN_DEPTH - 2) must_read(&envelope, text.bytes);
		else must_refuse(text.bytes, "shape", "too_deep");
	}
	must_refuse("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "shape", "too_deep");
}

/* Inside a notification for readers of v0 it stands one level deeper. */
static void a_chat_is_one_level_shallower_than_others(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	struct envelope envelope;
	text_init(&text, 0);
	for (int inside = SCAN_DEPTH - 3; inside < SCAN_DEPTH - 1; inside++) {
		text_clear(&text);
		text_add_cstr(&text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"chat\",\"payload\":{\"a\":");
		for (int i = 0; i < inside; i++) text_add_char(&text, '[');
		for (int i = 0; i < inside; i++) text_add_char(&text, ']');
		text_add_cstr(&text, "}}");
		if (inside == SCAN_DEPTH - 3) must_read(&envelope, text.bytes);
		else must_refuse(text.bytes, "shape", "too_deep");
	}
}

static void the_protocol_is_refused_at_its_gate(void **state) {
	(void)state;
	static const char *const values[] = {"\"mcp-x/v1\"", "\"MCPX/v0.1\"", "\"mcpx/v0.1 \"", "\"\"", "1",
		"null", "[\"mcpx/v0.1\"]", "\"mcpx/v0.1\\u0000\"",
		"\"mcpx/v0.1 and very much more, more than any protocol's name could ever need to be, and so on and "
		"on until it is past one hundred and twenty-eight octets\""};
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		AUTO_TEXT struct text text = {0};
		text_init(&text, 0);
		text_printf(&text, "{\"protocol\":%s,\"id\":\"1\",\"kind\":\"mcp\"," BODY "}", values[i]);
		must_refuse(text.bytes, "protocol", "bad_protocol");
	}
	must_refuse("{\"id\":\"1\",\"kind\":\"mcp\"," BODY "}", "protocol", "bad_protocol");
	must_refuse("{}", "protocol", "bad_protocol");
}

static void a_key_twice_is_refused_however_it_is_written(void **state) {
	(void)state;
	static const char *const more[] = {
		"\"id\":\"e-1\"",
		"\"id\":\"other\"",
		"\"i\\u0064\":\"e-1\"",
		"\"\\u0069\\u0064\":2",
		"\"ID\":1",
		"\"Id\":1",
		"\"i\\u0044\":1",
		"\"Kind\":1",
		"\"PROTOCOL\":1",
		"\"payLoad\":{}",
		"\"TS\":1",
		"\"To\":[]",
		"\"From\":\"a\"",
		"\"Correlation_ID\":\"a\"",
		"\"\xe2\x84\xaaind\":1",
		"\"t\xc5\xbf\":1",
		"\"\\u212aind\":1",
		"\"kind\":\"mcp\"",
		"\"payload\":{}",
		"\"protocol\":\"mcpx/v0.1\"",
		"\"x\":1,\"x\":1",
		"\"x\":1,\"y\":2,\"\\u0078\":1",
		"\"\":1,\"\":2",
		"\"ts\":1,\"ts\":2",
		"\"to\":[],\"to\":[]",
		"\"correlation_id\":\"a\",\"correlation_id\":\"a\"",
		"\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,\"j\":2",
		"\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,\"a\":2",
	};
	for (size_t i = 0; i < COUNT_OF(more); i++) {
		AUTO_TEXT struct text text = {0};
		text_init(&text, 0);
		text_printf(&text, "{" HEAD "," BODY ",%s}", more[i]);
		must_refuse(text.bytes, "shape", "duplicate_key");
		text_clear(&text);
		text_printf(&text, "{%s," HEAD "," BODY "}", more[i]);
		must_refuse(text.bytes, "shape", "duplicate_key");
	}
}

static void a_part_of_the_body_twice_is_refused(void **state) {
	(void)state;
	static const char *const bodies[] = {
		"\"method\":1,\"method\":1",
		"\"id\":1,\"id\":2",
		"\"params\":{},\"params\":[]",
		"\"result\":1,\"result\":1",
		"\"error\":{},\"error\":{}",
		"\"reason\":1,\"reason\":2",
		"\"text\":\"a\",\"text\":\"b\"",
		"\"method\":1,\"m\\u0065thod\":2",
	};
	for (size_t i = 0; i < COUNT_OF(bodies); i++) {
		AUTO_TEXT struct text text = {0};
		text_init(&text, 0);
		text_printf(&text, "{" HEAD ",\"payload\":{%s}}", bodies[i]);
		must_refuse(text.bytes, "shape", "duplicate_key");
	}
	struct envelope envelope; /* what the room does not read is left as it is */
	must_read(&envelope, "{" HEAD ",\"payload\":{\"x\":1,\"x\":2,\"params\":{\"id\":1,\"id\":2}}}");
}

static void fields_that_are_not_what_they_must_be_are_refused(void **state) {
	(void)state;
	static const char *const texts[] = {
		"{\"protocol\":\"mcpx/v0.1\",\"kind\":\"mcp\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"1\"," BODY "}",
		"{" HEAD "}",
		"{" HEAD ",\"payload\":null}",
		"{" HEAD ",\"payload\":[]}",
		"{" HEAD ",\"payload\":\"{}\"}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":1,\"kind\":\"mcp\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"\",\"kind\":\"mcp\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":null,\"kind\":\"mcp\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"a\\u0000\",\"kind\":\"mcp\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"a\\n\",\"kind\":\"mcp\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"\x7f\",\"kind\":\"mcp\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"a long name with one\x7f in it\",\"kind\":\"mcp\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"a long name and \\u001f in it\",\"kind\":\"mcp\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"\xc2\x9f\",\"kind\":\"mcp\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"\\u0085 at the front\",\"kind\":\"mcp\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"\"," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":7," BODY "}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"mcp\\u0000\"," BODY "}",
		"{" HEAD "," BODY ",\"from\":\"\"}",
		"{" HEAD "," BODY ",\"from\":null}",
		"{" HEAD "," BODY ",\"from\":[\"a\"]}",
		"{" HEAD "," BODY ",\"correlation_id\":\"\"}",
		"{" HEAD "," BODY ",\"correlation_id\":5}",
		"{" HEAD "," BODY ",\"correlation_id\":\"a\\tb\"}",
		"{" HEAD "," BODY ",\"to\":\"a\"}",
		"{" HEAD "," BODY ",\"to\":null}",
		"{" HEAD "," BODY ",\"to\":{}}",
		"{" HEAD "," BODY ",\"to\":[1]}",
		"{" HEAD "," BODY ",\"to\":[\"a\",\"\"]}",
		"{" HEAD "," BODY ",\"to\":[\"a\",[\"b\"]]}",
		"{" HEAD "," BODY ",\"to\":[\"a\\u0007\"]}",
		"{" HEAD "," BODY ",\"ts\":\"yesterday\"}",
		"{" HEAD "," BODY ",\"ts\":\"\"}",
		"{" HEAD "," BODY ",\"ts\":0}",
		"{" HEAD "," BODY ",\"ts\":null}",
		"{" HEAD "," BODY ",\"ts\":\"2026-02-30T00:00:00Z\"}",
		"{" HEAD "," BODY ",\"ts\":\"2026-01-01 \"}",
		"{" HEAD "," BODY ",\"a\\u0000b\":1}",
	};
	for (size_t i = 0; i < COUNT_OF(texts); i++) must_refuse(texts[i], "shape", "bad_envelope");
}

static void names_over_their_limit_are_refused(void **state) {
	(void)state;
	static const struct {
		const char *field;
		int limit;
	} rows[] = {
		{"\"correlation_id\":\"", ENVELOPE_NAME},
		{"\"from\":\"", ENVELOPE_IDENTITY},
		{"\"to\":[\"", ENVELOPE_IDENTITY},
		{"\"ts\":\"", 6 * ENVELOPE_NAME},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		for (int times = 1; times < 9; times += 7) { /* just over it, and so far that nobody reads it */
			AUTO_TEXT struct text text = {0};
			text_init(&text, 0);
			text_add_cstr(&text, "{" HEAD "," BODY ",");
			text_add_cstr(&text, rows[i].field);
			for (int octet = 0; octet < rows[i].limit * times + 1; octet++) text_add_char(&text, 'n');
			text_add_cstr(&text, rows[i].field[6] == '"' && rows[i].field[5] == '[' ? "\"]}" : "\"}");
			must_refuse(text.bytes, "shape", "bad_envelope");
		}
	}
}

static void the_first_complaint_stands(void **state) {
	(void)state;
	struct envelope envelope;
	struct envelope_refusal refusal;
	assert_false(read_text(&envelope, "{\"x\":1,\"x\":2,\"kind\":\"mcp\",\"protocol\":\"no\"}", &refusal));
	assert_string_equal(refusal.word, "duplicate_key");
	assert_false(read_text(&envelope, "{\"x\":1,\"x\":2,\"kind\":", &refusal));
	assert_string_equal(refusal.word, "bad_json");
}

static void a_refusal_names_what_could_be_read(void **state) {
	(void)state;
	static const char *const texts[] = {
		"{\"id\":\"e-9\",\"id\":\"e-8\",\"payload\":{\"id\":\"q\"}}",
		"{\"protocol\":\"no\",\"payload\":{\"id\":\"q\"},\"id\":\"e-9\"}",
		"{\"payload\":{\"id\":\"q\"},\"id\":\"e-9\",\"kind\":tru}",
		"{\"ID\":1,\"payload\":{\"id\":\"q\"},\"id\":\"e-9\"}",
	};
	struct envelope envelope;
	struct envelope_refusal refusal;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		assert_false(read_text(&envelope, texts[i], &refusal));
		check_slice(envelope.id, "e-9");
		check_slice(envelope.id_value.text, "\"e-9\"");
		check_slice(envelope.body.id.text, "\"q\"");
	}
	assert_false(read_text(&envelope, "{\"id\":\"\",\"payload\":{}}", &refusal));
	assert_null(envelope.id.bytes);
	assert_int_equal(envelope.id_value.type, SCAN_NONE);
	assert_int_equal(envelope.body.id.type, SCAN_NONE);
	assert_false(read_text(&envelope, "{\"a\":1 \"id\":\"e-9\"}", &refusal));
	assert_null(envelope.id.bytes);
}

static void without_memory_escapes_are_refused(void **state) {
	(void)state;
	static const char *const texts[] = {
		"{" HEAD "," BODY ",\"an extra field whose name is long\\u0020\":1}",
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"a name of many octets \\u0020\",\"kind\":\"mcp\"," BODY "}",
		"{" HEAD "," BODY ",\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}",
		"{" HEAD ",\"payload\":{\"\\u006d\\u0065\\u0074\\u0068od\":1}}",
	};
	char few[8];
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct arena poor;
		struct envelope envelope;
		struct envelope_refusal refusal;
		arena_init(&poor, few, sizeof(few), 1);
		assert_false(envelope_read(&envelope, slice_of(texts[i]), &poor, &refusal));
		assert_string_equal(refusal.gate, "shape");
		assert_non_null(strstr(refusal.message, "no memory"));
		assert_false(envelope_read(&envelope, slice_of(texts[i]), &poor, NULL));
		arena_finish(&poor);
	}
}

static void no_beginning_of_an_envelope_is_one(void **state) {
	(void)state;
	static const char whole[] = "{" HEAD ",\"ts\":\"2026-01-01T00:00:00Z\",\"from\":\"a\",\"to\":[\"b\"],"
				    "\"correlation_id\":\"c\",\"extr\\u0061\":[1,{\"d\":-1.5e3}],\"payload\":{\"method\":\"x\",\"id\":1}}";
	for (size_t length = 0; length < sizeof(whole) - 1; length++) {
		char *copy = malloc(length ? length : 1);
		struct envelope envelope;
		assert_non_null(copy);
		memcpy(copy, whole, length);
		arena_reset(&arena);
		assert_false(envelope_read(&envelope, slice_make(copy, length), &arena, NULL));
		free(copy);
	}
	struct envelope envelope;
	must_read(&envelope, whole);
}

static void dialects_are_read_and_told(void **state) {
	(void)state;
	enum envelope_dialect dialect = ENVELOPE_DIALECTS;
	assert_true(envelope_dialect_read(SLICE("mcp-x/v0"), &dialect));
	assert_int_equal(dialect, ENVELOPE_V0);
	assert_true(envelope_dialect_read(SLICE("mcpx/v0.1"), &dialect));
	assert_int_equal(dialect, ENVELOPE_V01);
	assert_false(envelope_dialect_read(SLICE("mcpx/v0.2"), &dialect));
	assert_false(envelope_dialect_read(SLICE(""), &dialect));
	assert_int_equal(dialect, ENVELOPE_V01);
	assert_string_equal(envelope_dialect_text(ENVELOPE_V0), "mcp-x/v0");
	assert_string_equal(envelope_dialect_text(ENVELOPE_V01), "mcpx/v0.1");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_of_a_request_is_read),
		cmocka_unit_test(what_is_not_given_is_none),
		cmocka_unit_test(every_kind_is_known_by_its_exact_name),
		cmocka_unit_test(names_written_with_escapes_are_read),
		cmocka_unit_test(only_the_top_of_the_payload_is_read),
		cmocka_unit_test(recipients_come_in_order),
		cmocka_unit_test(extra_fields_pass),
		cmocka_unit_test(names_may_be_as_long_as_their_limit),
		cmocka_unit_test(as_many_recipients_as_there_may_be),
		cmocka_unit_test(text_that_is_no_envelope_is_refused),
		cmocka_unit_test(octets_that_are_no_utf8_are_told_apart),
		cmocka_unit_test(depth_is_refused_by_its_own_word),
		cmocka_unit_test(a_chat_is_one_level_shallower_than_others),
		cmocka_unit_test(the_protocol_is_refused_at_its_gate),
		cmocka_unit_test(a_key_twice_is_refused_however_it_is_written),
		cmocka_unit_test(a_part_of_the_body_twice_is_refused),
		cmocka_unit_test(fields_that_are_not_what_they_must_be_are_refused),
		cmocka_unit_test(names_over_their_limit_are_refused),
		cmocka_unit_test(the_first_complaint_stands),
		cmocka_unit_test(a_refusal_names_what_could_be_read),
		cmocka_unit_test(without_memory_escapes_are_refused),
		cmocka_unit_test(no_beginning_of_an_envelope_is_one),
		cmocka_unit_test(dialects_are_read_and_told),
	};
	return cmocka_run_group_tests(tests, arena_begin, arena_end);
}
