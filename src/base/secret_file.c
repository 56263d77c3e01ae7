/* SPDX-License-Identifier: Apache-2.0 */
/* Secret file: made beside its name, synced, then linked into place, so that two starts at once
 * agree on one secret and a crash leaves none that is short. Declared in secret.h. */
#include "base/ident.h"
#include "base/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool file_check(const char *path, int descriptor, size_t length, struct fault *why) {
	struct stat found;
	if (fstat(descriptor, &found) != 0) return fault_errno(why, errno, "%s", path);
	if (!S_ISREG(found.st_mode))
		return fault_set(why, FAULT_BAD_INPUT, "%s is not a plain file; remove it", path);
	if (found.st_mode & (S_IRWXG | S_IRWXO))
		return fault_set(why, FAULT_REFUSED, "%s is open to others; chmod 600 it", path);
	if (found.st_size != (off_t)length)
		return fault_set(why, FAULT_BAD_INPUT,
			"%s has %lld octets instead of %zu; remove it to have it made anew", path,
			(long long)found.st_size, length);
	return true;
}

/* FAULT_NOT_FOUND: there is none yet. */
static bool file_read(const char *path, uint8_t *octets, size_t length, struct fault *why) {
	AUTO_CLOSE int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (descriptor < 0) return fault_errno(why, errno, "%s", path);
	if (!file_check(path, descriptor, length, why)) return false;

	AUTO_FREE uint8_t *got = malloc(length ? length : 1);
	if (!got) return fault_set(why, FAULT_NO_MEMORY, "%s: no memory to read it", path);
	for (size_t at = 0; at < length;) {
		ssize_t count = read(descriptor, got + at, length - at);
		if (count < 0 && errno == EINTR) continue;
		if (count < 0) return fault_errno(why, errno, "%s", path);
		if (count == 0) return fault_set(why, FAULT_BAD_INPUT, "%s is cut short; remove it", path);
		at += (size_t)count;
	}
	if (length) memcpy(octets, got, length);
	secret_wipe(got, length);
	return true;
}

static bool octets_write(const char *path, int descriptor, const uint8_t *octets, size_t length,
	struct fault *why) {
	for (size_t at = 0; at < length;) {
		ssize_t count = write(descriptor, octets + at, length - at);
		if (count < 0 && errno == EINTR) continue;
		if (count < 0) return fault_errno(why, errno, "%s", path);
		at += (size_t)count;
	}
	if (fchmod(descriptor, S_IRUSR | S_IWUSR) != 0) return fault_errno(why, errno, "%s", path);
	if (fsync(descriptor) != 0) return fault_errno(why, errno, "%s", path);
	return true;
}

/* So that the name survives a power cut too. */
static bool folder_sync(const char *path, struct fault *why) {
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) : 0;
	AUTO_FREE char *folder = NULL;
	if (!slash) folder = slice_copy(SLICE("."));
	else folder = slice_copy(length ? slice_make(path, length) : SLICE("/"));
	if (!folder) return fault_set(why, FAULT_NO_MEMORY, "%s: no memory for its folder's name", path);

	AUTO_CLOSE int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (descriptor < 0) return fault_errno(why, errno, "%s", folder);
	if (fsync(descriptor) != 0) return fault_errno(why, errno, "%s", folder);
	return true;
}

/* True when the file is there afterwards, whoever made it. */
static bool file_make(const char *path, const char *beside, size_t length, struct fault *why) {
	AUTO_CLOSE int descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (descriptor < 0) return fault_errno(why, errno, "%s", beside);

	uint8_t *octets = malloc(length ? length : 1);
	bool done = octets != NULL;
	if (!done) fault_set(why, FAULT_NO_MEMORY, "%s: no memory to make it", path);
	if (done) {
		ident_random(octets, length);
		done = octets_write(beside, descriptor, octets, length, why);
		secret_wipe(octets, length);
		free(octets);
	}
	if (done && link(beside, path) != 0 && errno != EEXIST)
		done = fault_errno(why, errno, "%s", path);
	unlink(beside);
	return done && folder_sync(path, why);
}

bool secret_file(const char *path, uint8_t *octets, size_t length, struct fault *why) {
	struct fault missing = {0};
	if (file_read(path, octets, length, &missing)) return true;
	if (missing.code != FAULT_NOT_FOUND) {
		if (why) *why = missing;
		return false;
	}

	AUTO_TEXT struct text beside = {0};
	char unique[IDENT_UUID_SIZE];
	text_init(&beside, 0);
	ident_uuid(unique);
	text_printf(&beside, "%s.%s", path, unique);
	if (text_failed(&beside))
		return fault_set(why, FAULT_NO_MEMORY, "%s: no memory for the name beside it", path);
	if (!file_make(path, beside.bytes, length, why)) return false;
	return file_read(path, octets, length, why);
}
