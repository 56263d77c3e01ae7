/* SPDX-License-Identifier: Apache-2.0 */
/* Registry: a server is tried first and remembered then, so that what is remembered can be added. */
#include "kernel/registry.h"

#include "base/clock.h"
#include "store/permission_rows.h"
#include "store/pin_rows.h"

#include <stdlib.h>

struct registry {
	struct hosted_servers *servers;
	struct state *state;
	struct log *log;
};

static struct hosted *add(struct registry *registry, struct slice definition, struct slice by,
	struct fault *why) {
	struct hosted_settings settings;
	struct slice creator;
	struct arena arena;
	char lent[4096];
	struct hosted *hosted = NULL;
	arena_init(&arena, lent, sizeof lent, 0);
	if (!arena_copy(&arena, by, &creator)) fault_set(why, FAULT_NO_MEMORY, "no memory for another server");
	else if (definition_read(definition, &arena, &settings, why)) {
		settings.is_registered = true;
		settings.created_by = creator.bytes;
		hosted = hosted_add(registry->servers, &settings, why);
	}
	arena_finish(&arena);
	return hosted;
}

static bool add_remembered(void *context, const struct server_row *row) {
	struct registry *registry = context;
	struct fault why;
	struct hosted *hosted = add(registry, row->definition, row->created_by, &why);
	if (!hosted || !hosted_start(hosted, &why))
		log_write(registry->log, LOG_ERROR, "server %.*s, which was added by %.*s, is not hosted: %s",
			SLICE_ARGS(row->id), SLICE_ARGS(row->created_by), why.text);
	return true;
}

struct registry *registry_open(struct hosted_servers *servers, struct state *state, struct log *log,
	struct fault *why) {
	struct registry *registry = calloc(1, sizeof *registry);
	if (!registry) return fault_null(why, FAULT_NO_MEMORY, "no memory for the registry of servers");
	*registry = (struct registry){.servers = servers, .state = state, .log = log};
	if (server_row_each(state, add_remembered, registry, why)) return registry;
	free(registry);
	return NULL;
}

void registry_close(struct registry *registry) { free(registry); }

struct hosted *registry_add(struct registry *registry, struct slice definition, struct slice by,
	struct fault *why) {
	struct hosted *hosted = add(registry, definition, by, why);
	if (!hosted) return NULL;
	const struct server_row row = {
		.id = hosted_id(hosted),
		.definition = definition,
		.created_by = by,
		.created_at = clock_wall_ms(),
	};
	struct fault fault;
	/* Of one that the configuration hid, and does not any more, the new definition counts. */
	bool is_there = server_row_add(registry->state, &row, &fault);
	if (is_there && hosted_start(hosted, &fault)) return hosted;
	struct fault forgetting;
	if (is_there && !server_row_remove(registry->state, row.id, &forgetting))
		log_write(registry->log, LOG_ERROR, "server %.*s is still remembered: %s", SLICE_ARGS(row.id),
			forgetting.text);
	hosted_remove(hosted);
	if (why) *why = fault;
	return NULL;
}

bool registry_remove(struct registry *registry, struct hosted *hosted, struct fault *why) {
	if (!hosted_settings(hosted)->is_registered)
		return fault_set(why, FAULT_EXISTS,
			"server %.*s is in the configuration: take it out there, and reload with SIGHUP",
			SLICE_ARGS(hosted_id(hosted)));
	/* Another one of that name begins anew: what was pinned and decided was about this one. */
	if (!pin_row_remove(registry->state, hosted_id(hosted), why) ||
		!permission_row_remove(registry->state, hosted_id(hosted), why) ||
		!server_row_remove(registry->state, hosted_id(hosted), why))
		return false;
	hosted_remove(hosted);
	return true;
}
