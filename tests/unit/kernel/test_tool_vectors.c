/* SPDX-License-Identifier: Apache-2.0 */
/* What is sent to a provider of embeddings and when it is asked no more; the provider and the clock are the test's. */
#include "check.h"
#include "failing_malloc.h"

#include "net/loop.h"

#include <stdio.h>

static struct {
	struct deadline *deadline;
	uint64_t in_ms;
} due;

static void fake_deadline_set(struct loop *loop, struct deadline *deadline, uint64_t in_ms, deadline_fn *run) {
	(void)loop;
	deadline->at = 1;
	deadline->run = run;
	due.deadline = deadline;
	due.in_ms = in_ms;
}

static void fake_deadline_clear(struct deadline *deadline) {
	deadline->at = 0;
	if (due.deadline == deadline) due.deadline = NULL;
}

#define deadline_set fake_deadline_set
#define deadline_clear fake_deadline_clear
#include "kernel/embedding_cache.c"
#include "kernel/tool_vectors.c"

/* ---- The provider ---- */

static struct embedding_ask { /* one request */
	bool is_open;
	size_t count;
	embedding_told *told;
	void *context;
} asks[TOOL_VECTORS_AT_ONCE];
static size_t asked;

struct embedding_ask *embedding_provider_ask(struct embedding_provider *provider, const struct slice *texts,
	size_t count, uint64_t deadline_ms, embedding_told *told_, void *context, struct fault *why) {
	(void)provider;
	(void)texts;
	(void)deadline_ms;
	if (!malloc_may()) return fault_null(why, FAULT_NO_MEMORY, "no memory");
	struct embedding_ask *ask = asks[0].is_open ? &asks[1] : &asks[0];
	assert_false(ask->is_open);
	asked++;
	*ask = (struct embedding_ask){.is_open = true, .count = count, .told = told_, .context = context};
	return ask;
}

void embedding_ask_cancel(struct embedding_ask *ask) {
	if (ask) ask->is_open = false;
}

static void answer(struct embedding_ask *ask, enum embedding_outcome outcome) {
	struct search_vector *made[EMBEDDING_BATCH];
	struct fault why = {0};
	assert_true(ask->is_open);
	ask->is_open = false;
	for (size_t i = 0; outcome == EMBEDDING_DONE && i < ask->count; i++)
		assert_non_null(made[i] = search_vector_make((const float[]){1, (float)i + 1}, 2));
	if (outcome != EMBEDDING_DONE) (void)fault_set(&why, FAULT_BAD_INPUT, "the test says so");
	ask->told(ask->context, outcome, made, 0, &why);
}

/* ---- Tools ---- */

static struct tool_vectors vectors;

static void begin(size_t batch) {
	memset(asks, 0, sizeof asks);
	due.deadline = NULL;
	asked = 0;
	tool_vectors_init(&vectors, NULL, NULL, NULL, batch);
}

static void put(unsigned number) {
	char name[24];
	snprintf(name, sizeof name, "tool_%u", number);
	tool_vectors_put(&vectors, SLICE("zoo"), slice_of(name), SLICE("{\"description\":\"Feeds otters\"}"));
}

/* The deadline that is set has come. */
static void pass(void) {
	struct deadline *deadline = TAKE(due.deadline);
	if (!deadline) return;
	deadline->at = 0;
	deadline->run(deadline);
}

/* What waits is sent, whatever pauses are between. */
static void send_waiting(void) {
	size_t before = asked;
	for (int i = 0; i < 3 && asked == before; i++) pass();
}

static void end(void) {
	tool_vectors_finish(&vectors);
	assert_int_equal(vectors.cache.octets, 0);
	assert_int_equal(vectors.missing, 0);
	assert_false(asks[0].is_open || asks[1].is_open);
}

/* ---- Tests ---- */

static void so_many_tools_and_no_more_have_a_vector(void **state) {
	(void)state;
	begin(64);
	for (unsigned i = 0; i < TOOL_VECTORS_MOST; i++) put(i);
	assert_int_equal(vectors.by_key.count, TOOL_VECTORS_MOST);
	assert_false(vectors.is_full_told);
	put(TOOL_VECTORS_MOST);
	assert_true(vectors.is_full_told);
	assert_int_equal(vectors.by_key.count, TOOL_VECTORS_MOST);
	assert_int_equal(vectors.missing, TOOL_VECTORS_MOST);
	tool_vectors_put(&vectors, SLICE("zoo"), SLICE("tool_7"), SLICE("{}")); /* another definition of one that is there */
	assert_int_equal(vectors.by_key.count, TOOL_VECTORS_MOST);
	tool_vectors_remove(&vectors, SLICE("zoo"), SLICE("tool_7"));
	put(TOOL_VECTORS_MOST);
	assert_int_equal(vectors.by_key.count, TOOL_VECTORS_MOST);
	end();
}

static void two_requests_at_a_time_have_no_more_than_a_batch_each(void **state) {
	(void)state;
	begin(4);
	for (unsigned i = 0; i < 10; i++) put(i);
	send_waiting();
	assert_int_equal(asked, TOOL_VECTORS_AT_ONCE);
	assert_int_equal(asks[0].count, 4);
	assert_int_equal(asks[1].count, 4);
	tool_vectors_remove(&vectors, SLICE("zoo"), SLICE("tool_0")); /* while it is under way */
	answer(&asks[0], EMBEDDING_DONE);
	send_waiting();
	assert_int_equal(asks[0].count, 2);
	answer(&asks[0], EMBEDDING_DONE);
	answer(&asks[1], EMBEDDING_DONE);
	assert_int_equal(vectors.missing, 0);
	assert_null(due.deadline);
	end();
}

static void after_three_answers_in_a_row_that_are_none_it_is_off(void **state) {
	(void)state;
	begin(4);
	put(0);
	uint64_t pause_ms = 0;
	for (int i = 0; i < UNSOUND_MOST; i++) {
		assert_false(vectors.is_off);
		send_waiting();
		assert_int_equal(asked, i + 1);
		answer(&asks[0], EMBEDDING_UNSOUND);
		if (i + 1 == UNSOUND_MOST) break;
		assert_true(due.in_ms > pause_ms); /* later and later */
		pause_ms = due.in_ms;
	}
	assert_true(vectors.is_off);
	put(1);
	send_waiting();
	assert_int_equal(asked, UNSOUND_MOST);
	assert_int_equal(vectors.missing, 2);
	end();
}

static void one_sound_answer_forgives_those_before(void **state) {
	(void)state;
	begin(1);
	for (unsigned i = 0; i < 20; i++) put(i);
	for (int i = 0; i < 9; i++) {
		send_waiting();
		answer(&asks[0], i % 3 == 2 ? EMBEDDING_DONE : EMBEDDING_UNSOUND);
		if (asks[1].is_open) answer(&asks[1], EMBEDDING_DONE);
	}
	assert_false(vectors.is_off);
	end();
}

static void what_is_too_much_goes_in_halves_and_off_when_single_texts_are(void **state) {
	(void)state;
	begin(4);
	for (unsigned i = 0; i < 4; i++) put(i);
	static const size_t counts[] = {4, 2, 1};
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		send_waiting();
		assert_int_equal(asks[0].count, counts[i]);
		if (asks[1].is_open) answer(&asks[1], EMBEDDING_LATER); /* the other half of it */
		answer(&asks[0], EMBEDDING_TOO_MUCH);
	}
	for (int i = 0; i < 8 && !vectors.is_off; i++) {
		send_waiting();
		for (size_t k = 0; k < COUNT_OF(asks); k++)
			if (asks[k].is_open) answer(&asks[k], EMBEDDING_TOO_MUCH);
	}
	assert_true(vectors.is_off);
	end();
}

static void a_refusal_is_final(void **state) {
	(void)state;
	begin(4);
	put(0);
	send_waiting();
	answer(&asks[0], EMBEDDING_REFUSED);
	assert_true(vectors.is_off);
	send_waiting();
	assert_int_equal(asked, 1);
	end();
}

/* Wherever memory runs out, nothing is lost or held, and with memory again all that is known gets its vector. */
static void memory_may_run_out_anywhere(void **state) {
	(void)state;
	for (int call = 1; call < 40; call++) {
		begin(2);
		malloc_fails_at(call);
		for (unsigned i = 0; i < 5; i++) put(i);
		send_waiting();
		malloc_fails_at(0);
		for (int i = 0; i < 8; i++) {
			send_waiting();
			malloc_fails_at(i == 0 ? call : 0);
			for (size_t k = 0; k < COUNT_OF(asks); k++)
				if (asks[k].is_open) answer(&asks[k], EMBEDDING_DONE);
			malloc_fails_at(0);
		}
		assert_true(list_is_empty(&vectors.waiting));
		end();
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(so_many_tools_and_no_more_have_a_vector),
		cmocka_unit_test(two_requests_at_a_time_have_no_more_than_a_batch_each),
		cmocka_unit_test(after_three_answers_in_a_row_that_are_none_it_is_off),
		cmocka_unit_test(one_sound_answer_forgives_those_before),
		cmocka_unit_test(what_is_too_much_goes_in_halves_and_off_when_single_texts_are),
		cmocka_unit_test(a_refusal_is_final),
		cmocka_unit_test(memory_may_run_out_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
