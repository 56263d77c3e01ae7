/* SPDX-License-Identifier: Apache-2.0 */
/* Parts drain: every island sends its people away and says when the last socket is closed; HTTP on
 * loop 0 is among what is waited for. */
#include "cli/parts_inside.h"
#include "gateway/http_connection.h"

#define LOOK_MS 10
#define PATIENCE_MS 15000 /* streams that finish have deadlines of their own, all shorter */

static struct loop *loop_of(const struct parts_island *island) {
	return island->parts->gateway.islands[island->index].loop;
}

/* On loop 0. */
static void island_drained(struct letter *letter) {
	struct parts_island *island = CONTAINER_OF(letter, struct parts_island, drained);
	if (--island->parts->undrained == 0) loop_stop(island->parts->gateway.loop);
}

static void look(struct deadline *deadline) {
	struct parts_island *island = CONTAINER_OF(deadline, struct parts_island, look);
	struct loop *loop = loop_of(island);
	if (counters_read(loop_counters(loop), COUNTER_CONNECTIONS) > 0 &&
		loop_now(loop) < island->drain_ends) {
		deadline_set(loop, &island->look, LOOK_MS, look);
		return;
	}
	mailbox_answer(island->parts->gateway.loop, &island->drained, island_drained);
}

static void drain_island(struct letter *letter) {
	struct parts_island *island = CONTAINER_OF(letter, struct parts_island, drain);
	struct loop *loop = loop_of(island);
	island->drain_ends = loop_now(loop) + PATIENCE_MS;
	rooms_drain(island->parts->gateway.islands[island->index].rooms);
	deadline_set(loop, &island->look, 1, look);
}

void parts_drain_begin(struct parts *parts) {
	struct gateway *gateway = &parts->gateway;
	connections_drain(gateway->connections);
	parts->undrained = gateway->island_count;
	for (unsigned i = 0; i < gateway->island_count; i++)
		mailbox_answer(gateway->islands[i].loop, &parts->islands[i].drain, drain_island);
}
