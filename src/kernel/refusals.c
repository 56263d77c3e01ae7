/* SPDX-License-Identifier: Apache-2.0 */
/* Refusals: a table by principal, server and gate, looked through every minute. */
#include "kernel/refusals.h"

#include "base/map.h"

#include <stdlib.h>

#define MINUTE_MS 60000

struct refused {
	struct slice key; /* behind the struct: principal, LF, server, LF, gate */
	struct slice principal, server;
	const char *gate;
	uint64_t told_at; /* loop ms: the last record of it */
	unsigned count;   /* since then */
};

struct refusals {
	struct loop *loop;
	refusals_told *told;
	void *context;
	struct map by_key;
	struct deadline due;
};

struct refusals *refusals_open(struct loop *loop, refusals_told *told, void *context,
	struct fault *why) {
	struct refusals *refusals = calloc(1, sizeof *refusals);
	if (!refusals) return fault_null(why, FAULT_NO_MEMORY, "no memory for the kernel");
	refusals->loop = loop;
	refusals->told = told;
	refusals->context = context;
	map_init(&refusals->by_key);
	return refusals;
}

static void tell_counted(const struct refusals *refusals, struct refused *one) {
	if (one->count) refusals->told(refusals->context, one->principal, one->server, one->gate, one->count);
	one->count = 0;
}

static void forget(struct refusals *refusals, struct refused *one) {
	map_remove(&refusals->by_key, one->key);
	free(one);
}

void refusals_close(struct refusals *refusals) {
	if (!refusals) return;
	deadline_clear(&refusals->due);
	void *each;
	for (size_t at = 0; map_each(&refusals->by_key, &at, &each);) {
		tell_counted(refusals, each);
		forget(refusals, each);
	}
	map_finish(&refusals->by_key);
	free(refusals);
}

/* Whose last record is younger waits for the next time; who was quiet since is forgotten. */
static void look(struct refusals *refusals, uint64_t now) {
	void *each;
	for (size_t at = 0; map_each(&refusals->by_key, &at, &each);) {
		struct refused *one = each;
		if (now - one->told_at < MINUTE_MS) continue;
		if (!one->count) {
			forget(refusals, one);
			continue;
		}
		tell_counted(refusals, one);
		one->told_at = now;
	}
}

static void minute_over(struct deadline *deadline) {
	struct refusals *refusals = CONTAINER_OF(deadline, struct refusals, due);
	look(refusals, loop_now(refusals->loop));
	if (refusals->by_key.count) deadline_set(refusals->loop, &refusals->due, MINUTE_MS, minute_over);
}

static struct refused *make(struct slice principal, struct slice server, const char *gate) {
	size_t length = principal.length + 1 + server.length + 1 + strlen(gate);
	struct refused *one = calloc(1, sizeof *one + length + 1);
	if (!one) return NULL;
	char *at = (char *)(one + 1);
	one->key = slice_make(at, length);
	one->principal = slice_make(at, principal.length);
	one->server = slice_make(at + principal.length + 1, server.length);
	one->gate = gate;
	if (principal.length) memcpy(at, principal.bytes, principal.length);
	at[principal.length] = '\n';
	if (server.length) memcpy(at + principal.length + 1, server.bytes, server.length);
	at[principal.length + 1 + server.length] = '\n';
	memcpy(at + principal.length + server.length + 2, gate, strlen(gate));
	return one;
}

bool refusals_count(struct refusals *refusals, struct slice principal, struct slice server,
	const char *gate, unsigned *count) {
	struct refused *one = make(principal, server, gate);
	*count = 1;
	if (!one) return true;
	struct refused *known = map_find(&refusals->by_key, one->key);
	if (known) {
		known->count++;
		free(one);
		return false;
	}
	one->told_at = loop_now(refusals->loop);
	if (refusals->by_key.count >= REFUSALS_KNOWN || !map_add(&refusals->by_key, one->key, one, NULL)) free(one);
	else if (!refusals->due.at) deadline_set(refusals->loop, &refusals->due, MINUTE_MS, minute_over);
	return true;
}

size_t refusals_known(const struct refusals *refusals) { return refusals->by_key.count; }
