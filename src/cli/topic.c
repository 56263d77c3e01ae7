/* SPDX-License-Identifier: Apache-2.0 */
/* Topic: what rooms a running gateway has. */
#include "cli/topic.h"

#include "cli/ask.h"
#include "cli/table.h"

static const struct command_form list_form = {
	.name = "topic list",
	.usage = "[options]",
	.summary = "Lists the topics that are open or have history, and how many participants are there.",
	.reaches = true,
	.prints = true,
};

static const struct table_column columns[] = {
	{"topic", "TOPIC"},
	{"participants", "PARTICIPANTS"},
	{0},
};

static int list(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text json = {0}, table = {0};
	struct reach reach = {0};
	struct fault why;
	int status;
	text_init(&json, 0);
	text_init(&table, 0);
	if (!command_read(&line, &list_form, argc, argv, &status)) return status;
	bool done = reach_find(&line, false, &reach, &why) &&
		ask(&reach, "GET", "/v0/topics", SLICE_NONE, &json, &why);
	reach_finish(&reach);
	if (done && !command_has(&line, "json"))
		done = table_write(text_slice(&json), "topics", columns, &table, &why);
	if (!done) return command_fail(&why);
	text_add_char(&json, '\n');
	return command_print(text_slice(command_has(&line, "json") ? &json : &table)) ? COMMAND_FINE
										      : COMMAND_FAILED;
}

static const struct command verbs[] = {
	{"list", "lists topics", list},
	{0},
};

int topic_command(int argc, char **argv) {
	return command_choose(verbs, "hustings topic", NULL, argc, argv);
}
