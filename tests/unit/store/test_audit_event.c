/* SPDX-License-Identifier: Apache-2.0 */
/* A record as MGP 6.3 has it, as a line of CSV, counted; and whom a filter lets through. */
#include "store/audit_csv.h"
#include "store/audit_event.h"
#include "store/audit_filter.h"
#include "store/audit_tally.h"
#include "wire/scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define MOMENT 1772193600000 /* 2026-02-27T12:00:00.000Z */
#define TRACE "550e8400-e29b-41d4-a716-446655440000"

static const struct audit_record call = {
	.event = {"TOOL_EXECUTED", 13},
	.actor = {"agent.cloto_default", 19},
	.actor_type = {"agent", 5},
	.trace_id = {TRACE, 36},
	.server_id = {"tool.terminal", 13},
	.tool_name = {"execute_command", 15},
	.result = {"SUCCESS", 7},
	.details = {"{\"risk_level\":\"dangerous\",\"validator_applied\":\"sandbox\",\"duration_ms\":1200}", 75},
};

static const char *event_of(const struct audit_record *record) {
	static struct text text;
	struct scan_value root;
	struct scan_fault fault;
	if (text.limit == 0) text_init(&text, 0);
	text_clear(&text);
	audit_write_event(&text, record, MOMENT);
	assert_false(text_failed(&text));
	assert_true(scan_check(text_slice(&text), SCAN_DEPTH, &root, &fault));
	assert_null(strchr(text.bytes, '\n'));
	return text.bytes;
}

static void assert_has(const char *text, const char *words) {
	if (!strstr(text, words)) fail_msg("%s\nlacks %s", text ? text : "nothing", words);
}

static void the_example_of_the_specification_comes_out_as_it_stands_there(void **state) {
	(void)state;
	assert_string_equal(event_of(&call),
		"{\"timestamp\":\"2026-02-27T12:00:00.000Z\",\"trace_id\":\"" TRACE
		"\",\"event_type\":\"TOOL_EXECUTED\",\"actor\":{\"type\":\"agent\",\"id\":\"agent.cloto_default\"},"
		"\"target\":{\"server_id\":\"tool.terminal\",\"tool_name\":\"execute_command\"},"
		"\"result\":\"SUCCESS\",\"details\":{\"risk_level\":\"dangerous\",\"validator_applied\":\"sandbox\","
		"\"duration_ms\":1200}}");
}

static void words_of_rooms_have_a_type_of_their_own(void **state) {
	(void)state;
	static const struct {
		const char *event, *topic, *type;
	} table[] = {
		{"refused", "yard", "dev.hustings.envelope_refused"},
		{"refused", "", "dev.hustings.call_refused"},
		{"joined", "yard", "dev.hustings.participant_joined"},
		{"left", "yard", "dev.hustings.participant_left"},
		{"proposal", "yard", "dev.hustings.proposal_changed"},
		{"privilege", "", "dev.hustings.privilege_changed"},
		{"token", "", "dev.hustings.token_changed"},
		{"server", "", "dev.hustings.server_changed"},
		{"question", "", "dev.hustings.question_declined"},
		{"something", "", "dev.hustings.something"},
		{"com.example.custom", "", "com.example.custom"},
		{"TOOL_BLOCKED", "", "TOOL_BLOCKED"},
	};
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		char room[AUDIT_TYPE_SIZE];
		struct audit_record record = {.event = slice_of(table[i].event), .topic = slice_of(table[i].topic)};
		struct slice type = audit_event_type(&record, room);
		assert_true(slice_is(type, table[i].type));
		if (strncmp(table[i].type, "dev.hustings.", 13) == 0)
			assert_true(slice_is(audit_event_word(type), table[i].event));
	}
	assert_int_equal(audit_event_word(SLICE("TOOL_BLOCKED")).length, 0);
	char room[AUDIT_TYPE_SIZE], large[300];
	memset(large, 'x', sizeof large);
	struct audit_record record = {.event = slice_make(large, sizeof large)};
	assert_int_equal(audit_event_type(&record, room).length, AUDIT_TYPE_SIZE - 1);
}

static void a_refusal_of_a_room_is_an_event_too(void **state) {
	(void)state;
	struct audit_record record = {
		.event = SLICE("refused"),
		.actor = SLICE("ann"),
		.topic = SLICE("yard"),
		.gate = SLICE("pace"),
		.result = SLICE("too_fast"),
		.detail = SLICE("counted over a minute"),
		.count = 9,
	};
	const char *event = event_of(&record);
	char first[2048];
	assert_has(event, "\"actor\":{\"type\":\"principal\",\"id\":\"ann\"},\"target\":{},\"result\":\"BLOCKED\"");
	assert_has(event,
		"\"details\":{\"topic\":\"yard\",\"gate\":\"pace\",\"outcome\":\"too_fast\","
		"\"message\":\"counted over a minute\",\"count\":9}}");
	snprintf(first, sizeof first, "%s", event);
	assert_string_equal(event_of(&record), first); /* its trace id as well */
	record.count = 10;
	assert_string_not_equal(event_of(&record), first);
	struct scan_value root, value;
	struct scan_fault fault;
	char id[TRACE_SIZE];
	assert_true(scan_check(slice_of(first), SCAN_DEPTH, &root, &fault) && scan_find(&root, "trace_id", &value));
	assert_true(trace_id_read(slice_make(value.text.bytes + 1, value.text.length - 2), id));
}

static void administration_of_a_server_has_it_as_its_target(void **state) {
	(void)state;
	struct audit_record added = {.event = SLICE("server"), .actor = SLICE("root"), .target = SLICE("files"), .result = SLICE("added")};
	assert_has(event_of(&added), "\"target\":{\"server_id\":\"files\"},\"result\":\"SUCCESS\"");
	assert_has(event_of(&added), "\"details\":{\"outcome\":\"added\"}");
	struct audit_record asked = {.event = SLICE("question"), .actor = SLICE("files"), .result = SLICE("declined")};
	assert_has(event_of(&asked), "\"actor\":{\"type\":\"server\",\"id\":\"files\"},\"target\":{\"server_id\":\"files\"}");
	struct audit_record nobody = {.event = SLICE("SERVER_CONNECTED"), .server_id = SLICE("files"), .result = AUDIT_SUCCESS};
	assert_has(event_of(&nobody), "\"actor\":{\"type\":\"system\",\"id\":\"kernel\"}");
}

static void a_result_that_is_a_no_is_no_success(void **state) {
	(void)state;
	static const struct {
		const char *event, *result, *shown;
	} table[] = {
		{"decision", "approved", "SUCCESS"},
		{"decision", "denied", "BLOCKED"},
		{"decision", "expired", "BLOCKED"},
		{"decision", "refused", "BLOCKED"},
		{"decision", "webhook_failed", "FAILED"},
		{"proposal", "rejected", "BLOCKED"},
		{"proposal", "fulfilled", "SUCCESS"},
		{"TOOL_EXECUTED", "CANCELLED", "CANCELLED"},
		{"dev.hustings.tool_retried", "RETRIED", "RETRIED"},
		{"SERVER_CONNECTED", "", "SUCCESS"},
	};
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct audit_record record = {.event = slice_of(table[i].event), .result = slice_of(table[i].result)};
		assert_true(slice_is(audit_event_result(&record), table[i].shown));
	}
}

static void details_say_nothing_twice_and_stay_on_one_line(void **state) {
	(void)state;
	struct audit_record record = call;
	record.gate = SLICE("access");
	record.detail = SLICE("no grant");
	record.details = SLICE("{\n \"gate\" : \"validator\",\r\n \"a\":[1,\n2] }");
	assert_has(event_of(&record), "\"gate\" : \"validator\"");
	assert_has(event_of(&record), ",\"message\":\"no grant\"}}");
	assert_null(strstr(event_of(&record), "access"));
	AUTO_TEXT struct text deep = {0};
	text_init(&deep, 0);
	for (int i = 0; i < 40; i++) text_add_cstr(&deep, "{\"a\":");
	text_add_char(&deep, '1');
	for (int i = 0; i < 40; i++) text_add_char(&deep, '}');
	const char *const wrong[] = {"[1]", "no json", "{\"a\":", "\xff", deep.bytes};
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		record.details = slice_of(wrong[i]);
		assert_has(event_of(&record), "\"details\":{\"text\":");
	}
	record = call;
	record.details = SLICE("{ }");
	record.gate = SLICE("access");
	assert_has(event_of(&record), "\"details\":{ \"gate\":\"access\"}");
	record.actor = SLICE("a\"\n\xff");
	assert_has(event_of(&record), "\"id\":\"a\\\"\\n\xef\xbf\xbd\"");
}

static void a_claim_names_its_source(void **state) {
	(void)state;
	struct audit_record record = call;
	record.source = SLICE("kernel");
	assert_null(strstr(event_of(&record), "\"source\""));
	record.source = SLICE("server:liar");
	assert_has(event_of(&record), "\"result\":\"SUCCESS\",\"source\":\"server:liar\",\"details\"");
}

/* ---- Packed ---- */

static size_t pack(const struct audit_record *record, char *to) {
	char head[AUDIT_PACKED_HEAD], *at = to;
	struct slice pieces[1 + AUDIT_PACKED_FIELDS];
	assert_true(audit_pack(record, head, pieces, NULL));
	for (size_t i = 0; i < COUNT_OF(pieces); i++) {
		if (pieces[i].length) memcpy(at, pieces[i].bytes, pieces[i].length);
		at += pieces[i].length;
	}
	return (size_t)(at - to);
}

static void what_is_packed_is_unpacked(void **state) {
	(void)state;
	char octets[1024];
	struct audit_record record = call, found;
	record.source = SLICE("server:x");
	record.count = 7;
	size_t length = pack(&record, octets);
	assert_true(audit_unpack(slice_make(octets, length), &found));
	assert_int_equal(found.count, 7);
	for (size_t i = 0; i < AUDIT_PACKED_FIELDS; i++)
		assert_true(slice_equal(audit_field(&record, i), audit_field(&found, i)));
	for (size_t cut = 0; cut < length; cut++) assert_false(audit_unpack(slice_make(octets, cut), &found));
	assert_false(audit_unpack(slice_make(octets, length + 1), &found));
	octets[0] = 2;
	assert_false(audit_unpack(slice_make(octets, length), &found));
	octets[0] = 1;
	octets[12] = '\x7f'; /* the event's length */
	assert_false(audit_unpack(slice_make(octets, length), &found));
	struct audit_record nothing = {0};
	length = pack(&nothing, octets);
	assert_int_equal(length, AUDIT_PACKED_HEAD);
	assert_true(audit_unpack(slice_make(octets, length), &found));
	assert_int_equal(found.count, 1);
	memset(octets + 1, 0, 8);
	assert_false(audit_unpack(slice_make(octets, length), &found)); /* it stands for none */
}

static void a_record_has_a_limit(void **state) {
	(void)state;
	static char large[AUDIT_RECORD_LIMIT];
	char head[AUDIT_PACKED_HEAD];
	struct slice pieces[1 + AUDIT_PACKED_FIELDS];
	struct fault why = {0};
	struct audit_record record = {.details = slice_make(large, AUDIT_RECORD_LIMIT - AUDIT_PACKED_HEAD)};
	assert_true(audit_pack(&record, head, pieces, &why));
	record.event = SLICE("x");
	assert_false(audit_pack(&record, head, pieces, &why));
	assert_int_equal(why.code, FAULT_TOO_LARGE);
}

/* ---- Filter ---- */

static void a_filter_looks_at_every_member(void **state) {
	(void)state;
	const struct {
		struct audit_filter filter;
		bool fits;
	} table[] = {
		{{0}, true},
		{{.since = MOMENT}, true},
		{{.since = MOMENT + 1}, false},
		{{.until = MOMENT + 1}, true},
		{{.until = MOMENT}, false},
		{{.actor = SLICE("agent.cloto_default")}, true},
		{{.actor = SLICE("agent")}, false},
		{{.event = SLICE("TOOL_EXECUTED")}, true},
		{{.event = SLICE("TOOL_*")}, true},
		{{.event = SLICE("*")}, true},
		{{.event = SLICE("TOOL_EXECUTED_*")}, false},
		{{.event = SLICE("TOOL_BLOCKED")}, false},
		{{.trace = SLICE(TRACE)}, true},
		{{.trace = SLICE("x")}, false},
		{{.server = SLICE("tool.terminal")}, true},
		{{.server = SLICE("tool")}, false},
		{{.tool = SLICE("execute_command")}, true},
		{{.tool = SLICE("x")}, false},
		{{.topic = SLICE("yard")}, false},
		{{.result = SLICE("SUCCESS")}, true},
		{{.result = SLICE("BLOCKED")}, false},
		{{.of_claims = true}, false},
		{{.source = SLICE("server:x")}, true},
	};
	for (size_t i = 0; i < COUNT_OF(table); i++)
		assert_int_equal(audit_filter_fits(&table[i].filter, &call, MOMENT), table[i].fits);
}

static void a_filter_knows_words_and_types_of_rooms(void **state) {
	(void)state;
	struct audit_record record = {.event = SLICE("refused"), .topic = SLICE("yard"), .result = SLICE("too_fast")};
	static const struct {
		const char *event, *result;
		bool fits;
	} table[] = {
		{"refused", "too_fast", true},
		{"dev.hustings.envelope_refused", "BLOCKED", true},
		{"dev.hustings.*", "", true},
		{"ref*", "", true},
		{"dev.hustings.call_refused", "", false},
		{"joined", "", false},
		{"", "SUCCESS", false},
	};
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct audit_filter filter = {.event = slice_of(table[i].event), .result = slice_of(table[i].result)};
		assert_int_equal(audit_filter_fits(&filter, &record, MOMENT), table[i].fits);
	}
}

static void claims_are_wanted_by_name_or_all(void **state) {
	(void)state;
	struct audit_record record = call;
	record.source = SLICE("server:liar");
	assert_false(audit_filter_fits(&(struct audit_filter){0}, &record, MOMENT));
	assert_true(audit_filter_fits(&(struct audit_filter){.of_claims = true}, &record, MOMENT));
	assert_true(audit_filter_fits(&(struct audit_filter){.of_claims = true, .source = SLICE("server:liar")},
		&record, MOMENT));
	assert_false(audit_filter_fits(&(struct audit_filter){.of_claims = true, .source = SLICE("server:lia")},
		&record, MOMENT));
}

/* ---- Csv ---- */

static void fields_that_look_like_formulas_are_none(void **state) {
	(void)state;
	static const struct {
		const char *field, *written;
	} table[] = {
		{"", ""},
		{"plain", "plain"},
		{"=1+1", "'=1+1"},
		{"+1", "'+1"},
		{"-1", "'-1"},
		{"@SUM(A1)", "'@SUM(A1)"},
		{"\t=1", "\\x09=1"},
		{"\xe2\x80\x8b=1", "'=1"}, /* a space of no width in front */
		{"\x1b[2J", "\\x1b[2J"},
		{"a,b", "\"a,b\""},
		{"a\"b\"", "\"a\"\"b\"\"\""},
		{"=cmd|' /C calc'!A0,\"x\"", "\"'=cmd|' /C calc'!A0,\"\"x\"\"\""},
		{"a=b", "a=b"},
		{"x\n# incomplete", "x\\x0a# incomplete"},
	};
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		AUTO_TEXT struct text text = {0};
		text_init(&text, 0);
		audit_csv_field(&text, slice_of(table[i].field));
		assert_true(slice_is(text_slice(&text), table[i].written));
	}
}

static void a_line_has_as_many_columns_as_the_head(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	audit_csv_head(&text);
	size_t columns = 1, found = 1;
	for (size_t i = 0; i < text.length; i++) columns += text.bytes[i] == ',';
	assert_int_equal(columns, 5 + AUDIT_PACKED_FIELDS - 1);
	text_clear(&text);
	struct audit_record record = call;
	record.details = SLICE_NONE;
	audit_csv_line(&text, &record, MOMENT, 7);
	for (size_t i = 0; i < text.length; i++) found += text.bytes[i] == ',';
	assert_int_equal(found, columns);
	assert_has(text.bytes, "7,2026-02-27T12:00:00.000Z,TOOL_EXECUTED,SUCCESS,1,");
	assert_has(text.bytes, "\r\n");
}

/* ---- Tally ---- */

static void add(struct audit_tally *tally, const char *actor, int64_t count, int64_t moment) {
	struct audit_record record = call;
	record.actor = slice_of(actor);
	record.count = count;
	assert_true(audit_tally_add(tally, &record, moment, NULL));
}

static void counts_come_the_most_frequent_first_and_hours_in_order(void **state) {
	(void)state;
	struct audit_tally tally;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	audit_tally_init(&tally);
	add(&tally, "ann", 1, MOMENT + 3600000);
	add(&tally, "bob", 5, MOMENT);
	add(&tally, "ann", 0, MOMENT + 3599999);
	add(&tally, "cleo", 2, MOMENT);
	audit_tally_write(&text, &tally, AUDIT_TALLIES, 2);
	assert_string_equal(text.bytes,
		"{\"records\":4,\"count\":9,\"by\":{\"type\":[{\"key\":\"TOOL_EXECUTED\",\"count\":9}],"
		"\"actor\":[{\"key\":\"bob\",\"count\":5},{\"key\":\"ann\",\"count\":2}],"
		"\"server\":[{\"key\":\"tool.terminal\",\"count\":9}],"
		"\"hour\":[{\"key\":\"2026-02-27T12:00:00.000Z\",\"count\":8},"
		"{\"key\":\"2026-02-27T13:00:00.000Z\",\"count\":1}]},"
		"\"other\":{\"type\":0,\"actor\":2,\"server\":0,\"hour\":0}}");
	text_clear(&text);
	audit_tally_write(&text, &tally, AUDIT_BY_HOUR, 1); /* the newest hour stays */
	assert_string_equal(text.bytes,
		"{\"records\":4,\"count\":9,\"by\":{\"hour\":[{\"key\":\"2026-02-27T13:00:00.000Z\",\"count\":1}]},"
		"\"other\":{\"hour\":8}}");
	audit_tally_finish(&tally);
}

static void a_tally_is_bounded(void **state) {
	(void)state;
	struct audit_tally tally;
	char actor[32];
	audit_tally_init(&tally);
	for (int i = 0; i < AUDIT_TALLY_KEYS + 10; i++) {
		snprintf(actor, sizeof actor, "a%d", i);
		add(&tally, actor, 1, MOMENT);
	}
	assert_int_equal(tally.keys[AUDIT_BY_ACTOR].count, AUDIT_TALLY_KEYS);
	assert_int_equal(tally.other[AUDIT_BY_ACTOR], 10);
	assert_int_equal(tally.count, AUDIT_TALLY_KEYS + 10);
	audit_tally_finish(&tally);
	enum audit_tally_by by;
	assert_true(audit_tally_read(SLICE("hour"), &by));
	assert_int_equal(by, AUDIT_BY_HOUR);
	assert_false(audit_tally_read(SLICE("day"), &by));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_of_the_specification_comes_out_as_it_stands_there),
		cmocka_unit_test(words_of_rooms_have_a_type_of_their_own),
		cmocka_unit_test(a_refusal_of_a_room_is_an_event_too),
		cmocka_unit_test(administration_of_a_server_has_it_as_its_target),
		cmocka_unit_test(a_result_that_is_a_no_is_no_success),
		cmocka_unit_test(details_say_nothing_twice_and_stay_on_one_line),
		cmocka_unit_test(a_claim_names_its_source),
		cmocka_unit_test(what_is_packed_is_unpacked),
		cmocka_unit_test(a_record_has_a_limit),
		cmocka_unit_test(a_filter_looks_at_every_member),
		cmocka_unit_test(a_filter_knows_words_and_types_of_rooms),
		cmocka_unit_test(claims_are_wanted_by_name_or_all),
		cmocka_unit_test(fields_that_look_like_formulas_are_none),
		cmocka_unit_test(a_line_has_as_many_columns_as_the_head),
		cmocka_unit_test(counts_come_the_most_frequent_first_and_hours_in_order),
		cmocka_unit_test(a_tally_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
