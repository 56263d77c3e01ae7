/* SPDX-License-Identifier: Apache-2.0 */
/* Library told: what an MCP server says without having been asked. */
#include "client/library_told.h"

#include "client/library_server_parts.h"

struct told {
	struct hustings_server *server;
	const struct scan_value *params;
	struct arena arena;
};

static const char *string_of(struct told *told, const char *name) {
	struct scan_value value;
	struct slice words;
	bool failed = false;
	if (!scan_find(told->params, name, &value) || !scan_string(&value, &told->arena, &words)) return NULL;
	return library_string(&told->arena, words, &failed);
}

static void changed(const struct told *told, enum hustings_list list) {
	const struct hustings_server *server = told->server;
	if (server->events->changed) server->events->changed(server->context, told->server, list);
}

static void tools_changed(struct told *told) { changed(told, HUSTINGS_TOOLS); }
static void prompts_changed(struct told *told) { changed(told, HUSTINGS_PROMPTS); }
static void resources_changed(struct told *told) { changed(told, HUSTINGS_RESOURCES); }

static void resource_updated(struct told *told) {
	const struct hustings_server *server = told->server;
	const char *uri = string_of(told, "uri");
	if (uri && server->events->updated) server->events->updated(server->context, told->server, uri);
}

static void message_logged(struct told *told) {
	const struct hustings_server *server = told->server;
	struct scan_value data;
	const char *level = string_of(told, "level");
	if (!level || !server->events->logged) return;
	struct slice text = scan_find(told->params, "data", &data) ? data.text : SLICE_NONE;
	server->events->logged(server->context, told->server, level, string_of(told, "logger"),
		library_json(text));
}

static void acknowledged(struct told *told) { listening_acknowledged(&told->server->listening); }

static const struct {
	const char *method;
	void (*tell)(struct told *told);
} rows[] = {
	{"notifications/message", message_logged},
	{"notifications/prompts/list_changed", prompts_changed},
	{"notifications/resources/list_changed", resources_changed},
	{"notifications/resources/updated", resource_updated},
	{"notifications/subscriptions/acknowledged", acknowledged},
	{"notifications/tools/list_changed", tools_changed},
};

static void tell_other(struct told *told, struct slice method) {
	const struct hustings_server *server = told->server;
	bool failed = false;
	const char *name = library_string(&told->arena, method, &failed);
	if (name && server->events->told)
		server->events->told(server->context, told->server, name, library_json(told->params->text));
}

void library_told(void *context, struct slice method, const struct scan_value *params) {
	char lent[1024];
	struct told told = {.server = context, .params = params};
	bool is_known = false;
	arena_init(&told.arena, lent, sizeof lent, 0);
	for (size_t i = 0; !is_known && i < COUNT_OF(rows); i++) {
		is_known = slice_is(method, rows[i].method);
		if (is_known) rows[i].tell(&told);
	}
	if (!is_known) tell_other(&told, method);
	arena_finish(&told.arena);
}
