/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log: what an operator reads, one line each on a descriptor (stderr), never a secret.
 *
 * "2026-11-22T05:04:52.123Z info  text". Control characters are shown, not sent. One write() a
 * line, so lines of several threads do not mix. A log that is NULL swallows everything: unit tests
 * and libhustings pass NULL.
 */
#ifndef HUSTINGS_BASE_LOG_H
#define HUSTINGS_BASE_LOG_H

#include "base/dialect.h"
#include "base/fault.h"
#include "base/text.h"

enum log_level {
	LOG_ERROR,
	LOG_WARNING,
	LOG_INFO,
	LOG_DEBUG,
	LOG_LEVELS
};

struct log {
	int descriptor;
	_Atomic int level; /* the most talkative level that is written */
};

void log_init(struct log *log, int descriptor, enum log_level level);
void log_set_level(struct log *log, enum log_level level);
bool log_level_read(struct slice word, enum log_level *level) MUST_USE; /* error warning info debug */
const char *log_level_word(enum log_level level);
void log_write(struct log *log, enum log_level level, const char *format, ...) PRINTF_LIKE(3, 4);

#endif
