/* SPDX-License-Identifier: Apache-2.0 */
#include "net_rig.h"

#include "net/acceptor.h"

#include <poll.h>
#include <sys/resource.h>

static struct loop *loop;
static struct acceptor *acceptor;
static int accepted[16];
static unsigned accepted_count;
static char peer_address[ACCEPTOR_ADDRESS];
static bool closes;

static void on_accepted(void *context, int descriptor, const char *address) {
	assert_ptr_equal(context, &acceptor);
	assert_true(accepted_count < COUNT_OF(accepted));
	accepted[accepted_count++] = descriptor;
	strcpy(peer_address, address);
	if (!closes) return;
	acceptor_close(acceptor);
	acceptor = NULL;
}

static int set_up(void **state) {
	(void)state;
	struct fault why;
	loop = rig_loop();
	accepted_count = 0;
	closes = false;
	acceptor = acceptor_open(loop, "127.0.0.1", 0, on_accepted, &acceptor, &why);
	assert_non_null(acceptor);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	acceptor_close(acceptor);
	for (unsigned i = 0; i < accepted_count; i++) close(accepted[i]);
	loop_close(loop);
	return 0;
}

/* The kernel finishes the connection; nobody has to accept it for that. */
static int connect_to(unsigned port) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(descriptor >= 0);
	assert_int_equal(connect(descriptor, (struct sockaddr *)&address, sizeof(address)), 0);
	return descriptor;
}

static void a_connection_comes_with_its_address(void **state) {
	(void)state;
	assert_in_range(acceptor_port(acceptor), 1, 65535);
	assert_true(acceptor_is_loopback(acceptor));
	int client = connect_to(acceptor_port(acceptor));
	RIG_UNTIL(loop, accepted_count == 1);
	assert_string_equal(peer_address, "127.0.0.1");
	assert_true(fcntl(accepted[0], F_GETFL) & O_NONBLOCK);
	assert_true(fcntl(accepted[0], F_GETFD) & FD_CLOEXEC);
	close(client);
}

static void ipv4_in_ipv6_is_shown_as_ipv4(void **state) {
	(void)state;
	struct fault why;
	struct acceptor *any = acceptor_open(loop, "::", 0, on_accepted, &acceptor, &why);
	if (!any) { /* a machine without IPv6 says so, and listens on all of IPv4 instead */
		assert_int_not_equal(why.code, FAULT_NONE);
		any = acceptor_open(loop, "0.0.0.0", 0, on_accepted, &acceptor, &why);
	}
	assert_non_null(any);
	assert_false(acceptor_is_loopback(any));
	int client = connect_to(acceptor_port(any));
	RIG_UNTIL(loop, accepted_count == 1);
	assert_string_equal(peer_address, "127.0.0.1");
	close(client);
	acceptor_close(any);
}

static void a_name_is_fine_and_loopback(void **state) {
	(void)state;
	struct fault why;
	struct acceptor *named = acceptor_open(loop, "localhost", 0, on_accepted, &acceptor, &why);
	assert_non_null(named);
	assert_true(acceptor_is_loopback(named));
	acceptor_close(named);
}

static void a_paused_acceptor_lets_connections_wait(void **state) {
	(void)state;
	acceptor_pause(acceptor, true);
	int client = connect_to(acceptor_port(acceptor));
	for (int i = 0; i < 5; i++) loop_step(loop, 5);
	assert_int_equal(accepted_count, 0);
	acceptor_pause(acceptor, false);
	RIG_UNTIL(loop, accepted_count == 1);
	close(client);
}

static void an_acceptor_may_be_closed_while_it_accepts(void **state) {
	(void)state;
	closes = true;
	int first = connect_to(acceptor_port(acceptor));
	int second = connect_to(acceptor_port(acceptor));
	RIG_UNTIL(loop, accepted_count == 1);
	for (int i = 0; i < 3; i++) loop_step(loop, 0);
	assert_int_equal(accepted_count, 1);
	close(first);
	close(second);
}

static void a_port_that_is_taken_is_named(void **state) {
	(void)state;
	struct fault why;
	char name[64];
	assert_null(acceptor_open(loop, "127.0.0.1", acceptor_port(acceptor), on_accepted, NULL, &why));
	snprintf(name, sizeof(name), "127.0.0.1:%u", acceptor_port(acceptor));
	assert_non_null(strstr(why.text, name));
	assert_null(acceptor_open(loop, "127.0.0.1", 65536, on_accepted, NULL, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_null(acceptor_open(loop, "no..such", 0, on_accepted, NULL, &why));
	assert_non_null(strstr(why.text, "no..such"));
}

/* Out of descriptors: one is told no with the spare one, the rest wait, and nothing spins. */
static void without_descriptors_one_is_refused_and_the_next_waits(void **state) {
	(void)state;
	struct rlimit limit, tight;
	loop_step(loop, 0);
	int first = connect_to(acceptor_port(acceptor));
	int second = connect_to(acceptor_port(acceptor));
	int highest = dup(first); /* the lowest free number: all below are taken */
	assert_true(highest >= 0);
	close(highest);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	tight = (struct rlimit){.rlim_cur = (rlim_t)highest, .rlim_max = limit.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);

	struct pollfd refused = {.fd = first, .events = POLLIN};
	RIG_UNTIL(loop, poll(&refused, 1, 0) == 1);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	char octet;
	assert_true(recv(first, &octet, 1, 0) <= 0);
	assert_int_equal(accepted_count, 0);

	RIG_UNTIL(loop, accepted_count == 1);
	assert_int_equal(write(second, "x", 1), 1);
	struct pollfd served = {.fd = accepted[0], .events = POLLIN};
	assert_int_equal(poll(&served, 1, RIG_PATIENCE_MS), 1);
	close(first);
	close(second);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(a_connection_comes_with_its_address),
		TEST(ipv4_in_ipv6_is_shown_as_ipv4),
		TEST(a_name_is_fine_and_loopback),
		TEST(a_paused_acceptor_lets_connections_wait),
		TEST(an_acceptor_may_be_closed_while_it_accepts),
		TEST(a_port_that_is_taken_is_named),
		TEST(without_descriptors_one_is_refused_and_the_next_waits),
	};
	return cmocka_run_group_tests_name("net/acceptor", tests, NULL, NULL);
}
