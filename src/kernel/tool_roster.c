/* SPDX-License-Identifier: Apache-2.0 */
/* Tool roster: put together from the sessions and from what there is. */
#include "kernel/tool_roster.h"

#include "kernel/mgp_client.h"
#include "kernel/tool_index.h"

#include <stdlib.h>

struct gathering {
	struct tool_roster *roster;
	const struct kernel_means *means;
	const struct call_asker *asker;
	struct hosted *only;
};

void tool_roster_free(struct tool_roster *roster) { free(roster); }

/* NULL: there is none that the asker could call. */
static const struct tool *tool_of(const struct gathering *gathering, struct hosted *hosted, struct slice name) {
	const struct governed *governed = hosted ? governed_of(hosted) : NULL;
	if (!governed || (gathering->only && gathering->only != hosted)) return NULL;
	if (!call_asker_may(gathering->asker, governed, name)) return NULL;
	const struct tool *tool = tool_index_tool(hosted, name, NULL);
	return tool && tool_leave_of(governed, tool, NULL) != TOOL_DENIED ? tool : NULL;
}

static void add(const struct gathering *gathering, struct hosted *hosted, const struct tool *tool, bool is_pinned) {
	struct tool_roster *roster = gathering->roster;
	if (roster->count == COUNT_OF(roster->rows)) return;
	struct tool_roster_row *row = &roster->rows[roster->count++];
	*row = (struct tool_roster_row){
		.hosted = hosted,
		.tool = tool->name,
		.tokens = tool_tokens(tool->definition.length),
		.is_pinned = is_pinned,
	};
	roster->tokens += row->tokens;
}

/* Both may have dots in their names. */
static void add_pinned(const struct gathering *gathering, struct slice name) {
	for (size_t i = 1; i + 1 < name.length; i++) {
		if (name.bytes[i] != '.') continue;
		struct hosted *hosted = hosted_find(gathering->means->servers, slice_make(name.bytes, i));
		struct slice rest = slice_make(name.bytes + i + 1, name.length - i - 1);
		const struct tool *tool = tool_of(gathering, hosted, rest);
		if (tool) add(gathering, hosted, tool, true);
	}
}

static void add_cached(void *context, struct slice server, struct slice name, uint64_t tokens) {
	const struct gathering *gathering = context;
	struct hosted *hosted = hosted_find(gathering->means->servers, server);
	const struct tool *tool = tool_of(gathering, hosted, name);
	(void)tokens; /* what the definition costs now counts */
	if (tool) add(gathering, hosted, tool, false);
}

static void mark_ambiguous(struct tool_roster *roster) {
	for (size_t i = 0; i < roster->count; i++)
		for (size_t k = i + 1; k < roster->count; k++)
			if (slice_equal(roster->rows[i].tool, roster->rows[k].tool))
				roster->rows[i].is_ambiguous = roster->rows[k].is_ambiguous = true;
}

struct tool_roster *tool_roster_read(const struct kernel_means *means, const struct call_asker *asker,
	struct hosted *only) {
	struct tool_roster *roster = malloc(sizeof *roster);
	struct gathering gathering = {.roster = roster, .means = means, .asker = asker, .only = only};
	struct slice name;
	if (!roster) return NULL;
	roster->count = 0;
	roster->tokens = 0;
	for (size_t at = 0; (name = tool_sessions_pinned_at(means->tool_sessions, at)).length; at++) add_pinned(&gathering, name);
	tool_sessions_each(means->tool_sessions, asker, add_cached, &gathering);
	mark_ambiguous(roster);
	return roster;
}

static void write_whole(struct text *to, const struct tool_roster_row *row) {
	text_add(to, hosted_id(row->hosted));
	text_add_char(to, '.');
	text_add(to, row->tool);
}

void tool_roster_write_name(struct text *to, const struct tool_roster_row *row) {
	AUTO_TEXT struct text name = {0};
	text_init(&name, 0);
	if (row->is_ambiguous) write_whole(&name, row);
	else text_add(&name, row->tool);
	if (text_failed(&name)) to->failed = true;
	text_json(to, text_slice(&name));
}

void tool_roster_write(struct text *to, const struct tool_roster *roster, bool pinned) {
	const char *before = "[";
	for (size_t i = 0; i < roster->count; i++) {
		if (roster->rows[i].is_pinned != pinned) continue;
		text_add_cstr(to, before);
		tool_roster_write_name(to, &roster->rows[i]);
		before = ",";
	}
	text_add_cstr(to, *before == '[' ? "[]" : "]");
}

static bool is_whole_name(const struct tool_roster_row *row, struct slice name) {
	struct slice server = hosted_id(row->hosted);
	return name.length == server.length + 1 + row->tool.length && name.bytes[server.length] == '.' &&
		slice_equal(slice_make(name.bytes, server.length), server) &&
		slice_equal(slice_make(name.bytes + server.length + 1, row->tool.length), row->tool);
}

static bool is_call_name(const struct tool_roster_row *row, struct mgp_client *client, struct slice name) {
	AUTO_TEXT struct text written = {0};
	if (!client || !client->face || !client->face->write_call_name) return false;
	text_init(&written, 0);
	client->face->write_call_name(client, &written, hosted_id(row->hosted), row->tool);
	return !text_failed(&written) && slice_equal(text_slice(&written), name);
}

const struct tool_roster_row *tool_roster_find(const struct tool_roster *roster, struct mgp_client *client,
	struct slice name, bool *is_ambiguous) {
	const struct tool_roster_row *found = NULL;
	*is_ambiguous = false;
	for (size_t i = 0; i < roster->count; i++) {
		const struct tool_roster_row *row = &roster->rows[i];
		if (is_whole_name(row, name)) return row;
		if (!slice_equal(row->tool, name)) continue;
		*is_ambiguous = *is_ambiguous || found;
		found = row;
	}
	for (size_t i = 0; !found && i < roster->count; i++)
		if (is_call_name(&roster->rows[i], client, name)) found = &roster->rows[i];
	return *is_ambiguous ? NULL : found;
}
