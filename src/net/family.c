/* SPDX-License-Identifier: Apache-2.0 */
/* Family: descendants by the parents that /proc/PID/stat names. */
#include "net/family.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct relative {
	int process;
	int parent;
};

struct family {
	struct relative *all;
	size_t count, capacity;
};

static void family_free(struct family *family) {
	free(family->all);
}

static bool family_add(struct family *family, int process, int parent) {
	if (family->count == family->capacity) {
		size_t capacity = family->capacity ? family->capacity * 2 : 256;
		struct relative *larger = realloc(family->all, capacity * sizeof *larger);
		if (!larger) return false;
		family->all = larger;
		family->capacity = capacity;
	}
	family->all[family->count++] = (struct relative){process, parent};
	return true;
}

/* "PID (name) STATE PARENT ...": the name may hold blanks and brackets. 0: it is gone. A zombie is
 * listed as well: its other threads may be alive. */
static int parent_of(int process) {
	char path[32], line[512];
	snprintf(path, sizeof path, "/proc/%d/stat", process);
	AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return 0;
	ssize_t got = read(file, line, sizeof line - 1);
	if (got <= 0) return 0;

	line[got] = '\0';
	const char *behind = strrchr(line, ')');
	int parent = 0;
	if (!behind || sscanf(behind + 1, " %*c %d", &parent) != 1) return 0;
	return parent;
}

static bool family_read(struct family *family, struct fault *why) {
	DIR *folder = opendir("/proc");
	if (!folder) return fault_errno(why, errno, "/proc");

	bool is_whole = true;
	for (struct dirent *entry; is_whole && (entry = readdir(folder));) {
		char *end = NULL;
		long process = strtol(entry->d_name, &end, 10);
		if (*end || process <= 0) continue;
		int parent = parent_of((int)process);
		if (parent > 0) is_whole = family_add(family, (int)process, parent);
	}
	closedir(folder);
	return is_whole || fault_set(why, FAULT_NO_MEMORY, "no memory for the list of processes");
}

static int by_process(const void *a, const void *b) {
	const struct relative *left = a, *right = b;
	return (left->process > right->process) - (left->process < right->process);
}

static int parent_in(const struct family *family, int process) {
	struct relative key = {.process = process};
	const struct relative *found =
		bsearch(&key, family->all, family->count, sizeof key, by_process);
	return found ? found->parent : 0;
}

/* Processes end and are replaced while /proc is read, so what was read may hold a ring. */
static bool is_descendant(const struct family *family, int process, int root) {
	for (size_t steps = 0; process > 1 && steps < family->count; steps++) {
		process = parent_in(family, process);
		if (process == root) return true;
	}
	return false;
}

/* By a handle that stays this process's, whoever gets its number next. */
static void signal_one(const struct relative *one, int root, int number) {
	AUTO_CLOSE int handle = (int)syscall(SYS_pidfd_open, one->process, 0);
	if (handle < 0) {
		if (errno != ESRCH) kill(one->process, number); /* this kernel has no such handles */
		return;
	}
	/* Those whose parent has ended are the root's, which asks the kernel for them. */
	int parent = parent_of(one->process);
	if (parent == one->parent || parent == root)
		(void)syscall(SYS_pidfd_send_signal, handle, number, NULL, 0);
}

bool family_signal(int root, int number, int spared, struct fault *why) {
	__attribute__((cleanup(family_free))) struct family family = {0};
	if (!family_read(&family, why)) return false;

	qsort(family.all, family.count, sizeof *family.all, by_process);
	for (size_t i = 0; i < family.count; i++) {
		const struct relative *one = &family.all[i];
		if (one->process != spared && is_descendant(&family, one->process, root)) signal_one(one, root, number);
	}
	return true;
}

int family_child(int parent) {
	__attribute__((cleanup(family_free))) struct family family = {0};
	if (!family_read(&family, NULL)) return 0;
	for (size_t i = 0; i < family.count; i++)
		if (family.all[i].parent == parent) return family.all[i].process;
	return 0;
}
