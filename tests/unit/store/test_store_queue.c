/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "store/store_queue.h"

#include <stdlib.h>

static void work(struct archive *archive, struct letter *letter, const struct fault *failed) {
	(void)archive, (void)letter, (void)failed;
}

static bool put(struct store_queue *queue, struct letter *letter, struct fault *why) {
	struct store_question question = {.letter = letter, .run = work};
	return store_queue_put(queue, &question, why);
}

static void the_queue_holds_its_bound_and_no_more(void **state) {
	(void)state;
	struct store_queue *queue = calloc(1, sizeof *queue);
	struct letter *letters = calloc(STORE_QUESTIONS + 1, sizeof *letters);
	struct fault why = {0};
	assert_non_null(queue);
	assert_non_null(letters);
	for (size_t i = 0; i < STORE_QUESTIONS; i++)
		assert_true(put(queue, &letters[i], &why));
	assert_false(put(queue, &letters[STORE_QUESTIONS], &why));
	assert_int_equal(why.code, FAULT_FULL);

	struct store_question question;
	assert_true(store_queue_take(queue, &question));
	assert_ptr_equal(question.letter, &letters[0]);
	assert_true(put(queue, &letters[STORE_QUESTIONS], &why));
	for (size_t i = 1; i <= STORE_QUESTIONS; i++) {
		assert_true(store_queue_take(queue, &question));
		assert_ptr_equal(question.letter, &letters[i]);
		assert_true(question.run == work);
	}
	assert_false(store_queue_take(queue, &question));
	free(letters);
	free(queue);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_queue_holds_its_bound_and_no_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
