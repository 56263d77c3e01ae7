/* SPDX-License-Identifier: Apache-2.0 */
/* Tools command: asks one, or everybody who says it is an MCP server, and prints in order. */
#include "cli/tools_command.h"

#include "cli/beside.h"
#include "cli/message.h"
#include "cli/server_tools.h"
#include "cli/tool_list.h"
#include "cli/tools_find.h"

#include <stdio.h>
#include <stdlib.h>

static const struct command_option options[] = {
	{"server", "ID", "the tools of a hosted server, instead of a room's"},
	{"find", "QUERY", "those of hosted servers that do what QUERY says, the best first"},
	{"category", "PATH", "only tools of that kind, as \"files\" or \"files/read\"; alone: all of them (several times)"},
	{"max", "N", "how many are shown, 1 to 100 (the best 5; of a category all)"},
	{"strategy", "NAME", "keyword: words as they are; semantic: other words for them as well (default); category"},
	{"timeout", "SPAN", "how long to wait for each of them (10s)"},
	{0},
};

static const struct command_form form = {
	.name = "tools",
	.usage = "[TOPIC [PARTICIPANT]] | [--server ID] [--find QUERY] [--category PATH]",
	.summary = "Lists the tools of everybody in a room, of one participant, or of hosted servers; or finds some.",
	.more = "Asked are those who say that they are MCP servers. Who does not answer is named on stderr.\n"
		"Of hosted servers one sees what one may use: `hustings access --help`.\n"
		"Examples:\n"
		"  hustings tools                   all that the hosted servers offer, as /mcp names them\n"
		"  hustings tools --server files    those of one hosted server\n"
		"  hustings tools --find \"read a file\"                  the best for that, as an agent would find them\n"
		"  hustings tools --find \"list issues\" --max 20 --json   with their schemas\n"
		"  hustings tools demo\n"
		"  hustings tools demo notes --json | jq '.participants[0].tools[].name'",
	.options = options,
	.most = 2,
	.reaches = true,
	.prints = true,
};

struct asked {
	struct listing_tools *all;
	char *id;
	struct mcp_listing *listing; /* NULL: it has not answered */
	struct fault why;
};

struct listing_tools {
	struct beside beside;
	const struct command_line *line;
	uint64_t timeout_ms;
	struct asked *asked;
	size_t count;
	size_t open;
};

static void answered(void *context, const struct errand_result *result, const struct fault *why) {
	struct asked *asked = context;
	if (why) asked->why = *why;
	else asked->listing = mcp_listing_keep(result->listing);
	if (--asked->all->open == 0) beside_done(&asked->all->beside, NULL);
}

/* ---- Asking ---- */

static bool add(struct listing_tools *all, struct slice id) {
	struct asked *asked = &all->asked[all->count];
	asked->all = all;
	asked->id = slice_copy(id);
	if (asked->id) all->count++;
	return asked->id != NULL;
}

static bool choose(struct listing_tools *all, struct fault *why) {
	const struct roster *roster = guest_roster(all->beside.guest);
	bool fits = true;
	all->asked = calloc(roster_count(roster) + 1, sizeof *all->asked);
	if (!all->asked) return fault_set(why, FAULT_NO_MEMORY, "no memory for the list");
	if (all->line->count > 1) fits = add(all, slice_of(all->line->words[1]));
	else
		LIST_EACH(link, &roster->entries) {
			const struct roster_entry *entry = CONTAINER_OF(link, struct roster_entry, link);
			if (entry->mcp_version[0]) fits = fits && add(all, slice_of(entry->id));
		}
	return fits ? true : fault_set(why, FAULT_NO_MEMORY, "no memory for the list");
}

static bool ask(struct asked *asked) {
	const struct errand_options wishes = {
		.kind = ERRAND_LIST,
		.to = slice_of(asked->id),
		.deadline_ms = asked->all->timeout_ms,
		.done = answered,
		.context = asked,
	};
	return errand_open(asked->all->beside.guest, &wishes, &asked->why) != NULL;
}

static void ready(void *context) {
	struct listing_tools *all = context;
	struct fault why;
	if (!choose(all, &why)) {
		beside_done(&all->beside, &why);
		return;
	}
	for (size_t i = 0; i < all->count; i++)
		if (ask(&all->asked[i])) all->open++;
	if (all->open == 0) beside_done(&all->beside, NULL);
}

/* ---- Printing ---- */

static void write_lines(const struct listing_tools *all, struct text *text) {
	for (size_t i = 0; i < all->count; i++)
		if (all->asked[i].listing)
			tool_list_write(text, slice_of(all->asked[i].id), all->asked[i].listing);
	if (all->count == 0)
		fprintf(stderr, "hustings: nobody in %s says that it offers tools\n", all->line->words[0]);
}

static void write_json(const struct listing_tools *all, struct text *text) {
	text_add_cstr(text, "{\"topic\":");
	text_json(text, slice_of(all->line->words[0]));
	text_add_cstr(text, ",\"participants\":[");
	for (size_t i = 0; i < all->count; i++) {
		const struct asked *asked = &all->asked[i];
		if (i) text_add_char(text, ',');
		if (asked->listing) {
			tool_list_write_json(text, slice_of(asked->id), asked->listing);
			continue;
		}
		text_add_cstr(text, "{\"id\":");
		text_json(text, slice_of(asked->id));
		text_add_cstr(text, ",\"error\":");
		text_json(text, slice_of(asked->why.text));
		text_add_char(text, '}');
	}
	text_add_cstr(text, "]}\n");
}

static void complain(const struct listing_tools *all, const struct asked *asked) {
	struct fault why = asked->why;
	if (beside_explain(all->line->words[0], &why)) fprintf(stderr, "hustings: %s\n", why.text);
	else fprintf(stderr, "hustings: %s: %s\n", asked->id, why.text);
}

/* One that does not answer does not make a failure of the others. */
static int print(const struct listing_tools *all) {
	AUTO_TEXT struct text text = {0};
	size_t failed = 0;
	text_init(&text, 0);
	if (command_has(all->line, "json")) write_json(all, &text);
	else write_lines(all, &text);
	for (size_t i = 0; i < all->count; i++) {
		if (all->asked[i].listing) continue;
		failed++;
		complain(all, &all->asked[i]);
	}
	if (text_failed(&text)) {
		fprintf(stderr, "hustings: no memory for the list\n");
		return COMMAND_FAILED;
	}
	if (!command_print(text_slice(&text))) return COMMAND_FAILED;
	return failed && failed == all->count ? COMMAND_FAILED : COMMAND_FINE;
}

static void finish(struct listing_tools *all) {
	beside_close(&all->beside);
	for (size_t i = 0; i < all->count; i++) {
		mcp_listing_drop(all->asked[i].listing);
		free(all->asked[i].id);
	}
	free(all->asked);
}

int tools_command(int argc, char **argv) {
	int status;
	struct fault why;
	int64_t timeout = 10000;
	AUTO_COMMAND struct command_line line = {0};
	if (!command_read(&line, &form, argc, argv, &status)) return status;
	const char *span = command_value(&line, "timeout"), *server = command_value(&line, "server");
	if (span && (!clock_span_read(slice_of(span), &timeout, &why) || timeout < 1))
		return command_misuse(&form, "--timeout has to be a span of time like 5s or 2m, not '%s'", span);
	if (server && line.count) return command_misuse(&form, "either a topic, or --server");
	if (tools_find_is_meant(&line) && line.count)
		return command_misuse(&form, "--find and --category are for hosted servers: leave '%s' out", line.words[0]);
	if (tools_find_is_meant(&line)) return tools_find_run(&line, server, (uint64_t)timeout);
	if (command_has(&line, "max") || command_has(&line, "strategy"))
		return command_misuse(&form, "--max and --strategy belong to --find");
	if (line.count == 0) return server_tools_list(&line, server, (uint64_t)timeout);
	if (!message_topic(&line, line.words[0], &status)) return status;
	struct listing_tools all = {.line = &line, .timeout_ms = (uint64_t)timeout};
	bool done = beside_open(&all.beside, &line, line.words[0], ready, &all, &why) &&
		beside_run(&all.beside, &why);
	status = done ? print(&all) : command_fail(&why);
	finish(&all);
	return status;
}
