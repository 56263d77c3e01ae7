/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong bearers: the kernel's way of counting refusals, and the pace of sign-ins at a lower price. */
#include "gateway/wrong_bearers.h"

#include "gateway/sign_in_pace.h"
#include "kernel/refusals.h"
#include "store/audit.h"

#include <stdlib.h>

#define COST 1 /* a guess; there is no session to be made, and many may share an address */

struct wrong_bearers {
	struct gateway *gateway;
	struct sign_in_pace *pace;
	struct refusals *refusals; /* by address */
};

static void record(void *context, struct slice address, struct slice server, const char *gate, unsigned count) {
	const struct wrong_bearers *bearers = context;
	struct gateway *gateway = bearers->gateway;
	const struct audit_record audit = {
		.event = SLICE("refused"),
		.gate = slice_of(gate),
		.result = SLICE("refused"),
		.detail = address,
		.count = count,
	};
	struct fault why;
	(void)server;
	if (!audit_add(store_spool(gateway->store, 0), &audit, &why))
		log_write(gateway->log, LOG_WARNING, "audit: a record was not written: %s", why.text);
}

struct wrong_bearers *wrong_bearers_open(struct gateway *gateway, struct fault *why) {
	struct wrong_bearers *bearers = calloc(1, sizeof *bearers);
	if (!bearers) return fault_null(why, FAULT_NO_MEMORY, "no memory for the pace of wrong tokens");
	bearers->gateway = gateway;
	bearers->pace = sign_in_pace_open(WRONG_BEARERS_UNITS, why);
	bearers->refusals = bearers->pace ? refusals_open(gateway->loop, record, bearers, why) : NULL;
	if (bearers->refusals) return bearers;
	wrong_bearers_close(bearers);
	return NULL;
}

void wrong_bearers_close(struct wrong_bearers *bearers) {
	if (!bearers) return;
	refusals_close(bearers->refusals);
	sign_in_pace_close(bearers->pace);
	free(bearers);
}

bool wrong_bearers_count(struct wrong_bearers *bearers, const char *address, bool is_guess,
	uint64_t *retry_after_ms) {
	char source[SIGN_IN_SOURCE];
	unsigned count;
	sign_in_pace_source(address, source);
	bool is_told_apart = refusals_known(bearers->refusals) < WRONG_BEARERS_SOURCES;
	struct slice who = is_told_apart ? slice_of(source) : SLICE("other addresses");
	if (refusals_count(bearers->refusals, who, SLICE_NONE, "token", &count))
		record(bearers, who, SLICE_NONE, "token", count);
	return !is_guess ||
		sign_in_pace_take(bearers->pace, address, COST, loop_now(bearers->gateway->loop), retry_after_ms);
}
