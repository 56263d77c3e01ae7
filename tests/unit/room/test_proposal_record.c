/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "failing_malloc.h"
#include "room/proposal_record.c"

#include <stdio.h>

#define PAYLOAD "{ \"method\" :\"tools/call\",\"params\":{\"n\":1e400},\"reason\":\"\\u00e9\"}"

static struct arena arena;
static char scratch[4096];

static void read_envelope(struct envelope *envelope, const char *text) {
	arena_init(&arena, scratch, sizeof scratch, 0);
	assert_true(envelope_read(envelope, slice_of(text), &arena, NULL));
}

static struct proposal *make(const char *text) {
	struct envelope envelope;
	read_envelope(&envelope, text);
	struct proposal *proposal = proposal_make(&envelope, SLICE("car\"ol"), 1000, 301000);
	arena_finish(&arena);
	return proposal;
}

#define WHOLE "{\"protocol\":\"mcpx/v0.1\",\"id\":\"p1\",\"to\":[\"bob\",\"x\"],\"kind\":\"mcp/proposal\",\"payload\":" PAYLOAD "}"
#define BARE "{\"protocol\":\"mcpx/v0.1\",\"id\":\"p2\",\"kind\":\"mcp/proposal\",\"payload\":{\"method\":\"m\"}}"

static void it_is_written_as_the_specification_draws_it_with_its_payload_untouched(void **state) {
	(void)state;
	AUTO_TEXT struct text text;
	text_init(&text, 0);
	struct proposal *proposal = make(WHOLE);
	assert_non_null(proposal);
	proposal_write(proposal, &text);
	check_text(&text, "{\"proposalId\":\"p1\",\"proposer\":\"car\\\"ol\",\"target\":\"bob\",\"to\":[\"bob\",\"x\"],"
			  "\"method\":\"tools/call\",\"params\":{\"n\":1e400},\"payload\":" PAYLOAD ",\"status\":\"pending\","
			  "\"createdAt\":\"1970-01-01T00:00:01.000Z\",\"expiresAt\":\"1970-01-01T00:05:01.000Z\"}");
	proposal_free(proposal);
	proposal_free(NULL);
}

static void what_was_written_is_read_again(void **state) {
	(void)state;
	static const char *const envelopes[] = {WHOLE, BARE};
	for (size_t i = 0; i < COUNT_OF(envelopes); i++) {
		AUTO_TEXT struct text one, two;
		text_init(&one, 0);
		text_init(&two, 0);
		struct proposal *proposal = make(envelopes[i]);
		proposal_write(proposal, &one);
		struct proposal *again = proposal_read(text_slice(&one));
		assert_non_null(again);
		proposal_write(again, &two);
		assert_true(slice_equal(text_slice(&one), text_slice(&two)));
		proposal_free(proposal);
		proposal_free(again);
	}
}

static void the_settled_say_by_whom_when_and_why(void **state) {
	(void)state;
	AUTO_TEXT struct text text;
	text_init(&text, 0);
	struct proposal *proposal = make(BARE);
	proposal_settle(proposal, PROPOSAL_REJECTED, SLICE("alice"), SLICE("no\n"), 2000);
	proposal_write(proposal, &text);
	check_text(&text, "{\"proposalId\":\"p2\",\"proposer\":\"car\\\"ol\",\"method\":\"m\",\"payload\":{\"method\":\"m\"},"
			  "\"status\":\"rejected\",\"createdAt\":\"1970-01-01T00:00:01.000Z\",\"expiresAt\":\"1970-01-01T00:05:01.000Z\","
			  "\"settledAt\":\"1970-01-01T00:00:02.000Z\",\"settledBy\":\"alice\",\"reason\":\"no\\n\"}");
	proposal_free(proposal);
	assert_string_equal(proposal_status_text(PROPOSAL_EXPIRED), "expired");
	assert_string_equal(proposal_status_text(PROPOSAL_WITHDRAWN), "withdrawn");
	assert_string_equal(proposal_status_text(PROPOSAL_FULFILLED), "fulfilled");
}

static void equal_are_the_very_octets_of_to_method_and_params(void **state) {
	(void)state;
	static const struct {
		const char *rest;
		bool is_equal;
	} rows[] = {
		{"\"to\":[\"bob\",\"x\"],\"payload\":{\"id\":1,\"method\":\"tools/call\",\"params\":{\"n\":1e400}}}", true},
		{"\"to\":[\"bob\"],\"payload\":{\"id\":1,\"method\":\"tools/call\",\"params\":{\"n\":1e400}}}", false},
		{"\"payload\":{\"id\":1,\"method\":\"tools/call\",\"params\":{\"n\":1e400}}}", false},
		{"\"to\":[\"bob\",\"x\"],\"payload\":{\"id\":1,\"method\":\"tools/list\",\"params\":{\"n\":1e400}}}", false},
		{"\"to\":[\"bob\",\"x\"],\"payload\":{\"id\":1,\"method\":\"tools/call\",\"params\":{\"n\": 1e400}}}", false},
		{"\"to\":[\"bob\",\"x\"],\"payload\":{\"id\":1,\"method\":\"tools/call\"}}", false},
	};
	struct proposal *proposal = make(WHOLE);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char text[400];
		struct envelope envelope;
		snprintf(text, sizeof text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"r\",\"kind\":\"mcp\",%s", rows[i].rest);
		read_envelope(&envelope, text);
		if (proposal_equals(proposal, &envelope) != rows[i].is_equal) fail_msg("%s", text);
		arena_finish(&arena);
	}
	proposal_free(proposal);
}

static void records_that_are_none_are_not_read(void **state) {
	(void)state;
	static const char *const wrong[] = {"", "[]", "{}", "{\"proposalId\":\"a\"}",
		"{\"proposalId\":\"a\",\"proposer\":\"b\"}", "{\"proposalId\":\"a\",\"proposer\":\"b\",\"payload\":1}",
		"{\"proposalId\":\"a\",\"proposer\":\"b\",\"payload\":{}}",
		"{\"proposalId\":1,\"proposer\":\"b\",\"payload\":{\"method\":\"m\"}}",
		"{\"proposalId\":\"a\",\"proposer\":2,\"payload\":{\"method\":\"m\"}}",
		"{\"proposalId\":\"a\",\"proposer\":\"b\",\"payload\":{\"method\":\"m\"}}",
		"{\"proposalId\":\"a\",\"proposer\":\"b\",\"payload\":{\"method\":\"m\"},\"createdAt\":1}",
		"{\"proposalId\":\"a\",\"proposer\":\"b\",\"payload\":{\"method\":\"m\"},\"createdAt\":\"1970-01-01T00:00:01Z\",\"expiresAt\":\"soon\"}"};
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		if (proposal_read(slice_of(wrong[i]))) fail_msg("read: %s", wrong[i]);
}

static void without_memory_there_is_no_record(void **state) {
	(void)state;
	malloc_fails_at(1);
	assert_null(make(BARE));
	malloc_fails_at(0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_written_as_the_specification_draws_it_with_its_payload_untouched),
		cmocka_unit_test(what_was_written_is_read_again),
		cmocka_unit_test(the_settled_say_by_whom_when_and_why),
		cmocka_unit_test(equal_are_the_very_octets_of_to_method_and_params),
		cmocka_unit_test(records_that_are_none_are_not_read),
		cmocka_unit_test(without_memory_there_is_no_record),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
