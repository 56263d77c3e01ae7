/* SPDX-License-Identifier: Apache-2.0 */
/* Attach: the command line of an attachment. */
#include "cli/attach.h"

#include "base/ident.h"
#include "cli/attached_facts.h"
#include "cli/attachment.h"
#include "cli/entrance.h"
#include "cli/message.h"
#include "net/child.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define MESSAGE_STANDARD (1024 * 1024) /* what gateway.max_message is unless it is set */

static const struct command_option options[] = {
	{"id", "ID", "the participant's id in the room (required)"},
	{"name", "NAME", "a name for people"},
	{"expose", "LIST", "resources,prompts: what else than its tools the room may use"},
	{"env", "NAME[=VALUE]", "a variable for the server (without VALUE: ours); may be repeated"},
	{"restart", NULL, "when the server ends, keep the seat and start it again"},
	{"max-message", "SIZE", "the gateway's gateway.max_message (1MiB): larger results become errors"},
	{0},
};

static const struct command_form form = {
	.name = "attach",
	.usage = "TOPIC --id ID [options] -- COMMAND...",
	.summary = "Seats any MCP server that speaks stdio in a room.",
	.more = "COMMAND is started in a sandbox of its own (where bubblewrap works), sees a clean environment,\n"
		"serves everybody in the room at once, and never outlives this command. The token is made for\n"
		"ID on this machine, or is $HUSTINGS_TOKEN, which must be ID's. Examples:\n"
		"  hustings attach demo --id files -- npx -y @modelcontextprotocol/server-filesystem .\n"
		"  hustings attach demo --id github --env GITHUB_TOKEN --restart -- my-server --stdio",
	.options = options,
	.most = 1,
	.least = 1,
	.reaches = true,
	.has_rest = true,
};

/* ---- The server's variables ---- */

static void free_environment(char **environment) {
	for (char **entry = environment; entry && *entry; entry++) free(*entry);
	free(environment);
}

static char *variable(const char *wish, struct fault *why) {
	AUTO_TEXT struct text entry = {0};
	const char *value = strchr(wish, '=') ? "" : getenv(wish);
	text_init(&entry, 0);
	if (!wish[0] || wish[0] == '=') return fault_null(why, FAULT_BAD_INPUT, "--env wants NAME or NAME=VALUE");
	if (!value) return fault_null(why, FAULT_NOT_FOUND, "--env %s: there is no such variable here", wish);
	text_add_cstr(&entry, wish);
	if (!strchr(wish, '=')) text_printf(&entry, "=%s", value);
	char *made = text_take(&entry);
	return made ? made : fault_null(why, FAULT_NO_MEMORY, "no memory for a variable");
}

static char **make_environment(const struct command_line *line, struct fault *why) {
	const char *wish;
	size_t count = 0;
	char **environment = calloc(line->given_count + 1, sizeof *environment);
	if (!environment) return fault_null(why, FAULT_NO_MEMORY, "no memory for variables");
	for (size_t at = 0; (wish = command_next(line, "env", &at));) {
		if ((environment[count++] = variable(wish, why))) continue;
		free_environment(environment);
		return NULL;
	}
	return environment;
}

/* ---- Running ---- */

static void stop(void *context, int number) {
	(void)number;
	attachment_stop(context);
}

static bool watch_signals(struct loop *loop, struct attachment *attachment, struct fault *why) {
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		if (!loop_signal(loop, numbers[i], stop, attachment, why)) return false;
	return true;
}

/* Found out before anything runs, and said once. */
static void say_how_it_is_kept(void) {
	struct fault why = {0};
	if (!child_can_contain(&why))
		fprintf(stderr, "hustings: warning: the server runs without a sandbox here: %s\n", why.text);
}

static bool run(const struct command_line *line, struct attachment_options *wishes,
	struct fault *why) {
	AUTO_ENTRANCE struct entrance entrance = {0};
	struct attachment attachment = {0};
	if (!entrance_open(&entrance, line, wishes->id, REACH_DAY_MS, why) ||
		!watch_signals(entrance.loop, &attachment, why))
		return false;
	say_how_it_is_kept();
	struct membership_options *seat = &wishes->seat.membership;
	*seat = entrance_options(&entrance, line->words[0]);
	seat->id = wishes->id; /* a token of somebody else is refused before it takes that one's seat */
	seat->name = command_value(line, "name");
	seat->kind = "agent";
	seat->is_mcp = true;
	seat->stays = true;
	if (attachment_run(&attachment, entrance.loop, wishes, why)) return true;
	reach_explain(&entrance.reach, false, why);
	return false;
}

static bool read_wishes(const struct command_line *line, struct attachment_options *wishes,
	struct fault *why) {
	const char *exposed = command_value(line, "expose"), *size = command_value(line, "max-message");
	int64_t octets = MESSAGE_STANDARD;
	wishes->id = command_value(line, "id");
	wishes->restarts = command_has(line, "restart");
	if (!wishes->id) return fault_set(why, FAULT_BAD_INPUT, "--id ID is missing: who sits in the room?");
	if (!ident_is_identity(slice_of(wishes->id)))
		return fault_set(why, FAULT_BAD_INPUT,
			"--id: 1 to 128 octets without blanks, quotes, slashes and control characters");
	if (line->rest_count == 0 || !line->rest[0][0])
		return fault_set(why, FAULT_BAD_INPUT, "the server's command is missing behind --");
	if (exposed && !attached_exposure_read(slice_of(exposed), &wishes->seat.exposed, why))
		return fault_before(why, "--expose: ");
	if (size && !clock_size_read(slice_of(size), &octets, why)) return fault_before(why, "--max-message: ");
	if (octets < 4096) return fault_set(why, FAULT_BAD_INPUT, "--max-message is at least 4096");
	wishes->seat.max_message = (size_t)octets;
	wishes->arguments = (const char *const *)line->rest;
	return true;
}

int attach_command(int argc, char **argv) {
	int status;
	struct fault why;
	struct attachment_options wishes = {0};
	AUTO_COMMAND struct command_line line = {0};
	if (!command_read(&line, &form, argc, argv, &status) ||
		!message_topic(&line, line.words[0], &status))
		return status;
	if (!read_wishes(&line, &wishes, &why)) return command_misuse(&form, "%s", why.text);
	char **environment = make_environment(&line, &why);
	if (!environment) return command_misuse(&form, "%s", why.text);
	wishes.environment = (const char *const *)environment;
	bool done = run(&line, &wishes, &why);
	free_environment(environment);
	return done ? COMMAND_FINE : command_fail(&why);
}
