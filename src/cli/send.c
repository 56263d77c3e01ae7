/* SPDX-License-Identifier: Apache-2.0 */
/* Send: one envelope, or one a line from stdin, in their order. */
#include "cli/send.h"

#include "cli/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const struct command_form form = {
	.name = "send",
	.usage = "TOPIC [ENVELOPE]",
	.summary = "Sends an envelope into a room, or every line of stdin as one.",
	.more = "An envelope is JSON: a whole one, or {\"kind\":..., \"payload\":{...}, \"to\":[...]}; what is missing\n"
		"of protocol, id, from and ts is filled in. Prints each envelope's id when it is stored. A line that\n"
		"is refused is told about, and those behind it are still sent; the exit status is then 1. Examples:\n"
		"  hustings send demo '{\"kind\":\"chat\",\"payload\":{\"text\":\"hello\"}}'\n"
		"  hustings send demo < envelopes.jsonl",
	.least = 1,
	.most = 2,
	.reaches = true,
	.prints = true,
};

struct sending {
	const struct reach *reach;
	const char *topic;
	bool as_json;
	struct text answer;
};

/* The id by itself, for scripts; or the gateway's answer. */
static bool print_answer(struct sending *sending) {
	char lent[512], text[512];
	struct arena arena;
	if (sending->as_json) {
		text_add_char(&sending->answer, '\n');
		return command_print(text_slice(&sending->answer));
	}
	arena_init(&arena, lent, sizeof lent, 0);
	size_t length = text_display_in(text, sizeof text - 1, message_id(&sending->answer, &arena));
	arena_finish(&arena);
	text[length++] = '\n';
	return command_print(slice_make(text, length));
}

static int send_one(struct sending *sending, struct slice envelope) {
	struct fault why;
	if (!message_send(sending->reach, sending->topic, envelope, &sending->answer, &why))
		return command_fail(&why);
	return print_answer(sending) ? COMMAND_FINE : COMMAND_FAILED;
}

static int send_lines(struct sending *sending) {
	AUTO_FREE char *line = NULL;
	size_t capacity = 0;
	unsigned long number = 0;
	int status = COMMAND_FINE;
	struct fault why;
	for (ssize_t length; (length = getline(&line, &capacity, stdin)) >= 0;) {
		number++;
		if (length && line[length - 1] == '\n') length--;
		struct slice envelope = slice_trim(slice_make(line, (size_t)length));
		if (envelope.length == 0) continue;
		if (!message_send(sending->reach, sending->topic, envelope, &sending->answer, &why)) {
			fault_before(&why, "line %lu: ", number);
			status = command_fail(&why);
			if (why.code == FAULT_REFUSED) continue;
			return status;
		}
		if (!print_answer(sending)) return COMMAND_FAILED;
	}
	if (!ferror(stdin)) return status;
	fault_errno(&why, errno, "cannot read stdin");
	return command_fail(&why);
}

int send_command(int argc, char **argv) {
	int status;
	struct fault why;
	AUTO_COMMAND struct command_line line = {0};
	struct reach reach;
	if (!command_read(&line, &form, argc, argv, &status) ||
		!message_topic(&line, line.words[0], &status))
		return status;
	const struct reach_maker maker = {
		.life_ms = line.count == 2 ? REACH_BRIEF_MS : REACH_DAY_MS, /* stdin may stay open */
	};
	if (!reach_find_as(&line, &maker, &reach, &why)) return command_fail(&why);
	struct sending sending = {
		.reach = &reach,
		.topic = line.words[0],
		.as_json = command_has(&line, "json"),
	};
	text_init(&sending.answer, 0);
	status = line.count == 2 ? send_one(&sending, slice_of(line.words[1])) : send_lines(&sending);
	text_finish(&sending.answer);
	reach_finish(&reach);
	return status;
}
