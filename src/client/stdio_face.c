/* SPDX-License-Identifier: Apache-2.0 */
/* Stdio face: the offered tools as an MCP server whose host is at the other end of stdin and stdout
 * (one JSON-RPC message a line). Stdin may be a file: it is read to its end first. */
#include "client/service.h"
#include "client/service_ears.h"
#include "net/pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_MOST ((size_t)16 << 20)

struct stdio_face {
	struct service service; /* the first: the context of its peer */
	struct hustings *hustings;
	struct pipe_in in;
	bool is_watching; /* `in` is open, or not released yet */
	bool has_ended;   /* no more lines */
	struct fault why; /* why it ended, when not by its end */
};

/* ---- Out: a host that does not read holds us up, as it should ---- */

static bool write_all(struct slice bytes, struct fault *why) {
	while (bytes.length) {
		ssize_t written = write(STDOUT_FILENO, bytes.bytes, bytes.length);
		if (written > 0) bytes = slice_make(bytes.bytes + written, bytes.length - (size_t)written);
		else if (errno == EAGAIN) {
			struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
			(void)!poll(&ready, 1, -1);
		} else if (errno != EINTR)
			return fault_errno(why, errno, "writing to stdout");
	}
	return true;
}

static bool send_line(void *context, struct slice message, struct slice about, char *sent,
	struct fault *why) {
	(void)context;
	(void)about;
	(void)sent;
	AUTO_FREE char *line = slice_copy(message);
	if (!line) return fault_set(why, FAULT_NO_MEMORY, "no memory for a message");
	slice_blank_line_ends(line, message.length);
	line[message.length] = '\n'; /* instead of its NUL */
	return write_all(slice_make(line, message.length + 1), why);
}

/* ---- In ---- */

static void asked(void *context, struct peer_question *question, const struct jsonrpc *request) {
	struct stdio_face *face = context;
	service_asked(&face->service, question, request);
}

static void cancelled(void *context, struct peer_question *question) {
	struct stdio_face *face = context;
	service_cancelled(&face->service, question);
}

static const struct peer_events face_events = {
	.send = send_line,
	.asked = asked,
	.cancelled = cancelled,
};

static void end_when_answered(struct hustings *hustings) {
	const struct stdio_face *face = hustings->face;
	if (!face || !face->has_ended) return;
	/* Who listens, or was asked back, waits for a host that says nothing any more. */
	const struct peer *peer = face->service.peer;
	bool is_idle = peer_questions(peer) <= service_ears_count(hustings);
	if (is_idle || peer_calls(peer)) loop_stop(hustings->loop);
}

static void take_line(void *context, struct slice line) {
	struct stdio_face *face = context;
	line = slice_trim(line);
	if (line.length && line.bytes[line.length - 1] == '\r') line.length--;
	if (line.length) peer_read(face->service.peer, line);
}

static bool take_file_line(void *context, struct slice line) {
	take_line(context, line);
	return true;
}

static void ended(void *context, const struct fault *why) {
	struct stdio_face *face = context;
	face->has_ended = true;
	if (why) face->why = *why;
	end_when_answered(face->hustings);
}

static void released(void *context) { ((struct stdio_face *)context)->is_watching = false; }

static const struct pipe_in_events in_table = {take_line, ended, released};

/* What cannot be waited for (a file, /dev/null) is there at once. */
static bool read_file(struct stdio_face *face, struct fault *why) {
	struct lines lines;
	char bytes[16384];
	bool is_fine = true;
	lines_init(&lines, LINE_MOST, LINES_STRICT);
	while (is_fine) {
		ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
		if (got < 0 && errno == EINTR) continue;
		if (got < 0) is_fine = fault_errno(why, errno, "reading stdin");
		if (got <= 0) break;
		is_fine = lines_feed(&lines, slice_make(bytes, (size_t)got), take_file_line, face, why);
	}
	if (is_fine) lines_end(&lines, take_file_line, face);
	lines_finish(&lines);
	ended(face, NULL);
	return is_fine;
}

static bool watch(struct stdio_face *face, struct fault *why) {
	int copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	if (copy < 0) return fault_errno(why, errno, "stdin");
	lines_init(&face->in.lines, LINE_MOST, LINES_STRICT);
	face->is_watching = pipes_in_open(&face->in, face->hustings->loop, copy, &in_table, face, why);
	return face->is_watching;
}

static bool can_wait(void) {
	struct stat about;
	return fstat(STDIN_FILENO, &about) == 0 &&
		(S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode) || isatty(STDIN_FILENO));
}

/* ---- Serving ---- */

static bool serve(struct stdio_face *face, struct fault *why) {
	struct hustings *hustings = face->hustings;
	int flags = fcntl(STDIN_FILENO, F_GETFL);
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	bool waits = can_wait();
	sigaction(SIGPIPE, &ignore, &before); /* a host that went away is an end, not a death */
	bool is_fine = waits ? watch(face, why) : read_file(face, why);
	if (is_fine) loop_run(hustings->loop);
	if (face->is_watching) pipes_in_close(&face->in);
	while (face->is_watching) loop_step(hustings->loop, 0);
	sigaction(SIGPIPE, &before, NULL);
	if (waits && flags >= 0) fcntl(STDIN_FILENO, F_SETFL, flags);
	if (is_fine && face->why.code != FAULT_NONE) {
		*why = face->why;
		is_fine = false;
	}
	return is_fine;
}

bool hustings_serve_stdio(struct hustings *hustings, struct hustings_error *error) {
	struct fault why;
	AUTO_FREE struct stdio_face *face = calloc(1, sizeof *face);
	if (!face) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory to serve stdin");
		return library_error(error, &why);
	}
	if (hustings->face) {
		fault_set(&why, FAULT_EXISTS, "stdin is served already");
		return library_error(error, &why);
	}
	face->hustings = hustings;
	if (!service_init(&face->service, hustings, &face_events, face, &why)) return library_error(error, &why);
	hustings->face = face;
	hustings->answered = end_when_answered;
	bool is_fine = serve(face, &why);
	hustings->face = NULL;
	hustings->answered = NULL;
	service_finish(&face->service);
	return is_fine || library_error(error, &why);
}
