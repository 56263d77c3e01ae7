/* SPDX-License-Identifier: Apache-2.0 */
/* Log: a line is made on the stack, so that running out of memory can be told as well. */
#include "base/log.h"
#include "base/clock.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define LONGEST_LINE 4096 /* PIPE_BUF: a pipe takes it whole or not at all */

static const char *const words[LOG_LEVELS] = {
	[LOG_ERROR] = "error",
	[LOG_WARNING] = "warning",
	[LOG_INFO] = "info",
	[LOG_DEBUG] = "debug",
};

void log_init(struct log *log, int descriptor, enum log_level level) {
	log->descriptor = descriptor;
	atomic_init(&log->level, level);
}

void log_set_level(struct log *log, enum log_level level) {
	atomic_store_explicit(&log->level, level, memory_order_relaxed);
}

bool log_level_read(struct slice word, enum log_level *level) {
	for (int i = 0; i < LOG_LEVELS; i++) {
		if (!slice_is(word, words[i])) continue;
		*level = (enum log_level)i;
		return true;
	}
	return false;
}

const char *log_level_word(enum log_level level) {
	return (unsigned)level < LOG_LEVELS ? words[level] : "unknown";
}

/* A log that cannot be written is nobody's business to fail for: the line is lost. */
static void line_send(int descriptor, struct slice line) {
	while (line.length) {
		ssize_t sent = write(descriptor, line.bytes, line.length);
		if (sent < 0 && errno == EINTR) continue;
		if (sent <= 0) return;
		line = slice_make(line.bytes + sent, line.length - (size_t)sent);
	}
}

void log_write(struct log *log, enum log_level level, const char *format, ...) {
	if (!log) return;
	if ((int)level > atomic_load_explicit(&log->level, memory_order_relaxed)) return;

	char message[LONGEST_LINE];
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	if (length < 0) return;

	char when[CLOCK_TEXT_SIZE];
	char line[LONGEST_LINE];
	clock_write(clock_wall_ms(), when);
	int head = snprintf(line, sizeof(line), "%s %-5s ", when, log_level_word(level));
	struct slice shown = slice_of(message);
	/* vsnprintf may have cut inside a character; a shown line has room for less than it anyway. */
	shown.length = slice_cut(shown, sizeof(message) - 5);
	size_t used = (size_t)head;
	used += text_display_in(line + used, sizeof(line) - 1 - used, shown);
	line[used++] = '\n';
	line_send(log->descriptor, slice_make(line, used));
}
