/* SPDX-License-Identifier: Apache-2.0 */
/* Fault: sentences are put together beside the fault, since their arguments may lie inside it. */
#include "base/fault.h"
#include "base/slice.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const words[FAULT_CODES] = {
	[FAULT_NONE] = "none",
	[FAULT_NO_MEMORY] = "no_memory",
	[FAULT_BAD_INPUT] = "bad_input",
	[FAULT_TOO_LARGE] = "too_large",
	[FAULT_NOT_FOUND] = "not_found",
	[FAULT_EXISTS] = "exists",
	[FAULT_NOT_READY] = "not_ready",
	[FAULT_REFUSED] = "refused",
	[FAULT_TIMEOUT] = "timeout",
	[FAULT_CLOSED] = "closed",
	[FAULT_FULL] = "full",
	[FAULT_IO] = "io",
	[FAULT_UNSUPPORTED] = "unsupported",
};

/* Longer than a fault holds, so that what is cut off is known to be a whole character. */
struct sentence {
	char text[2 * sizeof(((struct fault *)0)->text)];
};

static void sentence_format(struct sentence *sentence, const char *format, va_list arguments) {
	if (vsnprintf(sentence->text, sizeof(sentence->text), format, arguments) < 0)
		sentence->text[0] = '\0';
}

static void sentence_append(struct sentence *sentence, const char *more) {
	size_t length = strlen(sentence->text);
	size_t room = sizeof(sentence->text) - 1 - length;
	size_t taken = strnlen(more, room);
	memcpy(sentence->text + length, more, taken);
	sentence->text[length + taken] = '\0';
}

static void sentence_move(const struct sentence *sentence, struct fault *why) {
	size_t length = slice_cut(slice_of(sentence->text), sizeof(why->text) - 1);
	memcpy(why->text, sentence->text, length);
	why->text[length] = '\0';
}

static void fault_format(struct fault *why, enum fault_code code, const char *format,
	va_list arguments) {
	struct sentence sentence;
	sentence_format(&sentence, format, arguments);
	why->code = code;
	sentence_move(&sentence, why);
}

bool fault_set(struct fault *why, enum fault_code code, const char *format, ...) {
	if (!why) return false;

	va_list arguments;
	va_start(arguments, format);
	fault_format(why, code, format, arguments);
	va_end(arguments);
	return false;
}

void *fault_null(struct fault *why, enum fault_code code, const char *format, ...) {
	if (!why) return NULL;

	va_list arguments;
	va_start(arguments, format);
	fault_format(why, code, format, arguments);
	va_end(arguments);
	return NULL;
}

static enum fault_code fault_code_of(int error) {
	switch (error) {
	case ENOMEM: return FAULT_NO_MEMORY;
	case ENOSPC:
	case EDQUOT:
	case EMFILE:
	case ENFILE: return FAULT_FULL;
	case ENOENT: return FAULT_NOT_FOUND;
	case EACCES:
	case EPERM: return FAULT_REFUSED;
	case EEXIST: return FAULT_EXISTS;
	case ETIMEDOUT: return FAULT_TIMEOUT;
	case EPIPE:
	case ECONNRESET: return FAULT_CLOSED;
	default: return FAULT_IO;
	}
}

bool fault_errno(struct fault *why, int error, const char *format, ...) {
	if (!why) return false;

	struct sentence sentence;
	va_list arguments;
	va_start(arguments, format);
	sentence_format(&sentence, format, arguments);
	va_end(arguments);
	sentence_append(&sentence, ": ");
	sentence_append(&sentence, strerror(error));
	why->code = fault_code_of(error);
	sentence_move(&sentence, why);
	return false;
}

bool fault_before(struct fault *why, const char *format, ...) {
	if (!why) return false;

	struct sentence sentence;
	va_list arguments;
	va_start(arguments, format);
	sentence_format(&sentence, format, arguments);
	va_end(arguments);
	sentence_append(&sentence, why->text);
	sentence_move(&sentence, why);
	return false;
}

const char *fault_word(enum fault_code code) {
	return (unsigned)code < FAULT_CODES ? words[code] : "unknown";
}
