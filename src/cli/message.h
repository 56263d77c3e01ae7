/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message: one message into a topic by HTTP (POST /v0/topics/{t}/messages), without becoming a
 * participant.
 */
#ifndef HUSTINGS_CLI_MESSAGE_H
#define HUSTINGS_CLI_MESSAGE_H

#include "cli/reach.h"

/* `message` is a whole envelope or {kind, payload, to?}. Where the pace is refused it waits as long
 * as it is told to and tries again, for a minute at most. `answer`: {"id":...,"ts":...}. */
bool message_send(struct reach *reach, const char *topic, struct slice message,
	struct text *answer, struct fault *why) MUST_USE;
/* The id of such an answer, or SLICE_NONE. */
struct slice message_id(const struct text *answer, struct arena *arena);
/* Is the topic's name one? False: said as a usage error, *status is the exit status. */
bool message_topic(const struct command_line *line, const char *topic, int *status) MUST_USE;

#endif
