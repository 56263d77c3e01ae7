/* SPDX-License-Identifier: Apache-2.0 */
/* Access command: each verb is one request to /admin/grants. */
#include "cli/access_command.h"

#include "base/clock.h"
#include "cli/ask.h"
#include "cli/table.h"
#include "wire/http1.h"
#include "wire/scan.h"

#include <stdio.h>

struct work {
	struct text json, words;
};

static void work_finish(struct work *work) {
	text_finish(&work->json);
	text_finish(&work->words);
}

static bool ask_admin(const struct command_line *line, const char *method, const struct text *path,
	struct slice body, struct text *answer, struct fault *why) {
	struct reach reach = {0};
	if (text_failed(path)) return fault_set(why, FAULT_BAD_INPUT, "the words are too long");
	bool done = reach_find(line, true, &reach, why) && ask(&reach, method, path->bytes, body, answer, why);
	reach_finish(&reach);
	return done;
}

typedef bool work_fn(const struct command_line *line, struct work *work, struct fault *why);

static int run(const struct command_form *form, work_fn *todo, int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	struct work work = {.json = {0}};
	struct fault why;
	int status;
	if (!command_read(&line, form, argc, argv, &status)) return status;
	text_init(&work.json, 0);
	text_init(&work.words, 0);
	status = COMMAND_FAILED;
	if (!todo(&line, &work, &why)) status = command_fail(&why);
	else {
		text_add_char(&work.json, '\n');
		if (command_print(text_slice(command_has(&line, "json") ? &work.json : &work.words))) status = COMMAND_FINE;
	}
	work_finish(&work);
	return status;
}

static void add_query(struct text *path, char separator, const char *name, const char *value) {
	if (!value) return;
	text_printf(path, "%c%s=", separator, name);
	http1_escape(path, slice_of(value));
}

/* AGENT SERVER [TOOL] */
static void add_key(struct text *path, const struct command_line *line) {
	const char *tool = line->words[2];
	add_query(path, '?', "entry_type", tool ? "tool_grant" : "server_grant");
	add_query(path, '&', "agent_id", line->words[0]);
	add_query(path, '&', "server_id", line->words[1]);
	add_query(path, '&', "tool_name", tool);
}

/* ---- List ---- */

static const struct command_option list_options[] = {
	{"agent", "ID", "of that principal"},
	{"server", "ID", "of that server"},
	{0},
};

static const struct command_form list_form = {
	.name = "access list",
	.usage = "[options]",
	.summary = "Lists the grants there are: who may use which server, or which of its tools.",
	.options = list_options,
	.reaches = true,
	.prints = true,
};

static const struct table_column columns[] = {
	{"agent_id", "AGENT"},
	{"server_id", "SERVER"},
	{"tool_name", "TOOL"},
	{"permission", "PERMISSION"},
	{"granted_by", "BY"},
	{"granted_at", "AT"},
	{"expires_at", "UNTIL"},
	{"justification", "WHY"},
	{0},
};

static bool list_all(const struct command_line *line, struct work *work, struct fault *why) {
	AUTO_TEXT struct text path = {0};
	const char *agent = command_value(line, "agent"), *server = command_value(line, "server");
	text_init(&path, 2000);
	text_add_cstr(&path, "/admin/grants");
	add_query(&path, '?', "agent", agent ? agent : "");
	add_query(&path, '&', "server", server);
	return ask_admin(line, "GET", &path, SLICE_NONE, &work->json, why) &&
		table_write(text_slice(&work->json), "grants", columns, &work->words, why);
}

static int list(int argc, char **argv) { return run(&list_form, list_all, argc, argv); }

/* ---- Query ---- */

static const struct command_form query_form = {
	.name = "access query",
	.usage = "AGENT SERVER [TOOL] [options]",
	.summary = "Says whether somebody may use a server or a tool of it, and by which grant.",
	.least = 2,
	.most = 3,
	.reaches = true,
	.prints = true,
};

static void write_answer(const struct command_line *line, struct work *work) {
	struct scan_value root, permission, source;
	struct scan_fault fault;
	if (!scan_check(text_slice(&work->json), SCAN_DEPTH, &root, &fault) || !scan_find(&root, "permission", &permission) ||
		!scan_find(&root, "source", &source) || source.type != SCAN_STRING)
		return;
	text_printf(&work->words, "%s: %s may %suse %s%s%s (%.*s)\n", slice_is(permission.text, "\"allow\"") ? "allow" : "deny",
		line->words[0], slice_is(permission.text, "\"allow\"") ? "" : "not ", line->words[1],
		line->words[2] ? "/" : "", line->words[2] ? line->words[2] : "", (int)source.text.length - 2,
		source.text.bytes + 1);
}

static bool query_one(const struct command_line *line, struct work *work, struct fault *why) {
	AUTO_TEXT struct text path = {0};
	text_init(&path, 2000);
	text_add_cstr(&path, "/admin/grants/query");
	add_key(&path, line);
	if (!ask_admin(line, "GET", &path, SLICE_NONE, &work->json, why)) return false;
	write_answer(line, work);
	return true;
}

static int query(int argc, char **argv) { return run(&query_form, query_one, argc, argv); }

/* ---- Grant ---- */

static const struct command_option grant_options[] = {
	{"deny", NULL, "it is denied, which beats what a wider grant allows"},
	{"expires", "TIME", "until then: RFC 3339, or a span like 8h"},
	{"justification", "TEXT", "why, for the record"},
	{0},
};

static const struct command_form grant_form = {
	.name = "access grant",
	.usage = "AGENT SERVER [TOOL] [options]",
	.summary = "Lets somebody use a server, or one tool of it. It counts at once, and over restarts.",
	.more = "A tool's own grant counts before its server's, and that before the server's default_policy.\n"
		"Examples\n"
		"  hustings access grant bot files\n"
		"  hustings access grant bot files write_file --deny\n"
		"  hustings access grant bot shell run --expires 1h --justification \"the migration\"",
	.options = grant_options,
	.least = 2,
	.most = 3,
	.reaches = true,
	.prints = true,
};

static bool read_moment(const char *words, char moment[CLOCK_TEXT_SIZE], struct fault *why) {
	int64_t at, span;
	if (clock_read(slice_of(words), &at)) {
		clock_write(at, moment);
		return true;
	}
	if (!clock_span_read(slice_of(words), &span, why) || span <= 0)
		return fault_set(why, FAULT_BAD_INPUT, "--expires has to be a moment (RFC 3339) or a span like 8h, not '%.80s'", words);
	clock_write(clock_wall_ms() + span, moment);
	return true;
}

static bool grant_one(const struct command_line *line, struct work *work, struct fault *why) {
	AUTO_TEXT struct text path = {0}, body = {0};
	const char *expires = command_value(line, "expires"), *words = command_value(line, "justification");
	const char *tool = line->words[2];
	char moment[CLOCK_TEXT_SIZE];
	if (expires && !read_moment(expires, moment, why)) return false;
	text_init(&path, 0);
	text_init(&body, 0);
	text_add_cstr(&path, "/admin/grants");
	text_printf(&body, "{\"entry_type\":\"%s\",\"permission\":\"%s\",\"agent_id\":", tool ? "tool_grant" : "server_grant",
		command_has(line, "deny") ? "deny" : "allow");
	text_json(&body, slice_of(line->words[0]));
	text_add_cstr(&body, ",\"server_id\":");
	text_json(&body, slice_of(line->words[1]));
	if (tool) text_add_cstr(&body, ",\"tool_name\":");
	if (tool) text_json(&body, slice_of(tool));
	if (words) text_add_cstr(&body, ",\"justification\":");
	if (words) text_json(&body, slice_of(words));
	if (expires) text_printf(&body, ",\"expires_at\":\"%s\"", moment);
	text_add_char(&body, '}');
	if (!ask_admin(line, "POST", &path, text_slice(&body), &work->json, why)) return false;
	text_printf(&work->words, "%s may %suse %s%s%s\n", line->words[0], command_has(line, "deny") ? "not " : "",
		line->words[1], tool ? "/" : "", tool ? tool : "");
	return true;
}

static int grant(int argc, char **argv) { return run(&grant_form, grant_one, argc, argv); }

/* ---- Revoke ---- */

static const struct command_form revoke_form = {
	.name = "access revoke",
	.usage = "AGENT SERVER [TOOL] [options]",
	.summary = "Takes a grant, or a denial, back. What counts then is the wider grant, or the default policy.",
	.least = 2,
	.most = 3,
	.reaches = true,
	.prints = true,
};

static bool revoke_one(const struct command_line *line, struct work *work, struct fault *why) {
	AUTO_TEXT struct text path = {0};
	text_init(&path, 2000);
	text_add_cstr(&path, "/admin/grants");
	add_key(&path, line);
	if (!ask_admin(line, "DELETE", &path, SLICE_NONE, &work->json, why)) return false;
	text_printf(&work->words, "revoked\n");
	return true;
}

static int revoke(int argc, char **argv) { return run(&revoke_form, revoke_one, argc, argv); }

static const struct command verbs[] = {
	{"list", "lists the grants", list},
	{"query", "says whether somebody may use a server or tool", query},
	{"grant", "lets somebody use one, or denies it", grant},
	{"revoke", "takes a grant back", revoke},
	{0},
};

int access_command(int argc, char **argv) { return command_choose(verbs, "hustings access", NULL, argc, argv); }
