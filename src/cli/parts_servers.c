/* SPDX-License-Identifier: Apache-2.0 */
/* Parts servers: [[servers]] become hosted servers, at the start and at every reload. One that cannot
 * be is logged, and keeps nobody from starting. */
#include "cli/parts_inside.h"

#include "cli/place.h"
#include "gateway/hosted_seats.h"
#include "gateway/mcp_face.h"
#include "kernel/kernel.h"
#include "kernel/mgp_registration.h"
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
		.policy = &server->policy,
		.restart = server->max_restarts ? server->restart : HOSTED_RESTART_NEVER,
		.restarts = server->max_restarts,
		.restart_window_ms = server->restart_window_secs * 1000,
		.back_off_ms = server->backoff_base_ms,
		.back_off_most_ms = server->backoff_max_ms,
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

static struct flow_settings flow_of(const struct config *config) {
	struct flow_settings settings = config->flow;
	settings.is_enabled = config->has_flow;
	return settings;
}

static bool open_kernel(struct parts *parts, struct slice secret, struct fault *why) {
	struct gateway *gateway = &parts->gateway;
	const struct kernel_options options = {
		.loop = gateway->loop,
		.log = gateway->log,
		.servers = parts->servers,
		.state = gateway->state,
		.spool = store_spool(gateway->store, 0),
		.store = gateway->store,
		.inbox = gateway->inbox,
		.policy = parts->config->kernel,
		.is_open = parts->is_open,
		.register_allow = parts->config->register_allow,
		.flow = flow_of(parts->config),
		.secret = secret,
	};
	if (!parts->config->has_gates) return true;
	gateway->kernel = kernel_open(&options, why);
	return gateway->kernel && kernel_forward_audit(gateway->kernel, parts->config->audit_server, why) &&
		kernel_change_tools(gateway->kernel, &parts->config->tool_budget, parts->config->pinned, parts->config->creating, why) &&
		kernel_use_embeddings(gateway->kernel, &parts->config->embeddings, why);
}

/* A server that is gone makes room for what the configuration has in its place. */
static void replace(struct task *task) {
	struct parts *parts = CONTAINER_OF(task, struct parts, replacing);
	const struct config_server *servers = parts->config->servers.items;
	for (struct hosted *one = hosted_next(parts->servers, NULL), *next; one; one = next) {
		next = hosted_next(parts->servers, one);
		if (hosted_is_leaving(one) && !hosted_children(one)) hosted_remove(one);
	}
	for (size_t i = 0; i < parts->config->servers.count; i++) {
		struct hosted *there = servers[i].id ? hosted_find(parts->servers, slice_of(servers[i].id)) : NULL;
		/* Of one that was added while the gateway ran, adding another says that there is one. */
		if (!there || hosted_settings(there)->is_registered) add(parts, &servers[i]);
	}
}

static void moved(struct hosted_listener *listener, struct hosted *hosted, enum hosted_state from) {
	struct parts *parts = CONTAINER_OF(listener, struct parts, server_listener);
	(void)from;
	if (hosted_is_leaving(hosted)) loop_later(parts->gateway.loop, &parts->replacing, replace);
}

/* Sandboxed servers may stand in the folder where these lie. */
static void hide_files(struct parts *parts, const struct config *config) {
	const char *const files[HOSTED_HIDDEN] = {config->file, config->tls_key, config->audit_file};
	hosted_servers_hide_files(parts->servers, files);
}

/* One for the state that clients carry, one for what the kernel seals. */
static bool derive_keys(const char *data, uint8_t state[SECRET_HASH_SIZE], uint8_t kernel[SECRET_HASH_SIZE],
	struct fault *why) {
	uint8_t secret[SECRET_HASH_SIZE];
	char path[PLACE_PATH + 256];
	if (!place_file(data, "secret", path, why) || !secret_file(path, secret, sizeof secret, why)) return false;
	struct slice octets = slice_make(secret, sizeof secret);
	bool is_derived = secret_sign(octets, SLICE("MCP requestState"), state) && secret_sign(octets, SLICE("kernel"), kernel);
	secret_wipe(secret, sizeof secret);
	return is_derived || fault_set(why, FAULT_NO_MEMORY, "no memory for a key");
}

bool parts_servers_open(struct parts *parts, const char *data, struct fault *why) {
	struct gateway *gateway = &parts->gateway;
	const struct config_server *servers = parts->config->servers.items;
	uint8_t key[SECRET_HASH_SIZE], secret[SECRET_HASH_SIZE];
	if (!derive_keys(data, key, secret, why)) return false;
	parts->servers = hosted_servers_open(gateway->loop, gateway->log, why);
	if (!parts->servers) return false;
	hosted_servers_hide(parts->servers, data);
	hide_files(parts, parts->config);
	bool is_open = open_kernel(parts, slice_make(secret, sizeof secret), why);
	secret_wipe(secret, sizeof secret);
	if (!is_open) return false;
	gateway->mcp = mcp_face_open(gateway, parts->servers, key, why);
	secret_wipe(key, sizeof key);
	if (!gateway->mcp) return false;
	parts->server_listener = (struct hosted_listener){.moved = moved};
	hosted_listen(parts->servers, &parts->server_listener);
	parts->seats = hosted_seats_open(gateway, parts->servers, why);
	if (!parts->seats) return false;
	for (size_t i = 0; i < parts->config->servers.count; i++) add(parts, &servers[i]);
	gateway->registry = registry_open(parts->servers, gateway->state, gateway->log, why);
	if (!gateway->registry) return false;
	if (!gateway->kernel) return true;
	kernel_use_registry(gateway->kernel, gateway->registry);
	return mgp_registration_restore(kernel_means(gateway->kernel), why);
}

void parts_servers_close(struct parts *parts) {
	task_clear(&parts->replacing);
	if (parts->server_listener.moved) hosted_unlisten(&parts->server_listener);
	hosted_seats_close(parts->seats);
	parts->seats = NULL;
	mcp_face_close(parts->gateway.mcp);
	parts->gateway.mcp = NULL;
	if (parts->gateway.kernel) kernel_use_registry(parts->gateway.kernel, NULL);
	registry_close(parts->gateway.registry);
	parts->gateway.registry = NULL;
	if (parts->gateway.kernel) kernel_says_good_bye(parts->gateway.kernel);
	hosted_servers_leave(parts->servers, FAREWELL_MS);
	kernel_close(parts->gateway.kernel);
	parts->gateway.kernel = NULL;
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

static bool same_rate(const struct policy_rate *a, const struct policy_rate *b) {
	return a->count == b->count && a->window_ms == b->window_ms;
}

static bool same_rule(const struct authorization_rule *a, const struct authorization_rule *b) {
	return a->action == b->action && same_text(a->tool, b->tool) && same_text(a->caller, b->caller) &&
		same_text(a->argument, b->argument) && same_text(a->value, b->value);
}

static bool same_authorization(const struct config_server *a, const struct config_server *b) {
	const struct authorization_settings *one = &a->policy.authorization, *other = &b->policy.authorization;
	if (one->mode != other->mode || one->timeout_ms != other->timeout_ms || one->rule_count != other->rule_count ||
		!same_text(one->delegate, other->delegate) || !same_list(a->authorization_deciders, b->authorization_deciders))
		return false;
	for (size_t i = 0; i < one->rule_count; i++)
		if (!same_rule(&one->rules[i], &other->rules[i])) return false;
	return true;
}

static bool same_policy(const struct config_server *a, const struct config_server *b) {
	const struct policy *one = &a->policy, *other = &b->policy;
	return one->permissions == other->permissions && one->approval == other->approval &&
		one->access == other->access && one->call_timeout_ms == other->call_timeout_ms &&
		one->has_call_rate == other->has_call_rate && same_rate(&one->call_rate, &other->call_rate) &&
		one->has_quota == other->has_quota && same_rate(&one->quota, &other->quota) &&
		one->max_in_flight == other->max_in_flight && one->decision_ttl_ms == other->decision_ttl_ms &&
		one->health_interval_ms == other->health_interval_ms && one->extensions == other->extensions &&
		one->is_flowless == other->is_flowless && one->has_trust == other->has_trust && one->trust == other->trust &&
		same_list(a->permissions_required, b->permissions_required) &&
		same_list(a->permissions_granted, b->permissions_granted) && same_list(a->validators, b->validators) &&
		same_authorization(a, b) &&
		a->restart == b->restart && a->max_restarts == b->max_restarts &&
		a->restart_window_secs == b->restart_window_secs && a->backoff_base_ms == b->backoff_base_ms &&
		a->backoff_max_ms == b->backoff_max_ms;
}

static bool same(const struct config_server *a, const struct config_server *b) {
	return same_text(a->id, b->id) && same_text(a->command, b->command) && same_text(a->cwd, b->cwd) &&
		same_text(a->url, b->url) && same_text(a->ca, b->ca) && same_list(a->args, b->args) && same_list(a->env, b->env) &&
		same_list(a->headers, b->headers) && a->transport == b->transport && a->share == b->share &&
		same_list(a->rooms, b->rooms) && same_list(a->expose, b->expose) && same_policy(a, b);
}

static bool is_in(const struct config *config, const struct config_server *server) {
	const struct config_server *servers = config->servers.items;
	for (size_t i = 0; i < config->servers.count; i++)
		if (same(&servers[i], server)) return true;
	return false;
}

/* As it was: the vectors that are there stay. */
static bool same_embeddings(const struct embeddings_settings *a, const struct embeddings_settings *b) {
	return same_text(a->url, b->url) && same_text(a->model, b->model) && same_text(a->key, b->key) &&
		a->timeout_ms == b->timeout_ms && a->batch == b->batch && a->dimensions == b->dimensions;
}

static void change_kernel(struct parts *parts, const struct config *config) {
	struct kernel *kernel = parts->gateway.kernel;
	struct fault why;
	if (!kernel) return;
	const struct flow_settings flow = flow_of(config);
	kernel_change(kernel, &config->kernel);
	kernel_change_flow(kernel, &flow);
	if (!kernel_forward_audit(kernel, config->audit_server, &why))
		log_write(parts->gateway.log, LOG_ERROR, "reload: audit events go where they went before: %s", why.text);
	if (!kernel_change_tools(kernel, &config->tool_budget, config->pinned, config->creating, &why))
		log_write(parts->gateway.log, LOG_ERROR, "reload: the same tools are pinned as before: %s", why.text);
	if (!same_embeddings(&parts->config->embeddings, &config->embeddings) &&
		!kernel_use_embeddings(kernel, &config->embeddings, &why))
		log_write(parts->gateway.log, LOG_ERROR, "reload: tools are found by words alone: %s", why.text);
}

/* One that wants to hear of its end (MGP 11.4) is told why, and goes when it has gone. */
static void take_away(struct parts *parts, struct hosted *hosted) {
	struct fault why;
	if (!parts->gateway.kernel || !hosted_wants_farewell(hosted) || hosted_settings(hosted)->url) {
		hosted_remove(hosted);
		return;
	}
	kernel_replaces(parts->gateway.kernel, hosted);
	hosted_set_leaving(hosted);
	if (!hosted_stop(hosted, FAREWELL_MS, &why)) hosted_remove(hosted);
}

/* What is written as before goes on running. Called while parts->config is still the one before. */
void parts_servers_change(struct parts *parts, const struct config *config) {
	change_kernel(parts, config);
	hide_files(parts, config);
	const struct config_server *before = parts->config->servers.items;
	for (size_t i = 0; i < parts->config->servers.count; i++) {
		struct hosted *hosted =
			before[i].id ? hosted_find(parts->servers, slice_of(before[i].id)) : NULL;
		/* One that was added while the gateway runs kept this one out, and is not ours to end. */
		if (hosted && !hosted_settings(hosted)->is_registered && !is_in(config, &before[i]))
			take_away(parts, hosted);
	}
	loop_later(parts->gateway.loop, &parts->replacing, replace); /* by then parts->config is the new one */
}
