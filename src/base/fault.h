/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fault: why something could not be done, in one word for programs and one sentence for people.
 *
 * A plain value on the caller's stack. Every fallible function takes `struct fault *why` last
 * (NULL: the caller does not ask) and touches its outputs only on success. The sentence names the
 * field, the limit and the next step; it never holds a secret.
 */
#ifndef HUSTINGS_BASE_FAULT_H
#define HUSTINGS_BASE_FAULT_H

#include "base/dialect.h"

enum fault_code {
	FAULT_NONE,
	FAULT_NO_MEMORY, /* malloc said no */
	FAULT_BAD_INPUT, /* malformed, unknown or out of range */
	FAULT_TOO_LARGE, /* over a stated limit */
	FAULT_NOT_FOUND,
	FAULT_EXISTS,    /* taken already */
	FAULT_NOT_READY, /* not now: closed, starting, ending */
	FAULT_REFUSED,   /* not allowed */
	FAULT_TIMEOUT,
	FAULT_CLOSED,      /* the other side went away */
	FAULT_FULL,        /* a bounded thing is full: disk, queue, table */
	FAULT_IO,          /* the operating system or a library failed */
	FAULT_UNSUPPORTED, /* this machine or build cannot */
	FAULT_CODES
};

struct fault {
	enum fault_code code;
	char text[240]; /* NUL ended, cut at a character */
};

/* Both write `why` (when not NULL) and return false, or NULL. */
bool fault_set(struct fault *why, enum fault_code code, const char *format, ...) PRINTF_LIKE(3, 4);
void *fault_null(struct fault *why, enum fault_code code, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* "sentence: strerror(error)"; ENOMEM, ENOSPC, EDQUOT, EMFILE, ENFILE, ENOENT, EACCES choose the code. */
bool fault_errno(struct fault *why, int error, const char *format, ...) PRINTF_LIKE(3, 4);

/* Puts words before the sentence there is: "config line 3: " + text. Returns false. */
bool fault_before(struct fault *why, const char *format, ...) PRINTF_LIKE(2, 3);

/* The code's stable word: "no_memory", "bad_input", ... */
const char *fault_word(enum fault_code code);

#endif
