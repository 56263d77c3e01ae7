/* SPDX-License-Identifier: Apache-2.0 */
/* Bench connect: from a TCP connection to the welcome, again and again. */
#include "cli/bench_kinds.h"

#include "base/clock.h"
#include "cli/bench_run.h"

#include <stdlib.h>

static const struct command_option options[] = {
	BENCH_COMMON_OPTIONS,
	{"parallel", "N", "handshakes at a time (16)"},
	{"seconds", "N", "how long is measured (5)"},
	{0},
};

static const struct command_form form = {
	.name = "bench connect",
	.usage = "--url ws://HOST:PORT [options]",
	.summary = "Participants join, are welcomed and go; how many a second, and how long it takes.",
	.options = options,
	.prints = true,
};

struct connecting {
	struct bench_run run;
	uint64_t parallel, seconds;
	uint64_t welcomed;
};

/* Each seat is a room of its own, so that nobody's coming is told to others. */
static void heard(void *context, struct bench_peer *peer, struct slice text, uint64_t now_us) {
	struct connecting *connecting = context;
	unsigned number = peer->number;
	(void)text;
	connecting->welcomed++;
	bench_times_add(&connecting->run.times, now_us - peer->began_us);
	bench_peer_leave(&connecting->run.peers, peer);
	if (!bench_peer_join(&connecting->run.peers, number, number)) return;
}

static bool measure(struct connecting *connecting, struct fault *why) {
	struct bench_run *run = &connecting->run;
	uint64_t end_ms = clock_monotonic_ms() + connecting->seconds * 1000;
	if (!bench_run_begin(run, why)) return false;
	for (unsigned i = 0; i < connecting->parallel; i++)
		if (!bench_peer_join(&run->peers, i, i)) return false;
	while (clock_monotonic_ms() < end_ms)
		if (!bench_peers_step(&run->peers, 20)) return false;
	bench_report_add(&run->report, "parallel", (double)connecting->parallel, "");
	if (!bench_run_end(run, connecting->welcomed, "welcomes", why)) return false;
	bench_report_times(&run->report, &run->times);
	return true;
}

static int run_connect(struct connecting *connecting) {
	struct bench_run *run = &connecting->run;
	struct fault why;
	if (!bench_peers_open(&run->peers, command_value(&run->line, "url"),
		    command_value(&run->line, "token"), connecting->parallel, &why))
		return command_fail(&why);
	run->peers.text = heard;
	run->peers.context = connecting;
	if (!measure(connecting, &why)) return command_fail(run->peers.failed ? &run->peers.why : &why);
	return bench_run_print(run);
}

int bench_connect(int argc, char **argv) {
	struct connecting *connecting = calloc(1, sizeof *connecting);
	int status = COMMAND_FAILED;
	if (!connecting) return status;
	const struct bench_number numbers[] = {
		{"parallel", 1, 10000, 16, &connecting->parallel},
		{"seconds", 1, 3600, 5, &connecting->seconds},
		{0},
	};
	if (bench_run_open(&connecting->run, &form, numbers, argc, argv, &status))
		status = run_connect(connecting);
	bench_run_close(&connecting->run);
	free(connecting);
	return status;
}
