/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command: what all commands share: reading their arguments by a form, help that teaches, exit
 * codes, and faults on stderr.
 *
 * Options may stand anywhere before `--`: --name VALUE, --name=VALUE, switches without a value.
 * --help (-h) is everywhere. A form that reaches a gateway also has --url, --token, --data and --ca;
 * one that prints has --json. Owned: command_finish(); words point into argv.
 */
#ifndef HUSTINGS_CLI_COMMAND_H
#define HUSTINGS_CLI_COMMAND_H

#include "base/fault.h"
#include "base/text.h"

enum command_status {
	COMMAND_FINE = 0,
	COMMAND_FAILED = 1,
	COMMAND_USAGE = 2
};

typedef int command_fn(int argc, char **argv); /* argv[0] is the command's own name; the exit status */

/* A row of a table of commands; the table ends with an empty row. */
struct command {
	const char *name;
	const char *summary;
	command_fn *run;
};

struct command_option {
	const char *name;  /* without its -- */
	const char *value; /* "HOST:PORT"; NULL: a switch */
	const char *help;
};

struct command_form {
	const char *name;  /* "token create" */
	const char *usage; /* what stands behind the name: "TOPIC TEXT [options]" */
	const char *summary;
	const char *more;                     /* what one should know, with examples; NULL: nothing */
	const struct command_option *options; /* ends with an empty row; NULL: none */
	unsigned least, most;                 /* words */
	bool reaches;                         /* a gateway or its files */
	bool prints;                          /* has --json */
	bool has_rest;                        /* takes what stands behind -- */
};

struct command_given {
	const char *name;
	const char *value; /* "" of a switch */
};

struct command_line {
	const struct command_form *form;
	char **words;
	size_t count;
	char **rest; /* behind --, NULL ended; NULL: there was no -- */
	size_t rest_count;
	struct command_given *given;
	size_t given_count;
};

/* False: *status is the exit status; help or the fault was printed. */
bool command_read(struct command_line *line, const struct command_form *form, int argc,
	char **argv, int *status) MUST_USE;
void command_finish(struct command_line *line);
void command_line_auto(struct command_line *line); /* AUTO_COMMAND struct command_line line = {0}; */
#define AUTO_COMMAND __attribute__((cleanup(command_line_auto)))

/* The last one given, or NULL. */
const char *command_value(const struct command_line *line, const char *name);
bool command_has(const struct command_line *line, const char *name);
/* All of that name: for (size_t at = 0; (value = command_next(&line, "topic", &at));) */
const char *command_next(const struct command_line *line, const char *name, size_t *at);
/* A number of an option, `otherwise` without it. False: said on stderr. */
bool command_number(const struct command_line *line, const char *name, uint64_t least, uint64_t most,
	uint64_t otherwise, uint64_t *number) MUST_USE;

/* Prints "hustings: ..." on stderr; the exit status. */
int command_fail(const struct fault *why);
int command_misuse(const struct command_form *form, const char *format, ...) PRINTF_LIKE(2, 3);
/* Runs the row that argv[1] names (a plural is fine: "tokens"); `title` is "hustings" or
 * "hustings token". */
int command_choose(const struct command *table, const char *title, const char *more, int argc,
	char **argv);
/* Writes to stdout; false when that fails (a closed pipe, a full disk), said on stderr. */
bool command_print(struct slice text);

#endif
