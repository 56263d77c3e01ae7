/* SPDX-License-Identifier: Apache-2.0 */
/* Fetch over TLS, from a server of our own acceptor and stream on the same loop. */
#include "certificate_rig.h"

#include "net/acceptor.h"
#include "net/fetch.h"
#include "net/stream.h"

#include <signal.h>

#include "check.h"

#define MOST_STREAMS 16

static struct {
	struct loop *loop;
	struct fetch_desk *desk;
	struct certificate_rig rig;
	struct tls *tls;
	struct acceptor *acceptor;
	struct stream *streams[MOST_STREAMS];
	unsigned count;
} world;

/* "GET /to?URL" is sent elsewhere, everything else is greeted. */
static void request_arrived(struct stream *stream, struct slice bytes) {
	char answer[400], target[200] = "";
	char *request = slice_copy(bytes);
	assert_non_null(request);
	if (sscanf(request, "GET /to?%199[^ ]", target) == 1)
		snprintf(answer, sizeof(answer),
			"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", target);
	else
		snprintf(answer, sizeof(answer), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
	free(request);
	assert_true(stream_write(stream, slice_of(answer)));
}

static void peer_ended(struct stream *stream, const struct fault *why) {
	(void)why;
	for (unsigned i = 0; i < world.count; i++)
		if (world.streams[i] == stream) world.streams[i] = NULL;
	stream_close(stream);
}

static const struct stream_events server_events = {.arrived = request_arrived, .ended = peer_ended};

static void peer_accepted(void *context, int descriptor, const char *address) {
	(void)context;
	(void)address;
	assert_true(world.count < MOST_STREAMS);
	world.streams[world.count] =
		stream_open(world.loop, descriptor, world.tls, NULL, &server_events, NULL, NULL);
	assert_non_null(world.streams[world.count]);
	world.count++;
}

static int world_open(void **state) {
	(void)state;
	memset(&world, 0, sizeof(world));
	world.loop = loop_open(NULL);
	certificate_rig_open(&world.rig);
	world.tls = tls_server_open(world.rig.certificate, world.rig.key, NULL);
	world.desk = fetch_desk_open(world.loop, NULL);
	world.acceptor = acceptor_open(world.loop, "127.0.0.1", 0, peer_accepted, NULL, NULL);
	return !world.loop || !world.tls || !world.desk || !world.acceptor;
}

static int world_close(void **state) {
	(void)state;
	fetch_desk_close(world.desk);
	acceptor_close(world.acceptor);
	for (unsigned i = 0; i < world.count; i++) stream_close(world.streams[i]);
	loop_close(world.loop);
	tls_close(world.tls);
	certificate_rig_close(&world.rig);
	return 0;
}

struct asked {
	unsigned done, status;
	struct fault why;
	char body[32];
};

static void asked_done(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct asked *asked = context;
	asked->done++;
	if (why) asked->why = *why;
	else snprintf(asked->body, sizeof(asked->body), "%.*s", SLICE_ARGS(answer->body));
	if (answer) asked->status = answer->status;
}

static const struct fetch_events events = {.done = asked_done};

static struct asked ask(const char *host, const char *path, struct fetch_options options) {
	struct asked asked = {0};
	char url[300];
	snprintf(url, sizeof(url), "https://%s:%u%s", host, acceptor_port(world.acceptor), path);
	options.url = url;
	struct fetch *fetch = fetch_open(world.desk, &options, &events, &asked, NULL);
	assert_non_null(fetch);
	RIG_UNTIL(world.loop, asked.done);
	fetch_close(fetch);
	return asked;
}

static void a_certificate_that_is_trusted_is_taken(void **state) {
	(void)state;
	struct asked asked = ask("127.0.0.1", "/", (struct fetch_options){.ca = world.rig.certificate});
	assert_string_equal(asked.why.text, "");
	assert_int_equal(asked.status, 200);
	assert_string_equal(asked.body, "hello");
}

static void a_certificate_that_nobody_vouches_for_is_refused(void **state) {
	(void)state;
	struct asked asked = ask("127.0.0.1", "/", (struct fetch_options){0});
	assert_int_equal(asked.why.code, FAULT_REFUSED);
}

/* The same certificate, vouched for, but for another name. */
static void a_certificate_for_another_host_is_refused(void **state) {
	(void)state;
	char path[96];
	snprintf(path, sizeof(path), "/to?https://[::ffff:127.0.0.1]:%u/", acceptor_port(world.acceptor));
	struct asked asked = ask("127.0.0.1", path,
		(struct fetch_options){.ca = world.rig.certificate, .redirects = 1});
	assert_int_equal(asked.why.code, FAULT_REFUSED);
}

static void a_redirect_from_https_to_http_is_refused(void **state) {
	(void)state;
	char path[96];
	snprintf(path, sizeof(path), "/to?http://127.0.0.1:%u/", acceptor_port(world.acceptor));
	struct fetch_options options = {.ca = world.rig.certificate, .redirects = 1};
	struct asked asked = ask("127.0.0.1", path, options);
	assert_int_equal(asked.why.code, FAULT_REFUSED);
	asked = ask("127.0.0.1", "/to?/", options);
	assert_string_equal(asked.body, "hello");
}

int main(void) {
	signal(SIGPIPE, SIG_IGN);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_certificate_that_is_trusted_is_taken, world_open,
			world_close),
		cmocka_unit_test_setup_teardown(a_certificate_that_nobody_vouches_for_is_refused,
			world_open, world_close),
		cmocka_unit_test_setup_teardown(a_certificate_for_another_host_is_refused, world_open,
			world_close),
		cmocka_unit_test_setup_teardown(a_redirect_from_https_to_http_is_refused, world_open,
			world_close),
	};
	return cmocka_run_group_tests_name("fetch_tls", tests, NULL, NULL);
}
