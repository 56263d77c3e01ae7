/* SPDX-License-Identifier: Apache-2.0 */
/* Bench fanout: rooms in which talkers keep so many envelopes in flight, and everybody hears all. */
#include "cli/bench_kinds.h"

#include "base/clock.h"
#include "cli/bench_run.h"

#include <stdlib.h>

#define RING 65536 /* envelopes in flight that are remembered; a power of two */
#define LAST_WORDS_MS 30000

static const struct command_option options[] = {
	BENCH_COMMON_OPTIONS,
	{"rooms", "N", "rooms (1)"},
	{"size", "N", "participants in each (100)"},
	{"talkers", "N", "of them that talk, in each room (1)"},
	{"in-flight", "N", "envelopes of a room that not everybody has heard yet, at a time, over its talkers (32)"},
	{"octets", "N", "octets of text in each envelope (100)"},
	{"seconds", "N", "how long is measured (5)"},
	{"warm-up", "N", "seconds before that (1)"},
	{0},
};

static const struct command_form form = {
	.name = "bench fanout",
	.usage = "--url ws://HOST:PORT [options]",
	.summary = "Envelopes to rooms; what is counted are deliveries, the talker's own copy among them.",
	.more = "Example\n"
		"  hustings serve --open --history off --set rooms.pace=off --listen 127.0.0.1:0\n"
		"  hustings bench fanout --url ws://127.0.0.1:PORT --pid PID --size 100 --in-flight 32",
	.options = options,
	.prints = true,
};

struct sent {
	uint64_t at_us;
	unsigned peer;
	uint64_t awaited; /* how many have not heard it yet: who is served first must not matter */
};

struct fanout {
	struct bench_run run;
	uint64_t rooms, size, talkers, in_flight, octets, seconds, warm_up;
	uint64_t next; /* number of the next envelope */
	uint64_t delivered;
	bool is_over; /* nobody says anything more */
	bool is_measured;
	struct text envelope;
	struct sent *ring;
};

static void talk(struct fanout *fanout, struct bench_peer *peer, uint64_t now_us) {
	fanout->ring[fanout->next % RING] = (struct sent){now_us, peer->number, fanout->size};
	bench_envelope(&fanout->run, &fanout->envelope, fanout->next++, fanout->octets);
	bench_peer_send(&fanout->run.peers, peer, text_slice(&fanout->envelope));
}

static void heard(void *context, struct bench_peer *peer, struct slice text, uint64_t now_us) {
	struct fanout *fanout = context;
	uint64_t number;
	(void)peer;
	if (!bench_number_of(text, &number)) return; /* the welcome */
	if (number >= fanout->next || fanout->next - number > RING) {
		bench_peers_fail(&fanout->run.peers, FAULT_BAD_INPUT, "an envelope came that is not under way");
		return;
	}
	struct sent *sent = &fanout->ring[number % RING];
	fanout->delivered++;
	if (fanout->is_measured) bench_times_add(&fanout->run.times, now_us - sent->at_us);
	if (--sent->awaited == 0 && !fanout->is_over) talk(fanout, &fanout->run.peers.list[sent->peer], now_us);
}

static bool step_until(struct fanout *fanout, uint64_t end_ms) {
	while (clock_monotonic_ms() < end_ms)
		if (!bench_peers_step(&fanout->run.peers, 20)) return false;
	return true;
}

/* Nobody talks any more: everything that was said must reach everybody. */
static bool hear_the_rest(struct fanout *fanout) {
	uint64_t end_ms = clock_monotonic_ms() + LAST_WORDS_MS;
	fanout->is_over = true;
	while (fanout->delivered < fanout->next * fanout->size) {
		if (!bench_peers_step(&fanout->run.peers, 100)) return false;
		if (clock_monotonic_ms() > end_ms)
			return bench_peers_fail(&fanout->run.peers, FAULT_TIMEOUT, "%llu of %llu deliveries never came",
				(unsigned long long)(fanout->next * fanout->size - fanout->delivered),
				(unsigned long long)(fanout->next * fanout->size));
	}
	return true;
}

static void begin_talking(struct fanout *fanout) {
	uint64_t now_us = clock_monotonic_us();
	for (uint64_t room = 0; room < fanout->rooms; room++) {
		for (uint64_t i = 0; i < fanout->in_flight; i++)
			talk(fanout, &fanout->run.peers.list[room * fanout->size + i % fanout->talkers], now_us);
	}
}

static bool measure(struct fanout *fanout, struct fault *why) {
	struct bench_run *run = &fanout->run;
	begin_talking(fanout);
	if (!step_until(fanout, clock_monotonic_ms() + fanout->warm_up * 1000)) return false;
	uint64_t before = fanout->delivered, said = fanout->next;
	fanout->is_measured = true;
	if (!bench_run_begin(run, why)) return false;
	if (!step_until(fanout, clock_monotonic_ms() + fanout->seconds * 1000)) return false;
	bench_report_add(&run->report, "rooms", (double)fanout->rooms, "");
	bench_report_add(&run->report, "size", (double)fanout->size, "");
	bench_report_add(&run->report, "in_flight", (double)fanout->in_flight, "");
	bench_report_add(&run->report, "envelopes", (double)(fanout->next - said), "");
	if (!bench_run_end(run, fanout->delivered - before, "deliveries", why)) return false;
	fanout->is_measured = false;
	bench_report_times(&run->report, &run->times);
	return hear_the_rest(fanout);
}

static int run_fanout(struct fanout *fanout) {
	struct bench_run *run = &fanout->run;
	struct fault why;
	size_t count = fanout->rooms * fanout->size;
	fanout->ring = calloc(RING, sizeof *fanout->ring);
	text_init(&fanout->envelope, 0);
	if (!fanout->ring) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory");
		return command_fail(&why);
	}
	if (!bench_peers_open(&run->peers, command_value(&run->line, "url"),
		    command_value(&run->line, "token"), count, &why))
		return command_fail(&why);
	run->peers.text = heard;
	run->peers.context = fanout;
	if (!bench_peers_join_all(&run->peers, (unsigned)fanout->rooms, 64, &why) || !measure(fanout, &why))
		return command_fail(run->peers.failed ? &run->peers.why : &why);
	return bench_run_print(run);
}

int bench_fanout(int argc, char **argv) {
	struct fanout *fanout = calloc(1, sizeof *fanout);
	int status = COMMAND_FAILED;
	if (!fanout) return status;
	const struct bench_number numbers[] = {
		{"rooms", 1, 100000, 1, &fanout->rooms},
		{"size", 1, 100000, 100, &fanout->size},
		{"talkers", 1, 100000, 1, &fanout->talkers},
		{"in-flight", 1, 10000, 32, &fanout->in_flight},
		{"octets", 0, 1000000, 100, &fanout->octets},
		{"seconds", 1, 3600, 5, &fanout->seconds},
		{"warm-up", 0, 600, 1, &fanout->warm_up},
		{0},
	};
	if (bench_run_open(&fanout->run, &form, numbers, argc, argv, &status)) {
		if (fanout->talkers > fanout->size || fanout->rooms * fanout->in_flight > RING ||
			fanout->rooms * fanout->size > 200000)
			status = command_misuse(&form,
				"too much: talkers at most the room's size, 65536 envelopes in flight, 200000 participants");
		else
			status = run_fanout(fanout);
	}
	text_finish(&fanout->envelope);
	free(fanout->ring);
	bench_run_close(&fanout->run);
	free(fanout);
	return status;
}
