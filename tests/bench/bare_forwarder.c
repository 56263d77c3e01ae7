/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bare forwarder: the rival that the gateway's tools/call is measured against. It does what nobody
 * can leave out and nothing else: HTTP/1.1 keep-alive POST in, the body as a line to one stdio child
 * under an id of its own, the child's line back as the answer under the client's id. It checks
 * nothing: a head is searched for its length, a body for the first "id":, and that is all. What came
 * in one turn goes to the child in one write.
 *
 * bare_forwarder COMMAND [ARGUMENT]... listens on 127.0.0.1, a port of the kernel's choice, and
 * prints "ready PORT". It ends with its child.
 */
#include "base/dialect.h"
#include "base/text.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 256
#define BUFFER (256 * 1024)
#define CALLS 65536 /* in flight; a power of two */
#define ID "\"id\":"

struct client {
	int descriptor;
	bool is_lost;
	struct text input; /* what is not a whole request yet */
};

/* A call on its way; its number is its id toward the child. */
struct call {
	struct client *client;
	char id[64]; /* the client's, JSON text */
};

struct forwarder {
	int epoll, listener, to_child, from_child;
	struct text lines;  /* for the child, of this turn */
	struct text answer; /* a line of the child that is not whole yet */
	struct call calls[CALLS];
	unsigned next;
	char buffer[BUFFER];
};

static struct slice behind(struct slice text, const char *part) {
	char *at = text.length ? memmem(text.bytes, text.length, part, strlen(part)) : NULL;
	if (!at) return SLICE_NONE;
	at += strlen(part);
	return slice_make(at, text.length - (size_t)(at - text.bytes));
}

/* The value that stands at the front: a number or a string without escapes. */
static struct slice scalar(struct slice text) {
	size_t length = 0;
	while (length < text.length && text.bytes[length] != ',' && text.bytes[length] != '}') length++;
	return slice_make(text.bytes, length);
}

static void send_all(int descriptor, struct slice bytes) {
	while (bytes.length) {
		ssize_t went = write(descriptor, bytes.bytes, bytes.length);
		if (went < 0 && errno != EINTR) return;
		if (went > 0) bytes = slice_make(bytes.bytes + went, bytes.length - (size_t)went);
	}
}

/* ---- To the child ---- */

static void forward(struct forwarder *forwarder, struct client *client, struct slice body) {
	struct slice rest = behind(body, ID);
	if (!rest.bytes) { /* a notification */
		text_add(&forwarder->lines, body);
		text_add_char(&forwarder->lines, '\n');
		send_all(client->descriptor, SLICE("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"));
		return;
	}
	struct slice id = scalar(rest);
	unsigned number = forwarder->next++ % CALLS;
	struct call *call = &forwarder->calls[number];
	call->client = client;
	snprintf(call->id, sizeof call->id, "%.*s", SLICE_ARGS(id));
	text_add(&forwarder->lines, slice_make(body.bytes, (size_t)(id.bytes - body.bytes)));
	text_number(&forwarder->lines, number);
	text_add(&forwarder->lines, slice_make(id.bytes + id.length, rest.length - id.length));
	text_add_char(&forwarder->lines, '\n');
}

/* Octets of the request at the front, 0: it is not whole. */
static size_t take_request(struct forwarder *forwarder, struct client *client, struct slice bytes) {
	struct slice body = behind(bytes, "\r\n\r\n");
	if (!body.bytes) return 0;
	struct slice head = slice_make(bytes.bytes, bytes.length - body.length);
	struct slice length = behind(head, "ontent-Length:");
	if (!length.bytes) length = behind(head, "ontent-length:");
	size_t size = length.bytes ? strtoul(length.bytes, NULL, 10) : 0;
	if (body.length < size) return 0;
	forward(forwarder, client, slice_make(body.bytes, size));
	return head.length + size;
}

static void client_read(struct forwarder *forwarder, struct client *client) {
	ssize_t got = read(client->descriptor, forwarder->buffer, BUFFER);
	if (got < 0 && errno == EINTR) return;
	if (got <= 0) {
		epoll_ctl(forwarder->epoll, EPOLL_CTL_DEL, client->descriptor, NULL);
		shutdown(client->descriptor, SHUT_RDWR); /* calls of it may be on their way: it stays */
		client->is_lost = true;
		return;
	}
	struct slice bytes = slice_make(forwarder->buffer, (size_t)got);
	if (client->input.length) {
		text_add(&client->input, bytes);
		bytes = text_slice(&client->input);
	}
	for (size_t used; bytes.length && (used = take_request(forwarder, client, bytes));)
		bytes = slice_make(bytes.bytes + used, bytes.length - used);
	if (client->input.length) {
		memmove(client->input.bytes, bytes.bytes, bytes.length);
		client->input.length = bytes.length;
	} else {
		text_add(&client->input, bytes);
	}
}

/* ---- From the child ---- */

static void answer(struct forwarder *forwarder, struct slice line) {
	char head[160];
	struct slice rest = behind(line, ID);
	if (!rest.bytes) return;
	struct slice id = scalar(rest);
	const struct call *call = &forwarder->calls[strtoul(id.bytes, NULL, 10) % CALLS];
	if (!call->client || call->client->is_lost) return;
	size_t id_length = strlen(call->id);
	int head_length = snprintf(head, sizeof head,
		"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: bare\r\nContent-Length: %zu\r\n\r\n",
		line.length - id.length + id_length);
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	text_add(&message, slice_make(head, (size_t)head_length));
	text_add(&message, slice_make(line.bytes, (size_t)(id.bytes - line.bytes)));
	text_add(&message, slice_make(call->id, id_length));
	text_add(&message, slice_make(id.bytes + id.length, rest.length - id.length));
	send_all(call->client->descriptor, text_slice(&message));
}

static void child_read(struct forwarder *forwarder) {
	ssize_t got = read(forwarder->from_child, forwarder->buffer, BUFFER);
	if (got < 0 && errno == EINTR) return;
	if (got <= 0) exit(0);
	struct slice bytes = slice_make(forwarder->buffer, (size_t)got);
	for (const char *end; bytes.length && (end = memchr(bytes.bytes, '\n', bytes.length));) {
		struct slice line = slice_make(bytes.bytes, (size_t)(end - bytes.bytes));
		bytes = slice_make(end + 1, bytes.length - line.length - 1);
		if (forwarder->answer.length) {
			text_add(&forwarder->answer, line);
			line = text_slice(&forwarder->answer);
		}
		answer(forwarder, line);
		text_clear(&forwarder->answer);
	}
	text_add(&forwarder->answer, bytes);
}

/* ---- The turn ---- */

static void watch(const struct forwarder *forwarder, int descriptor, void *who) {
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = who};
	epoll_ctl(forwarder->epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static void accept_one(const struct forwarder *forwarder) {
	int yes = 1, descriptor = accept4(forwarder->listener, NULL, NULL, SOCK_CLOEXEC);
	struct client *client = descriptor >= 0 ? calloc(1, sizeof *client) : NULL;
	if (!client) return;
	setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	client->descriptor = descriptor;
	text_init(&client->input, 0);
	watch(forwarder, descriptor, client);
}

static void turn(struct forwarder *forwarder) {
	struct epoll_event events[EVENTS];
	int count = epoll_wait(forwarder->epoll, events, EVENTS, -1);
	for (int i = 0; i < count; i++) {
		void *who = events[i].data.ptr;
		if (who == &forwarder->listener) accept_one(forwarder);
		else if (who == &forwarder->from_child) child_read(forwarder);
		else client_read(forwarder, who);
	}
	if (!forwarder->lines.length) return;
	send_all(forwarder->to_child, text_slice(&forwarder->lines));
	text_clear(&forwarder->lines);
}

static bool start_child(struct forwarder *forwarder, char **command) {
	int input[2], output[2];
	if (pipe(input) != 0 || pipe(output) != 0) return false;
	pid_t process = fork();
	if (process < 0) return false;
	if (process == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(input[0], STDIN_FILENO);
		dup2(output[1], STDOUT_FILENO);
		for (int descriptor = 3; descriptor < 10; descriptor++) close(descriptor);
		execvp(command[0], command);
		_exit(127);
	}
	close(input[0]);
	close(output[1]);
	forwarder->to_child = input[1];
	forwarder->from_child = output[0];
	return true;
}

static unsigned start_listening(struct forwarder *forwarder) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	forwarder->epoll = epoll_create1(EPOLL_CLOEXEC);
	forwarder->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(forwarder->listener, (struct sockaddr *)&address, size) < 0 ||
		listen(forwarder->listener, 4096) < 0 ||
		getsockname(forwarder->listener, (struct sockaddr *)&address, &size) < 0)
		return 0;
	watch(forwarder, forwarder->listener, &forwarder->listener);
	watch(forwarder, forwarder->from_child, &forwarder->from_child);
	return ntohs(address.sin_port);
}

int main(int argc, char **argv) {
	static struct forwarder forwarder;
	if (argc < 2) {
		fprintf(stderr, "usage: bare_forwarder COMMAND [ARGUMENT]...\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	text_init(&forwarder.lines, 0);
	text_init(&forwarder.answer, 0);
	unsigned port = start_child(&forwarder, argv + 1) ? start_listening(&forwarder) : 0;
	if (!port) {
		perror("bare_forwarder");
		return 1;
	}
	printf("ready %u\n", port);
	fflush(stdout);
	for (;;) turn(&forwarder);
}
