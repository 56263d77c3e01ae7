/* SPDX-License-Identifier: Apache-2.0 */
/* Reach: flags, then variables, then the data folder. */
#include "cli/reach.h"

#include "auth/token_record.h"
#include "base/ident.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *variable(const char *name) {
	const char *value = getenv(name);
	return value && value[0] ? value : NULL;
}

void reach_user(char id[129]) {
	const struct passwd *user = getpwuid(geteuid());
	const char *name = user ? user->pw_name : variable("USER");
	if (!name || !ident_is_identity(slice_of(name))) name = "local";
	snprintf(id, 129, "%s", name);
}

bool reach_is_files(const struct command_line *line) {
	if (command_value(line, "url")) return false;
	return command_value(line, "data") || !variable("HUSTINGS_URL");
}

bool reach_make_token(const char *data, const char *id, bool is_admin, int64_t life_ms,
	char *token, size_t size, struct fault *why) {
	char user[129], made[TOKEN_TEXT], token_id[TOKEN_ID];
	AUTO(state) state = state_open(data, why);
	if (!state) return false;
	reach_user(user);
	struct token_wish wish = {
		.id = slice_of(id ? id : user),
		.privilege = PRIVILEGE_FULL,
		.is_admin = is_admin,
		.is_local = true,
		.life_ms = life_ms,
	};
	if (!id) wish.kind = PRINCIPAL_HUMAN;
	if (!token_create(state, &wish, made, token_id, why)) return false;
	snprintf(token, size, "%s", made);
	secret_wipe(made, sizeof made);
	return true;
}

static bool find_url(const struct command_line *line, struct reach *reach, struct fault *why) {
	struct place_gateway gateway;
	const char *url = command_value(line, "url");
	if (!url && !command_value(line, "data")) url = variable("HUSTINGS_URL");
	reach->is_local = !url;
	if (!url) {
		if (!place_gateway(reach->data, &gateway, why)) return false;
		url = gateway.url;
	}
	struct slice text = slice_of(url);
	if (!slice_starts_with(text, "http://") && !slice_starts_with(text, "https://"))
		return fault_set(why, FAULT_BAD_INPUT, "'%.120s' is no URL of a gateway: write http://HOST:PORT", url);
	while (text.length && text.bytes[text.length - 1] == '/') text.length--;
	if (text.length >= sizeof reach->url) return fault_set(why, FAULT_TOO_LARGE, "the URL is too long");
	snprintf(reach->url, sizeof reach->url, "%.*s", SLICE_ARGS(text));
	return true;
}

static bool find_token(const struct command_line *line, const struct reach_maker *maker,
	struct reach *reach, struct fault *why) {
	const char *token = command_value(line, "token");
	if (!token) token = variable("HUSTINGS_TOKEN");
	if (token) {
		if (strlen(token) >= sizeof reach->token) return fault_set(why, FAULT_TOO_LARGE, "the token is too long");
		snprintf(reach->token, sizeof reach->token, "%s", token);
		return true;
	}
	if (!reach->is_local) return true;
	reach->is_made = true;
	return reach_make_token(reach->data, maker->id, maker->is_admin, maker->life_ms, reach->token,
		sizeof reach->token, why);
}

bool reach_find_as(const struct command_line *line, const struct reach_maker *maker,
	struct reach *reach, struct fault *why) {
	*reach = (struct reach){.ca = command_value(line, "ca")};
	return place_find(command_value(line, "data"), reach->data, why) && find_url(line, reach, why) &&
		find_token(line, maker, reach, why);
}

bool reach_find(const struct command_line *line, bool is_admin, struct reach *reach,
	struct fault *why) {
	const struct reach_maker maker = {.is_admin = is_admin, .life_ms = REACH_BRIEF_MS};
	return reach_find_as(line, &maker, reach, why);
}

void reach_give_up(const struct reach *reach) {
	uint8_t hash[SECRET_HASH_SIZE];
	size_t count;
	struct fault unheard; /* what failed before is told; this token ends by itself at the latest */
	if (!reach->is_made || !reach->token[0] || !secret_hash(slice_of(reach->token), hash)) return;
	AUTO(state) state = state_open(reach->data, &unheard);
	struct token_row *row = state ? token_find(state, hash, &unheard) : NULL;
	if (row) (void)!token_revoke(state, row->token_id, SLICE_NONE, &count, &unheard);
	token_row_free(row);
}

void reach_explain(const struct reach *reach, bool is_unanswered, struct fault *why) {
	struct fault plain = *why;
	const char *rest = strstr(reach->url, "://");
	if (rest && strstr(plain.text, "wrong version number"))
		fault_set(why, plain.code, "%.130s; is it http%.80s?", plain.text, rest);
	else if (is_unanswered || strstr(plain.text, "cannot connect"))
		fault_set(why, plain.code, "%.130s; does a gateway run at %.80s?", plain.text, reach->url);
}

void reach_finish(struct reach *reach) { secret_wipe(reach->token, sizeof reach->token); }
