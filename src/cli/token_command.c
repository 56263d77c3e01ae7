/* SPDX-License-Identifier: Apache-2.0 */
/* Token command: the three verbs; where they work is chosen once, by reach_is_files(). */
#include "cli/token_command.h"

#include "auth/token_record.h"
#include "base/clock.h"
#include "base/ident.h"
#include "cli/ask.h"
#include "cli/table.h"
#include "store/audit.h"
#include "wire/http1.h"
#include "wire/scan.h"

#include <stdio.h>

static void audit(const char *data, struct slice id, struct slice token_id, const char *result) {
	char user[129];
	struct fault why;
	reach_user(user);
	const struct audit_record record = {
		.event = SLICE("token"),
		.actor = slice_of(user),
		.target = id,
		.result = slice_of(result),
		.detail = token_id,
	};
	if (!audit_write_file(data, &record, &why))
		fprintf(stderr, "hustings: warning: the audit record was not written: %s\n", why.text);
}

/* Create */

static const struct command_option create_options[] = {
	{"id", "ID", "whose token it is: the participant's name (required)"},
	{"topic", "TOPIC", "where it holds; may be repeated, may end in *; default: everywhere"},
	{"privilege", "LEVEL", "full or restricted; default: what the gateway gives at entry"},
	{"admin", NULL, "it may administrate"},
	{"ttl", "SPAN", "how long it lives (24h)"},
	{"kind", "KIND", "human, agent or robot"},
	{"name", "NAME", "a name for people"},
	{"mcp", "VERSION", "the MCP version to be shown"},
	{"protocol", "WORD", "its dialect: mcpx/v0.1 or mcp-x/v0"},
	{0},
};

static const struct command_form create_form = {
	.name = "token create",
	.usage = "--id ID [options]",
	.summary = "Makes a token and prints it, and nothing else. It cannot be shown again.",
	.more = "It uses hosted servers when its ID has a grant: `hustings access grant ID SERVER`. Examples\n"
		"  hustings token create --id alice --privilege full\n"
		"  HUSTINGS_TOKEN=$(cat DATA/admin.token) hustings token create --id bot --url https://rooms.example",
	.options = create_options,
	.reaches = true,
	.prints = true,
};

static bool gather_topics(const struct command_line *line, struct text *topics) {
	const char *topic;
	for (size_t at = 0; (topic = command_next(line, "topic", &at));) {
		if (!topic[0]) return false;
		if (topics->length) text_add_char(topics, '\n');
		text_add_cstr(topics, topic);
	}
	return true;
}

/* False: *status says so, and stderr why. */
static bool read_wish(const struct command_line *line, struct token_wish *wish, struct text *topics,
	int *status) {
	const char *privilege = command_value(line, "privilege"), *kind = command_value(line, "kind");
	const char *ttl = command_value(line, "ttl");
	struct fault why;
	*status = COMMAND_USAGE;
	*wish = (struct token_wish){
		.id = slice_of(command_value(line, "id")),
		.name = slice_of(command_value(line, "name")),
		.mcp_version = slice_of(command_value(line, "mcp")),
		.dialect = slice_of(command_value(line, "protocol")),
		.privilege = PRIVILEGE_UNSAID,
		.is_admin = command_has(line, "admin"),
	};
	if (wish->id.length == 0) command_misuse(line->form, "--id is missing: whose token is it?");
	else if (!gather_topics(line, topics)) command_misuse(line->form, "--topic is empty");
	else if (privilege && !privilege_read(slice_of(privilege), &wish->privilege))
		command_misuse(line->form, "--privilege has to be full or restricted, not '%s'", privilege);
	else if (kind && !principal_kind_read(slice_of(kind), &wish->kind))
		command_misuse(line->form, "--kind has to be human, agent or robot, not '%s'", kind);
	else if (ttl && (!clock_span_read(slice_of(ttl), &wish->life_ms, &why) || wish->life_ms <= 0))
		command_misuse(line->form, "--ttl has to be a span like 24h, not '%s'", ttl);
	else {
		wish->topics = text_slice(topics);
		return true;
	}
	return false;
}

static bool create_on_files(const struct command_line *line, const struct token_wish *wish,
	struct text *token, struct text *json, struct fault *why) {
	char data[PLACE_PATH], made[TOKEN_TEXT], token_id[TOKEN_ID];
	if (!place_find(command_value(line, "data"), data, why)) return false;
	AUTO(state) state = state_open(data, why);
	if (!state || !token_create(state, wish, made, token_id, why)) return false;
	text_add_cstr(token, made);
	text_printf(json, "{\"token\":\"%s\",\"tokenId\":\"%s\"}", made, token_id);
	secret_wipe(made, sizeof made);
	audit(data, wish->id, slice_of(token_id), "created");
	return true;
}

static void write_field(struct text *to, const char *name, struct slice value) {
	if (!value.length) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, value);
}

static void write_request(struct text *to, const struct token_wish *wish) {
	struct slice topics = wish->topics, topic;
	text_add_cstr(to, "{\"id\":");
	text_json(to, wish->id);
	write_field(to, "name", wish->name);
	write_field(to, "mcp", wish->mcp_version);
	write_field(to, "protocol", wish->dialect);
	write_field(to, "kind", slice_of(principal_kind_text(wish->kind)));
	write_field(to, "privilege", slice_of(privilege_text(wish->privilege)));
	if (wish->life_ms) text_printf(to, ",\"ttl\":\"%lldms\"", (long long)wish->life_ms);
	if (wish->is_admin) text_add_cstr(to, ",\"admin\":true");
	if (topics.length) {
		text_add_cstr(to, ",\"topics\":[");
		for (bool is_first = true; slice_split(&topics, '\n', &topic); is_first = false) {
			if (!is_first) text_add_char(to, ',');
			text_json(to, topic);
		}
		text_add_char(to, ']');
	}
	text_add_char(to, '}');
}

static bool create_by_url(const struct command_line *line, const struct token_wish *wish,
	struct text *token, struct text *json, struct fault *why) {
	struct reach reach;
	struct scan_value root, value;
	struct scan_fault fault;
	AUTO_TEXT struct text request = {0};
	text_init(&request, 0);
	write_request(&request, wish);
	if (text_failed(&request)) return fault_set(why, FAULT_NO_MEMORY, "no memory");
	bool done = reach_find(line, true, &reach, why) &&
		ask(&reach, "POST", "/admin/tokens", text_slice(&request), json, why);
	reach_finish(&reach);
	if (!done) return false;
	if (!scan_check(text_slice(json), SCAN_DEPTH, &root, &fault) || !scan_find(&root, "token", &value) ||
		value.type != SCAN_STRING || value.escaped || value.text.length < 3)
		return fault_set(why, FAULT_IO, "the gateway's answer holds no token");
	text_add(token, slice_make(value.text.bytes + 1, value.text.length - 2));
	return true;
}

static int create(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text topics = {0}, token = {0}, json = {0};
	struct token_wish wish;
	struct fault why;
	int status;
	text_init(&topics, 0);
	text_init(&token, 0);
	text_init(&json, 0);
	if (!command_read(&line, &create_form, argc, argv, &status) ||
		!read_wish(&line, &wish, &topics, &status))
		return status;
	bool done = reach_is_files(&line) ? create_on_files(&line, &wish, &token, &json, &why)
					  : create_by_url(&line, &wish, &token, &json, &why);
	if (!done) return command_fail(&why);
	struct text *shown = command_has(&line, "json") ? &json : &token;
	text_add_char(shown, '\n');
	done = command_print(text_slice(shown));
	if (token.bytes) secret_wipe(token.bytes, token.length);
	if (json.bytes) secret_wipe(json.bytes, json.length);
	return done ? COMMAND_FINE : COMMAND_FAILED;
}

/* List */

static const struct command_option list_options[] = {
	{"all", NULL, "with those that local commands make for themselves, for minutes"},
	{0},
};

static const struct command_form list_form = {
	.name = "token list",
	.usage = "[options]",
	.summary = "Lists tokens by their public names; the tokens themselves are kept by nobody.",
	.options = list_options,
	.reaches = true,
	.prints = true,
};

struct listing {
	struct text *json;
	bool has_one;
	bool has_all;
};

static bool is_brief(const struct token_row *row) {
	return row->is_local && row->expires_at && row->expires_at - row->created_at <= REACH_BRIEF_MS;
}

static bool list_one(void *context, const struct token_row *row) {
	struct listing *listing = context;
	if (!listing->has_all && is_brief(row)) return true;
	if (listing->has_one) text_add_char(listing->json, ',');
	listing->has_one = true;
	token_write(listing->json, row);
	return !text_failed(listing->json);
}

static bool list_files(const struct command_line *line, struct text *json, struct fault *why) {
	char data[PLACE_PATH];
	struct listing listing = {.json = json, .has_all = command_has(line, "all")};
	if (!place_find(command_value(line, "data"), data, why)) return false;
	AUTO(state) state = state_open(data, why);
	if (!state) return false;
	text_add_cstr(json, "{\"tokens\":[");
	if (!token_each(state, list_one, &listing, why)) return false;
	text_add_cstr(json, "]}");
	return true;
}

static bool list_by_url(const struct command_line *line, struct text *json, struct fault *why) {
	struct reach reach;
	bool done = reach_find(line, true, &reach, why) &&
		ask(&reach, "GET", "/admin/tokens", SLICE_NONE, json, why);
	reach_finish(&reach);
	return done;
}

static const struct table_column columns[] = {
	{"tokenId", "TOKEN_ID"},
	{"id", "ID"},
	{"status", "STATUS"},
	{"privilege", "PRIVILEGE"},
	{"admin", "ADMIN"},
	{"topics", "TOPICS"},
	{"session", "SESSION"},
	{"expiresAt", "EXPIRES"},
	{0},
};

static int list(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text json = {0}, table = {0};
	struct fault why;
	int status;
	text_init(&json, 0);
	text_init(&table, 0);
	if (!command_read(&line, &list_form, argc, argv, &status)) return status;
	bool done = reach_is_files(&line) ? list_files(&line, &json, &why) : list_by_url(&line, &json, &why);
	if (done && !command_has(&line, "json"))
		done = table_write(text_slice(&json), "tokens", columns, &table, &why);
	if (!done) return command_fail(&why);
	text_add_char(&json, '\n');
	return command_print(text_slice(command_has(&line, "json") ? &json : &table)) ? COMMAND_FINE
										      : COMMAND_FAILED;
}

/* Revoke */

static const struct command_option revoke_options[] = {
	{"id", "ID", "all tokens of that identity"},
	{0},
};

static const struct command_form revoke_form = {
	.name = "token revoke",
	.usage = "TOKEN | TOKEN_ID | --id ID",
	.summary = "Ends a token, or all of an identity; live connections are closed with 4003.",
	.more = "A token on the command line is seen by everyone on this machine: prefer its TOKEN_ID, which\n"
		"`hustings token list` shows.",
	.options = revoke_options,
	.most = 1,
	.reaches = true,
	.prints = true,
};

/* The row of what was given: a public name, or a token. */
static struct token_row *find_row(struct state *state, const char *given, struct fault *why) {
	uint8_t hash[SECRET_HASH_SIZE];
	struct token_row *row;
	if (!token_is_one(slice_of(given)))
		row = token_find_id(state, given, why);
	else if (!secret_hash(slice_of(given), hash))
		return fault_null(why, FAULT_NO_MEMORY, "no memory");
	else
		row = token_find(state, hash, why);
	if (!row && why->code == FAULT_NOT_FOUND)
		return fault_null(why, FAULT_NOT_FOUND, "there is no such token: `hustings token list` shows all");
	return row;
}

static bool revoke_one(struct state *state, const char *data, const char *given, size_t *count,
	struct fault *why) {
	struct token_row *row = find_row(state, given, why);
	if (!row) return false;
	bool done = token_revoke(state, row->token_id, SLICE_NONE, count, why);
	if (done) audit(data, row->id, slice_of(row->token_id), "revoked");
	token_row_free(row);
	return done;
}

static bool revoke_on_files(const struct command_line *line, size_t *count, struct fault *why) {
	char data[PLACE_PATH];
	const char *id = command_value(line, "id");
	if (!place_find(command_value(line, "data"), data, why)) return false;
	AUTO(state) state = state_open(data, why);
	if (!state) return false;
	if (!id) return revoke_one(state, data, line->words[0], count, why);
	if (!token_revoke(state, NULL, slice_of(id), count, why)) return false;
	audit(data, slice_of(id), SLICE_NONE, "revoked");
	return true;
}

static bool write_revocation(const struct command_line *line, struct text *path, struct text *body) {
	const char *id = command_value(line, "id");
	text_add_cstr(path, "/admin/tokens");
	if (id) {
		text_add_cstr(path, "?id=");
		http1_escape(path, slice_of(id));
	} else if (token_is_one(slice_of(line->words[0]))) {
		text_printf(body, "{\"token\":\"%s\"}", line->words[0]); /* never in a URL */
	} else {
		text_add_char(path, '/');
		http1_escape(path, slice_of(line->words[0]));
	}
	return !text_failed(path) && !text_failed(body);
}

static bool revoke_by_url(const struct command_line *line, size_t *count, struct fault *why) {
	struct reach reach;
	struct scan_value root, value;
	struct scan_fault fault;
	int64_t revoked = 0;
	AUTO_TEXT struct text path = {0}, body = {0}, json = {0};
	text_init(&path, 0);
	text_init(&body, 0);
	text_init(&json, 0);
	if (!write_revocation(line, &path, &body)) return fault_set(why, FAULT_NO_MEMORY, "no memory");
	bool done = reach_find(line, true, &reach, why) &&
		ask(&reach, "DELETE", path.bytes, text_slice(&body), &json, why);
	reach_finish(&reach);
	if (!done) return false;
	if (!scan_check(text_slice(&json), SCAN_DEPTH, &root, &fault) ||
		!scan_find(&root, "revoked", &value) || !scan_integer(&value, &revoked))
		return fault_set(why, FAULT_IO, "the gateway's answer is not understood");
	*count = (size_t)revoked;
	return true;
}

static int revoke(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	struct fault why;
	size_t count = 0;
	char answer[96];
	int status;
	if (!command_read(&line, &revoke_form, argc, argv, &status)) return status;
	if ((line.count == 1) == command_has(&line, "id"))
		return command_misuse(&revoke_form, "name a token, or --id ID");
	bool done = reach_is_files(&line) ? revoke_on_files(&line, &count, &why)
					  : revoke_by_url(&line, &count, &why);
	if (!done) return command_fail(&why);
	int length = command_has(&line, "json")
		? snprintf(answer, sizeof answer, "{\"revoked\":%zu}\n", count)
		: snprintf(answer, sizeof answer, "%zu revoked\n", count);
	return command_print(slice_make(answer, (size_t)length)) ? COMMAND_FINE : COMMAND_FAILED;
}

static const struct command verbs[] = {
	{"create", "makes a token and prints it", create},
	{"list", "lists tokens by their public names", list},
	{"revoke", "ends a token, or all of an identity", revoke},
	{0},
};

int token_command(int argc, char **argv) {
	return command_choose(verbs, "hustings token", NULL, argc, argv);
}
