/* SPDX-License-Identifier: Apache-2.0 */
/* Entrance: where, as whom, and for how long. */
#include "cli/entrance.h"

#include "base/clock.h"
#include "base/secret.h"

#include <signal.h>
#include <stdio.h>

bool entrance_open(struct entrance *entrance, const struct command_line *line, const char *id,
	int64_t life_ms, struct fault *why) {
	const struct reach_maker maker = {.id = id, .life_ms = life_ms};
	*entrance = (struct entrance){.made_at = clock_wall_ms(), .life_ms = life_ms};
	if (id)
		snprintf(entrance->id, sizeof entrance->id, "%s", id);
	else
		reach_user(entrance->id);
	if (reach_find_as(line, &maker, &entrance->reach, why) && (entrance->loop = loop_open(why)))
		return true;
	entrance_close(entrance);
	return false;
}

void entrance_close(struct entrance *entrance) {
	loop_close(entrance->loop);
	reach_finish(&entrance->reach);
	entrance->loop = NULL;
}

void entrance_auto(struct entrance *entrance) { entrance_close(entrance); }

/* ---- The token ---- */

/* A token of ours that somebody revoked was meant to end us. */
static bool is_revoked(const struct reach *reach, bool *revoked, struct fault *why) {
	uint8_t hash[SECRET_HASH_SIZE];
	AUTO(state) state = state_open(reach->data, why);
	if (!state) return false;
	if (!secret_hash(slice_of(reach->token), hash)) return fault_set(why, FAULT_NO_MEMORY, "no memory");
	struct token_row *row = token_find(state, hash, NULL);
	*revoked = row && row->revoked_at;
	token_row_free(row);
	return true;
}

static bool renew(struct entrance *entrance, struct fault *why) {
	struct reach *reach = &entrance->reach;
	char user[129];
	bool revoked = false;
	if (!is_revoked(reach, &revoked, why)) return false;
	if (revoked) return fault_set(why, FAULT_REFUSED, "the token was revoked");
	reach_user(user);
	const char *id = strcmp(user, entrance->id) == 0 ? NULL : entrance->id;
	if (!reach_make_token(reach->data, id, false, entrance->life_ms, reach->token, sizeof reach->token,
		    why))
		return false;
	entrance->made_at = clock_wall_ms();
	return true;
}

static bool give_token(void *context, struct text *token, struct fault *why) {
	struct entrance *entrance = context;
	int64_t age = clock_wall_ms() - entrance->made_at;
	int64_t fresh = entrance->life_ms / 24 * 23; /* after that it may have expired when it is used */
	if (entrance->reach.is_made && age > fresh && !renew(entrance, why)) return false;
	text_add_cstr(token, entrance->reach.token);
	return true;
}

struct membership_options entrance_options(struct entrance *entrance, const char *topic) {
	return (struct membership_options){
		.url = entrance->reach.url,
		.topic = topic,
		.give_token = give_token,
		.token_context = entrance,
		.id = entrance->reach.token[0] ? NULL : entrance->id,
		.ca = entrance->reach.ca,
		.dialect = ENVELOPE_V01,
	};
}

/* ---- Signals ---- */

static void stop(void *context, int number) {
	struct entrance *entrance = context;
	entrance->stopped_by = number;
	loop_stop(entrance->loop);
}

bool entrance_signals(struct entrance *entrance, struct fault *why) {
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		if (!loop_signal(entrance->loop, numbers[i], stop, entrance, why)) return false;
	return true;
}
