/* SPDX-License-Identifier: Apache-2.0 */
/* Place: paths and small files of the data folder. */
#include "cli/place.h"

#include "auth/token_record.h"
#include "base/clock.h"
#include "base/ident.h"
#include "wire/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ADMIN_LIFE_MS (3650LL * 24 * 3600 * 1000)
#define GATEWAY_OCTETS 4096

static bool path_fits(int length, size_t size, const char *what, struct fault *why) {
	if (length > 0 && (size_t)length < size) return true;
	return fault_set(why, FAULT_TOO_LARGE, "%s: the path is longer than %zu octets", what, size - 1);
}

bool place_find(const char *named, char path[PLACE_PATH], struct fault *why) {
	char found[PLACE_PATH], here[PLACE_PATH];
	const char *home = getenv("HOME");
	if (!named || !named[0]) named = getenv("HUSTINGS_DATA");
	int length;
	if (named && named[0])
		length = snprintf(found, sizeof found, "%s", named);
	else if (home && home[0])
		length = snprintf(found, sizeof found, "%s/.local/share/hustings", home);
	else
		return fault_set(why, FAULT_NOT_FOUND, "HOME is not set: name the data folder with --data DIR");
	if (!path_fits(length, sizeof found, "the data folder", why)) return false;
	if (found[0] == '/') {
		memcpy(path, found, sizeof found);
		return true;
	}
	if (!getcwd(here, sizeof here)) return fault_errno(why, errno, "the working folder");
	length = snprintf(path, PLACE_PATH, "%s/%s", here, found);
	return path_fits(length, PLACE_PATH, "the data folder", why);
}

bool place_file(const char *folder, const char *name, char path[PLACE_PATH + 256],
	struct fault *why) {
	int length = snprintf(path, PLACE_PATH + 256, "%s/%s", folder, name);
	return path_fits(length, PLACE_PATH + 256, name, why);
}

static bool write_all(int descriptor, const char *path, struct slice text, bool lasts,
	struct fault *why) {
	while (text.length) {
		ssize_t count = write(descriptor, text.bytes, text.length);
		if (count < 0 && errno == EINTR) continue;
		if (count < 0) return fault_errno(why, errno, "cannot write %s", path);
		text = slice_make(text.bytes + count, text.length - (size_t)count);
	}
	if (lasts && fsync(descriptor) != 0) return fault_errno(why, errno, "cannot write %s", path);
	return true;
}

bool place_write(const char *path, struct slice text, bool lasts, struct fault *why) {
	char beside[PLACE_PATH + 320], unique[IDENT_UUID_SIZE];
	ident_uuid(unique);
	int length = snprintf(beside, sizeof beside, "%s.%s", path, unique);
	if (!path_fits(length, sizeof beside, path, why)) return false;
	AUTO_CLOSE int descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (descriptor < 0) return fault_errno(why, errno, "cannot make %s", beside);
	bool done = write_all(descriptor, beside, text, lasts, why);
	if (done && rename(beside, path) != 0) done = fault_errno(why, errno, "cannot write %s", path);
	if (!done) unlink(beside);
	return done;
}

/* The administrator's token */

struct admins {
	int64_t now;
	bool found;
};

/* A session helps in its browser alone, and what a command made for itself nobody has kept. */
static bool is_living_admin(void *context, const struct token_row *row) {
	struct admins *admins = context;
	bool lives = !row->revoked_at && (!row->expires_at || row->expires_at > admins->now);
	if (row->is_admin && lives && !row->is_session && !row->is_local) admins->found = true;
	return !admins->found;
}

static bool make_admin(const char *path, struct state *state, char token[64], struct fault *why) {
	struct token_wish wish = {
		.id = SLICE("admin"),
		.kind = PRINCIPAL_HUMAN,
		.privilege = PRIVILEGE_FULL,
		.is_admin = true,
		.life_ms = ADMIN_LIFE_MS,
	};
	char token_id[TOKEN_ID], line[TOKEN_TEXT + 1];
	size_t count;
	if (!token_create(state, &wish, token, token_id, why)) return false;
	int length = snprintf(line, sizeof line, "%s\n", token);
	bool done = place_write(path, slice_make(line, (size_t)length), true, why);
	secret_wipe(line, sizeof line);
	if (done) return true;
	secret_wipe(token, TOKEN_TEXT);
	(void)!token_revoke(state, token_id, SLICE_NONE, &count, NULL); /* nobody could read it any more */
	return false;
}

bool place_admin_token(const char *folder, struct state *state, bool *is_new, char token[64],
	struct fault *why) {
	char path[PLACE_PATH + 256];
	struct admins admins = {.now = clock_wall_ms()};
	if (!place_file(folder, "admin.token", path, why)) return false;
	if (access(path, F_OK) != 0) {
		if (!token_each(state, is_living_admin, &admins, why)) return false;
		if (!admins.found) {
			if (!make_admin(path, state, token, why)) return false;
			*is_new = true;
			return true;
		}
	}
	*is_new = false;
	return true;
}

/* gateway.json */

bool place_announce(const char *folder, const char *url, struct fault *why) {
	char path[PLACE_PATH + 256];
	AUTO_TEXT struct text json = {0};
	text_init(&json, GATEWAY_OCTETS);
	text_add_cstr(&json, "{\"url\":");
	text_json(&json, slice_of(url));
	text_printf(&json, ",\"pid\":%ld}\n", (long)getpid());
	if (text_failed(&json)) return fault_set(why, FAULT_NO_MEMORY, "no memory for gateway.json");
	return place_file(folder, "gateway.json", path, why) &&
		place_write(path, text_slice(&json), false, why);
}

void place_withdraw(const char *folder) {
	char path[PLACE_PATH + 256];
	if (place_file(folder, "gateway.json", path, NULL)) unlink(path);
}

static bool read_small(const char *path, char octets[GATEWAY_OCTETS], size_t *length,
	struct fault *why) {
	struct stat found;
	AUTO_CLOSE int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (descriptor < 0) return fault_errno(why, errno, "%s", path);
	if (fstat(descriptor, &found) != 0) return fault_errno(why, errno, "%s", path);
	if (found.st_mode & (S_IRWXG | S_IRWXO) || found.st_uid != geteuid())
		return fault_set(why, FAULT_REFUSED, "%s is not yours alone: it may send your token anywhere", path);
	ssize_t count = read(descriptor, octets, GATEWAY_OCTETS);
	if (count < 0) return fault_errno(why, errno, "%s", path);
	*length = (size_t)count;
	return true;
}

static bool read_gateway(struct slice json, struct arena *arena, struct place_gateway *gateway) {
	struct scan_value root, value;
	struct scan_fault fault;
	struct slice url;
	int64_t pid;
	if (!scan_check(json, SCAN_DEPTH, &root, &fault) || !scan_find(&root, "url", &value) ||
		!scan_string(&value, arena, &url) || url.length >= sizeof gateway->url ||
		!scan_find(&root, "pid", &value) || !scan_integer(&value, &pid) || pid <= 0 || pid > INT32_MAX)
		return false;
	memcpy(gateway->url, url.bytes, url.length);
	gateway->url[url.length] = '\0';
	gateway->pid = (pid_t)pid;
	return true;
}

/* Also false of one that has ended and that nobody has waited for yet: where no init reaps, it would
 * look alive for ever. */
static bool process_runs(pid_t process) {
	char path[64], stat[512];
	if (kill(process, 0) != 0 && errno == ESRCH) return false;
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
	AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = file < 0 ? -1 : read(file, stat, sizeof stat - 1);
	if (got <= 0) return true; /* not ours to look at */
	stat[got] = '\0';
	const char *state = strrchr(stat, ')'); /* "PID (NAME) STATE ...", whatever the name holds */
	return !state || (state[1] && state[2] != 'Z' && state[2] != 'X');
}

bool place_gateway(const char *folder, struct place_gateway *gateway, struct fault *why) {
	char path[PLACE_PATH + 256], octets[GATEWAY_OCTETS], lent[1024];
	size_t length = 0;
	struct fault missing = {0};
	struct arena arena;
	if (!place_file(folder, "gateway.json", path, why)) return false;
	if (!read_small(path, octets, &length, &missing)) {
		if (missing.code == FAULT_NOT_FOUND)
			return fault_set(why, FAULT_NOT_FOUND,
				"no gateway runs on %s: start one with `hustings serve`, or name one with --url", folder);
		if (why) *why = missing;
		return false;
	}
	arena_init(&arena, lent, sizeof lent, 0);
	bool done = read_gateway(slice_make(octets, length), &arena, gateway);
	arena_finish(&arena);
	if (!done) return fault_set(why, FAULT_BAD_INPUT, "%s is broken: restart the gateway", path);
	if (!process_runs(gateway->pid))
		return fault_set(why, FAULT_NOT_FOUND,
			"the gateway of %s is gone (process %ld): start it with `hustings serve`", folder,
			(long)gateway->pid);
	return true;
}
