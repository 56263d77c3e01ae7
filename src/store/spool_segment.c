/* SPDX-License-Identifier: Apache-2.0 */
/* Spool segment: blocks are taken from the disk before octets are, so that writing cannot fail for
 * want of them. */
#include "store/spool_segment.h"

#include "store/spool_record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void segment_name_write(const struct segment_name *name, char text[SEGMENT_NAME]) {
	snprintf(text, SEGMENT_NAME, "%016" PRIx64 "-%04" PRIx32 "-%08" PRIx32 ".spool",
		name->generation, name->spool, name->number);
}

bool segment_name_read(const char *text, struct segment_name *name) {
	struct segment_name found;
	char again[SEGMENT_NAME];
	if (sscanf(text, "%16" SCNx64 "-%4" SCNx32 "-%8" SCNx32, &found.generation, &found.spool,
		    &found.number) != 3)
		return false;
	segment_name_write(&found, again);
	if (strcmp(again, text) != 0) return false;
	*name = found;
	return true;
}

int segment_name_compare(const void *a, const void *b) {
	const struct segment_name *left = a, *right = b;
	if (left->generation != right->generation) return left->generation < right->generation ? -1 : 1;
	if (left->spool != right->spool) return left->spool < right->spool ? -1 : 1;
	if (left->number != right->number) return left->number < right->number ? -1 : 1;
	return 0;
}

bool segment_fault(struct fault *why, int error, const char *what) {
	if (error == ENOSPC || error == EDQUOT || error == EFBIG)
		return fault_set(why, FAULT_FULL,
			"%s: the disk is full (%s); make room on the disk of the data folder", what,
			strerror(error));
	return fault_errno(why, error, "%s", what);
}

static bool write_all(int descriptor, struct slice bytes, int64_t at) {
	while (bytes.length) {
		ssize_t count = pwrite(descriptor, bytes.bytes, bytes.length, at);
		if (count < 0 && errno == EINTR) continue;
		if (count == 0) errno = ENOSPC;
		if (count <= 0) return false;
		bytes = slice_make(bytes.bytes + count, bytes.length - (size_t)count);
		at += count;
	}
	return true;
}

struct segment *segment_open(int folder, const struct segment_name *name, struct fault *why) {
	char text[SEGMENT_NAME];
	segment_name_write(name, text);
	AUTO(segment) segment = calloc(1, sizeof *segment);
	if (!segment) return fault_null(why, FAULT_NO_MEMORY, "no memory for a spool segment");
	list_init(&segment->link);
	segment->name = *name;
	segment->descriptor = openat(folder, text, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (segment->descriptor < 0) {
		segment_fault(why, errno, "a spool segment");
		return NULL;
	}
	if (!segment_reserve(segment, SPOOL_MAGIC_SIZE, why) ||
		!segment_write(segment, SLICE(SPOOL_MAGIC), why)) {
		unlinkat(folder, text, 0);
		return NULL;
	}
	segment->moved = segment->scanned = segment->goal = SPOOL_MAGIC_SIZE;
	return TAKE(segment);
}

struct segment *segment_again(int folder, const struct segment_name *name, struct fault *why) {
	char text[SEGMENT_NAME];
	struct stat found;
	segment_name_write(name, text);
	AUTO(segment) segment = calloc(1, sizeof *segment);
	if (!segment) return fault_null(why, FAULT_NO_MEMORY, "no memory for a spool segment");
	list_init(&segment->link);
	segment->name = *name;
	segment->descriptor = openat(folder, text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (segment->descriptor < 0 || fstat(segment->descriptor, &found) != 0) {
		fault_errno(why, errno, "the spool segment %s", text);
		return NULL;
	}
	if (found.st_size > UINT32_MAX)
		return fault_null(why, FAULT_UNSUPPORTED, "the spool segment %s has over 4 GiB", text);
	atomic_store(&segment->end, found.st_size);
	atomic_store(&segment->is_sealed, true);
	segment->reserved = found.st_size;
	segment->moved = segment->scanned = segment->goal = SPOOL_MAGIC_SIZE;
	return TAKE(segment);
}

bool segment_read(const struct segment *segment, int64_t from, char *to, size_t length,
	struct fault *why) {
	char text[SEGMENT_NAME];
	for (size_t at = 0; at < length;) {
		ssize_t count = pread(segment->descriptor, to + at, length - at, from + (int64_t)at);
		if (count < 0 && errno == EINTR) continue;
		if (count > 0) {
			at += (size_t)count;
			continue;
		}
		int error = count < 0 ? errno : 0;
		segment_name_write(&segment->name, text);
		if (error) return fault_errno(why, error, "reading the spool segment %s", text);
		return fault_set(why, FAULT_IO, "the spool segment %s became shorter", text);
	}
	return true;
}

void segment_close(struct segment *segment) {
	if (!segment) return;
	list_remove(&segment->link);
	if (segment->descriptor >= 0) close(segment->descriptor);
	free(segment);
}

/* Where the file system cannot reserve, zeros are written: they read as "nothing begins here". */
static int reserve_by_zeros(struct segment *segment, int64_t upto) {
	static const char zeros[64 * 1024];
	for (int64_t at = segment->reserved; at < upto;) {
		int64_t length = upto - at < (int64_t)sizeof zeros ? upto - at : (int64_t)sizeof zeros;
		if (!write_all(segment->descriptor, slice_make(zeros, (size_t)length), at)) return errno;
		at += length;
	}
	return 0;
}

static int reserve(struct segment *segment, int64_t upto) {
	int error = 0;
	while (!segment->has_no_fallocate) {
		int64_t from = segment->reserved;
		error = fallocate(segment->descriptor, FALLOC_FL_KEEP_SIZE, from, upto - from) ? errno : 0;
		if (error == EINTR) continue;
		if (error != EOPNOTSUPP && error != ENOSYS) break;
		segment->has_no_fallocate = true;
	}
	if (segment->has_no_fallocate) error = reserve_by_zeros(segment, upto);
	if (error == 0) segment->reserved = upto;
	return error;
}

bool segment_reserve(struct segment *segment, int64_t upto, struct fault *why) {
	if (upto <= segment->reserved) return true;

	int64_t step = (upto + SEGMENT_STEP - 1) / SEGMENT_STEP * SEGMENT_STEP;
	if (reserve(segment, step) == 0) return true;
	int error = reserve(segment, upto); /* the disk's last octets may do */
	if (error == 0) return true;
	return segment_fault(why, error, "the spool cannot grow");
}

bool segment_write(struct segment *segment, struct slice bytes, struct fault *why) {
	int64_t end = atomic_load_explicit(&segment->end, memory_order_relaxed);
	if (!write_all(segment->descriptor, bytes, end)) {
		int error = errno;
		/* Whole records of what failed must not be found behind later ones. */
		if (ftruncate(segment->descriptor, end) != 0) segment->is_broken = true;
		segment->reserved = end;
		return segment_fault(why, error, "the spool cannot be written");
	}
	end += (int64_t)bytes.length;
	if (segment->reserved < end) segment->reserved = end;
	atomic_store_explicit(&segment->end, end, memory_order_release);
	return true;
}

bool segment_list(int folder, struct segment_name **names, size_t *count, struct fault *why) {
	int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = again < 0 ? NULL : fdopendir(again);
	if (!entries) {
		int error = errno;
		if (again >= 0) close(again);
		return fault_errno(why, error, "the spool folder cannot be read");
	}
	struct segment_name *found = NULL;
	size_t length = 0, capacity = 0;
	bool enough = true;
	for (struct dirent *entry; enough && (entry = readdir(entries));) {
		struct segment_name name;
		if (!segment_name_read(entry->d_name, &name)) continue;
		if (length == capacity) {
			capacity = capacity ? capacity * 2 : 16;
			struct segment_name *more = realloc(found, capacity * sizeof *found);
			enough = more != NULL;
			if (more) found = more;
		}
		if (enough) found[length++] = name;
	}
	closedir(entries);
	if (!enough) {
		free(found);
		return fault_set(why, FAULT_NO_MEMORY, "no memory to list the spool folder");
	}
	if (length) qsort(found, length, sizeof *found, segment_name_compare);
	*names = found;
	*count = length;
	return true;
}
