/* SPDX-License-Identifier: Apache-2.0 */
/* Data folder: made private, locked while a gateway lives. */
#include "store/data_folder.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool make_one(const char *path, struct fault *why) {
	struct stat found;
	if (mkdir(path, 0700) == 0) return true;
	int error = errno;
	if (stat(path, &found) != 0) return fault_errno(why, error, "%s", path);
	if (!S_ISDIR(found.st_mode))
		return fault_set(why, FAULT_BAD_INPUT, "%s is not a folder; name another one", path);
	return true;
}

bool data_folder_make(const char *directory, struct fault *why) {
	if (!directory || !*directory) return fault_set(why, FAULT_BAD_INPUT, "the data folder has no name");

	AUTO_FREE char *path = slice_copy(slice_of(directory));
	if (!path) return fault_set(why, FAULT_NO_MEMORY, "no memory for the data folder's name");
	for (char *at = path + 1; *at; at++) {
		if (*at != '/') continue;
		*at = '\0';
		if (!make_one(path, why)) return false;
		*at = '/';
	}
	return make_one(path, why);
}

char *data_folder_path(const char *directory, const char *name, struct fault *why) {
	size_t size = strlen(directory) + strlen(name) + 2;
	char *path = malloc(size);
	if (!path) return fault_null(why, FAULT_NO_MEMORY, "no memory for a file's name");
	snprintf(path, size, "%s/%s", directory, name);
	return path;
}

static bool say_holder(int file, const char *directory, struct fault *why) {
	char text[24] = {0};
	ssize_t length = pread(file, text, sizeof text - 1, 0);
	if (length <= 0) snprintf(text, sizeof text, "?");
	text[strcspn(text, "\n")] = '\0';
	return fault_set(why, FAULT_EXISTS,
		"another gateway (process %s) uses %s; end it, or name another data folder", text, directory);
}

int data_folder_lock(const char *directory, struct fault *why) {
	AUTO_FREE char *path = data_folder_path(directory, "lock", why);
	if (!path) return -1;
	AUTO_CLOSE int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0) {
		fault_errno(why, errno, "%s", path);
		return -1;
	}
	if (flock(file, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EWOULDBLOCK)
			say_holder(file, directory, why);
		else
			fault_errno(why, errno, "%s", path);
		return -1;
	}
	/* The process id is for people's eyes: the lock holds without it, on a full disk too. */
	char text[24];
	int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
	if (ftruncate(file, 0) == 0 && pwrite(file, text, (size_t)length, 0) < 0) errno = 0;
	int held = file;
	file = -1;
	return held;
}
