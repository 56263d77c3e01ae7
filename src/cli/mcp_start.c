/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_start: the lock, the process, the wait. */
#include "cli/mcp_start.h"

#include "base/clock.h"
#include "net/launcher.h"
#include "store/data_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 30000
#define LOOK_MS 20
#define ATTEMPTS 10 /* the one before may still be on its way out */
#define BETWEEN_MS 200

extern char **environ;

static void sleep_ms(long ms) {
	struct timespec span = {ms / 1000, ms % 1000 * 1000000};
	nanosleep(&span, NULL);
}

void mcp_start_reap(pid_t *started) {
	if (*started > 0 && waitpid(*started, NULL, WNOHANG) != 0) *started = 0;
}

/* -1: no. */
static int lock(const char *data, struct fault *why) {
	AUTO_FREE char *path = data_folder_path(data, "start.lock", why);
	if (!path) return -1;
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0) {
		fault_errno(why, errno, "cannot open %s", path);
		return -1;
	}
	uint64_t ends = clock_monotonic_ms() + PATIENCE_MS;
	while (flock(file, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR) fault_errno(why, errno, "cannot lock %s", path);
		else if (clock_monotonic_ms() < ends) {
			sleep_ms(LOOK_MS);
			continue;
		} else fault_set(why, FAULT_TIMEOUT, "another process holds %.150s: does it start a gateway?", path);
		close(file);
		return -1;
	}
	return file;
}

/* The working folder is the data folder, so that no mgp.toml of the host's is found. */
static int act(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, const char *data,
	const char *log) {
	sigset_t none;
	sigemptyset(&none);
	int failed = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
	if (!failed)
		failed = posix_spawn_file_actions_addopen(actions, 1, log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW,
			0600);
	if (!failed) failed = posix_spawn_file_actions_adddup2(actions, 1, 2);
	/* What the host has open is none of the gateway's business, which outlives it. */
	if (!failed) failed = posix_spawn_file_actions_addclosefrom_np(actions, 3);
	if (!failed) failed = posix_spawn_file_actions_addchdir_np(actions, data);
	if (!failed) failed = posix_spawnattr_setsigmask(attributes, &none);
	if (!failed) failed = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
	return failed;
}

static bool spawn(const char *data, const char *config, pid_t *process, struct fault *why) {
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	AUTO_FREE char *log = data_folder_path(data, "gateway.log", why);
	const char *words[16] = {"hustings", "serve", "--data", data, "--listen", "127.0.0.1:0", "--idle-exit",
		MCP_START_IDLE};
	size_t count = 8;
	if (!log) return false;
	if (config) {
		words[count++] = "--config";
		words[count++] = config;
	}
	int failed = posix_spawn_file_actions_init(&actions);
	if (failed) return fault_errno(why, failed, "cannot start a gateway");
	failed = posix_spawnattr_init(&attributes);
	if (!failed) {
		failed = act(&actions, &attributes, data, log);
		if (!failed)
			failed = posix_spawn(process, launcher_program(), &actions, &attributes, (char **)words, environ);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
	return !failed || fault_errno(why, failed, "cannot start a gateway");
}

static bool await(const char *data, pid_t *process, struct place_gateway *gateway, struct fault *why) {
	uint64_t ends = clock_monotonic_ms() + PATIENCE_MS;
	while (clock_monotonic_ms() < ends) {
		mcp_start_reap(process);
		if (!*process)
			return fault_set(why, FAULT_NOT_READY, "the gateway did not start: %.150s/gateway.log says why", data);
		if (place_gateway(data, gateway, NULL) && gateway->pid == *process) return true;
		sleep_ms(LOOK_MS);
	}
	return fault_set(why, FAULT_TIMEOUT, "the gateway does not get ready: see %.150s/gateway.log", data);
}

bool mcp_start(const char *data, const char *config, struct log *log, struct place_gateway *gateway,
	pid_t *started, struct fault *why) {
	if (!data_folder_make(data, why)) return false;
	AUTO_CLOSE int file = lock(data, why);
	if (file < 0) return false;
	for (int attempt = 1;; attempt++) {
		if (place_gateway(data, gateway, NULL)) return true;
		if (!spawn(data, config, started, why)) return false;
		if (await(data, started, gateway, why)) break;
		if (attempt == ATTEMPTS || *started) return false;
		sleep_ms(BETWEEN_MS);
	}
	log_write(log, LOG_INFO, "a gateway was started at %s", gateway->url);
	return true;
}
