/* SPDX-License-Identifier: Apache-2.0 */
/* Parts idle: a look at the counters now and then. */
#include "cli/parts_idle.h"

#include "cli/parts_inside.h"

#include <stdlib.h>

#define LOOKS 20     /* in the time that is allowed */
#define LOOK_MS 1000 /* at least every second */

struct parts_idle {
	struct parts *parts;
	struct log *log;
	uint64_t after_ms;
	uint64_t since; /* loop ms: the last use that is known of */
	int64_t total;  /* connections accepted by then */
	struct deadline look;
};

static int64_t sum(const struct parts *parts, enum counter which) {
	const struct gateway *gateway = &parts->gateway;
	int64_t all = 0;
	bool has_own = false;
	for (unsigned i = 0; i < gateway->island_count; i++) {
		all += counters_read(loop_counters(gateway->islands[i].loop), which);
		has_own = has_own || gateway->islands[i].loop == gateway->loop;
	}
	return has_own ? all : all + counters_read(loop_counters(gateway->loop), which);
}

static void look(struct deadline *deadline) {
	struct parts_idle *idle = CONTAINER_OF(deadline, struct parts_idle, look);
	struct loop *loop = parts_loop(idle->parts);
	int64_t total = sum(idle->parts, COUNTER_CONNECTIONS_TOTAL);
	uint64_t between = idle->after_ms / LOOKS < LOOK_MS ? idle->after_ms / LOOKS + 1 : LOOK_MS;
	if (parts_is_draining(idle->parts)) return;
	if (sum(idle->parts, COUNTER_CONNECTIONS) > 0 || total != idle->total) idle->since = loop_now(loop);
	idle->total = total;
	if (loop_now(loop) - idle->since < idle->after_ms) {
		deadline_set(loop, deadline, between, look);
		return;
	}
	log_write(idle->log, LOG_INFO, "nobody is connected any more: ending");
	parts_drain(idle->parts);
}

struct parts_idle *parts_idle_open(struct parts *parts, uint64_t after_ms, struct log *log,
	struct fault *why) {
	struct parts_idle *idle = calloc(1, sizeof *idle);
	if (!idle) return fault_null(why, FAULT_NO_MEMORY, "no memory for --idle-exit");
	*idle = (struct parts_idle){.parts = parts, .log = log, .after_ms = after_ms};
	idle->since = loop_now(parts_loop(parts));
	deadline_set(parts_loop(parts), &idle->look, 1, look);
	return idle;
}

void parts_idle_close(struct parts_idle *idle) {
	if (!idle) return;
	deadline_clear(&idle->look);
	free(idle);
}
