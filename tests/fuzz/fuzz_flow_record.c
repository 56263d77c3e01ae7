/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: the record of a guided session, as the store and tokens have it. What is read is sound, and written it
 * reads as the same; whatever happens to it afterwards leaves a record that can be read again.
 */
#include "flow/flow_message.h"
#include "flow/flow_record.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static bool is_same(const char *one, const char *other) {
	return one && other ? strcmp(one, other) == 0 : one == other;
}

static void check_again(const struct flow_session *session) {
	AUTO_TEXT struct text record = {0};
	struct fault why;
	flow_record_write(&record, session);
	require(!text_failed(&record));
	struct flow_session *other = flow_record_read(text_slice(&record), &why);
	require(other != NULL);
	require(is_same(other->id, session->id) && other->state == session->state && other->is_led == session->is_led);
	require(is_same(other->principal, session->principal) && is_same(other->session, session->session) &&
		is_same(other->server, session->server) && is_same(other->tool, session->tool) && is_same(other->name, session->name));
	require(other->created_at == session->created_at && other->active_at == session->active_at &&
		other->timeout_ms == session->timeout_ms && other->ends_at == session->ends_at);
	require(other->prompts_left == session->prompts_left && other->turns == session->turns && other->number == session->number);
	require(slice_equal(text_slice(&other->history), text_slice(&session->history)) &&
		slice_equal(text_slice(&other->summary), text_slice(&session->summary)) &&
		slice_equal(text_slice(&other->result), text_slice(&session->result)));
	flow_session_free(other);
}

/* One step after the other, each of which may be refused. */
static void walk(struct flow_session *session, int64_t now) {
	struct flow_refusal refusal;
	bool was_over = flow_state_is_over(session->state);
	bool was_asked = flow_session_led_prompt(session, now, &refusal);
	require(!was_asked || session->state == FLOW_WAITING_USER);
	check_again(session);
	bool was_answered = flow_session_led_answer(session, true, now, &refusal);
	require(!was_answered || session->state == FLOW_PROCESSING);
	bool is_done = flow_session_led_complete(session, SLICE("{\"success\":true}"), SLICE("done"), now, &refusal);
	require(!is_done || session->state == FLOW_COMPLETED);
	require(!was_over || (!was_asked && !was_answered && !is_done));
	check_again(session);
	require(!flow_session_cancel(session, SLICE("late"), now, &refusal) || !is_done);
	flow_session_fail(session, "at last", now);
	require(flow_state_is_over(session->state));
	check_again(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct fault why = {.code = FAULT_NONE};
	struct flow_session *session = flow_record_read(slice_make(data, size), &why);
	if (!session) {
		require(why.code != FAULT_NONE && why.text[0]);
		return 0;
	}
	require(session->tool && session->given.length && strlen(session->id) < FLOW_ID);
	check_again(session);
	walk(session, 1000);
	flow_session_free(session);
	return 0;
}
