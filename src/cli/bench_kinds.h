/* SPDX-License-Identifier: Apache-2.0 */
/* Bench kinds: the benchmarks of `hustings bench`. */
#ifndef HUSTINGS_CLI_BENCH_KINDS_H
#define HUSTINGS_CLI_BENCH_KINDS_H

int bench_fanout(int argc, char **argv);
int bench_ping(int argc, char **argv);
int bench_idle(int argc, char **argv);
int bench_call(int argc, char **argv);
int bench_connect(int argc, char **argv);

#endif
