/* SPDX-License-Identifier: Apache-2.0 */
#include "net_rig.h"

#include "net/acceptor.h"
#include "net/dial.h"

#include <poll.h>

#define DEADLINE (10 * 60 * 1000)

static struct loop *loop;
static unsigned told;
static int descriptor;
static struct fault told_why;
static struct dial *dialling;
static bool closes;

static void on_done(void *context, int connected, const struct fault *why) {
	assert_ptr_equal(context, &told);
	assert_true((connected < 0) == (why != NULL));
	told++;
	descriptor = connected;
	if (why) told_why = *why;
	if (!closes) return;
	dial_close(dialling);
	dialling = NULL;
}

static int set_up(void **state) {
	(void)state;
	loop = rig_loop();
	told = 0;
	descriptor = -1;
	dialling = NULL;
	closes = false;
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	dial_close(dialling);
	if (descriptor >= 0) close(descriptor);
	loop_close(loop);
	return 0;
}

static void dial_to(const char *host, unsigned port, uint64_t deadline_ms) {
	struct fault why;
	dialling = dial_open(loop, host, port, deadline_ms, on_done, &told, &why);
	assert_non_null(dialling);
	assert_int_equal(told, 0);
}

static int server_descriptor = -1;
static void on_accepted(void *context, int accepted, const char *address) {
	(void)context;
	(void)address;
	server_descriptor = accepted;
}

static void check_connected(void) {
	RIG_UNTIL(loop, told && server_descriptor >= 0);
	assert_int_equal(told, 1);
	assert_int_equal(write(descriptor, "x", 1), 1);
	struct pollfd ready = {.fd = server_descriptor, .events = POLLIN};
	assert_int_equal(poll(&ready, 1, RIG_PATIENCE_MS), 1);
	close(server_descriptor);
	server_descriptor = -1;
}

static void an_address_is_dialled(void **state) {
	(void)state;
	struct fault why;
	struct acceptor *acceptor = acceptor_open(loop, "127.0.0.1", 0, on_accepted, NULL, &why);
	assert_non_null(acceptor);
	dial_to("127.0.0.1", acceptor_port(acceptor), DEADLINE);
	check_connected();
	acceptor_close(acceptor);
}

/* localhost is often ::1 first, where nobody listens: the next address is tried. */
static void a_name_is_resolved_and_every_address_tried(void **state) {
	(void)state;
	struct fault why;
	struct acceptor *acceptor = acceptor_open(loop, "127.0.0.1", 0, on_accepted, NULL, &why);
	assert_non_null(acceptor);
	closes = true; /* also from inside done */
	dial_to("localhost", acceptor_port(acceptor), DEADLINE);
	check_connected();
	acceptor_close(acceptor);
}

/* A port that is ours and on which nobody listens. */
static int quiet_port(unsigned *port) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	int bound = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(bound >= 0);
	assert_int_equal(bind(bound, (struct sockaddr *)&address, size), 0);
	assert_int_equal(getsockname(bound, (struct sockaddr *)&address, &size), 0);
	*port = ntohs(address.sin_port);
	return bound;
}

static void a_refused_connection_is_told_with_its_address(void **state) {
	(void)state;
	unsigned port;
	char name[64];
	int bound = quiet_port(&port);
	dial_to("127.0.0.1", port, DEADLINE);
	RIG_UNTIL(loop, told);
	assert_int_equal(descriptor, -1);
	snprintf(name, sizeof(name), "127.0.0.1:%u", port);
	assert_non_null(strstr(told_why.text, name));
	assert_non_null(strstr(told_why.text, "refused"));
	close(bound);
}

static void a_name_that_is_none_is_told(void **state) {
	(void)state;
	dial_to("no..such..name", 80, DEADLINE);
	RIG_UNTIL(loop, told);
	assert_int_equal(told_why.code, FAULT_NOT_FOUND);
	assert_non_null(strstr(told_why.text, "no..such..name"));
}

static void nothing_is_told_after_closing(void **state) {
	(void)state;
	unsigned port;
	int bound = quiet_port(&port);
	dial_to("127.0.0.1", port, DEADLINE); /* not begun */
	dial_close(dialling);
	dial_to("no..such..name", port, DEADLINE); /* handed to the resolver in the first pass */
	struct dial *resolving = dialling;
	dial_to("127.0.0.1", port, DEADLINE); /* begun behind it, told when both have begun */
	RIG_UNTIL(loop, told);
	told = 0;
	dial_close(resolving); /* its answer may be on the way, or be told already */
	dial_close(dialling);
	dialling = NULL;
	for (int i = 0; i < 5; i++) loop_step(loop, 5);
	assert_int_equal(told, 0);
	close(bound);
}

static void a_dial_without_an_answer_ends_in_time(void **state) {
	(void)state;
	unsigned port;
	int bound = quiet_port(&port), waiting[8];
	assert_int_equal(listen(bound, 0), 0);
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	for (size_t i = 0; i < COUNT_OF(waiting); i++) { /* the queue of connections is full */
		waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		connect(waiting[i], (struct sockaddr *)&address, sizeof(address));
	}
	dial_to("127.0.0.1", port, 50);
	RIG_UNTIL(loop, told);
	assert_int_equal(told_why.code, FAULT_TIMEOUT);
	assert_int_equal(told, 1);
	for (size_t i = 0; i < COUNT_OF(waiting); i++) close(waiting[i]);
	close(bound);
}

static void what_cannot_be_dialled_is_refused_at_once(void **state) {
	(void)state;
	struct fault why;
	assert_null(dial_open(loop, "", 80, DEADLINE, on_done, &told, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_null(dial_open(loop, "127.0.0.1", 0, DEADLINE, on_done, &told, &why));
	assert_null(dial_open(loop, "127.0.0.1", 65536, DEADLINE, on_done, &told, &why));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(an_address_is_dialled),
		TEST(a_name_is_resolved_and_every_address_tried),
		TEST(a_refused_connection_is_told_with_its_address),
		TEST(a_name_that_is_none_is_told),
		TEST(nothing_is_told_after_closing),
		TEST(a_dial_without_an_answer_ends_in_time),
		TEST(what_cannot_be_dialled_is_refused_at_once),
	};
	return cmocka_run_group_tests_name("net/dial", tests, NULL, NULL);
}
