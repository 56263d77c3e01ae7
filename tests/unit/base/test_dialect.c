/* SPDX-License-Identifier: Apache-2.0 */
#include "base/dialect.h"
#include "base/list.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

struct thing {
	int *released;
};

static void thing_release(struct thing *thing) {
	++*thing->released;
}
AUTO_RELEASE(thing, thing_release)

static void what_leaves_scope_is_released_once(void **state) {
	(void)state;
	int released = 0;
	struct thing body = {&released};
	{
		AUTO(thing) thing = &body;
		assert_ptr_equal(thing, &body);
	}
	assert_int_equal(released, 1);
}

static struct thing *thing_handed_out(struct thing *body) {
	AUTO(thing) thing = body;
	return TAKE(thing);
}

static void what_is_taken_is_not_released(void **state) {
	(void)state;
	int released = 0;
	struct thing body = {&released};
	assert_ptr_equal(thing_handed_out(&body), &body);
	assert_int_equal(released, 0);
}

static void plain_memory_and_descriptors_are_let_go(void **state) {
	(void)state;
	int kept;
	{
		AUTO_FREE char *memory = malloc(100); /* a leak checker watches this one */
		AUTO_FREE char *none = NULL;
		AUTO_CLOSE int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
		AUTO_CLOSE int nobody = -1;
		assert_non_null(memory);
		assert_null(none);
		assert_int_equal(nobody, -1);
		assert_true(descriptor >= 0);
		kept = descriptor;
	}
	assert_int_equal(fcntl(kept, F_GETFD), -1);
}

struct item {
	int number;
	struct link link;
};

static int sum_of(struct link *head) {
	int sum = 0;
	LIST_EACH(link, head)
		sum = sum * 10 + CONTAINER_OF(link, struct item, link)->number;
	return sum;
}

static void a_list_keeps_its_order(void **state) {
	(void)state;
	struct link head, other;
	struct item items[] = {{.number = 1}, {.number = 2}, {.number = 3}, {.number = 4}};
	list_init(&head);
	list_init(&other);
	assert_true(list_is_empty(&head));
	assert_null(list_pop(&head));

	list_append(&head, &items[1].link);
	list_append(&head, &items[2].link);
	list_prepend(&head, &items[0].link);
	list_append(&other, &items[3].link);
	assert_int_equal(sum_of(&head), 123);
	list_move(&head, &other);
	assert_int_equal(sum_of(&head), 1234);
	assert_true(list_is_empty(&other));
	list_move(&head, &other);
	assert_int_equal(sum_of(&head), 1234);
}

static void a_link_may_be_removed_twice_and_while_walking(void **state) {
	(void)state;
	struct link head;
	struct item items[] = {{.number = 1}, {.number = 2}, {.number = 3}};
	list_init(&head);
	for (size_t i = 0; i < COUNT_OF(items); i++) list_append(&head, &items[i].link);

	list_remove(&items[1].link);
	list_remove(&items[1].link);
	assert_int_equal(sum_of(&head), 13);
	LIST_EACH_SAFE(link, &head)
		list_remove(link);
	assert_true(list_is_empty(&head));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_leaves_scope_is_released_once),
		cmocka_unit_test(what_is_taken_is_not_released),
		cmocka_unit_test(plain_memory_and_descriptors_are_let_go),
		cmocka_unit_test(a_list_keeps_its_order),
		cmocka_unit_test(a_link_may_be_removed_twice_and_while_walking),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
