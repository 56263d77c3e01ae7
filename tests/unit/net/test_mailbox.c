/* SPDX-License-Identifier: Apache-2.0 */
#include "net_rig.h"

#include "net/mailbox.h"

#include <pthread.h>
#include <sched.h>

#define SENDERS 4
#define LETTERS 20000

struct note {
	struct letter letter;
	unsigned sender;
	unsigned number;
};

static struct loop *loop;
static unsigned delivered;
static unsigned next_number[SENDERS];

static int set_up(void **state) {
	(void)state;
	loop = rig_loop();
	delivered = 0;
	memset(next_number, 0, sizeof(next_number));
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	loop_close(loop);
	return 0;
}

static void deliver(struct letter *letter) {
	struct note *note = CONTAINER_OF(letter, struct note, letter);
	assert_true(loop_is_here(loop));
	assert_int_equal(note->number, next_number[note->sender]);
	next_number[note->sender]++;
	delivered++;
}

static void letters_come_in_order_in_one_batch(void **state) {
	(void)state;
	struct note notes[100];
	for (unsigned i = 0; i < COUNT_OF(notes); i++) {
		notes[i] = (struct note){.number = i};
		assert_true(mailbox_post(loop, &notes[i].letter, deliver));
	}
	assert_int_equal(delivered, 0);
	RIG_UNTIL(loop, delivered > 0);
	assert_int_equal(delivered, COUNT_OF(notes));
}

static void *send_many(void *context) {
	struct note *notes = context;
	for (unsigned i = 0; i < LETTERS; i++) {
		while (!mailbox_post(loop, &notes[i].letter, deliver)) sched_yield();
	}
	return NULL;
}

static void many_senders_each_keep_their_order(void **state) {
	(void)state;
	struct note *notes = calloc((size_t)SENDERS * LETTERS, sizeof(*notes));
	assert_non_null(notes);
	pthread_t threads[SENDERS];
	loop_step(loop, 0);
	for (unsigned sender = 0; sender < SENDERS; sender++) {
		struct note *first = notes + (size_t)sender * LETTERS;
		for (unsigned i = 0; i < LETTERS; i++) first[i] = (struct note){.sender = sender, .number = i};
		assert_int_equal(pthread_create(&threads[sender], NULL, send_many, first), 0);
	}
	RIG_UNTIL(loop, delivered == SENDERS * LETTERS);
	for (unsigned sender = 0; sender < SENDERS; sender++) pthread_join(threads[sender], NULL);
	free(notes);
}

static void a_full_mailbox_says_no_but_takes_answers(void **state) {
	(void)state;
	struct note *notes = calloc(MAILBOX_LETTERS + 2, sizeof(*notes));
	assert_non_null(notes);
	for (unsigned i = 0; i < MAILBOX_LETTERS; i++) {
		notes[i].number = i;
		assert_true(mailbox_post(loop, &notes[i].letter, deliver));
	}
	struct note *answer = &notes[MAILBOX_LETTERS], *late = answer + 1;
	assert_false(mailbox_post(loop, &late->letter, deliver));
	answer->number = MAILBOX_LETTERS;
	mailbox_answer(loop, &answer->letter, deliver);
	RIG_UNTIL(loop, delivered == MAILBOX_LETTERS + 1);
	late->number = MAILBOX_LETTERS + 1;
	assert_true(mailbox_post(loop, &late->letter, deliver));
	RIG_UNTIL(loop, delivered == MAILBOX_LETTERS + 2);
	free(notes);
}

static unsigned rounds;
static void deliver_again(struct letter *letter) {
	if (++rounds < 5) assert_true(mailbox_post(loop, letter, deliver_again));
}

static void a_letter_may_be_posted_again_while_it_is_delivered(void **state) {
	(void)state;
	struct letter letter;
	rounds = 0;
	assert_true(mailbox_post(loop, &letter, deliver_again));
	RIG_UNTIL(loop, rounds == 5);
}

static void deliver_and_free(struct letter *letter) {
	free(letter);
	delivered++;
}

static void what_waits_when_the_loop_closes_is_delivered(void **state) {
	(void)state;
	struct loop *other = rig_loop();
	struct letter *letter = malloc(sizeof(*letter));
	assert_true(mailbox_post(other, letter, deliver_and_free));
	loop_close(other);
	assert_int_equal(delivered, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(letters_come_in_order_in_one_batch),
		TEST(many_senders_each_keep_their_order),
		TEST(a_full_mailbox_says_no_but_takes_answers),
		TEST(a_letter_may_be_posted_again_while_it_is_delivered),
		TEST(what_waits_when_the_loop_closes_is_delivered),
	};
	return cmocka_run_group_tests_name("net/mailbox", tests, NULL, NULL);
}
