/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters: one plain array per loop, written by its thread only and read by any; the gateway sums
 * and renders them (/metrics). Relaxed single-writer stores: no lock, no read-modify-write.
 */
#ifndef HUSTINGS_BASE_COUNTERS_H
#define HUSTINGS_BASE_COUNTERS_H

#include "base/dialect.h"

#include <stdatomic.h>

enum counter {
	COUNTER_CONNECTIONS, /* gauge: open sockets */
	COUNTER_CONNECTIONS_TOTAL,
	COUNTER_PARTICIPANTS,  /* gauge */
	COUNTER_ROOMS,         /* gauge */
	COUNTER_ENVELOPES_IN,  /* accepted */
	COUNTER_ENVELOPES_OUT, /* deliveries */
	COUNTER_OCTETS_IN,
	COUNTER_OCTETS_OUT,
	COUNTER_REFUSED_SIZE, /* one per gate, in the order of the gates table */
	COUNTER_REFUSED_PROTOCOL,
	COUNTER_REFUSED_SHAPE,
	COUNTER_REFUSED_UNIQUE,
	COUNTER_REFUSED_SENDER,
	COUNTER_REFUSED_PACE,
	COUNTER_REFUSED_KIND,
	COUNTER_REFUSED_PRIVILEGE,
	COUNTER_REFUSED_ADDRESS,
	COUNTER_STORAGE_FULL,
	COUNTER_CLOSED_BEHIND,
	COUNTER_CLOSED_REPLACED,
	COUNTER_CLOSED_REVOKED,
	COUNTER_PROPOSALS,
	COUNTER_PROPOSALS_OPEN, /* gauge */
	COUNTER_HTTP_REQUESTS,
	COUNTER_HTTP_REFUSED,
	COUNTERS
};

struct counters {
	_Atomic int64_t values[COUNTERS];
};

/* By the owning thread only. */
static inline void counters_add(struct counters *counters, enum counter which, int64_t by) {
	int64_t value = atomic_load_explicit(&counters->values[which], memory_order_relaxed);
	atomic_store_explicit(&counters->values[which], value + by, memory_order_relaxed);
}
/* By any thread. */
static inline int64_t counters_read(const struct counters *counters, enum counter which) {
	return atomic_load_explicit(&((struct counters *)counters)->values[which], memory_order_relaxed);
}

const char *counter_name(enum counter which); /* "hustings_participants" */
const char *counter_help(enum counter which);
bool counter_is_gauge(enum counter which);

#endif
