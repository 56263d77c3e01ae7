/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "auth/ticket.h"

#include <stdio.h>

static struct loop *loop;
static struct tickets *tickets;
static struct principal *ann, *bob;
static struct fault why;

static struct principal *principal_of(const char *id, const char *token_id) {
	struct principal_facts like = {.privilege = PRIVILEGE_UNSAID, .id = slice_of(id), .token_id = slice_of(token_id)};
	struct principal *principal = principal_make(&like, &why);
	assert_non_null(principal);
	return principal;
}

static int set_up(void **state) {
	(void)state;
	loop = loop_open(&why);
	tickets = tickets_open(loop, &why);
	ann = principal_of("ann", "t_1");
	bob = principal_of("bob", "t_2");
	return tickets ? 0 : -1;
}

static int tear_down(void **state) {
	(void)state;
	tickets_close(tickets);
	assert_int_equal(ann->references, 1); /* what tickets kept, they dropped */
	assert_int_equal(bob->references, 1);
	principal_drop(ann);
	principal_drop(bob);
	loop_close(loop);
	return 0;
}

static void make(struct principal *principal, const char *topic, char ticket[TICKET_TEXT]) {
	assert_true(ticket_make(tickets, principal, slice_of(topic), ticket, &why));
	assert_int_equal(strlen(ticket), TICKET_TEXT - 1);
}

static struct principal *take(const char *ticket, const char *topic) {
	struct principal *principal = ticket_take(tickets, slice_of(ticket), slice_of(topic), &why);
	if (!principal) assert_int_equal(why.code, FAULT_REFUSED);
	return principal;
}

static void a_ticket_is_used_once(void **state) {
	(void)state;
	char ticket[TICKET_TEXT];
	make(ann, "yard", ticket);
	struct principal *principal = take(ticket, "yard");
	assert_ptr_equal(principal, ann);
	principal_drop(principal);
	assert_null(take(ticket, "yard"));
}

static void a_ticket_for_another_topic_is_spent_by_the_try(void **state) {
	(void)state;
	char ticket[TICKET_TEXT];
	make(ann, "yard", ticket);
	assert_null(take(ticket, "yards"));
	assert_null(take(ticket, "yard"));
	assert_null(take("", "yard"));
	assert_null(take("nonsense", "yard"));
}

static void revoking_throws_away_what_is_meant(void **state) {
	(void)state;
	char first[TICKET_TEXT], second[TICKET_TEXT], third[TICKET_TEXT];
	make(ann, "yard", first);
	make(bob, "yard", second);
	make(bob, "yard", third);
	tickets_revoke(tickets, SLICE("t_1"), SLICE_NONE);
	assert_null(take(first, "yard"));
	struct principal *principal = take(second, "yard");
	assert_ptr_equal(principal, bob);
	principal_drop(principal);
	tickets_revoke(tickets, SLICE_NONE, SLICE("bob"));
	assert_null(take(third, "yard"));
}

static void there_is_a_bound(void **state) {
	(void)state;
	char ticket[TICKET_TEXT];
	for (int i = 0; i < TICKETS; i++) make(ann, "yard", ticket);
	assert_false(ticket_make(tickets, ann, SLICE("yard"), ticket, &why));
	assert_int_equal(why.code, FAULT_FULL);
	principal_drop(take(ticket, "yard")); /* one is used: there is a place again */
	make(ann, "yard", ticket);
}

/* The table of the other sort, for one test. */
static void of_tickets_to_the_console_one_identity_has_a_few(void **state) {
	(void)state;
	char made[TICKETS_SIGN_IN_OF_ONE + 1][TICKET_TEXT], other[TICKET_TEXT];
	struct tickets *to_rooms = tickets;
	tickets = tickets_open_sign_in(loop, &why);
	assert_non_null(tickets);
	make(bob, "", other);
	for (size_t i = 0; i < COUNT_OF(made); i++) make(ann, "", made[i]);
	assert_null(take(made[0], ""));
	for (size_t i = 1; i < COUNT_OF(made); i++) {
		assert_null(ticket_take(to_rooms, slice_of(made[i]), SLICE_NONE, &why));
		principal_drop(take(made[i], ""));
	}
	principal_drop(take(other, ""));
	tickets_close(tickets);
	tickets = to_rooms;
	assert_int_equal(ann->references, 1);
	assert_int_equal(bob->references, 1);
}

static void tickets_to_the_console_have_a_bound_too(void **state) {
	(void)state;
	char ticket[TICKET_TEXT];
	struct tickets *to_rooms = tickets;
	tickets = tickets_open_sign_in(loop, &why);
	assert_non_null(tickets);
	for (int i = 0; i < TICKETS_SIGN_IN; i++) {
		char id[16];
		snprintf(id, sizeof id, "ann-%d", i);
		struct principal *principal = principal_of(id, "t_3");
		make(principal, "", ticket);
		principal_drop(principal);
	}
	assert_false(ticket_make(tickets, ann, SLICE_NONE, ticket, &why));
	assert_int_equal(why.code, FAULT_FULL);
	tickets_revoke(tickets, SLICE("t_3"), SLICE_NONE);
	make(ann, "", ticket);
	principal_drop(take(ticket, ""));
	tickets_close(tickets);
	tickets = to_rooms;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(a_ticket_is_used_once),
		TEST(a_ticket_for_another_topic_is_spent_by_the_try),
		TEST(revoking_throws_away_what_is_meant),
		TEST(there_is_a_bound),
		TEST(of_tickets_to_the_console_one_identity_has_a_few),
		TEST(tickets_to_the_console_have_a_bound_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
