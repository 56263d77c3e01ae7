/* SPDX-License-Identifier: Apache-2.0 */
/* Audit outside: a number in a file, and a question when it has grown. */
#include "store/audit_outside.h"

#include "store/audit_question.h"
#include "store/data_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NUMBER 21 /* octets of the file: 20 digits and LF */

struct audit_outside {
	struct store *store;
	struct loop *loop;
	char *path;
	uint64_t seen;  /* the newest row of a command that was told of */
	uint64_t noted; /* the number that made us ask */
	struct audit_question question;
	struct deadline look;
	bool is_asking; /* the question is with the store */
	bool is_closed; /* and freed by its answer */
};

/* ---- The number ---- */

bool audit_outside_note(const char *directory, uint64_t row, struct fault *why) {
	char text[NUMBER + 1];
	AUTO_FREE char *path = data_folder_path(directory, "audit.command", why);
	if (!path) return false;
	AUTO_CLOSE int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0) return fault_errno(why, errno, "%s", path);
	snprintf(text, sizeof text, "%020" PRIu64 "\n", row);
	ssize_t written = pwrite(file, text, NUMBER, 0);
	return written == NUMBER || fault_errno(why, written < 0 ? errno : ENOSPC, "%s", path);
}

/* 0: there is none. */
static uint64_t number_read(const char *path) {
	char text[NUMBER];
	uint64_t row;
	AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0 || pread(file, text, NUMBER, 0) != NUMBER || text[NUMBER - 1] != '\n') return 0;
	return slice_number(slice_make(text, NUMBER - 1), INT64_MAX, &row) ? row : 0;
}

/* ---- Looking ---- */

static void look(struct deadline *deadline);

static void outside_free(struct audit_outside *outside) {
	deadline_clear(&outside->look);
	audit_question_finish(&outside->question);
	free(outside->path);
	free(outside);
}

static void wait(struct audit_outside *outside) {
	deadline_set(outside->loop, &outside->look, AUDIT_OUTSIDE_MS, look);
}

static void ask(struct audit_outside *outside) {
	outside->is_asking = audit_ask(outside->store, &outside->question, NULL);
	if (!outside->is_asking) wait(outside); /* the store is busy: the number is still there then */
}

static void answered(struct audit_question *question) {
	struct audit_outside *outside = CONTAINER_OF(question, struct audit_outside, question);
	outside->is_asking = false;
	if (outside->is_closed) {
		outside_free(outside);
		return;
	}
	if (question->last > outside->seen) outside->seen = question->last;
	if (!question->failed && question->next) {
		question->from = question->next;
		ask(outside);
		return;
	}
	/* One that retention took meanwhile is not looked for again. */
	if (!question->failed && outside->noted > outside->seen) outside->seen = outside->noted;
	wait(outside);
}

static void look(struct deadline *deadline) {
	struct audit_outside *outside = CONTAINER_OF(deadline, struct audit_outside, look);
	outside->question.from = outside->seen;
	outside->noted = number_read(outside->path);
	if (outside->noted > outside->seen) ask(outside);
	else wait(outside);
}

struct audit_outside *audit_outside_open(struct store *store, struct loop *loop, struct fault *why) {
	struct audit_outside *outside = calloc(1, sizeof *outside);
	char *path = data_folder_path(store_directory(store), "audit.command", why);
	if (!outside || !path) {
		free(outside);
		free(path);
		return fault_null(why, FAULT_NO_MEMORY, "no memory to look for records of commands");
	}
	outside->store = store;
	outside->loop = loop;
	outside->path = path;
	outside->seen = number_read(path);
	outside->question.loop = loop;
	outside->question.answered = answered;
	outside->question.form = AUDIT_TELL;
	outside->question.store = store;
	outside->question.is_upward = true;
	outside->question.filter.of_commands = true;
	wait(outside);
	return outside;
}

void audit_outside_close(struct audit_outside *outside) {
	if (!outside) return;
	deadline_clear(&outside->look);
	outside->is_closed = true;
	if (!outside->is_asking) outside_free(outside);
}
