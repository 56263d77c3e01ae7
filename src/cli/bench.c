/* SPDX-License-Identifier: Apache-2.0 */
/* Bench: the table of benchmarks. */
#include "cli/bench.h"

#include "cli/bench_kinds.h"
#include "cli/command.h"

static const struct command kinds[] = {
	{"fanout", "talkers and listeners in rooms: deliveries, times, the server's CPU for each", bench_fanout},
	{"ping", "two in a room: round trips", bench_ping},
	{"idle", "many who only listen: the server's memory for each", bench_idle},
	{"call", "a tool of any MCP endpoint: times, calls a second, the server's CPU for each", bench_call},
	{"connect", "join, be welcomed, go: how many a second", bench_connect},
	{0},
};

int bench_command(int argc, char **argv) {
	return command_choose(kinds, "hustings bench",
		"The gateway should run on this machine, with rooms.pace=off; --pid names its process.", argc, argv);
}
