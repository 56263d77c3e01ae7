/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Join terminal: lines that are typed while a room goes on talking. On a terminal the line at hand
 * is edited (libedit) and moves down under what is printed; otherwise lines are read from stdin as
 * they are and nothing is decorated.
 *
 * The room's loop runs inside join_terminal_next(). Owned. One in a process: stdin and stdout.
 */
#ifndef HUSTINGS_CLI_JOIN_TERMINAL_H
#define HUSTINGS_CLI_JOIN_TERMINAL_H

#include "net/loop.h"

#define JOIN_TERMINAL_LINE (1024 * 1024) /* octets of a line */

struct join_terminal;

struct join_terminal *join_terminal_open(struct loop *loop, struct fault *why) MUST_USE;
void join_terminal_close(struct join_terminal *terminal); /* NULL is fine */
AUTO_RELEASE(join_terminal, join_terminal_close)
bool join_terminal_is_editing(const struct join_terminal *terminal);

/* Waits for the next line, without its LF. False: the end of the input, or it was interrupted. */
bool join_terminal_next(struct join_terminal *terminal, struct text *line) MUST_USE;
/* The wait for a line ends soon; for callbacks of the loop. */
void join_terminal_interrupt(struct join_terminal *terminal);
/* Whole lines. False: nobody reads them any more. */
bool join_terminal_print(struct join_terminal *terminal, struct slice text);
/* Takes the line that was just typed off the screen again: it comes back as what the room heard. */
void join_terminal_erase(struct join_terminal *terminal, struct slice line);

#endif
