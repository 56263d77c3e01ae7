/* SPDX-License-Identifier: Apache-2.0 */
/* Join terminal: libedit asks for a character, and while there is none the room has its turn. */
#include "cli/join_terminal.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define KEPT_LINES 200
#define PROMPT "> "

struct join_terminal {
	struct loop *loop;
	EditLine *edit; /* NULL: plain lines */
	History *history;
	mbstate_t characters;
	bool is_asking; /* a line is on the screen */
	bool is_interrupted;
	bool is_at_end;   /* of stdin */
	struct text rest; /* plain: behind the line handed out last */
};

/* ---- Waiting ---- */

/* Lets the room go on until stdin has something. False: interrupted. */
static bool wait_for_input(struct join_terminal *terminal) {
	struct pollfd ready[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
		{.fd = loop_descriptor(terminal->loop), .events = POLLIN}};
	while (!terminal->is_interrupted) {
		int found = poll(ready, COUNT_OF(ready), loop_patience_ms(terminal->loop));
		if (found < 0 && errno != EINTR) return false;
		loop_step(terminal->loop, 0);
		if (found > 0 && ready[0].revents) return !terminal->is_interrupted;
	}
	return false;
}

/* One octet; 0: the end, -1: an error. */
static int read_octet(struct join_terminal *terminal, char *octet) {
	for (;;) {
		if (!wait_for_input(terminal)) return 0;
		ssize_t count = read(STDIN_FILENO, octet, 1);
		if (count >= 0) return (int)count;
		if (errno != EINTR && errno != EAGAIN) return -1;
	}
}

/* libedit's question for a character (EL_GETCFN). */
static int next_character(EditLine *edit, wchar_t *character) {
	struct join_terminal *terminal = NULL;
	char octet;
	el_get(edit, EL_CLIENTDATA, (void **)&terminal);
	for (;;) {
		int count = read_octet(terminal, &octet);
		if (count <= 0) return count;
		size_t used = mbrtowc(character, &octet, 1, &terminal->characters);
		if (used == (size_t)-2) continue;
		if (used != (size_t)-1) return 1;
		memset(&terminal->characters, 0, sizeof terminal->characters); /* no UTF-8: left out */
	}
}

/* ---- Opening ---- */

static char *prompt(EditLine *edit) {
	static char text[] = PROMPT;
	(void)edit;
	return text;
}

static bool can_edit(void) {
	const char *kind = getenv("TERM");
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind && kind[0] && strcmp(kind, "dumb") != 0;
}

/* Characters beyond ASCII want a locale that has them. */
static void choose_locale(void) {
	if (!setlocale(LC_CTYPE, "") || MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
}

static bool open_editor(struct join_terminal *terminal) {
	HistEvent event;
	choose_locale();
	terminal->edit = el_init("hustings", stdin, stdout, stderr);
	terminal->history = history_init();
	if (!terminal->edit || !terminal->history) return false;
	history(terminal->history, &event, H_SETSIZE, KEPT_LINES);
	el_set(terminal->edit, EL_CLIENTDATA, terminal);
	el_set(terminal->edit, EL_PROMPT, prompt);
	el_set(terminal->edit, EL_EDITOR, "emacs");
	el_set(terminal->edit, EL_HIST, history, terminal->history);
	el_set(terminal->edit, EL_GETCFN, next_character);
	return true;
}

struct join_terminal *join_terminal_open(struct loop *loop, struct fault *why) {
	struct join_terminal *terminal = calloc(1, sizeof *terminal);
	if (!terminal) return fault_null(why, FAULT_NO_MEMORY, "no memory for the terminal");
	terminal->loop = loop;
	text_init(&terminal->rest, JOIN_TERMINAL_LINE);
	if (!can_edit() || open_editor(terminal)) return terminal;
	join_terminal_close(terminal);
	return fault_null(why, FAULT_IO, "the terminal cannot be edited on: set TERM=dumb");
}

void join_terminal_close(struct join_terminal *terminal) {
	if (!terminal) return;
	if (terminal->edit) el_end(terminal->edit);
	if (terminal->history) history_end(terminal->history);
	text_finish(&terminal->rest);
	free(terminal);
}

bool join_terminal_is_editing(const struct join_terminal *terminal) { return terminal->edit; }
void join_terminal_interrupt(struct join_terminal *terminal) { terminal->is_interrupted = true; }

/* ---- Lines ---- */

static bool next_edited(struct join_terminal *terminal, struct text *line) {
	HistEvent event;
	int count = 0;
	terminal->is_asking = true;
	const char *typed = el_gets(terminal->edit, &count);
	terminal->is_asking = false;
	if (!typed || count <= 0 || terminal->is_interrupted) return false;
	size_t length = strcspn(typed, "\r\n");
	text_add(line, slice_make(typed, length));
	if (length) history(terminal->history, &event, H_ENTER, typed);
	return true;
}

/* A line out of what was read; at the end what is left is one too. */
static bool cut_line(struct join_terminal *terminal, struct text *line) {
	struct text *rest = &terminal->rest;
	const char *end = rest->length ? memchr(rest->bytes, '\n', rest->length) : NULL;
	if (!end && !(terminal->is_at_end && rest->length)) return false;
	size_t length = end ? (size_t)(end - rest->bytes) : rest->length;
	size_t used = end ? length + 1 : length;
	text_add(line, slice_make(rest->bytes, length));
	memmove(rest->bytes, rest->bytes + used, rest->length - used);
	rest->length -= used;
	return true;
}

static bool next_plain(struct join_terminal *terminal, struct text *line) {
	char part[8192];
	while (!cut_line(terminal, line)) {
		if (terminal->is_at_end || !wait_for_input(terminal)) return false;
		ssize_t count = read(STDIN_FILENO, part, sizeof part);
		if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
		if (count <= 0) terminal->is_at_end = true;
		else text_add(&terminal->rest, slice_make(part, (size_t)count));
		if (text_failed(&terminal->rest)) return false;
	}
	return true;
}

bool join_terminal_next(struct join_terminal *terminal, struct text *line) {
	text_clear(line);
	if (terminal->is_interrupted) return false;
	bool has_line = terminal->edit ? next_edited(terminal, line) : next_plain(terminal, line);
	return has_line && !text_failed(line);
}

/* ---- The screen ---- */

static unsigned columns(void) {
	struct winsize size;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

static size_t width_of(struct slice text) {
	size_t width = 0;
	for (size_t i = 0; i < text.length; i++) width += ((unsigned char)text.bytes[i] & 0xc0) != 0x80;
	return width;
}

/* To the beginning of the line that is being typed, and everything from there away. */
static void clear_typed(struct join_terminal *terminal) {
	const LineInfo *line = el_line(terminal->edit);
	size_t before = line ? (size_t)(line->cursor - line->buffer) : 0;
	size_t rows = (strlen(PROMPT) + width_of(slice_make(line ? line->buffer : "", before))) / columns();
	if (rows) printf("\x1b[%zuA", rows);
	printf("\r\x1b[J");
}

bool join_terminal_print(struct join_terminal *terminal, struct slice text) {
	bool is_over_a_line = terminal->edit && terminal->is_asking;
	if (is_over_a_line) clear_typed(terminal);
	bool done = fwrite(text.bytes ? text.bytes : "", 1, text.length, stdout) == text.length;
	done = fflush(stdout) == 0 && done;
	if (is_over_a_line) el_set(terminal->edit, EL_REFRESH);
	return done;
}

void join_terminal_erase(struct join_terminal *terminal, struct slice line) {
	if (!terminal->edit) return;
	size_t rows = (strlen(PROMPT) + width_of(line)) / columns() + 1;
	printf("\x1b[%zuA\r\x1b[J", rows);
	fflush(stdout);
}
