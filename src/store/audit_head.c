/* SPDX-License-Identifier: Apache-2.0 */
/* Audit head: the file that tells of a cut tail: "ROW MAC\n", replaced as a whole. Declared in
 * audit_chain.h. */
#include "store/audit_chain.h"
#include "store/data_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define HEAD_SIZE 96

static bool write_beside(const char *path, const char *text, size_t length, struct fault *why) {
	AUTO_CLOSE int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0) return fault_errno(why, errno, "%s", path);
	ssize_t written = write(file, text, length);
	if (written == (ssize_t)length) return true;
	return fault_errno(why, written < 0 ? errno : ENOSPC, "%s", path);
}

bool audit_head_write(const char *directory, const struct audit_link *newest, struct fault *why) {
	char text[HEAD_SIZE], hex[2 * SECRET_HASH_SIZE + 1], name[48];
	/* Two processes may write at once: each has a file of its own until it is renamed. */
	snprintf(name, sizeof name, "audit.head.%ld", (long)getpid());
	AUTO_FREE char *beside = data_folder_path(directory, name, why);
	AUTO_FREE char *path = data_folder_path(directory, "audit.head", why);
	if (!beside || !path) return false;
	secret_hex(newest->mac, sizeof newest->mac, hex);
	int length = snprintf(text, sizeof text, "%" PRIu64 " %s\n", newest->row, hex);
	if (!write_beside(beside, text, (size_t)length, why)) {
		unlink(beside);
		return false;
	}
	if (rename(beside, path) == 0) return true;
	return fault_errno(why, errno, "%s", path);
}

bool audit_head_read(const char *directory, struct audit_link *newest, struct fault *why) {
	char text[HEAD_SIZE];
	AUTO_FREE char *path = data_folder_path(directory, "audit.head", why);
	if (!path) return false;
	AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0) return fault_errno(why, errno, "%s", path);
	ssize_t length = read(file, text, sizeof text);
	if (length < 0) return fault_errno(why, errno, "%s", path);

	struct slice rest = slice_trim(slice_make(text, (size_t)length)), number, hex;
	if (rest.length && rest.bytes[rest.length - 1] == '\n') rest.length--;
	struct audit_link found;
	if (!slice_split(&rest, ' ', &number) || !slice_number(number, INT64_MAX, &found.row) ||
		!slice_split(&rest, '\n', &hex) || !secret_unhex(hex, found.mac, sizeof found.mac))
		return fault_set(why, FAULT_BAD_INPUT, "%s has not the form that it should", path);
	*newest = found;
	return true;
}
