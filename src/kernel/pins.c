/* SPDX-License-Identifier: Apache-2.0 */
/* Pins: a table in memory of what the rows hold. */
#include "kernel/pins.h"

#include "base/clock.h"
#include "base/map.h"

#include <stdlib.h>

struct pin {
	struct slice tool, definition; /* behind the struct */
};

struct pins {
	struct state *state;
	char server[HOSTED_ID + 1];
	enum hosted_era era;
	struct map by_tool;
	bool is_fine;
};

static bool remember(struct pins *pins, struct slice tool, struct slice definition) {
	struct pin *pin = calloc(1, sizeof *pin + tool.length + definition.length);
	if (!pin) return false;
	memcpy(pin + 1, tool.bytes, tool.length);
	memcpy((char *)(pin + 1) + tool.length, definition.bytes, definition.length);
	pin->tool = slice_make(pin + 1, tool.length);
	pin->definition = slice_make((char *)(pin + 1) + tool.length, definition.length);
	struct pin *before = map_remove(&pins->by_tool, tool);
	free(before);
	if (map_add(&pins->by_tool, pin->tool, pin, NULL)) return true;
	free(pin);
	return false;
}

static bool seen(void *context, const struct pin_row *row) {
	struct pins *pins = context;
	pins->is_fine = remember(pins, row->tool, row->definition);
	return pins->is_fine;
}

struct pins *pins_open(struct state *state, struct slice server, enum hosted_era era, struct fault *why) {
	struct pins *pins = calloc(1, sizeof *pins);
	if (!pins) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	pins->state = state;
	memcpy(pins->server, server.bytes, server.length < HOSTED_ID ? server.length : HOSTED_ID);
	pins->era = era;
	pins->is_fine = true;
	map_init(&pins->by_tool);
	if (pin_row_each(state, server, (int)era, seen, pins, why) &&
		(pins->is_fine || fault_set(why, FAULT_NO_MEMORY, "no memory for another server")))
		return pins;
	pins_close(pins);
	return NULL;
}

void pins_close(struct pins *pins) {
	void *each;
	if (!pins) return;
	for (size_t at = 0; map_each(&pins->by_tool, &at, &each);) {
		struct pin *pin = each;
		map_remove(&pins->by_tool, pin->tool);
		free(pin);
	}
	map_finish(&pins->by_tool);
	free(pins);
}

struct slice pins_find(const struct pins *pins, struct slice tool) {
	const struct pin *pin = map_find(&pins->by_tool, tool);
	return pin ? pin->definition : SLICE_NONE;
}

bool pins_put(struct pins *pins, struct slice tool, struct slice definition, struct slice by, struct fault *why) {
	const struct pin_row row = {
		.tool = tool,
		.definition = definition,
		.pinned_by = by,
		.pinned_at = clock_wall_ms(),
	};
	if (!pin_row_put(pins->state, slice_of(pins->server), (int)pins->era, &row, why)) return false;
	return remember(pins, tool, definition) || fault_set(why, FAULT_NO_MEMORY, "no memory for a definition");
}
