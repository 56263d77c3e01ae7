/* SPDX-License-Identifier: Apache-2.0 */
/* Bench process: sums over the threads of a process. */
#include "cli/bench_process.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool read_file(const char *path, char *octets, size_t size) {
	FILE *file = fopen(path, "re");
	if (!file) return false;
	size_t length = fread(octets, 1, size - 1, file);
	octets[length] = '\0';
	fclose(file);
	return length > 0;
}

/* The first number of schedstat: nanoseconds on a CPU. */
static bool add_thread(const char *process, const char *thread, uint64_t *cpu_ns) {
	char path[128], octets[128];
	char *end;
	snprintf(path, sizeof path, "%s/task/%.20s/schedstat", process, thread);
	if (!read_file(path, octets, sizeof octets)) return false;
	uint64_t ns = strtoull(octets, &end, 10);
	if (end == octets) return false;
	*cpu_ns += ns;
	return true;
}

static bool read_schedstat(const char *process, uint64_t *cpu_ns) {
	char path[64];
	uint64_t sum = 0;
	snprintf(path, sizeof path, "%s/task", process);
	DIR *folder = opendir(path);
	if (!folder) return false;
	bool done = false;
	for (const struct dirent *entry; (entry = readdir(folder));) {
		if (entry->d_name[0] == '.') continue;
		done = add_thread(process, entry->d_name, &sum);
		if (!done) break;
	}
	closedir(folder);
	if (done) *cpu_ns = sum;
	return done && sum > 0;
}

/* utime and stime are the 12th and 13th field behind the name's closing parenthesis. */
static bool read_stat(const char *process, uint64_t *cpu_ns) {
	char path[64], octets[1024];
	unsigned long long user, system;
	snprintf(path, sizeof path, "%s/stat", process);
	if (!read_file(path, octets, sizeof octets)) return false;
	const char *behind = strrchr(octets, ')');
	if (!behind || sscanf(behind + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &system) != 2)
		return false;
	*cpu_ns = (uint64_t)(user + system) * (1000000000ull / (uint64_t)sysconf(_SC_CLK_TCK));
	return true;
}

/* "Name:   123 kB" of /proc/PID/status, in octets. */
static uint64_t status_field(const char *status, const char *name) {
	const char *at = strstr(status, name);
	return at ? strtoull(at + strlen(name), NULL, 10) * 1024 : 0;
}

bool bench_usage_read(unsigned process, struct bench_usage *usage, struct fault *why) {
	char folder[32], path[64], status[4096];
	struct bench_usage found = {0};
	snprintf(folder, sizeof folder, "/proc/%u", process);
	snprintf(path, sizeof path, "%s/status", folder);
	if (!read_file(path, status, sizeof status))
		return fault_set(why, FAULT_NOT_FOUND, "there is no process %u: --pid names the server", process);
	found.resident = status_field(status, "VmRSS:");
	found.anonymous = status_field(status, "RssAnon:");
	found.is_exact = read_schedstat(folder, &found.cpu_ns);
	if (!found.is_exact && !read_stat(folder, &found.cpu_ns))
		return fault_set(why, FAULT_IO, "/proc/%u says nothing of its CPU time", process);
	*usage = found;
	return true;
}
