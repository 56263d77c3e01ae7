/* SPDX-License-Identifier: Apache-2.0 */
/* Audit file: gathered lines, one write, now and then another file. */
#include "store/audit_file.h"

#include "base/clock.h"
#include "store/audit_event.h"
#include "store/audit_listener.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMPLAINT_MS 60000
#define KEPT (256 * 1024) /* octets of memory that stay between two passes */

struct audit_file {
	struct audit_listener listener;
	struct task write;
	struct loop *loop;
	struct log *log;
	char *path;
	int64_t bytes;
	unsigned count;
	int file; /* -1: it could not be opened again */
	int64_t size;
	bool is_torn; /* half a line stands at its end */
	struct text gathered;
	uint64_t lines; /* of them */
	uint64_t lost;
	uint64_t complained_at; /* loop ms; 0: never */
};

static void complain(struct audit_file *file, const struct fault *why) {
	uint64_t now = loop_now(file->loop);
	if (file->complained_at && now - file->complained_at < COMPLAINT_MS) return;
	file->complained_at = now;
	log_write(file->log, LOG_ERROR, "audit file: %s; %llu records are not in it (the trail has them)",
		why->text, (unsigned long long)file->lost);
}

/* ---- The file ---- */

static bool file_open(struct audit_file *file, struct fault *why) {
	struct stat found;
	AUTO_CLOSE int opened = open(file->path,
		O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	if (opened < 0 && errno == ELOOP)
		return fault_set(why, FAULT_REFUSED, "%s is a link: name the file itself", file->path);
	if (opened < 0 || fstat(opened, &found) != 0) return fault_errno(why, errno, "%s", file->path);
	if (!S_ISREG(found.st_mode)) return fault_set(why, FAULT_REFUSED, "%s is no file", file->path);
	file->file = opened;
	file->size = found.st_size;
	opened = -1;
	return true;
}

static bool move_one(const struct audit_file *file, unsigned number, struct fault *why) {
	char from[PATH_MAX], to[PATH_MAX];
	int length = snprintf(to, sizeof to, "%s.%u", file->path, number);
	if (number > 1) length = snprintf(from, sizeof from, "%s.%u", file->path, number - 1);
	else snprintf(from, sizeof from, "%s", file->path);
	if (length < 0 || (size_t)length >= sizeof to)
		return fault_set(why, FAULT_TOO_LARGE, "%s: the name is too long", file->path);
	if (rename(from, to) == 0 || (errno == ENOENT && number > 1)) return true;
	return fault_errno(why, errno, "%s cannot become %s", from, to);
}

/* The oldest first, so that none is lost when one cannot be renamed. */
static bool move_aside(const struct audit_file *file, struct fault *why) {
	if (file->count == 0)
		return unlink(file->path) == 0 || fault_errno(why, errno, "%s cannot be removed", file->path);
	for (unsigned number = file->count; number > 0; number--)
		if (!move_one(file, number, why)) return false;
	return true;
}

/* Where it cannot be renamed it goes on growing; where no new one can be made nothing is written
 * until one can. */
static bool make_room(struct audit_file *file, struct fault *why) {
	struct fault moved;
	int64_t after = file->size + (int64_t)file->gathered.length;
	if (file->file >= 0 && (file->bytes == 0 || file->size == 0 || after <= file->bytes)) return true;
	if (file->file >= 0) {
		if (!move_aside(file, &moved)) {
			complain(file, &moved);
			return true;
		}
		close(file->file);
		file->file = -1;
		file->is_torn = false;
	}
	return file_open(file, why);
}

static bool write_all(struct audit_file *file, struct slice text, struct fault *why) {
	for (size_t at = 0; at < text.length;) {
		ssize_t count = write(file->file, text.bytes + at, text.length - at);
		if (count < 0 && errno == EINTR) continue;
		if (count > 0) {
			at += (size_t)count;
			continue;
		}
		fault_errno(why, count < 0 ? errno : ENOSPC, "%s", file->path);
		file->is_torn = at > 0 && ftruncate(file->file, file->size) != 0;
		return false;
	}
	file->size += (int64_t)text.length;
	return true;
}

static void write_gathered(struct audit_file *file) {
	struct fault why;
	if (file->lines == 0) return;
	bool done = make_room(file, &why);
	if (done && file->is_torn) {
		done = write_all(file, SLICE("\n"), &why);
		file->is_torn = !done;
	}
	if (done) done = write_all(file, text_slice(&file->gathered), &why);
	if (!done) {
		file->lost += file->lines;
		complain(file, &why);
	}
	file->lines = 0;
	text_clear(&file->gathered);
	if (file->gathered.capacity > KEPT) text_finish(&file->gathered);
}

static void write_task(struct task *task) {
	write_gathered(CONTAINER_OF(task, struct audit_file, write));
}

/* ---- Listening ---- */

static void told(struct audit_listener *listener, const struct audit_record *record, int64_t moment) {
	struct audit_file *file = CONTAINER_OF(listener, struct audit_file, listener);
	size_t before = file->gathered.length;
	audit_write_event(&file->gathered, record, moment);
	text_add_char(&file->gathered, '\n');
	if (text_failed(&file->gathered)) {
		file->gathered.length = before;
		file->gathered.failed = false;
		file->lost++;
		struct fault why;
		fault_set(&why, FAULT_FULL, "too many records at once, or no memory for them");
		complain(file, &why);
		return;
	}
	file->lines++;
	loop_later(file->loop, &file->write, write_task);
}

static void missed(struct audit_listener *listener, uint64_t count) {
	struct audit_file *file = CONTAINER_OF(listener, struct audit_file, listener);
	struct fault why;
	file->lost += count;
	fault_set(&why, FAULT_FULL, "records came faster than they could be told");
	complain(file, &why);
}

struct audit_file *audit_file_open(struct store *store, struct loop *loop,
	const struct audit_file_settings *settings, struct log *log, struct fault *why) {
	AUTO(audit_file) file = calloc(1, sizeof *file);
	if (!file) return fault_null(why, FAULT_NO_MEMORY, "no memory for the audit file");
	file->file = -1;
	file->loop = loop;
	file->log = log;
	file->bytes = settings->bytes;
	file->count = settings->count;
	file->listener.told = told;
	file->listener.missed = missed;
	text_init(&file->gathered, AUDIT_FILE_GATHERED);
	file->path = slice_copy(slice_of(settings->path));
	if (!file->path) return fault_null(why, FAULT_NO_MEMORY, "no memory for the audit file");
	if (!file_open(file, why) || !audit_listen(store, loop, &file->listener, why)) return NULL;
	return TAKE(file);
}

void audit_file_close(struct audit_file *file) {
	if (!file) return;
	audit_unlisten(&file->listener);
	task_clear(&file->write);
	write_gathered(file);
	if (file->file >= 0) close(file->file);
	text_finish(&file->gathered);
	free(file->path);
	free(file);
}

uint64_t audit_file_lost(const struct audit_file *file) { return file ? file->lost : 0; }
