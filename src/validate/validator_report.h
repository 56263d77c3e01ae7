/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator report: why a call was refused, as sentences for who asked, in the shape of MGP 7.4.
 *
 * Plain value; owns the sentences. An initialised one holds no memory until the first sentence.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_REPORT_H
#define HUSTINGS_VALIDATE_VALIDATOR_REPORT_H

#include "validate/validator_word.h"
#include "base/text.h"

#define VALIDATOR_REPORT_SENTENCES 16 /* that are kept; the rest is counted */

struct validator_report {
	enum validator validator;
	size_t count;      /* of violations, those included that are not kept */
	char first[240];   /* the first sentence, for the log and the audit */
	struct text kept;  /* JSON strings with commas between */
	struct text whole; /* written by another (code_safety): the whole object; length 0: not so */
	unsigned advice;   /* bits: which hints go with it */
};

enum validator_advice {                /* bits */
	VALIDATOR_ADVICE_PLAIN = 1,    /* no metacharacters: one command a call */
	VALIDATOR_ADVICE_PATHS = 2,    /* paths inside the working directory */
	VALIDATOR_ADVICE_READING = 4,  /* statements and operations that read */
	VALIDATOR_ADVICE_HINT = 8,     /* readOnlyHint */
	VALIDATOR_ADVICE_PUBLIC = 16,  /* public hosts over http and https */
	VALIDATOR_ADVICE_COMMAND = 32, /* another tool for that */
};

/* Zeroed is empty too. */
void validator_report_init(struct validator_report *report, enum validator validator);
void validator_report_finish(struct validator_report *report);

/* "arguments.command" where `path` is that, and the rest of the sentence. */
void validator_report_add(struct validator_report *report, enum validator_advice advice, const char *path,
	const char *format, ...) PRINTF_LIKE(4, 5);

/* {"status":"rejected","reason":...,"violations":[...],"hints":{...}} */
void validator_report_write(struct text *to, const struct validator_report *report);

#endif
