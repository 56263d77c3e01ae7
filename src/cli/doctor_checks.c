/* SPDX-License-Identifier: Apache-2.0 */
/* Doctor checks: the table, and one function a row. */
#include "cli/doctor_checks.h"

#include "base/clock.h"
#include "cli/ask.h"
#include "gateway/console_files.h"
#include "net/acceptor.h"
#include "net/child.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define OLDEST_TIME 1767225600 /* 2026-01-01: a clock before this is wrong */
#define LITTLE_SPACE (256ull * 1024 * 1024)
#define NODE_MAJOR 18
#define NODE_PATIENCE_MS 20000

AUTO_RELEASE(loop, loop_close)

PRINTF_LIKE(3, 4)
static void say(struct doctor_finding *finding, enum doctor_verdict verdict, const char *format, ...) {
	va_list arguments;
	finding->verdict = verdict;
	va_start(arguments, format);
	vsnprintf(finding->text, sizeof finding->text, format, arguments);
	va_end(arguments);
}

static void look_at_config(const struct doctor *doctor, struct doctor_finding *finding) {
	const struct config *config = doctor->config;
	if (!config) say(finding, DOCTOR_PROBLEM, "%s", doctor->config_fault.text);
	else if (!config->file) say(finding, DOCTOR_OK, "no file: the defaults hold");
	else if (config->later.length)
		say(finding, DOCTOR_WARNING, "%s has keys that this version does not use: %s", config->file,
			config->later.bytes);
	else say(finding, DOCTOR_OK, "%s", config->file);
}

static void look_at_data(const struct doctor *doctor, struct doctor_finding *finding) {
	struct stat found;
	const char *data = doctor->data;
	if (stat(data, &found) != 0 && errno == ENOENT)
		say(finding, DOCTOR_OK, "%s: not there yet, made at the first start", data);
	else if (stat(data, &found) != 0)
		say(finding, DOCTOR_PROBLEM, "%s: %s: name another with --data", data, strerror(errno));
	else if (!S_ISDIR(found.st_mode))
		say(finding, DOCTOR_PROBLEM, "%s is no folder: name another with --data", data);
	else if (found.st_uid != geteuid())
		say(finding, DOCTOR_PROBLEM, "%s belongs to another user: chown it, or name another with --data", data);
	else if (access(data, R_OK | W_OK | X_OK) != 0)
		say(finding, DOCTOR_PROBLEM, "%s cannot be written: chmod 700 it", data);
	else if (found.st_mode & (S_IRWXG | S_IRWXO))
		say(finding, DOCTOR_WARNING, "%s is open to others: chmod 700 it", data);
	else say(finding, DOCTOR_OK, "%s", data);
}

static void look_at_secrets(const struct doctor *doctor, struct doctor_finding *finding) {
	static const char *const names[] = {"admin.token", "gateway.json", "secret", "state.db",
		"history.db"};
	char path[PLACE_PATH + 256];
	struct stat found;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (!place_file(doctor->data, names[i], path, NULL) || stat(path, &found) != 0) continue;
		if (!(found.st_mode & (S_IRWXG | S_IRWXO))) continue;
		say(finding, DOCTOR_PROBLEM, "%s is open to others: chmod 600 it, and make new tokens", path);
		return;
	}
	say(finding, DOCTOR_OK, "files with secrets are yours alone");
}

static void look_at_space(const struct doctor *doctor, struct doctor_finding *finding) {
	struct statvfs found;
	char path[PLACE_PATH];
	memcpy(path, doctor->data, sizeof path);
	while (statvfs(path, &found) != 0) { /* the folder that is there already */
		char *slash = strrchr(path, '/');
		if (!slash || slash == path) {
			say(finding, DOCTOR_WARNING, "%s: free space is unknown: %s", doctor->data, strerror(errno));
			return;
		}
		*slash = '\0';
	}
	unsigned long long free_octets = (unsigned long long)found.f_bavail * found.f_frsize;
	if (free_octets < LITTLE_SPACE)
		say(finding, DOCTOR_WARNING, "%llu MiB free: with a full disk new envelopes are refused", free_octets >> 20);
	else say(finding, DOCTOR_OK, "%llu MiB free", free_octets >> 20);
}

static void nobody(void *context, int descriptor, const char *address) {
	(void)context, (void)address;
	close(descriptor);
}

static void look_at_port(const struct doctor *doctor, struct doctor_finding *finding) {
	struct fault why;
	if (!doctor->config) {
		say(finding, DOCTOR_WARNING, "not looked at: the configuration cannot be read");
		return;
	}
	const struct gateway_settings *settings = &doctor->config->gateway;
	if (doctor->has_gateway) {
		say(finding, DOCTOR_OK, "a gateway has %s", doctor->gateway.url);
		return;
	}
	AUTO(loop) loop = loop_open(&why);
	struct acceptor *acceptor = loop ? acceptor_open(loop, settings->host, settings->port, nobody, NULL, &why)
					 : NULL;
	if (acceptor) say(finding, DOCTOR_OK, "%s:%u is free", settings->host, settings->port);
	else say(finding, DOCTOR_PROBLEM, "%s: name another with --listen HOST:PORT", why.text);
	acceptor_close(acceptor);
}

static void look_at_gateway(const struct doctor *doctor, struct doctor_finding *finding) {
	struct reach reach = {.ca = command_value(doctor->line, "ca")};
	struct fault why;
	AUTO_TEXT struct text answer = {0};
	text_init(&answer, 0);
	const char *url = command_value(doctor->line, "url");
	if (!url && !doctor->has_gateway) {
		bool is_missing = doctor->gateway_fault.code == FAULT_NOT_FOUND;
		say(finding, is_missing ? DOCTOR_OK : DOCTOR_PROBLEM, "%s", doctor->gateway_fault.text);
		return;
	}
	snprintf(reach.url, sizeof reach.url, "%s", url ? url : doctor->gateway.url);
	if (ask(&reach, "GET", "/readyz", SLICE_NONE, &answer, &why))
		say(finding, DOCTOR_OK, "%s is ready", reach.url);
	else
		say(finding, DOCTOR_PROBLEM, "%s: start it again with `hustings serve`", why.text);
}

static void look_at_sandbox(const struct doctor *doctor, struct doctor_finding *finding) {
	struct fault why;
	(void)doctor;
	if (!child_can_contain(&why))
		say(finding, DOCTOR_WARNING,
			"%s: children run under the keeper alone, and sandboxed servers not at all; install bubblewrap "
			"and allow user namespaces",
			why.text);
	else if (!sandbox_is_possible(&why))
		say(finding, DOCTOR_WARNING,
			"bubblewrap works for namespaces alone, sandboxed servers stay in error: %s", why.text);
	else
		say(finding, DOCTOR_OK,
			"bubblewrap works: children get namespaces of their own, and sandboxed servers their sandbox");
}

struct node {
	char version[64]; /* "v22.1.0" */
	bool is_over;
};

static void node_said(void *context, struct slice line) {
	struct node *node = context;
	if (!node->version[0]) text_display_in(node->version, sizeof node->version, line);
}

static void node_ended(void *context, int status, const struct fault *why) {
	struct node *node = context;
	(void)why;
	if (status != 0) node->version[0] = '\0';
	node->is_over = true;
}

static void ask_node(struct node *node) {
	static const char *const arguments[] = {"node", "--version", NULL};
	static const struct child_events events = {.line = node_said, .ended = node_ended};
	const struct child_options options = {.arguments = arguments, .sandbox = CHILD_PLAIN};
	uint64_t late = clock_monotonic_ms() + NODE_PATIENCE_MS;
	struct fault why;
	AUTO(loop) loop = loop_open(&why);
	struct child *child = loop ? child_open(loop, &options, &events, node, &why) : NULL;
	while (child && !node->is_over && clock_monotonic_ms() < late) loop_step(loop, 100);
	child_close(child);
}

static void look_at_node(const struct doctor *doctor, struct doctor_finding *finding) {
	struct node node = {0};
	(void)doctor;
	ask_node(&node);
	long major = node.version[0] == 'v' ? strtol(node.version + 1, NULL, 10) : 0;
	if (major == 0)
		say(finding, DOCTOR_WARNING, "node was not found: MCP servers that npx starts need it");
	else if (major < NODE_MAJOR)
		say(finding, DOCTOR_WARNING, "node %s is old: many MCP servers want 18 or newer", node.version);
	else
		say(finding, DOCTOR_OK, "node %s", node.version);
}

static void look_at_console(const struct doctor *doctor, struct doctor_finding *finding) {
	size_t octets, count = console_files_count(&octets);
	(void)doctor;
	if (count == 0)
		say(finding, DOCTOR_WARNING,
			"the web console is not in this binary: install npm, run make again, and start the gateway anew");
	else
		say(finding, DOCTOR_OK, "the web console is in this binary: %zu files, %zu KiB", count, octets >> 10);
}

static void look_at_clock(const struct doctor *doctor, struct doctor_finding *finding) {
	struct timex state = {0};
	(void)doctor;
	if (time(NULL) < OLDEST_TIME)
		say(finding, DOCTOR_PROBLEM, "the clock is years behind: tokens and histories would be wrong; set it");
	else if (adjtimex(&state) == TIME_ERROR)
		say(finding, DOCTOR_WARNING, "the clock is not synchronised: expiries may differ from other machines'");
	else say(finding, DOCTOR_OK, "the clock is synchronised");
}

static void look_at_descriptors(const struct doctor *doctor, struct doctor_finding *finding) {
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || !doctor->config) {
		say(finding, DOCTOR_WARNING, "not looked at");
		return;
	}
	size_t wanted = doctor->config->gateway.max_connections + 64;
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < wanted)
		say(finding, DOCTOR_WARNING,
			"%llu descriptors are fewer than gateway.max_connections (%zu) wants: raise LimitNOFILE or ulimit -Hn",
			(unsigned long long)limit.rlim_max, doctor->config->gateway.max_connections);
	else say(finding, DOCTOR_OK, "enough for %zu connections", doctor->config->gateway.max_connections);
}

const struct doctor_row doctor_rows[] = {
	{"configuration", look_at_config},
	{"data folder", look_at_data},
	{"secrets", look_at_secrets},
	{"disk", look_at_space},
	{"port", look_at_port},
	{"gateway", look_at_gateway},
	{"descriptors", look_at_descriptors},
	{"sandbox", look_at_sandbox},
	{"node", look_at_node},
	{"console", look_at_console},
	{"clock", look_at_clock},
	{0},
};
