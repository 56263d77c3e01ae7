/* SPDX-License-Identifier: Apache-2.0 */
/* Bench ping: two participants, one envelope there, one back, and again. */
#include "cli/bench_kinds.h"

#include "base/clock.h"
#include "cli/bench_run.h"

#include <stdlib.h>

static const struct command_option options[] = {
	BENCH_COMMON_OPTIONS,
	{"octets", "N", "octets of text in each envelope (100)"},
	{"seconds", "N", "how long is measured (5)"},
	{"warm-up", "N", "seconds before that (1)"},
	{0},
};

static const struct command_form form = {
	.name = "bench ping",
	.usage = "--url ws://HOST:PORT [options]",
	.summary = "Two in a room play ping-pong; four deliveries a round, two of them to the other.",
	.options = options,
	.prints = true,
};

struct ping {
	struct bench_run run;
	uint64_t octets, seconds, warm_up;
	uint64_t next;
	uint64_t rounds;
	uint64_t began_us; /* the round at hand */
	bool is_measured;
	struct text envelope;
};

static void say(struct ping *ping, struct bench_peer *peer) {
	bench_envelope(&ping->run, &ping->envelope, ping->next++, ping->octets);
	bench_peer_send(&ping->run.peers, peer, text_slice(&ping->envelope));
}

/* Even numbers are the first one's, odd ones the second's; one's own copy is no news. */
static void heard(void *context, struct bench_peer *peer, struct slice text, uint64_t now_us) {
	struct ping *ping = context;
	uint64_t number;
	if (!bench_number_of(text, &number) || number % 2 == peer->number) return;
	if (peer->number == 0) {
		ping->rounds++;
		if (ping->is_measured) bench_times_add(&ping->run.times, now_us - ping->began_us);
		ping->began_us = now_us;
	}
	say(ping, peer);
}

static bool step_until(struct ping *ping, uint64_t end_ms) {
	while (clock_monotonic_ms() < end_ms)
		if (!bench_peers_step(&ping->run.peers, 20)) return false;
	return true;
}

static bool measure(struct ping *ping, struct fault *why) {
	struct bench_run *run = &ping->run;
	ping->began_us = clock_monotonic_us();
	say(ping, &run->peers.list[0]);
	if (!step_until(ping, clock_monotonic_ms() + ping->warm_up * 1000)) return false;
	uint64_t before = ping->rounds;
	ping->is_measured = true;
	if (!bench_run_begin(run, why) ||
		!step_until(ping, clock_monotonic_ms() + ping->seconds * 1000))
		return false;
	uint64_t rounds = ping->rounds - before;
	bench_report_add(&run->report, "rounds", (double)rounds, "");
	if (!bench_run_end(run, rounds * 4, "deliveries", why)) return false;
	bench_report_times(&run->report, &run->times);
	if (rounds > 0) return true;
	return bench_peers_fail(&run->peers, FAULT_TIMEOUT, "no round was finished in %llu s",
		(unsigned long long)ping->seconds);
}

static int run_ping(struct ping *ping) {
	struct bench_run *run = &ping->run;
	struct fault why;
	if (!bench_peers_open(&run->peers, command_value(&run->line, "url"),
		    command_value(&run->line, "token"), 2, &why))
		return command_fail(&why);
	run->peers.text = heard;
	run->peers.context = ping;
	if (!bench_peers_join_all(&run->peers, 1, 1, &why) || !measure(ping, &why))
		return command_fail(run->peers.failed ? &run->peers.why : &why);
	return bench_run_print(run);
}

int bench_ping(int argc, char **argv) {
	struct ping *ping = calloc(1, sizeof *ping);
	int status = COMMAND_FAILED;
	if (!ping) return status;
	text_init(&ping->envelope, 0);
	const struct bench_number numbers[] = {
		{"octets", 0, 1000000, 100, &ping->octets},
		{"seconds", 1, 3600, 5, &ping->seconds},
		{"warm-up", 0, 600, 1, &ping->warm_up},
		{0},
	};
	if (bench_run_open(&ping->run, &form, numbers, argc, argv, &status)) status = run_ping(ping);
	text_finish(&ping->envelope);
	bench_run_close(&ping->run);
	free(ping);
	return status;
}
