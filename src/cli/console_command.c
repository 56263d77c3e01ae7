/* SPDX-License-Identifier: Apache-2.0 */
/* Console command: asks the gateway for a ticket, and puts it where no server's log will have it. */
#include "cli/console_command.h"

#include "auth/session_token.h"
#include "auth/ticket.h"
#include "base/secret.h"
#include "cli/ask.h"
#include "wire/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BROWSER "xdg-open"

extern char **environ;

static const struct command_option options[] = {
	{"open-browser", NULL, "hands the link to " BROWSER " too"},
	{0},
};

static const struct command_form form = {
	.name = "console",
	.usage = "[options]",
	.summary = "Prints a link that signs in to a gateway's console. It is good once, for ten minutes.",
	.more = "On this machine's own gateway you come in as yourself, with administration; with --token or\n"
		"$HUSTINGS_TOKEN as whoever that token is. What you are then lasts for 12 hours, or until that token\n"
		"ends: `hustings token list` shows it as a session, and `hustings token revoke` ends it.\n"
		"While " BROWSER " starts, everyone on this machine can see the link in the list of processes.\n\n"
		"Examples\n"
		"  hustings console\n"
		"  hustings console --open-browser\n"
		"  HUSTINGS_TOKEN=... hustings console --url https://rooms.example",
	.options = options,
	.reaches = true,
	.prints = true,
};

/* {"ticket":"...","expires_in":600} into a link and the seconds. */
static bool read_ticket(const struct reach *reach, struct slice answer, struct text *link, int64_t *seconds,
	struct fault *why) {
	struct scan_value root, ticket, value;
	struct scan_fault fault;
	if (!scan_check(answer, SCAN_DEPTH, &root, &fault) || !scan_find(&root, "ticket", &ticket) ||
		ticket.type != SCAN_STRING || ticket.escaped || ticket.text.length < 3 ||
		!scan_find(&root, "expires_in", &value) || !scan_integer(&value, seconds))
		return fault_set(why, FAULT_IO, "the gateway's answer holds no ticket: is it older than this program?");
	text_printf(link, "%s/#ticket=%.*s", reach->url, (int)ticket.text.length - 2, ticket.text.bytes + 1);
	return text_failed(link) ? fault_set(why, FAULT_NO_MEMORY, "no memory for a link") : true;
}

/* The token that it is made with has to outlast the session, and nobody has its text afterwards. */
static bool make_link(const struct command_line *line, struct text *link, int64_t *seconds, struct fault *why) {
	const struct reach_maker maker = {
		.is_admin = true,
		.life_ms = SESSION_TOKEN_LIFE_MS + TICKET_SIGN_IN_LIFE_MS,
	};
	struct reach reach = {0};
	AUTO_TEXT struct text answer = {0};
	text_init(&answer, 0);
	bool is_made = reach_find_as(line, &maker, &reach, why) &&
		ask(&reach, "POST", "/v0/tickets", SLICE("{\"console\":true}"), &answer, why) &&
		read_ticket(&reach, text_slice(&answer), link, seconds, why);
	if (!is_made) reach_give_up(&reach);
	reach_finish(&reach);
	if (answer.bytes) secret_wipe(answer.bytes, answer.length);
	return is_made;
}

/* It goes on by itself: a browser that was not running stays as its child. */
static bool open_browser(char *link, struct fault *why) {
	posix_spawn_file_actions_t actions;
	char program[] = BROWSER;
	char *arguments[] = {program, link, NULL};
	pid_t process;
	unsetenv("HUSTINGS_TOKEN");
	int failed = posix_spawn_file_actions_init(&actions);
	if (failed) return fault_errno(why, failed, "cannot start " BROWSER);
	for (int descriptor = STDIN_FILENO; !failed && descriptor <= STDERR_FILENO; descriptor++)
		failed = posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
	if (!failed) failed = posix_spawnp(&process, program, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failed == ENOENT)
		return fault_set(why, FAULT_NOT_FOUND, BROWSER " is not installed: open the link by hand");
	return failed ? fault_errno(why, failed, "cannot start " BROWSER) : true;
}

static bool print_link(const struct command_line *line, const struct text *link, int64_t seconds) {
	AUTO_TEXT struct text shown = {0};
	text_init(&shown, 0);
	if (command_has(line, "json")) {
		text_add_cstr(&shown, "{\"url\":");
		text_json(&shown, text_slice(link));
		text_printf(&shown, ",\"expires_in\":%lld}\n", (long long)seconds);
	} else {
		text_add(&shown, text_slice(link));
		text_add_char(&shown, '\n');
	}
	bool is_printed = !text_failed(&shown) && command_print(text_slice(&shown));
	if (shown.bytes) secret_wipe(shown.bytes, shown.length);
	return is_printed;
}

int console_command(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text link = {0};
	struct fault why;
	int64_t seconds;
	int status;
	text_init(&link, 0);
	if (!command_read(&line, &form, argc, argv, &status)) return status;
	if (!make_link(&line, &link, &seconds, &why)) return command_fail(&why);
	status = print_link(&line, &link, seconds) ? COMMAND_FINE : COMMAND_FAILED;
	if (status == COMMAND_FINE && command_has(&line, "open-browser") && !open_browser(link.bytes, &why))
		status = command_fail(&why);
	secret_wipe(link.bytes, link.length);
	return status;
}
