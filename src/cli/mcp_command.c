/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp command: stdin's lines to the bridge, the bridge's to stdout, and the end of both. */
#include "cli/mcp_command.h"

#include "cli/command.h"
#include "cli/mcp_gateway.h"
#include "net/pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_MOST ((size_t)64 * 1024 * 1024)
#define BUSY_MOST 256    /* lines under way before stdin waits */
#define ANSWERS_MS 10000 /* after stdin's end: for answers that are under way */
#define LEAVE_MS 2000    /* for the session's end */

static const struct command_option options[] = {
	{"topic", "TOPIC", "a room's participants as tools, instead of all hosted servers"},
	{"server", "ID", "one hosted server, with its own names"},
	{"tools", "WHICH", "search: two tools that find the others, instead of all; left out: as the gateway says"},
	{"config", "FILE", "for a gateway that has to be started, as for serve"},
	{"log-level", "LEVEL", "error, warning, info or debug (warning)"},
	{0},
};

static const struct command_form form = {
	.name = "mcp",
	.usage = "[--topic TOPIC | --server ID] [options]",
	.summary = "Speaks MCP on stdin and stdout, for MCP hosts: all hosted servers, one of them, or a room.",
	.more = "The gateway of this user is found by its data folder; when none runs, one is started, and ends five\n"
		"minutes after its last user. In a host's configuration:\n"
		"  {\"mcpServers\": {\"hustings\": {\"command\": \"hustings\", \"args\": [\"mcp\"]}}}\n"
		"With many servers, [\"mcp\", \"--tools\", \"search\"] keeps their tools out of the model's context until it\n"
		"asks for some.",
	.options = options,
	.reaches = true,
};

enum mcp_stage {
	STAGE_OPEN,
	STAGE_ENDING,
	STAGE_LEAVING,
	STAGE_OVER
};

struct mcp_stdio {
	struct command_line line;
	struct log log;
	struct loop *loop;
	struct mcp_gateway gateway;
	struct mcp_bridge *bridge;
	struct pipe_in in;
	bool is_watching; /* `in` is open, or not released yet */
	enum mcp_stage stage;
	struct deadline patience;
	struct fault why; /* of a failure of stdin or stdout */
};

/* ---- The end ---- */

static void stage_set(struct mcp_stdio *stdio, enum mcp_stage stage) {
	stdio->stage = stage;
	if (stage == STAGE_OVER) loop_stop(stdio->loop);
}

static void too_long(struct deadline *deadline);

static void leave(struct mcp_stdio *stdio) {
	if (stdio->stage >= STAGE_LEAVING) return;
	stage_set(stdio, STAGE_LEAVING);
	deadline_set(stdio->loop, &stdio->patience, LEAVE_MS, too_long);
	if (!mcp_bridge_leave(stdio->bridge)) stage_set(stdio, STAGE_OVER);
}

static void too_long(struct deadline *deadline) {
	struct mcp_stdio *stdio = CONTAINER_OF(deadline, struct mcp_stdio, patience);
	if (stdio->stage == STAGE_ENDING) leave(stdio);
	else stage_set(stdio, STAGE_OVER);
}

static void host_left(struct mcp_stdio *stdio) {
	if (stdio->stage != STAGE_OPEN) return;
	stage_set(stdio, STAGE_ENDING);
	deadline_set(stdio->loop, &stdio->patience, ANSWERS_MS, too_long);
	if (mcp_bridge_busy(stdio->bridge) == 0) leave(stdio);
}

static void signalled(void *context, int number) {
	struct mcp_stdio *stdio = context;
	(void)number;
	stage_set(stdio, STAGE_OVER);
}

/* ---- Out: a host that does not read holds us up, as it should ---- */

static bool write_all(struct slice bytes, struct fault *why) {
	while (bytes.length) {
		ssize_t written = write(STDOUT_FILENO, bytes.bytes, bytes.length);
		struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
		if (written > 0) bytes = slice_make(bytes.bytes + written, bytes.length - (size_t)written);
		else if (written < 0 && errno == EAGAIN) (void)!poll(&ready, 1, -1);
		else if (written < 0 && errno != EINTR) return fault_errno(why, errno, "writing to stdout");
	}
	return true;
}

static void say(void *context, struct slice line) {
	struct mcp_stdio *stdio = context;
	if (stdio->stage == STAGE_OVER) return;
	if (!write_all(line, &stdio->why) || !write_all(SLICE("\n"), &stdio->why)) stage_set(stdio, STAGE_OVER);
}

static void make_way(struct mcp_stdio *stdio) {
	if (stdio->is_watching) pipes_in_pause(&stdio->in, mcp_bridge_busy(stdio->bridge) > BUSY_MOST);
}

static void rested(void *context) {
	struct mcp_stdio *stdio = context;
	make_way(stdio);
	if (stdio->stage == STAGE_ENDING) leave(stdio);
	else if (stdio->stage == STAGE_LEAVING) stage_set(stdio, STAGE_OVER);
}

/* ---- In ---- */

static void take_line(void *context, struct slice line) {
	struct mcp_stdio *stdio = context;
	mcp_bridge_take(stdio->bridge, line);
	make_way(stdio);
}

static bool take_file_line(void *context, struct slice line) {
	take_line(context, line);
	return true;
}

static void ended(void *context, const struct fault *why) {
	struct mcp_stdio *stdio = context;
	if (why) stdio->why = *why;
	host_left(stdio);
}

static void released(void *context) { ((struct mcp_stdio *)context)->is_watching = false; }

static const struct pipe_in_events in_table = {take_line, ended, released};

/* What cannot be waited for (a file, /dev/null) is there at once. */
static bool read_file(struct mcp_stdio *stdio, struct fault *why) {
	struct lines lines;
	char bytes[16384];
	bool is_fine = true;
	lines_init(&lines, LINE_MOST, LINES_STRICT);
	while (is_fine) {
		ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
		if (got < 0 && errno == EINTR) continue;
		if (got < 0) is_fine = fault_errno(why, errno, "reading stdin");
		if (got <= 0) break;
		is_fine = lines_feed(&lines, slice_make(bytes, (size_t)got), take_file_line, stdio, why);
	}
	if (is_fine) lines_end(&lines, take_file_line, stdio);
	lines_finish(&lines);
	if (is_fine) host_left(stdio);
	return is_fine;
}

static bool is_waitable(void) {
	struct stat found;
	return fstat(STDIN_FILENO, &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode) || (S_ISCHR(found.st_mode) && isatty(STDIN_FILENO)));
}

static bool watch(struct mcp_stdio *stdio, struct fault *why) {
	if (!is_waitable()) return read_file(stdio, why);
	int copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	if (copy < 0) return fault_errno(why, errno, "stdin");
	lines_init(&stdio->in.lines, LINE_MOST, LINES_STRICT);
	stdio->is_watching = pipes_in_open(&stdio->in, stdio->loop, copy, &in_table, stdio, why);
	if (!stdio->is_watching) lines_finish(&stdio->in.lines);
	return stdio->is_watching;
}

/* ---- The whole ---- */

static bool find(void *context, bool is_refused, struct mcp_address *address, struct fault *why) {
	struct mcp_stdio *stdio = context;
	return mcp_gateway_find(&stdio->gateway, is_refused, address, why);
}

static bool open_all(struct mcp_stdio *stdio, struct fault *why) {
	const struct mcp_bridge_options wishes = {
		.loop = stdio->loop = loop_open(why),
		.find = find,
		.say = say,
		.rested = rested,
		.context = stdio,
		.log = &stdio->log,
	};
	if (!stdio->loop) return false;
	signal(SIGPIPE, SIG_IGN);
	if (!loop_signal(stdio->loop, SIGTERM, signalled, stdio, why) ||
		!loop_signal(stdio->loop, SIGINT, signalled, stdio, why))
		return false;
	stdio->bridge = mcp_bridge_open(&wishes, why);
	return stdio->bridge && watch(stdio, why);
}

static void close_all(struct mcp_stdio *stdio) {
	deadline_clear(&stdio->patience);
	mcp_bridge_close(stdio->bridge);
	if (stdio->is_watching) pipes_in_close(&stdio->in);
	while (stdio->is_watching) loop_step(stdio->loop, -1);
	loop_close(stdio->loop);
	mcp_gateway_finish(&stdio->gateway);
}

static int run(struct mcp_stdio *stdio) {
	struct fault why = {0};
	bool done = mcp_gateway_init(&stdio->gateway, &stdio->line, &stdio->log, &why) && open_all(stdio, &why);
	if (done && stdio->stage != STAGE_OVER) loop_run(stdio->loop);
	close_all(stdio);
	if (!done) return command_fail(&why);
	return stdio->why.code == FAULT_NONE ? COMMAND_FINE : command_fail(&stdio->why);
}

int mcp_command(int argc, char **argv) {
	struct mcp_stdio stdio = {0};
	int status;
	if (command_read(&stdio.line, &form, argc, argv, &status)) {
		const char *level = command_value(&stdio.line, "log-level");
		enum log_level chosen = LOG_WARNING;
		if (level && !log_level_read(slice_of(level), &chosen)) {
			status = command_misuse(&form, "--log-level is error, warning, info or debug, not '%s'", level);
		} else {
			log_init(&stdio.log, STDERR_FILENO, chosen);
			status = run(&stdio);
		}
	}
	command_finish(&stdio.line);
	return status;
}
