/* SPDX-License-Identifier: Apache-2.0 */
/* Bench idle: many who only listen; what each costs in memory, and what all cost in time. */
#include "cli/bench_kinds.h"

#include "base/clock.h"
#include "cli/bench_run.h"

#include <stdlib.h>

static const struct command_option options[] = {
	BENCH_COMMON_OPTIONS,
	{"count", "N", "participants (10000)"},
	{"size", "N", "participants in each room (10)"},
	{"seconds", "N", "how long they sit there (5)"},
	{0},
};

static const struct command_form form = {
	.name = "bench idle",
	.usage = "--url ws://HOST:PORT --pid PID [options]",
	.summary = "Joins many participants and lets them sit: memory of the server for each.",
	.options = options,
	.prints = true,
};

struct idle {
	struct bench_run run;
	uint64_t count, size, seconds;
};

static void heard(void *context, struct bench_peer *peer, struct slice text, uint64_t now_us) {
	(void)context, (void)peer, (void)text, (void)now_us;
}

static bool settle(struct idle *idle) {
	uint64_t end_ms = clock_monotonic_ms() + idle->seconds * 1000;
	while (clock_monotonic_ms() < end_ms)
		if (!bench_peers_step(&idle->run.peers, 50)) return false;
	return true;
}

static bool measure(struct idle *idle, struct fault *why) {
	struct bench_run *run = &idle->run;
	struct bench_usage empty, full = {0};
	if (!bench_usage_read(run->process, &empty, why) ||
		!bench_peers_join_all(&run->peers, (unsigned)(idle->count / idle->size), 64, why))
		return false;
	if (!settle(idle) || !bench_run_begin(run, why) || !settle(idle)) return false;
	if (!bench_usage_read(run->process, &full, why)) return false;
	bench_report_add(&run->report, "size", (double)idle->size, "");
	if (!bench_run_end(run, run->peers.here, "participants", why)) return false;
	bench_report_add(&run->report, "resident_each",
		((double)full.resident - (double)empty.resident) / (double)idle->count, "octets");
	bench_report_add(&run->report, "anonymous_each",
		((double)full.anonymous - (double)empty.anonymous) / (double)idle->count, "octets");
	return true;
}

static int run_idle(struct idle *idle) {
	struct bench_run *run = &idle->run;
	struct fault why;
	if (!bench_peers_open(&run->peers, command_value(&run->line, "url"),
		    command_value(&run->line, "token"), idle->count, &why))
		return command_fail(&why);
	run->peers.text = heard;
	if (!measure(idle, &why)) return command_fail(run->peers.failed ? &run->peers.why : &why);
	return bench_run_print(run);
}

int bench_idle(int argc, char **argv) {
	struct idle *idle = calloc(1, sizeof *idle);
	int status = COMMAND_FAILED;
	if (!idle) return status;
	const struct bench_number numbers[] = {
		{"count", 1, 200000, 10000, &idle->count},
		{"size", 1, 200000, 10, &idle->size},
		{"seconds", 0, 3600, 5, &idle->seconds},
		{0},
	};
	if (bench_run_open(&idle->run, &form, numbers, argc, argv, &status)) {
		if (!idle->run.process) status = command_misuse(&form, "--pid is missing: whose memory?");
		else if (idle->size > idle->count || idle->count % idle->size)
			status = command_misuse(&form, "--count has to be a multiple of --size");
		else status = run_idle(idle);
	}
	bench_run_close(&idle->run);
	free(idle);
	return status;
}
