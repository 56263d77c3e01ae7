/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "client/outbox.h"

#include <stdio.h>

static struct outbox outbox;

static int set_up(void **state) {
	(void)state;
	outbox_init(&outbox);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	outbox_finish(&outbox);
	return 0;
}

static struct outbox_item *add(const char *text) {
	char id[IDENT_UUID_SIZE];
	struct fault why;
	ident_uuid(id);
	return outbox_add(&outbox, id, slice_of(text), &why);
}

static void what_is_put_in_is_found_and_taken_out(void **state) {
	(void)state;
	struct outbox_item *one = add("one"), *two = add("two");
	assert_ptr_equal(outbox_find(&outbox, slice_of(one->id)), one);
	assert_int_equal(outbox.octets, 6);
	outbox_remove(&outbox, one);
	assert_ptr_equal(outbox.items.next, &two->link);
	outbox_remove(&outbox, two);
	assert_true(outbox_is_empty(&outbox));
	assert_int_equal(outbox.octets, 0);
}

static void after_a_break_all_is_unsent_or_what_was_sent_is_dropped(void **state) {
	(void)state;
	struct outbox_item *one = add("one"), *two = add("two");
	one->is_sent = true;
	outbox_unsend(&outbox);
	assert_false(one->is_sent);
	one->is_sent = true;
	outbox_drop_sent(&outbox);
	assert_ptr_equal(outbox.items.next, &two->link);
	assert_int_equal(outbox.octets, 3);
}

static void it_is_bounded_by_count(void **state) {
	char id[IDENT_UUID_SIZE] = "id";
	struct fault why;
	(void)state;
	for (int i = 0; i < OUTBOX_ENVELOPES; i++) assert_non_null(add("x"));
	assert_null(outbox_add(&outbox, id, SLICE("x"), &why));
	assert_int_equal(why.code, FAULT_FULL);
}

static void it_is_bounded_by_octets(void **state) {
	static char large[OUTBOX_OCTETS / 2 + 1];
	char id[IDENT_UUID_SIZE] = "id", other[IDENT_UUID_SIZE] = "other";
	struct fault why;
	(void)state;
	assert_non_null(outbox_add(&outbox, id, slice_make(large, sizeof large), &why));
	assert_null(outbox_add(&outbox, other, slice_make(large, sizeof large), &why));
	assert_int_equal(why.code, FAULT_FULL);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(what_is_put_in_is_found_and_taken_out),
		TEST(after_a_break_all_is_unsent_or_what_was_sent_is_dropped),
		TEST(it_is_bounded_by_count),
		TEST(it_is_bounded_by_octets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
