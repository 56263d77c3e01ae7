/* SPDX-License-Identifier: Apache-2.0 */
/* Join: enters, reads lines until there are no more, leaves when what was said is through. */
#include "cli/join.h"

#include "cli/entrance.h"
#include "cli/join_room.h"
#include "cli/message.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define LAST_WORDS_MS 35000 /* until open questions are answered, where lines came from a file */
#define GOODBYE_MS 2000     /* the same where somebody waits for the prompt */

static const struct command_option options[] = {
	{"history", "N", "begin with the last N envelopes, 0 to 1000 (20)"},
	{"name", "NAME", "a name for people"},
	{0},
};

static const struct command_form form = {
	.name = "join",
	.usage = "TOPIC [options]",
	.summary = "A room in the terminal: talk, call tools, propose and approve.",
	.more = "What you type is said to everybody; /help lists the commands. Ctrl-D leaves. It comes back by\n"
		"itself after a break. Without a terminal each line of stdin is one, and it leaves at the end.\n"
		"  hustings join demo",
	.options = options,
	.least = 1,
	.most = 1,
	.reaches = true,
};

struct signals {
	struct join_terminal *terminal;
	int came;
};

static void stop(void *context, int number) {
	struct signals *signals = context;
	signals->came = number;
	join_terminal_interrupt(signals->terminal);
}

static bool watch_signals(struct loop *loop, struct signals *signals, struct fault *why) {
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		if (!loop_signal(loop, numbers[i], stop, signals, why)) return false;
	return true;
}

static void read_lines(struct join_room *room) {
	AUTO_TEXT struct text line = {0};
	text_init(&line, JOIN_TERMINAL_LINE);
	while (!room->is_over && !room->wants_to_leave && join_terminal_next(room->terminal, &line)) {
		struct join_words words;
		struct fault why;
		if (join_words_read(text_slice(&line), &words, &why)) join_room_do(room, &words);
		else join_room_complain(room, &why);
	}
}

static void become_late(struct deadline *deadline) {
	deadline_clear(deadline); /* being idle says that the time is over */
}

static void run_while(struct join_room *room, bool (*waits)(const struct join_room *), uint64_t most_ms) {
	struct deadline patience = {0};
	deadline_set(room->loop, &patience, most_ms, become_late);
	while (patience.at && waits(room)) loop_step(room->loop, -1);
	deadline_clear(&patience);
}

static bool is_outside(const struct join_room *room) { return !room->is_in && !room->is_over; }

static bool talk(struct join_room *room, const struct signals *signals, struct fault *why) {
	while (is_outside(room) && !signals->came) loop_step(room->loop, -1);
	if (!signals->came) read_lines(room);
	if (!signals->came)
		run_while(room, join_room_is_busy,
			join_terminal_is_editing(room->terminal) ? GOODBYE_MS : LAST_WORDS_MS);
	if (!room->is_over) return true;
	*why = room->why;
	return false;
}

static bool run(const struct command_line *line, uint64_t history, struct fault *why) {
	AUTO_ENTRANCE struct entrance entrance = {0};
	struct join_room room = {0};
	if (!entrance_open(&entrance, line, NULL, REACH_DAY_MS, why)) return false;
	AUTO(join_terminal) terminal = join_terminal_open(entrance.loop, why);
	struct signals signals = {.terminal = terminal};
	if (!terminal || !watch_signals(entrance.loop, &signals, why)) return false;
	struct guest_options wishes = {.membership = entrance_options(&entrance, line->words[0])};
	wishes.membership.kind = "human";
	wishes.membership.name = command_value(line, "name");
	wishes.membership.history = (unsigned)history;
	wishes.membership.stays = true;
	bool has_colours = join_terminal_is_editing(terminal) && !getenv("NO_COLOR");
	bool done = join_room_open(&room, terminal, entrance.loop, &wishes, has_colours, why) &&
		talk(&room, &signals, why);
	join_room_close(&room);
	if (!done) reach_explain(&entrance.reach, false, why);
	if (join_terminal_is_editing(terminal)) (void)!write(STDOUT_FILENO, "\n", 1);
	return done;
}

int join_command(int argc, char **argv) {
	int status;
	struct fault why;
	uint64_t history;
	AUTO_COMMAND struct command_line line = {0};
	if (!command_read(&line, &form, argc, argv, &status) ||
		!message_topic(&line, line.words[0], &status))
		return status;
	if (!command_number(&line, "history", 0, 1000, 20, &history)) return COMMAND_USAGE;
	return run(&line, history, &why) ? COMMAND_FINE : command_fail(&why);
}
