/* SPDX-License-Identifier: Apache-2.0 */
/* Call figures: a few numbers go up. */
#include "kernel/call_figures.h"

#include "store/audit_record.h"

#define MS_US 1000

const unsigned call_figures_bounds_us[CALL_FIGURES_BOUNDS] = {
	50, 100, 250, 500,                                             /* a tool of this machine */
	1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000, 500000, /* milliseconds */
	1000000, 2500000, 5000000, 10000000, 30000000, 60000000,       /* seconds */
};

static const char *const words[CALL_OUTCOMES] = {
	[CALL_OUTCOME_OK] = "ok",
	[CALL_OUTCOME_ERROR] = "error",
	[CALL_OUTCOME_REFUSED] = "refused",
	[CALL_OUTCOME_CANCELLED] = "cancelled",
	[CALL_OUTCOME_TIMEOUT] = "timeout",
};

const char *call_outcome_word(enum call_outcome outcome) {
	return words[outcome];
}

static struct call_figures *figures_of(const struct call *call) {
	return call->governed->means->call_figures;
}

static bool counts(const struct call *call) { return call->is_tool || call->is_guided; }

void call_figures_begin(struct call *call) {
	if (!counts(call)) return;
	call->began_us = clock_monotonic_us();
	figures_of(call)->open++;
}

void call_figures_leave(const struct call *call) {
	if (counts(call)) figures_of(call)->open--;
}

static enum call_outcome outcome_of(struct slice result, int64_t code) {
	if (slice_equal(result, AUDIT_SUCCESS)) return CALL_OUTCOME_OK;
	if (slice_equal(result, AUDIT_CANCELLED)) return CALL_OUTCOME_CANCELLED;
	return code == MGP_TIMEOUT || code == MGP_UPSTREAM_TIMEOUT ? CALL_OUTCOME_TIMEOUT : CALL_OUTCOME_ERROR;
}

static void time_it(const struct call *call, struct call_figures *figures) {
	uint64_t took = clock_monotonic_us() - call->began_us, waited = call->waited_ms * MS_US;
	unsigned at = 0;
	took = took > waited ? took - waited : 0;
	while (at < CALL_FIGURES_BOUNDS && took > call_figures_bounds_us[at]) at++;
	figures->within[at]++;
	figures->sum_us += took;
}

void call_figures_end(const struct call *call, struct slice result, int64_t code) {
	struct call_figures *figures = figures_of(call);
	enum call_outcome outcome = outcome_of(result, code);
	if (!counts(call)) return;
	figures->outcomes[outcome]++;
	if (call->is_tool && call->tries && outcome != CALL_OUTCOME_CANCELLED) time_it(call, figures);
}

void call_figures_session(struct call_figures *figures, struct slice result) { figures->outcomes[outcome_of(result, 0)]++; }

/* CALL_FIGURES_GATES: none that is counted. */
static unsigned gate_of(const struct call *call) {
	const char *name = call->gates[call->at].name;
	for (unsigned i = 0; name && call->counted_gates[i].name; i++)
		if (!strcmp(call->counted_gates[i].name, name)) return i;
	return CALL_FIGURES_GATES;
}

/* Behind the last gate only memory is missing. */
void call_figures_refused(const struct call *call) {
	struct call_figures *figures = figures_of(call);
	unsigned gate = gate_of(call);
	if (!counts(call)) return;
	figures->outcomes[call->gates[call->at].name ? CALL_OUTCOME_REFUSED : CALL_OUTCOME_ERROR]++;
	if (gate < CALL_FIGURES_GATES) figures->refused[gate]++;
}
