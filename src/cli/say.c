/* SPDX-License-Identifier: Apache-2.0 */
/* Say: words become one chat (MCPx v0.1 4.3, read by v0 clients as a chat notification). */
#include "cli/say.h"

#include "cli/message.h"

static const struct command_option options[] = {
	{"markdown", NULL, "the text is Markdown"},
	{0},
};

static const struct command_form form = {
	.name = "say",
	.usage = "TOPIC TEXT...",
	.summary = "Says something to everybody in a room.",
	.more = "You need not be in the room, and do not join it by this. Restricted participants may say\n"
		"things too. Examples:\n"
		"  hustings say demo 'Hello, everybody'\n"
		"  hustings say demo --markdown '**done**, see the log'",
	.options = options,
	.least = 2,
	.most = UINT32_MAX,
	.reaches = true,
	.prints = true,
};

static void write_chat(const struct command_line *line, struct text *chat) {
	AUTO_TEXT struct text said = {0};
	text_init(&said, 0);
	for (size_t i = 1; i < line->count; i++)
		text_printf(&said, "%s%s", i > 1 ? " " : "", line->words[i]);
	text_add_cstr(chat, "{\"kind\":\"chat\",\"payload\":{\"text\":");
	text_json(chat, text_slice(&said));
	text_printf(chat, ",\"format\":\"%s\"}}", command_has(line, "markdown") ? "markdown" : "plain");
	if (text_failed(&said)) chat->failed = true;
}

int say_command(int argc, char **argv) {
	int status;
	struct fault why;
	AUTO_COMMAND struct command_line line = {0};
	struct reach reach;
	AUTO_TEXT struct text chat = {0}, answer = {0};
	text_init(&chat, 0);
	text_init(&answer, 0);
	if (!command_read(&line, &form, argc, argv, &status) ||
		!message_topic(&line, line.words[0], &status))
		return status;
	write_chat(&line, &chat);
	if (text_failed(&chat)) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for the message");
		return command_fail(&why);
	}
	bool is_sent = reach_find(&line, false, &reach, &why) &&
		message_send(&reach, line.words[0], text_slice(&chat), &answer, &why);
	reach_finish(&reach);
	if (!is_sent) return command_fail(&why);
	if (!command_has(&line, "json")) return COMMAND_FINE;
	text_add_char(&answer, '\n');
	return command_print(text_slice(&answer)) ? COMMAND_FINE : COMMAND_FAILED;
}
