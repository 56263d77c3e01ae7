/* SPDX-License-Identifier: Apache-2.0 */
/* Parts servers: [[servers]] become hosted servers, at the start and at every reload. One that cannot
 * be is logged, and keeps nobody from starting. */
#include "cli/parts_inside.h"

#include "cli/place.h"
#include "gateway/hosted_seats.h"
#include "gateway/mcp_face.h"
#include "kernel/registry.h"

#define FAREWELL_MS 1000 /* for remote servers to hear that their sessions end */

static struct hosted_settings settings_of(const struct config_server *server, const char **arguments) {
	size_t count = 0;
	arguments[count++] = server->command;
	for (size_t i = 0; server->args[i]; i++) arguments[count++] = server->args[i];
	arguments[count] = NULL;
	return (struct hosted_settings){
		.id = server->id,
		.arguments = server->command ? arguments : NULL,
		.environment = server->env,
		.directory = server->cwd,
		.url = server->url,
		.ca = server->ca,
		.headers = server->headers,
		.is_sse = server->transport == CONFIG_SSE,
		.share = server->share,
		.rooms = server->rooms,
		.expose = server->expose,
	};
}

static void add(struct parts *parts, const struct config_server *server) {
	const char *arguments[CONFIG_STRINGS_MOST + 2];
	struct hosted_settings settings = settings_of(server, arguments);
	struct fault why;
	struct hosted *hosted = hosted_add(parts->servers, &settings, &why);
	if (hosted && hosted_start(hosted, &why)) return;
	log_write(parts->gateway.log, LOG_ERROR, "server %s is not hosted: %s", server->id ? server->id : "?",
		why.text);
}

bool parts_servers_open(struct parts *parts, const char *data, struct fault *why) {
	struct gateway *gateway = &parts->gateway;
	const struct config_server *servers = parts->config->servers.items;
	uint8_t secret[SECRET_HASH_SIZE], key[SECRET_HASH_SIZE];
	char path[PLACE_PATH + 256];
	if (!place_file(data, "secret", path, why) || !secret_file(path, secret, sizeof secret, why))
		return false;
	bool is_derived = secret_sign(slice_make(secret, sizeof secret), SLICE("MCP requestState"), key);
	secret_wipe(secret, sizeof secret);
	if (!is_derived) return fault_set(why, FAULT_NO_MEMORY, "no memory for a key");
	parts->servers = hosted_servers_open(gateway->loop, gateway->log, why);
	if (!parts->servers) return false;
	hosted_servers_hide(parts->servers, data);
	gateway->mcp = mcp_face_open(gateway, parts->servers, key, why);
	secret_wipe(key, sizeof key);
	if (!gateway->mcp) return false;
	parts->seats = hosted_seats_open(gateway, parts->servers, why);
	if (!parts->seats) return false;
	for (size_t i = 0; i < parts->config->servers.count; i++) add(parts, &servers[i]);
	gateway->registry = registry_open(parts->servers, gateway->state, gateway->log, why);
	return gateway->registry != NULL;
}

void parts_servers_close(struct parts *parts) {
	hosted_seats_close(parts->seats);
	parts->seats = NULL;
	mcp_face_close(parts->gateway.mcp);
	parts->gateway.mcp = NULL;
	registry_close(parts->gateway.registry);
	parts->gateway.registry = NULL;
	hosted_servers_leave(parts->servers, FAREWELL_MS);
	hosted_servers_close(parts->servers);
	parts->servers = NULL;
	/* Guests go at the end of a pass, and the rooms that they leave are still there. */
	if (parts->gateway.loop) loop_step(parts->gateway.loop, 0);
}

static bool same_text(const char *a, const char *b) {
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_list(const char *const *a, const char *const *b) {
	for (; *a && *b; a++, b++)
		if (strcmp(*a, *b) != 0) return false;
	return !*a && !*b;
}

static bool same(const struct config_server *a, const struct config_server *b) {
	return same_text(a->id, b->id) && same_text(a->command, b->command) && same_text(a->cwd, b->cwd) &&
		same_text(a->url, b->url) && same_text(a->ca, b->ca) && same_list(a->args, b->args) && same_list(a->env, b->env) &&
		same_list(a->headers, b->headers) && a->transport == b->transport && a->share == b->share &&
		same_list(a->rooms, b->rooms) && same_list(a->expose, b->expose);
}

static bool is_in(const struct config *config, const struct config_server *server) {
	const struct config_server *servers = config->servers.items;
	for (size_t i = 0; i < config->servers.count; i++)
		if (same(&servers[i], server)) return true;
	return false;
}

/* What is written as before goes on running. */
void parts_servers_change(struct parts *parts, const struct config *config) {
	const struct config_server *before = parts->config->servers.items, *now = config->servers.items;
	for (size_t i = 0; i < parts->config->servers.count; i++) {
		struct hosted *hosted =
			before[i].id ? hosted_find(parts->servers, slice_of(before[i].id)) : NULL;
		/* One that was added while the gateway runs kept this one out, and is not ours to end. */
		if (hosted && !hosted_settings(hosted)->is_registered && !is_in(config, &before[i]))
			hosted_remove(hosted);
	}
	for (size_t i = 0; i < config->servers.count; i++)
		if (!is_in(parts->config, &now[i])) add(parts, &now[i]);
}
