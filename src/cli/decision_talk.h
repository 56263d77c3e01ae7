/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decision talk: how the commands about decisions reach them: the running gateway (--url, or the data
 * folder's own), as the local administrator where no token was given; else the files of the folder.
 */
#ifndef HUSTINGS_CLI_DECISION_TALK_H
#define HUSTINGS_CLI_DECISION_TALK_H

#include "cli/reach.h"

struct decision_talk {
	struct reach reach;
	bool is_files; /* no gateway runs on the folder: reach.data alone counts */
};

/* `life_ms`: of a token that is made. */
bool decision_talk_open(const struct command_line *line, int64_t life_ms, struct decision_talk *talk,
	struct fault *why) MUST_USE;
void decision_talk_close(struct decision_talk *talk);
/* The pending ones; `wait_s` 0: at once, else as soon as the version is another than `after`. */
bool decision_talk_list(struct decision_talk *talk, unsigned wait_s, uint64_t after, struct text *json,
	struct fault *why) MUST_USE;
bool decision_talk_show(struct decision_talk *talk, const char *id, struct text *json, struct fault *why) MUST_USE;
bool decision_talk_answer(struct decision_talk *talk, const char *id, struct slice body, struct text *json,
	struct fault *why) MUST_USE;

#endif
