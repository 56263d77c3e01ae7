/* SPDX-License-Identifier: Apache-2.0 */
/* Server command: each verb is one request to /admin/servers. */
#include "cli/server_command.h"

#include "base/secret.h"
#include "cli/ask.h"
#include "cli/server_wish.h"
#include "cli/table.h"
#include "wire/http1.h"
#include "wire/scan.h"

#include <stdio.h>
#include <unistd.h>

#define LOOK_MS 500 /* between two looks at a log */

/* One request as an administrator; the path is /admin/servers, /{id} and `verb` ("/log"; NULL). */
static bool ask_admin(const struct command_line *line, const char *method, const char *id,
	const char *verb, struct slice body, struct text *answer, struct fault *why) {
	struct reach reach = {0};
	AUTO_TEXT struct text path = {0};
	text_init(&path, 1024);
	text_add_cstr(&path, "/admin/servers");
	if (id) {
		text_add_char(&path, '/');
		http1_escape(&path, slice_of(id));
	}
	if (verb) text_add_cstr(&path, verb);
	if (text_failed(&path)) return fault_set(why, FAULT_BAD_INPUT, "the server's id is too long");
	bool done = reach_find(line, true, &reach, why) &&
		ask(&reach, method, path.bytes, body, answer, why);
	reach_finish(&reach);
	return done;
}

/* What a verb does: asks, and makes `json` (the answer) and `words` (the same for people) of it. */
typedef bool work_fn(const struct command_line *line, struct text *json, struct text *words,
	struct fault *why);

static int run(const struct command_form *form, work_fn *work, int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text json = {0}, words = {0};
	struct fault why;
	int status;
	text_init(&json, 0);
	text_init(&words, 0);
	if (!command_read(&line, form, argc, argv, &status)) return status;
	if (!work(&line, &json, &words, &why)) return command_fail(&why);
	text_add_char(&json, '\n');
	return command_print(text_slice(command_has(&line, "json") ? &json : &words)) ? COMMAND_FINE
										      : COMMAND_FAILED;
}

/* ---- List and status ---- */

static const struct command_form list_form = {
	.name = "server list",
	.usage = "[options]",
	.summary = "Lists the MCP servers that the gateway hosts: their state, health and tools.",
	.more = "One that stays `connecting` may wait for its permissions: `hustings pending` shows them.",
	.reaches = true,
	.prints = true,
};

static const struct table_column columns[] = {
	{"id", "ID"},
	{"state", "STATE"},
	{"health", "HEALTH"},
	{"transport", "TRANSPORT"},
	{"eras", "ERAS"},
	{"tools", "TOOLS"},
	{"rooms", "ROOMS"},
	{"restarts", "RESTARTS"},
	{"calls", "CALLS"},
	{"from", "FROM"},
	{"reason", "REASON"},
	{0},
};

static bool list_all(const struct command_line *line, struct text *json, struct text *words,
	struct fault *why) {
	return ask_admin(line, "GET", NULL, NULL, SLICE_NONE, json, why) &&
		table_write(text_slice(json), "servers", columns, words, why);
}

static int list(int argc, char **argv) { return run(&list_form, list_all, argc, argv); }

static const struct command_form status_form = {
	.name = "server status",
	.usage = "ID [options]",
	.summary = "Shows one hosted server: how it is started, what state it is in and why, what it speaks.",
	.least = 1,
	.most = 1,
	.reaches = true,
	.prints = true,
};

/* A member a line; strings without their quotes, harmless to a terminal. */
static void write_lines(struct text *to, struct slice json) {
	struct scan_value root;
	struct scan_fault fault;
	struct scan_walk walk;
	struct scan_member member;
	struct arena arena;
	char lent[2048];
	if (!scan_check(json, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT) return;
	arena_init(&arena, lent, sizeof lent, 0);
	for (scan_open(&walk, &root); scan_next(&walk, &member);) {
		struct slice shown;
		char name[64];
		if (!scan_string(&member.value, &arena, &shown)) shown = member.value.text;
		text_display_in(name, sizeof name, member.key);
		text_printf(to, "%-14s ", name);
		text_display(to, shown);
		text_add_char(to, '\n');
	}
	arena_finish(&arena);
}

static bool show_one(const struct command_line *line, struct text *json, struct text *words,
	struct fault *why) {
	if (!ask_admin(line, "GET", line->words[0], NULL, SLICE_NONE, json, why)) return false;
	write_lines(words, text_slice(json));
	return true;
}

static int status(int argc, char **argv) { return run(&status_form, show_one, argc, argv); }

/* ---- Add, remove, restart ---- */

static const struct command_form add_form = {
	.name = "server add",
	.usage = "ID [URL] [options] [-- COMMAND [ARGUMENT...]]",
	.summary = "Adds an MCP server to a running gateway and starts it. It is there again after a restart.",
	.more = "Examples\n"
		"  hustings server add files -- npx -y @modelcontextprotocol/server-filesystem /srv\n"
		"  hustings server add notes --env NOTES=/var/lib/notes --room demo -- /usr/bin/notes\n"
		"  hustings server add far https://mcp.example/mcp --header \"Authorization: Bearer $KEY\"\n"
		"Values of --env and --header are kept in the data folder and never shown again.",
	.options = server_wish_options,
	.least = 1,
	.most = 2,
	.reaches = true,
	.prints = true,
	.has_rest = true,
};

static bool add_one(const struct command_line *line, struct text *json, struct text *words,
	struct fault *why) {
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	bool done = server_wish_write(line, &body, why) &&
		ask_admin(line, "POST", NULL, NULL, text_slice(&body), json, why);
	if (body.bytes) secret_wipe(body.bytes, body.length);
	text_printf(words, "%s is added and starts: `hustings server status %s` shows how it does\n",
		line->words[0], line->words[0]);
	return done;
}

static int add(int argc, char **argv) { return run(&add_form, add_one, argc, argv); }

static const struct command_form remove_form = {
	.name = "server remove",
	.usage = "ID [options]",
	.summary = "Ends a server that was added, and forgets it. One of the configuration is taken out there.",
	.least = 1,
	.most = 1,
	.reaches = true,
	.prints = true,
};

static bool remove_one(const struct command_line *line, struct text *json, struct text *words,
	struct fault *why) {
	if (!ask_admin(line, "DELETE", line->words[0], NULL, SLICE_NONE, json, why)) return false;
	text_add_cstr(json, "{\"removed\":");
	text_json(json, slice_of(line->words[0]));
	text_add_char(json, '}');
	text_printf(words, "%s is removed\n", line->words[0]);
	return true;
}

static int remove_verb(int argc, char **argv) { return run(&remove_form, remove_one, argc, argv); }

static const struct command_form restart_form = {
	.name = "server restart",
	.usage = "ID [options]",
	.summary = "Ends a server's processes and starts it anew, also one that has given up.",
	.least = 1,
	.most = 1,
	.reaches = true,
	.prints = true,
};

static bool restart_one(const struct command_line *line, struct text *json, struct text *words,
	struct fault *why) {
	if (!ask_admin(line, "POST", line->words[0], "/restart", SLICE_NONE, json, why)) return false;
	text_printf(words, "%s starts anew\n", line->words[0]);
	return true;
}

static int restart(int argc, char **argv) { return run(&restart_form, restart_one, argc, argv); }

/* ---- Permissions ---- */

static const struct command_form revoke_form = {
	.name = "server revoke",
	.usage = "ID PERMISSION [options]",
	.summary = "Takes a permission back from a server (MGP 3): its tools that need it cannot be called any more.",
	.more = "`hustings server status ID` shows what it has. A sandboxed one is started anew without it;\n"
		"`hustings server restart ID` asks about it again.",
	.least = 2,
	.most = 2,
	.reaches = true,
	.prints = true,
};

static bool revoke_one(const struct command_line *line, struct text *json, struct text *words,
	struct fault *why) {
	AUTO_TEXT struct text verb = {0};
	text_init(&verb, 1024);
	text_add_cstr(&verb, "/permissions/");
	http1_escape(&verb, slice_of(line->words[1]));
	if (text_failed(&verb)) return fault_set(why, FAULT_BAD_INPUT, "the permission's name is too long");
	if (!ask_admin(line, "DELETE", line->words[0], verb.bytes, SLICE_NONE, json, why)) return false;
	text_printf(words, "%s has no longer the permission %s\n", line->words[0], line->words[1]);
	return true;
}

static int revoke_verb(int argc, char **argv) { return run(&revoke_form, revoke_one, argc, argv); }

/* ---- Logs ---- */

static const struct command_option logs_options[] = {
	{"follow", NULL, "goes on until it is interrupted"},
	{0},
};

static const struct command_form logs_form = {
	.name = "server logs",
	.usage = "ID [--follow] [options]",
	.summary = "Prints what a server wrote to its stderr last (and to stdout, where it is no JSON-RPC).",
	.options = logs_options,
	.least = 1,
	.most = 1,
	.reaches = true,
};

/* What of `now` comes behind what was printed: the log is the end of a stream, cut at its front. */
static struct slice news(struct slice before, struct slice now) {
	for (size_t skip = 0; skip < before.length; skip++) {
		struct slice tail = slice_make(before.bytes + skip, before.length - skip);
		if (tail.length > now.length || memcmp(tail.bytes, now.bytes, tail.length) != 0) continue;
		return slice_make(now.bytes + tail.length, now.length - tail.length);
	}
	return now;
}

static int logs(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text before = {0}, now = {0};
	struct fault why;
	int status_code;
	text_init(&before, 0);
	text_init(&now, 0);
	if (!command_read(&line, &logs_form, argc, argv, &status_code)) return status_code;
	for (;;) {
		text_clear(&now);
		if (!ask_admin(&line, "GET", line.words[0], "/log", SLICE_NONE, &now, &why))
			return command_fail(&why);
		if (!command_print(news(text_slice(&before), text_slice(&now)))) return COMMAND_FAILED;
		if (!command_has(&line, "follow")) return COMMAND_FINE;
		text_clear(&before);
		text_add(&before, text_slice(&now));
		usleep(LOOK_MS * 1000);
	}
}

static const struct command verbs[] = {
	{"list", "lists the hosted MCP servers", list},
	{"add", "adds one to a running gateway", add},
	{"remove", "ends one that was added, and forgets it", remove_verb},
	{"restart", "ends one and starts it anew", restart},
	{"revoke", "takes a permission back from one", revoke_verb},
	{"status", "shows one", status},
	{"logs", "prints what one wrote to its stderr", logs},
	{0},
};

int server_command(int argc, char **argv) {
	return command_choose(verbs, "hustings server", NULL, argc, argv);
}
