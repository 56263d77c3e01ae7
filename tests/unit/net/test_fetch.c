/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source itself, with a guard that takes 127.0.0.1 for a public address and nothing else: so
 * that redirects and kept connections to a private one can be tried on one machine.
 */
#include "net/address_guard.h"

static bool takes_one_for_public(const struct sockaddr *address);
#define address_guard_is_public takes_one_for_public
#include "net/fetch.c"
#undef address_guard_is_public

#include "base/clock.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#include "check.h"

#define PATIENCE_MS 60000

static bool takes_one_for_public(const struct sockaddr *address) {
	char text[ADDRESS_GUARD_TEXT];
	address_guard_write(address, text);
	return strcmp(text, "127.0.0.1") == 0;
}

/* A server of a few answers: a thread that accepts, and one for each connection */

struct server {
	int listener;
	unsigned port;
	char host[32];
	pthread_t thread;
	atomic_uint connections, open;
};

static void say(int peer, const char *text) {
	(void)send(peer, text, strlen(text), MSG_NOSIGNAL);
}

static void say_body(int peer, const char *head, const char *body, size_t length) {
	char text[512];
	snprintf(text, sizeof(text), "HTTP/1.1 %s\r\nContent-Length: %zu\r\n\r\n", head, length);
	say(peer, text);
	for (size_t done = 0; done < length;) {
		ssize_t sent = send(peer, body + done, length - done, MSG_NOSIGNAL);
		if (sent <= 0) return;
		done += (size_t)sent;
	}
}

static void wait_for_close(int peer) {
	char octet;
	while (recv(peer, &octet, 1, 0) > 0) {}
}

static void say_many(int peer, const char *head, size_t length) {
	char *many = malloc(length);
	if (!many) return;
	memset(many, 'm', length);
	say_body(peer, head, many, length);
	free(many);
}

/* "METHOD /path?query HTTP/1.1"; false: the connection is done. */
static bool answer_one(int peer, const char *request) {
	char method[16], path[32], query[256] = "", head[400];
	if (sscanf(request, "%15s /%31[a-z]?%255[^ ]", method, path, query) < 2) return false;
	if (strcmp(path, "hello") == 0) {
		say_body(peer, "200 OK\r\nContent-Type: text/plain", "hello", 5);
	} else if (strcmp(path, "echo") == 0) {
		say_body(peer, "200 OK\r\nSet-Cookie: a=b", request, strlen(request));
	} else if (strcmp(path, "status") == 0) {
		snprintf(head, sizeof(head), "%s Some", query);
		say_body(peer, head, "", 0);
	} else if (strcmp(path, "to") == 0) {
		snprintf(head, sizeof(head), "302 Found\r\nLocation: %s", query);
		say_body(peer, head, "not here", 8);
	} else if (strcmp(path, "long") == 0) {
		say_many(peer, "200 OK", (size_t)atol(query));
	} else if (strcmp(path, "stream") == 0) {
		say(peer, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\none");
		wait_for_close(peer);
		return false;
	} else if (strcmp(path, "interim") == 0) {
		say(peer, "HTTP/1.1 103 Early Hints\r\nX-Which: first\r\n\r\n");
		say_body(peer, "200 OK\r\nX-Which: a\r\nx-which:  b ", "x", 1);
	} else if (strcmp(path, "heads") == 0) {
		say(peer, "HTTP/1.1 200 OK\r\n");
		for (int i = 0; i < 2000; i++)
			say(peer, "X-Long: 0123456789012345678901234567890123456789012345678901\r\n");
		say(peer, "\r\n");
	} else if (strcmp(path, "silent") == 0) {
		wait_for_close(peer);
		return false;
	} else {
		return false;
	}
	return true;
}

struct connection {
	struct server *server;
	int peer;
};

static void *connection_run(void *context) {
	struct connection *connection = context;
	char request[8192];
	size_t length = 0;
	for (;;) {
		ssize_t got = recv(connection->peer, request + length, sizeof(request) - 1 - length, 0);
		if (got <= 0) break;
		length += (size_t)got;
		request[length] = '\0';
		const char *end = strstr(request, "\r\n\r\n"), *body = strstr(request, "Content-Length: ");
		if (!end || (body && body < end && strlen(end + 4) < strtoul(body + 16, NULL, 10))) continue;
		if (!answer_one(connection->peer, request)) break;
		length = 0;
	}
	close(connection->peer);
	atomic_fetch_sub(&connection->server->open, 1);
	free(connection);
	return NULL;
}

static void *server_run(void *context) {
	struct server *server = context;
	for (;;) {
		int peer = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
		if (peer < 0) return NULL;
		struct connection *connection = malloc(sizeof(*connection));
		pthread_t thread;
		if (!connection) abort();
		*connection = (struct connection){server, peer};
		atomic_fetch_add(&server->connections, 1);
		atomic_fetch_add(&server->open, 1);
		if (pthread_create(&thread, NULL, connection_run, connection) != 0) abort();
		pthread_detach(thread);
	}
}

static void server_open(struct server *server, const char *host) {
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t size = sizeof(address);
	*server = (struct server){.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
	snprintf(server->host, sizeof(server->host), "%s", host);
	assert_int_equal(inet_pton(AF_INET, host, &address.sin_addr), 1);
	assert_int_equal(bind(server->listener, (struct sockaddr *)&address, size), 0);
	assert_int_equal(listen(server->listener, 16), 0);
	assert_int_equal(getsockname(server->listener, (struct sockaddr *)&address, &size), 0);
	server->port = ntohs(address.sin_port);
	assert_int_equal(pthread_create(&server->thread, NULL, server_run, server), 0);
}

static void server_close(struct server *server) {
	shutdown(server->listener, SHUT_RDWR);
	assert_int_equal(pthread_join(server->thread, NULL), 0);
	close(server->listener);
	uint64_t end = clock_monotonic_ms() + PATIENCE_MS;
	while (atomic_load(&server->open)) {
		assert_true(clock_monotonic_ms() < end);
		usleep(10000);
	}
}

/* A request and what came of it */

struct asked {
	struct fetch *fetch;
	struct fetch_desk *desk;
	unsigned done, heads, status;
	struct text body, pieces, type;
	struct fault why;
	char url[300];
	bool close_at_head, close_at_piece, close_desk_at_piece;
	bool pause_at_piece; /* the first */
};

static void asked_head(void *context, struct fetch *fetch, unsigned status) {
	struct asked *asked = context;
	assert_int_equal(asked->pieces.length, 0);
	asked->heads++;
	asked->status = status;
	if (asked->close_at_head) {
		fetch_close(fetch);
		asked->fetch = NULL;
	}
}

static void asked_piece(void *context, struct slice bytes) {
	struct asked *asked = context;
	text_add(&asked->pieces, bytes);
	if (TAKE(asked->pause_at_piece)) fetch_pause(asked->fetch, true);
	if (asked->close_at_piece) fetch_close(TAKE(asked->fetch));
	if (asked->close_desk_at_piece) fetch_desk_close(TAKE(asked->desk));
}

static void asked_done(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct asked *asked = context;
	assert_true(!answer != !why);
	asked->done++;
	if (why) {
		asked->why = *why;
		return;
	}
	asked->status = answer->status;
	text_add(&asked->body, answer->body);
	text_add(&asked->type, answer->type);
}

static const struct fetch_events gathering = {.head = asked_head, .done = asked_done};
static const struct fetch_events streaming = {asked_head, asked_piece, asked_done};

static struct {
	struct loop *loop;
	struct fetch_desk *desk;
	struct server one, two; /* 127.0.0.1, 127.0.0.2 */
} world;

static int world_open(void **state) {
	(void)state;
	world.loop = loop_open(NULL);
	world.desk = fetch_desk_open(world.loop, NULL);
	server_open(&world.one, "127.0.0.1");
	server_open(&world.two, "127.0.0.2");
	return !world.loop || !world.desk;
}

static int world_close(void **state) {
	(void)state;
	fetch_desk_close(world.desk);
	loop_close(world.loop);
	server_close(&world.one);
	server_close(&world.two);
	return 0;
}

static void ask_of(struct asked *asked, const struct server *server, const char *path,
	struct fetch_options options, const struct fetch_events *events) {
	struct fault why = {0};
	snprintf(asked->url, sizeof(asked->url), "http://%s:%u%s", server->host, server->port, path);
	options.url = asked->url;
	asked->fetch = fetch_open(world.desk, &options, events, asked, &why);
	assert_string_equal(why.text, "");
	assert_non_null(asked->fetch);
	assert_int_equal(asked->done, 0);
}

#define world_wait(condition) \
	do { \
		uint64_t end_ = clock_monotonic_ms() + PATIENCE_MS; \
		while (!(condition)) { \
			if (clock_monotonic_ms() > end_) fail_msg("never: %s", #condition); \
			loop_step(world.loop, 20); \
		} \
	} while (0)

static void asked_finish(struct asked *asked) {
	fetch_close(asked->fetch);
	text_finish(&asked->body);
	text_finish(&asked->pieces);
	text_finish(&asked->type);
}

static void ask(struct asked *asked, const char *path, struct fetch_options options) {
	*asked = (struct asked){0};
	ask_of(asked, &world.one, path, options, &gathering);
	world_wait(asked->done);
	assert_int_equal(asked->done, 1);
}

static bool holds(const struct asked *asked, const char *what) {
	return memmem(asked->body.bytes, asked->body.length, what, strlen(what)) != NULL;
}

/* Answers */

static void an_answer_has_status_type_and_body(void **state) {
	(void)state;
	struct asked asked;
	ask(&asked, "/hello", (struct fetch_options){0});
	assert_int_equal(asked.status, 200);
	assert_int_equal(asked.heads, 1);
	check_text(&asked.body, "hello");
	check_text(&asked.type, "text/plain");
	check_slice(fetch_header(asked.fetch, "content-LENGTH"), "5");
	check_slice(fetch_header(asked.fetch, "nothing"), "");
	asked_finish(&asked);
	ask(&asked, "/status?404", (struct fetch_options){0});
	assert_int_equal(asked.status, 404);
	asked_finish(&asked);
}

static void method_headers_and_body_are_sent(void **state) {
	(void)state;
	static const struct {
		const char *method, *body, *line;
	} cases[] = {
		{NULL, NULL, "GET /echo HTTP/1.1\r\n"},
		{NULL, "{\"a\":1}", "POST /echo HTTP/1.1\r\n"},
		{"POST", NULL, "POST /echo HTTP/1.1\r\n"},
		{"PUT", "x", "PUT /echo HTTP/1.1\r\n"},
		{"DELETE", NULL, "DELETE /echo HTTP/1.1\r\n"},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct asked asked;
		struct fetch_options options = {
			.method = cases[i].method,
			.body = slice_of(cases[i].body),
			.headers = (const char *const[]){"Authorization: Bearer t", "X-Two: 2", NULL},
		};
		ask(&asked, "/echo", options);
		assert_true(slice_starts_with(text_slice(&asked.body), cases[i].line));
		assert_true(holds(&asked, "Authorization: Bearer t\r\n"));
		assert_true(holds(&asked, "X-Two: 2\r\n"));
		assert_false(holds(&asked, "Expect"));
		if (cases[i].body) assert_true(holds(&asked, cases[i].body));
		asked_finish(&asked);
	}
}

static void cookies_are_not_kept(void **state) {
	(void)state;
	struct asked asked;
	for (int i = 0; i < 2; i++) {
		ask(&asked, "/echo", (struct fetch_options){0});
		assert_true(fetch_header(asked.fetch, "Set-Cookie").length > 0);
		assert_false(holds(&asked, "Cookie:"));
		asked_finish(&asked);
	}
}

static void connections_are_kept_and_used_again(void **state) {
	(void)state;
	struct asked asked;
	ask(&asked, "/hello", (struct fetch_options){0});
	asked_finish(&asked);
	unsigned before = atomic_load(&world.one.connections);
	for (int i = 0; i < 3; i++) {
		ask(&asked, "/hello", (struct fetch_options){0});
		asked_finish(&asked);
	}
	assert_int_equal(atomic_load(&world.one.connections), before);
}

static void the_last_header_of_the_last_head_counts(void **state) {
	(void)state;
	struct asked asked;
	ask(&asked, "/interim", (struct fetch_options){0});
	assert_int_equal(asked.heads, 1);
	check_slice(fetch_header(asked.fetch, "X-Which"), "b");
	asked_finish(&asked);
}

/* Streams */

static void a_stream_comes_in_pieces_and_is_closed_by_its_owner(void **state) {
	(void)state;
	struct asked asked = {0};
	ask_of(&asked, &world.one, "/stream", (struct fetch_options){.deadline_ms = UINT64_MAX},
		&streaming);
	world_wait(asked.pieces.length == 3);
	assert_int_equal(asked.heads, 1);
	assert_int_equal(asked.done, 0);
	check_slice(fetch_header(asked.fetch, "content-type"), "text/event-stream");
	asked_finish(&asked);
}

static void closing_in_a_callback_is_the_last_word(void **state) {
	(void)state;
	struct asked at_piece = {.close_at_piece = true}, at_head = {.close_at_head = true};
	struct fetch_options options = {.deadline_ms = UINT64_MAX};
	ask_of(&at_piece, &world.one, "/stream", options, &streaming);
	ask_of(&at_head, &world.one, "/stream", options, &streaming);
	world_wait(!at_piece.fetch && !at_head.fetch);
	for (int pass = 0; pass < 5; pass++) loop_step(world.loop, 1);
	check_text(&at_piece.pieces, "one");
	assert_int_equal(at_head.pieces.length, 0);
	assert_int_equal(at_piece.done + at_head.done, 0);
	asked_finish(&at_piece);
	asked_finish(&at_head);
}

static void a_desk_may_be_closed_in_a_callback(void **state) {
	(void)state;
	struct asked asked = {.close_desk_at_piece = true}, waiting = {0};
	struct fetch_desk *usual = world.desk;
	world.desk = asked.desk = fetch_desk_open(world.loop, NULL);
	assert_non_null(world.desk);
	ask_of(&asked, &world.one, "/stream", (struct fetch_options){0}, &streaming);
	ask_of(&waiting, &world.one, "/silent", (struct fetch_options){0}, &streaming);
	world_wait(!asked.desk);
	world.desk = usual;
	for (int pass = 0; pass < 5; pass++) loop_step(world.loop, 1);
	assert_int_equal(asked.done + waiting.done, 0);
	asked_finish(&asked);
	asked_finish(&waiting);
}

static void closing_before_it_began_is_fine(void **state) {
	(void)state;
	struct asked asked = {0};
	ask_of(&asked, &world.one, "/hello", (struct fetch_options){0}, &gathering);
	fetch_close(TAKE(asked.fetch));
	for (int pass = 0; pass < 5; pass++) loop_step(world.loop, 1);
	assert_int_equal(asked.done, 0);
	asked_finish(&asked);
}

/* Bounds */

static void an_answer_over_its_limit_is_refused(void **state) {
	(void)state;
	struct asked asked;
	ask(&asked, "/long?100000", (struct fetch_options){.limit = 100000});
	assert_int_equal(asked.why.code, FAULT_NONE);
	assert_int_equal(asked.body.length, 100000);
	asked_finish(&asked);
	ask(&asked, "/long?100001", (struct fetch_options){.limit = 100000});
	assert_int_equal(asked.why.code, FAULT_TOO_LARGE);
	assert_string_equal(asked.why.text, "127.0.0.1: the answer is over 100000 octets");
	asked_finish(&asked);
	ask(&asked, "/heads", (struct fetch_options){0});
	assert_int_equal(asked.why.code, FAULT_TOO_LARGE);
	asked_finish(&asked);
}

static void silence_has_its_deadlines(void **state) {
	(void)state;
	struct asked asked = {0};
	ask(&asked, "/silent", (struct fetch_options){.deadline_ms = 200});
	assert_int_equal(asked.why.code, FAULT_TIMEOUT);
	asked_finish(&asked);
	asked = (struct asked){0};
	ask_of(&asked, &world.one, "/stream",
		(struct fetch_options){.deadline_ms = UINT64_MAX, .idle_ms = 200}, &streaming);
	world_wait(asked.done);
	assert_int_equal(asked.why.code, FAULT_TIMEOUT);
	asked_finish(&asked);
}

static void who_is_not_there_is_told_as_closed(void **state) {
	(void)state;
	struct asked asked;
	ask(&asked, "/nothing", (struct fetch_options){0});
	assert_int_equal(asked.why.code, FAULT_CLOSED);
	asked_finish(&asked);

	struct server gone;
	server_open(&gone, "127.0.0.1");
	server_close(&gone);
	asked = (struct asked){0};
	ask_of(&asked, &gone, "/hello", (struct fetch_options){0}, &gathering);
	world_wait(asked.done);
	assert_int_equal(asked.why.code, FAULT_CLOSED);
	asked_finish(&asked);
}

static void what_is_no_request_is_refused_at_once(void **state) {
	(void)state;
	static const struct {
		const char *url, *method, *header;
	} cases[] = {
		{"file:///etc/passwd", NULL, NULL},
		{"ftp://127.0.0.1/", NULL, NULL},
		{"127.0.0.1/hello", NULL, NULL},
		{"http://", NULL, NULL},
		{"", NULL, NULL},
		{NULL, NULL, NULL},
		{"http://127.0.0.1/", "GET / HTTP/1.1\r\nX: y\r\n", NULL},
		{"http://127.0.0.1/", "", NULL},
		{"http://127.0.0.1/", NULL, "X: y\r\nZ: w"},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fault why = {0};
		struct fetch_options options = {
			.url = cases[i].url,
			.method = cases[i].method,
			.headers = (const char *const[]){cases[i].header, NULL},
		};
		assert_null(fetch_open(world.desk, &options, &gathering, NULL, &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
	}
}

/* Redirects and the guard */

static void redirects_are_followed_as_often_as_allowed(void **state) {
	(void)state;
	struct asked asked;
	ask(&asked, "/to?/hello", (struct fetch_options){0});
	assert_int_equal(asked.status, 302);
	check_text(&asked.body, "not here");
	asked_finish(&asked);
	ask(&asked, "/to?/hello", (struct fetch_options){.redirects = 1});
	assert_int_equal(asked.status, 200);
	assert_int_equal(asked.heads, 1);
	check_text(&asked.body, "hello");
	asked_finish(&asked);
	ask(&asked, "/to?/to?/hello", (struct fetch_options){.redirects = 1});
	assert_int_equal(asked.why.code, FAULT_REFUSED);
	asked_finish(&asked);
	ask(&asked, "/to?file:///etc/passwd", (struct fetch_options){.redirects = 3});
	assert_int_equal(asked.why.code, FAULT_REFUSED);
	assert_int_equal(asked.body.length, 0);
	asked_finish(&asked);
}

static void a_guarded_request_reaches_no_private_address(void **state) {
	(void)state;
	struct asked asked = {0};
	char path[200];
	ask(&asked, "/hello", (struct fetch_options){.refuse_private = true});
	check_text(&asked.body, "hello");
	asked_finish(&asked);

	/* Directly, and with a connection at hand that an unguarded request has opened. */
	for (int i = 0; i < 2; i++) {
		asked = (struct asked){0};
		unsigned before = atomic_load(&world.two.connections);
		ask_of(&asked, &world.two, "/hello", (struct fetch_options){.refuse_private = true},
			&gathering);
		world_wait(asked.done);
		assert_int_equal(asked.why.code, FAULT_REFUSED);
		assert_non_null(strstr(asked.why.text, "127.0.0.2"));
		assert_int_equal(atomic_load(&world.two.connections), before);
		asked_finish(&asked);
		asked = (struct asked){0};
		ask_of(&asked, &world.two, "/hello", (struct fetch_options){0}, &gathering);
		world_wait(asked.done);
		check_text(&asked.body, "hello");
		asked_finish(&asked);
	}

	unsigned before = atomic_load(&world.two.connections);
	snprintf(path, sizeof(path), "/to?http://127.0.0.2:%u/hello", world.two.port);
	ask(&asked, path, (struct fetch_options){.refuse_private = true, .redirects = 5});
	assert_int_equal(asked.why.code, FAULT_REFUSED);
	assert_int_equal(atomic_load(&world.two.connections), before);
	asked_finish(&asked);
}

static void a_token_does_not_follow_to_another_host(void **state) {
	(void)state;
	struct asked asked;
	char path[200];
	snprintf(path, sizeof(path), "/to?http://127.0.0.2:%u/echo", world.two.port);
	struct fetch_options options = {
		.redirects = 1,
		.headers = (const char *const[]){"Authorization: Bearer secret", NULL},
	};
	ask(&asked, path, options);
	assert_int_equal(asked.status, 200);
	assert_false(holds(&asked, "secret"));
	asked_finish(&asked);
}

static void no_proxy_stands_before_this_machine_or_a_guard(void **state) {
	(void)state;
	struct asked asked;
	setenv("http_proxy", "http://127.0.0.1:1", 1);
	ask(&asked, "/hello", (struct fetch_options){0});
	check_text(&asked.body, "hello");
	asked_finish(&asked);
	ask(&asked, "/hello", (struct fetch_options){.refuse_private = true});
	check_text(&asked.body, "hello");
	asked_finish(&asked);
	unsetenv("http_proxy");
	assert_true(is_on_this_machine("LocalHost"));
	assert_true(is_on_this_machine("[::1]"));
	assert_true(is_on_this_machine("127.9.9.9"));
	assert_false(is_on_this_machine("127.example.org"));
	assert_false(is_on_this_machine("10.0.0.1"));
}

#define PAUSED_OCTETS 33554432 /* more than sockets hold on the way */

/* Passes in which nothing comes any more. */
static size_t settled(struct asked *asked) {
	for (size_t before = SIZE_MAX; before != asked->pieces.length;) {
		before = asked->pieces.length;
		for (int i = 0; i < 20; i++) loop_step(world.loop, 10);
	}
	return asked->pieces.length;
}

static void a_pause_holds_an_answer_back(void **state) {
	(void)state;
	struct asked asked = {.pause_at_piece = true};
	const struct fetch_options options = {.deadline_ms = UINT64_MAX, .idle_ms = 200};
	ask_of(&asked, &world.one, "/long?33554432", options, &streaming);
	world_wait(asked.pieces.length);
	size_t length = settled(&asked);
	assert_true(length < PAUSED_OCTETS);
	assert_int_equal(asked.done, 0); /* the time for a silent server rests as well */
	fetch_pause(asked.fetch, false);
	fetch_pause(asked.fetch, true);
	assert_int_equal(settled(&asked), length);
	fetch_pause(asked.fetch, false);
	world_wait(asked.done);
	assert_string_equal(asked.why.text, "");
	assert_int_equal(asked.pieces.length, PAUSED_OCTETS);
	fetch_pause(asked.fetch, true); /* harmless behind its end */
	asked_finish(&asked);
}

static void a_paused_request_may_be_closed(void **state) {
	(void)state;
	struct asked asked = {0};
	ask_of(&asked, &world.one, "/long?33554432", (struct fetch_options){.deadline_ms = UINT64_MAX}, &streaming);
	world_wait(asked.pieces.length);
	fetch_pause(asked.fetch, true);
	(void)settled(&asked);
	fetch_pause(asked.fetch, false);
	asked_finish(&asked);
	asked = (struct asked){.close_at_piece = false};
	ask_of(&asked, &world.one, "/stream", (struct fetch_options){.deadline_ms = UINT64_MAX}, &streaming);
	fetch_pause(asked.fetch, true); /* before it began: it is asked, and not read */
	asked_finish(&asked);
}

int main(void) {
	signal(SIGPIPE, SIG_IGN);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_has_status_type_and_body),
		cmocka_unit_test(method_headers_and_body_are_sent),
		cmocka_unit_test(cookies_are_not_kept),
		cmocka_unit_test(connections_are_kept_and_used_again),
		cmocka_unit_test(the_last_header_of_the_last_head_counts),
		cmocka_unit_test(a_stream_comes_in_pieces_and_is_closed_by_its_owner),
		cmocka_unit_test(closing_in_a_callback_is_the_last_word),
		cmocka_unit_test(a_desk_may_be_closed_in_a_callback),
		cmocka_unit_test(closing_before_it_began_is_fine),
		cmocka_unit_test(an_answer_over_its_limit_is_refused),
		cmocka_unit_test(silence_has_its_deadlines),
		cmocka_unit_test(who_is_not_there_is_told_as_closed),
		cmocka_unit_test(what_is_no_request_is_refused_at_once),
		cmocka_unit_test(redirects_are_followed_as_often_as_allowed),
		cmocka_unit_test(a_guarded_request_reaches_no_private_address),
		cmocka_unit_test(a_token_does_not_follow_to_another_host),
		cmocka_unit_test(a_pause_holds_an_answer_back),
		cmocka_unit_test(a_paused_request_may_be_closed),
		cmocka_unit_test(no_proxy_stands_before_this_machine_or_a_guard),
	};
	return cmocka_run_group_tests_name("fetch", tests, world_open, world_close);
}
