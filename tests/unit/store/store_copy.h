/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Store copy: a data folder as a kill at this instant would leave it, in another folder; and
 * segments as an earlier run may have left them.
 */
#ifndef HUSTINGS_TESTS_STORE_COPY_H
#define HUSTINGS_TESTS_STORE_COPY_H

#include "store_rig.h"

#include "store/spool_record.h"
#include "store/spool_segment.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

static inline void copy_file(const char *from, const char *to, off_t limit) {
	char octets[64 * 1024];
	int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(in >= 0 && out >= 0);
	for (off_t at = 0; at < limit;) {
		size_t wanted = limit - at < (off_t)sizeof octets ? (size_t)(limit - at) : sizeof octets;
		ssize_t count = read(in, octets, wanted);
		assert_true(count >= 0);
		if (count == 0) break;
		assert_int_equal(write(out, octets, (size_t)count), count);
		at += count;
	}
	close(in);
	close(out);
}

/* Files of one folder, into one that is there. */
static inline void copy_folder(const char *from, const char *to) {
	DIR *entries = opendir(from);
	assert_non_null(entries);
	for (struct dirent *entry; (entry = readdir(entries));) {
		char source[1024], target[1024];
		struct stat found;
		if (entry->d_name[0] == '.') continue;
		assert_true(strlen(from) < 700 && strlen(to) < 700);
		snprintf(source, sizeof source, "%.700s/%s", from, entry->d_name);
		snprintf(target, sizeof target, "%.700s/%s", to, entry->d_name);
		assert_int_equal(stat(source, &found), 0);
		if (S_ISDIR(found.st_mode)) {
			assert_true(mkdir(target, 0700) == 0);
			copy_folder(source, target);
		} else if (S_ISREG(found.st_mode))
			copy_file(source, target, found.st_size);
	}
	closedir(entries);
}

/* Names of the spool segments, sorted, as paths; how many there are. */
static inline size_t segments_of(const struct folder *folder, char paths[][160], size_t limit) {
	char spool[100];
	struct dirent **names;
	snprintf(spool, sizeof spool, "%s/spool", folder->path);
	int count = scandir(spool, &names, NULL, alphasort);
	size_t found = 0;
	assert_true(count >= 0);
	for (int i = 0; i < count; i++) {
		if (names[i]->d_name[0] != '.' && found < limit)
			snprintf(paths[found++], 160, "%s/%.50s", spool, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return found;
}

/* A segment as an earlier run may have left it. */
static inline void leave_padded(const struct folder *folder, const struct segment_name *name,
	uint64_t first, uint64_t last, size_t octets) {
	char spool[100];
	AUTO_TEXT struct text text = {0};
	struct fault why = {0};
	text_init(&text, 0);
	snprintf(spool, sizeof spool, "%s/spool", folder->path);
	mkdir(spool, 0700);
	int directory = open(spool, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct segment *segment = segment_open(directory, name, &why);
	if (!segment) fail_msg("%s", why.text);
	for (uint64_t i = first; i <= last; i++) {
		struct spool_record record = {.kind = SPOOL_ENVELOPE, .sequence = i, .topic = SLICE("room")};
		envelope_text(&text, "room", i);
		while (text.length < octets) text_add_char(&text, ' ');
		struct slice piece = text_slice(&text);
		size_t size = spool_record_size(&record, piece.length);
		char *bytes = malloc(size);
		assert_non_null(bytes);
		spool_record_write(&record, &piece, 1, bytes);
		assert_true(segment_write(segment, slice_make(bytes, size), &why));
		free(bytes);
	}
	segment_close(segment);
	close(directory);
}

static inline void leave(const struct folder *folder, const struct segment_name *name, uint64_t first,
	uint64_t last) {
	leave_padded(folder, name, first, last, 0);
}

#endif
