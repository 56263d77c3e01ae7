/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message: one message into a topic by HTTP (POST /v0/topics/{t}/messages), without becoming a
 * participant.
 */
#ifndef HUSTINGS_CLI_MESSAGE_H
#define HUSTINGS_CLI_MESSAGE_H

#include "base/arena.h"
#include "cli/reach.h"

/* `message` is a whole envelope or {kind, payload, to?}. Where its pace is refused it waits as long
 * as it is told to and tries again, for a minute at most. `answer`: {"id":...,"ts":...}. When the
 * gateway refuses the message, why is FAULT_REFUSED. */
bool message_send(const struct reach *reach, const char *topic, struct slice message,
	struct text *answer, struct fault *why) MUST_USE;
/* The id of such an answer, or SLICE_NONE. */
struct slice message_id(const struct text *answer, struct arena *arena);
/* Is it a topic's name? False: said as a usage error, *status is the exit status. */
bool message_topic(const struct command_line *line, const char *topic, int *status) MUST_USE;

/* The path of what a topic has ("messages", "participants"), with who one is where there is no
 * token. */
bool message_path(const struct reach *reach, const char *topic, const char *what,
	struct text *path) MUST_USE;
/* What a refusal's body says, as a sentence with its code: "the token does not hold for this topic
 * (forbidden)". *retry_after_ms: 0 unless it is to be tried again. False: it is no refusal's body. */
bool message_refusal(struct slice body, uint64_t *retry_after_ms, struct fault *why) MUST_USE;

#endif
