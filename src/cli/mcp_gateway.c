/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_gateway: an address, a path, a token. */
#include "cli/mcp_gateway.h"

#include "auth/token_record.h"
#include "base/ident.h"
#include "cli/mcp_start.h"
#include "wire/http1.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_face(struct mcp_gateway *gateway, struct fault *why) {
	const char *topic = command_value(gateway->line, "topic"), *server = command_value(gateway->line, "server");
	const char *tools = command_value(gateway->line, "tools");
	AUTO_TEXT struct text path = {0};
	text_init(&path, sizeof gateway->path - 1);
	if (topic && server) return fault_set(why, FAULT_BAD_INPUT, "--topic and --server are two faces: name one");
	if (topic && !ident_is_topic(slice_of(topic)))
		return fault_set(why, FAULT_BAD_INPUT, "'%.120s' is no topic", topic);
	if (tools && strcmp(tools, "all") != 0 && strcmp(tools, "search") != 0)
		return fault_set(why, FAULT_BAD_INPUT, "--tools has to be all or search, not '%.40s'", tools);
	if (tools && topic) return fault_set(why, FAULT_BAD_INPUT, "--tools is for hosted servers, not for a room");
	if (server && !server[0]) return fault_set(why, FAULT_BAD_INPUT, "--server is empty");
	text_add_cstr(&path, topic ? "/mcp/rooms/" : server ? "/mcp/servers/"
							    : "/mcp");
	if (topic || server) http1_escape(&path, slice_of(topic ? topic : server));
	if (tools) text_printf(&path, "?tools=%s", tools);
	if (text_failed(&path)) return fault_set(why, FAULT_TOO_LARGE, "the face's name is too long");
	memcpy(gateway->path, path.bytes, path.length + 1);
	return true;
}

static bool read_config(struct mcp_gateway *gateway, struct fault *why) {
	const char *named = command_value(gateway->line, "config");
	if (!named) return true;
	AUTO_FREE char *path = realpath(named, NULL);
	if (!path) return fault_errno(why, errno, "%s", named);
	if (strlen(path) >= sizeof gateway->config) return fault_set(why, FAULT_TOO_LARGE, "--config is too long");
	snprintf(gateway->config, sizeof gateway->config, "%s", path);
	return true;
}

bool mcp_gateway_init(struct mcp_gateway *gateway, const struct command_line *line, struct log *log,
	struct fault *why) {
	*gateway = (struct mcp_gateway){.line = line, .log = log};
	if (!read_face(gateway, why) || !read_config(gateway, why)) return false;
	gateway->reach.is_local = reach_is_files(line);
	if (!gateway->reach.is_local) return reach_find(line, false, &gateway->reach, why);
	gateway->reach.ca = command_value(line, "ca");
	return place_find(command_value(line, "data"), gateway->reach.data, why);
}

void mcp_gateway_finish(struct mcp_gateway *gateway) { reach_finish(&gateway->reach); }

/* ---- The token ---- */

static bool read_token(const char *path, struct reach *reach) {
	struct stat found;
	char octets[TOKEN_TEXT + 2];
	AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0 || fstat(file, &found) != 0) return false;
	if (found.st_mode & (S_IRWXG | S_IRWXO) || found.st_uid != geteuid()) return false;
	ssize_t count = read(file, octets, sizeof octets);
	struct slice token = slice_make(octets, count > 0 ? (size_t)count : 0);
	if (token.length && token.bytes[token.length - 1] == '\n') token.length--;
	bool is_one = token.length < TOKEN_TEXT && token_is_one(token);
	if (is_one) snprintf(reach->token, sizeof reach->token, "%.*s", SLICE_ARGS(token));
	secret_wipe(octets, sizeof octets);
	return is_one;
}

static bool make_token(const char *path, struct reach *reach, struct fault *why) {
	char line[TOKEN_TEXT + 2];
	if (!reach_make_token(reach->data, NULL, false, MCP_TOKEN_MS, reach->token, sizeof reach->token, why))
		return false;
	int length = snprintf(line, sizeof line, "%.*s\n", TOKEN_TEXT, reach->token);
	bool is_kept = place_write(path, slice_make(line, (size_t)length), false, why);
	secret_wipe(line, sizeof line);
	return is_kept;
}

static bool find_token(struct mcp_gateway *gateway, bool is_refused, struct fault *why) {
	struct reach *reach = &gateway->reach;
	const char *given = command_value(gateway->line, "token"), *variable = getenv("HUSTINGS_TOKEN");
	char path[PLACE_PATH + 256];
	if (!given && variable && variable[0]) given = variable;
	if (given && is_refused) return fault_set(why, FAULT_REFUSED, "the gateway refuses the token");
	if (given) {
		if (strlen(given) >= sizeof reach->token) return fault_set(why, FAULT_TOO_LARGE, "the token is too long");
		snprintf(reach->token, sizeof reach->token, "%s", given);
		return true;
	}
	if (!place_file(reach->data, "mcp.token", path, why)) return false;
	if (!is_refused && read_token(path, reach)) return true;
	return make_token(path, reach, why);
}

/* ---- The whole ---- */

static bool find_local(struct mcp_gateway *gateway, bool is_refused, struct fault *why) {
	struct place_gateway place;
	struct fault missing = {0};
	struct reach *reach = &gateway->reach;
	mcp_start_reap(&gateway->started);
	if (!place_gateway(reach->data, &place, &missing)) {
		if (missing.code != FAULT_NOT_FOUND) {
			*why = missing;
			return false;
		}
		const char *config = gateway->config[0] ? gateway->config : NULL;
		if (!mcp_start(reach->data, config, gateway->log, &place, &gateway->started, why)) return false;
	}
	snprintf(reach->url, sizeof reach->url, "%s", place.url);
	return find_token(gateway, is_refused, why);
}

bool mcp_gateway_find(void *context, bool is_refused, struct mcp_address *address, struct fault *why) {
	struct mcp_gateway *gateway = context;
	struct fault own;
	if (!why) why = &own;
	if (gateway->reach.is_local) {
		if (!find_local(gateway, is_refused, why)) return false;
	} else if (is_refused) {
		return fault_set(why, FAULT_REFUSED, "%.120s refuses the token", gateway->reach.url);
	}
	snprintf(address->url, sizeof address->url, "%s%s", gateway->reach.url, gateway->path);
	snprintf(address->token, sizeof address->token, "%s", gateway->reach.token);
	address->ca = gateway->reach.ca;
	return true;
}
