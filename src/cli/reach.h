/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reach: which gateway a command talks to, and as whom.
 *
 * The gateway: --url, else $HUSTINGS_URL, else the one that runs on the data folder (its gateway.json).
 * Who: --token, else $HUSTINGS_TOKEN, else, on the folder's own gateway alone, a short token that is
 * made in the name of the user who runs this. A token of the folder never goes to another gateway.
 */
#ifndef HUSTINGS_CLI_REACH_H
#define HUSTINGS_CLI_REACH_H

#include "cli/command.h"
#include "cli/place.h"

#define REACH_TOKEN (16 * 1024 + 1)
#define REACH_BRIEF_MS (10LL * 60 * 1000) /* a token for one command; `token list` leaves it out */
#define REACH_DAY_MS (24LL * 3600 * 1000) /* one for a command that stays */

struct reach {
	char url[PLACE_URL];     /* "http://127.0.0.1:7410", without a slash at its end */
	char token[REACH_TOKEN]; /* "": none */
	char data[PLACE_PATH];
	const char *ca; /* NULL: the system's */
	bool is_local;  /* found by its data folder */
	bool is_made;   /* the token was made for this command */
};

/* What a token that is made is to be. */
struct reach_maker {
	const char *id; /* NULL: the local user's */
	bool is_admin;
	int64_t life_ms;
};

/* For commands whose form reaches and that are done at once. `is_admin`: a token that is made may
 * administrate. Wipe the token after use: reach_finish(). */
bool reach_find(const struct command_line *line, bool is_admin, struct reach *reach,
	struct fault *why) MUST_USE;
/* The same, with the token that is made as the maker says. */
bool reach_find_as(const struct command_line *line, const struct reach_maker *maker,
	struct reach *reach, struct fault *why) MUST_USE;
/* Nothing came of it: a token that was made for this command is good for nothing any more. */
void reach_give_up(const struct reach *reach);
/* Adds to a fault of the connection what to look at next; leaves others as they are, unless it is
 * known that nobody answered. */
void reach_explain(const struct reach *reach, bool is_unanswered, struct fault *why);
void reach_finish(struct reach *reach);
/* Whether the command works on the files of a data folder instead: no --url, and no $HUSTINGS_URL
 * unless --data is given. */
bool reach_is_files(const struct command_line *line);
/* A token in the local user's name, for `life_ms`; id NULL: the login name. */
bool reach_make_token(const char *data, const char *id, bool is_admin, int64_t life_ms,
	char *token, size_t size, struct fault *why) MUST_USE;
/* The login name, as an identity. */
void reach_user(char id[129]);

#endif
