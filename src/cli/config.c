/* SPDX-License-Identifier: Apache-2.0 */
/* Config: defaults, file, environment, flags, in this order; then what hangs together is checked. */
#include "cli/config.h"

#include "base/ident.h"
#include "cli/config_file.h"
#include "cli/config_value.h"
#include "decide/webhook.h"
#include "validate/permission_type.h"
#include "validate/validator_word.h"
#include "decide/webhook_sign.h"
#include "wire/http1.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MEMORY (16 * 1024 * 1024)

struct config *config_new(struct fault *why) {
	struct config *config = calloc(1, sizeof *config);
	if (!config) return fault_null(why, FAULT_NO_MEMORY, "no memory for a configuration");
	arena_init(&config->memory, NULL, 0, MEMORY);
	text_init(&config->later, 1024);
	rooms_settings_default(&config->rooms);
	if (config_value_defaults(config_keys, config, &config->memory, why)) return config;
	config_free(config);
	return NULL;
}

void config_free(struct config *config) {
	if (!config) return;
	text_finish(&config->later);
	arena_finish(&config->memory);
	free(config);
}

bool config_assign(struct config *config, const char *name, struct slice value, const char *where,
	struct fault *why) {
	const struct config_key *key = config_key_find(config_keys, slice_of(name));
	if (!key) {
		const char *nearest = config_key_nearest(config_keys, slice_of(name));
		return fault_set(why, FAULT_BAD_INPUT, "%.80s: there is no key %.60s: %s%s%s", where, name,
			nearest ? "did you mean " : "hustings config schema lists all keys", nearest ? nearest : "",
			nearest ? "?" : "");
	}
	if (!config_value_set(key, value, config, &config->memory, why))
		return fault_before(why, "%.80s: ", where);
	if (key->flags & CONFIG_LATER)
		text_printf(&config->later, "%s%s", config->later.length ? ", " : "", key->name);
	return true;
}

/* The environment */

/* HUSTINGS_ROOMS_ and so on: a name that begins so is meant as a key. */
static bool is_meant_as_key(struct slice name) {
	static const char *const sections[] = {"HUSTINGS_GATEWAY_", "HUSTINGS_AUTH_", "HUSTINGS_ROOMS_",
		"HUSTINGS_KERNEL_", "HUSTINGS_FLOW_", "HUSTINGS_DECIDE_", "HUSTINGS_CLUSTER_"};
	for (size_t i = 0; i < COUNT_OF(sections); i++)
		if (slice_starts_with(name, sections[i])) return true;
	return false;
}

static const struct config_key *key_of_variable(struct slice name) {
	char variable[96];
	for (const struct config_key *key = config_keys; key->name; key++) {
		config_key_variable(key, variable);
		if (slice_is(name, variable)) return key;
	}
	return NULL;
}

static bool apply_environment(struct config *config, char **environment, struct fault *why) {
	const char *data = config_variable(environment, SLICE("HUSTINGS_DATA"));
	if (data && data[0] && !config_assign(config, "gateway.data", slice_of(data), "HUSTINGS_DATA", why))
		return false;
	for (char **at = environment; at && *at; at++) {
		struct slice rest = slice_of(*at), name;
		if (!slice_split(&rest, '=', &name) || !is_meant_as_key(name)) continue;
		const struct config_key *key = key_of_variable(name);
		if (!key)
			return fault_set(why, FAULT_BAD_INPUT,
				"%.*s: there is no such key: unset it, or see hustings config schema for the names",
				(int)(name.length > 80 ? 80 : name.length), name.bytes);
		char where[128];
		snprintf(where, sizeof where, "%.*s", SLICE_ARGS(name));
		if (!config_assign(config, key->name, rest.bytes ? rest : SLICE(""), where, why)) return false;
	}
	return true;
}

/* What hangs together */

static bool check_tls(const struct config *config, struct fault *why) {
	if (!config->tls_cert == !config->tls_key) return true;
	return fault_set(why, FAULT_BAD_INPUT,
		"gateway.tls_cert and gateway.tls_key belong together: %s is missing",
		config->tls_cert ? "gateway.tls_key" : "gateway.tls_cert");
}

static bool is_url(const char *text) {
	return slice_starts_with(slice_of(text), "https://") || slice_starts_with(slice_of(text), "http://");
}

static bool finish_jwt(struct config *config, struct fault *why) {
	struct jwt_settings *jwt = &config->jwt;
	const unsigned hs256 = 1u << JWT_HS256, all = (1u << JWT_ALGORITHMS) - 1;
	jwt->jwks_url = config->jwks && is_url(config->jwks) ? config->jwks : NULL;
	jwt->jwks_file = config->jwks && !is_url(config->jwks) ? config->jwks : NULL;
	config->has_jwt = config->jwks || jwt->secret;
	if (!config->has_jwt && (jwt->algorithms || jwt->issuer || jwt->audience))
		return fault_set(why, FAULT_BAD_INPUT, "auth.jwt needs keys: set auth.jwt.jwks or auth.jwt.secret");
	if (jwt->secret && strlen(jwt->secret) < 32)
		return fault_set(why, FAULT_BAD_INPUT,
			"auth.jwt.secret is shorter than 32 octets: make one with openssl rand -base64 48");
	if (config->has_jwt && !config->gateway.authorization_servers[0] && jwt->issuer && is_url(jwt->issuer))
		config->gateway.authorization_servers[0] = jwt->issuer;
	if (jwt->algorithms == 0)
		jwt->algorithms = (config->jwks ? all & ~hs256 : 0) | (jwt->secret ? hs256 : 0);
	return true;
}

static bool check_names(const struct config *config, struct fault *why) {
	struct slice host;
	unsigned port;
	for (const char *const *name = config->gateway.allowed_hosts; *name; name++)
		if (!http1_authority(slice_of(*name), &host, &port))
			return fault_set(why, FAULT_BAD_INPUT,
				"gateway.allowed_hosts: '%.80s' is no name, like rooms.example or rooms.example:8443", *name);
	for (const char *const *origin = config->gateway.allowed_origins; *origin; origin++) {
		const char *authority = is_url(*origin) ? strstr(*origin, "//") + 2 : "";
		if (!http1_authority(slice_of(authority), &host, &port))
			return fault_set(why, FAULT_BAD_INPUT,
				"gateway.allowed_origins: '%.80s' is no origin, like https://console.example (without a path)",
				*origin);
	}
	return true;
}

static bool check_items(const struct config *config, struct fault *why) {
	const struct identity_rule *identities = config->identities.items;
	for (size_t i = 0; i < config->identities.count; i++)
		if (!identities[i].id[0])
			return fault_set(why, FAULT_BAD_INPUT, "auth.identities: rule %zu needs an id", i + 1);
	const struct config_topic *topics = config->topics.items;
	for (size_t i = 0; i < config->topics.count; i++)
		if (!topics[i].topic[0])
			return fault_set(why, FAULT_BAD_INPUT, "rooms.topics: entry %zu needs a topic", i + 1);
	return true;
}

static bool check_seats(const struct config *config, struct fault *why) {
	const struct config_server *servers = config->servers.items;
	for (size_t i = 0; i < config->servers.count; i++) {
		const char *id = servers[i].id ? servers[i].id : "";
		for (const char *const *topic = servers[i].rooms; *topic; topic++)
			if (!ident_is_topic(slice_of(*topic)))
				return fault_set(why, FAULT_BAD_INPUT,
					"servers: rooms of %.64s: '%.80s' is no topic (1 to 128 of ASCII letters, digits and ._:@-/ without ..)",
					id, *topic);
		for (const char *const *word = servers[i].expose; *word; word++)
			if (strcmp(*word, "resources") != 0 && strcmp(*word, "prompts") != 0)
				return fault_set(why, FAULT_BAD_INPUT,
					"servers: expose of %.64s: '%.80s' cannot be exposed: resources and prompts can", id, *word);
	}
	return true;
}

static bool check_decide(const struct config *config, struct fault *why) {
	const struct inbox_settings *decide = &config->decide;
	if (decide->webhook_url && !is_url(decide->webhook_url))
		return fault_set(why, FAULT_BAD_INPUT, "decide.webhook_url: begins with http:// or https://");
	if (decide->webhook_url && !decide->webhook_secret)
		return fault_set(why, FAULT_BAD_INPUT,
			"decide.webhook_url needs decide.webhook_secret: make one with echo whsec_$(openssl rand -base64 24)");
	if (!decide->webhook_secret) return true;
	AUTO_TEXT struct text key = {0};
	text_init(&key, 0);
	bool is_key = webhook_key(slice_of(decide->webhook_secret), WEBHOOK_SECRET_LEAST, &key, why);
	if (key.bytes) secret_wipe(key.bytes, key.length);
	return is_key;
}

/* What follows the scheme, up to the path. */
static struct slice authority_of(const char *url) {
	struct slice rest = slice_of(strstr(url, "://") + 3);
	size_t length = strcspn(rest.bytes, "/?#");
	return slice_make(rest.bytes, length);
}

static bool is_this_machine(struct slice authority) {
	static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		size_t length = strlen(names[i]);
		if (authority.length < length || memcmp(authority.bytes, names[i], length) != 0) continue;
		if (authority.length == length || authority.bytes[length] == ':') return true;
	}
	return false;
}

static bool check_embeddings(const struct config *config, struct fault *why) {
	const struct embeddings_settings *settings = &config->embeddings;
	if (!settings->url) return true;
	if (!is_url(settings->url)) return fault_set(why, FAULT_BAD_INPUT, "kernel.embeddings.url: begins with http:// or https://");
	struct slice authority = authority_of(settings->url);
	if (authority.length == 0 || memchr(authority.bytes, '@', authority.length))
		return fault_set(why, FAULT_BAD_INPUT, "kernel.embeddings.url: names a host, and no user: the key is kernel.embeddings.key");
	if (!settings->model || !settings->model[0])
		return fault_set(why, FAULT_BAD_INPUT, "kernel.embeddings.url needs kernel.embeddings.model");
	for (const char *at = settings->key; at && *at; at++)
		if (*at <= ' ' || *at > '~')
			return fault_set(why, FAULT_BAD_INPUT, "kernel.embeddings.key: it holds a blank, or what is no ASCII character");
	if (settings->key && slice_starts_with(slice_of(settings->url), "http://") && !is_this_machine(authority))
		return fault_set(why, FAULT_BAD_INPUT,
			"kernel.embeddings.url: a key goes over https:// alone, but to this machine");
	return true;
}

static bool read_rate(const char *words, const char *key, const char *server, bool *has, struct policy_rate *rate,
	struct fault *why) {
	if (!words) return true;
	*has = true;
	if (policy_rate_read(slice_of(words), rate, why)) return true;
	return fault_before(why, server ? "server %s: mgp.%s: " : "%.0skernel.%s: ", server ? server : "", key);
}

static bool check_validators(const struct config_server *server, struct fault *why) {
	enum validator validator;
	for (const char *const *one = server->validators; *one; one++) {
		const char *word = strrchr(*one, '=');
		if (!word || !validator_word_read(slice_of(word + 1), &validator))
			return fault_set(why, FAULT_BAD_INPUT,
				"server %s: mgp.validators.%s: one of sandbox, readonly, network_restricted, code_safety, none is due",
				server->id, *one);
	}
	return true;
}

static bool check_permissions(const struct config_server *server, struct fault *why) {
	struct permission_type_names names;
	for (const char *const *one = server->permissions_required; *one; one++)
		if (!permission_type_read(slice_of(*one), &names, why))
			return fault_before(why, "server %s: mgp.permissions_required: ", server->id);
	for (const char *const *one = server->permissions_granted; *one; one++)
		if (!permission_type_read(slice_of(*one), &names, why))
			return fault_before(why, "server %s: mgp.permissions_granted: ", server->id);
	return true;
}

static bool check_authorization(const struct config_server *server, struct fault *why) {
	const struct authorization_settings *of = &server->policy.authorization;
	size_t count = 0;
	if (!authorization_settings_check(of, why)) return fault_before(why, "server %s: ", server->id);
	for (const char *const *one = server->authorization_deciders; *one; one++, count++)
		if (!(*one)[0] || strlen(*one) > AUTHORIZATION_NAME || count == DECISION_NAMES)
			return fault_set(why, FAULT_BAD_INPUT,
				"server %s: authorization.deciders: at most %d names, of 1 to %d octets each", server->id,
				DECISION_NAMES, AUTHORIZATION_NAME);
	return true;
}

/* What stands beside a policy becomes part of it. */
static bool finish_server(struct config_server *server, struct fault *why) {
	struct policy *policy = &server->policy;
	policy->is_flowless = !server->has_flow;
	policy->is_mgp_limited = policy->extensions != 0;
	policy->has_trust = server->trust != 0;
	if (policy->has_trust) policy->trust = (enum mgp_trust)(server->trust - 1);
	if (server->mgp_share) server->share = (enum hosted_share)(server->mgp_share - 1);
	policy->permissions_required = server->permissions_required;
	policy->permissions_granted = server->permissions_granted;
	policy->validators = server->validators;
	policy->authorization.rules = server->authorization_rules.items;
	policy->authorization.rule_count = server->authorization_rules.count;
	policy->authorization_deciders = server->authorization_deciders[0] ? server->authorization_deciders : NULL;
	return read_rate(server->call_rate, "call_rate", server->id, &policy->has_call_rate, &policy->call_rate, why) &&
		read_rate(server->quota, "quota", server->id, &policy->has_quota, &policy->quota, why) &&
		check_validators(server, why) && check_permissions(server, why) && check_authorization(server, why);
}

static bool finish_policies(struct config *config, struct fault *why) {
	struct config_server *servers = config->servers.items;
	struct policy *kernel = &config->kernel;
	for (size_t i = 0; i < config->servers.count; i++)
		if (!finish_server(&servers[i], why)) return false;
	kernel->is_flowless = !config->has_flow;
	return read_rate(config->call_rate, "call_rate", NULL, &kernel->has_call_rate, &kernel->call_rate, why) &&
		read_rate(config->quota, "quota", NULL, &kernel->has_quota, &kernel->quota, why);
}

/* The rules of retention as the store wants them: by topic, then for all others. */
static bool make_rules(struct config *config, struct fault *why) {
	size_t count = config->topics.count;
	const struct config_topic *topics = config->topics.items;
	config->rules = arena_zero(&config->memory, (count + 1) * sizeof *config->rules);
	if (!config->rules) return fault_set(why, FAULT_NO_MEMORY, "no memory for rules of retention");
	for (size_t i = 0; i < count; i++) {
		memcpy(config->rules[i].topic, topics[i].topic, sizeof topics[i].topic);
		config->rules[i].retention = topics[i].retention;
	}
	memcpy(config->rules[count].topic, "*", 2);
	config->rules[count].retention = config->retention;
	config->rule_count = count + 1;
	return true;
}

static bool check_pinned(const struct config *config, struct fault *why) {
	for (const char *const *one = config->pinned; *one; one++) {
		const char *dot = strchr(*one, '.');
		if (!dot || dot == *one || !dot[1])
			return fault_set(why, FAULT_BAD_INPUT, "kernel.pinned: \"%.100s\" names no tool: SERVER.TOOL is due", *one);
	}
	return true;
}

bool config_finish(struct config *config, struct fault *why) {
	config->rooms.max_message = config->gateway.max_message;
	if (config->rooms.max_behind < config->gateway.max_message)
		return fault_set(why, FAULT_BAD_INPUT,
			"gateway.max_behind (%zu) is less than gateway.max_message (%zu): no reader could get the "
			"largest envelope",
			config->rooms.max_behind, config->gateway.max_message);
	return check_tls(config, why) && finish_jwt(config, why) && check_names(config, why) &&
		check_items(config, why) && check_seats(config, why) && check_decide(config, why) && check_embeddings(config, why) && check_pinned(config, why) && finish_policies(config, why) &&
		make_rules(config, why);
}

static bool apply_file(struct config *config, const struct config_wish *wish, struct fault *why) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, CONFIG_FILE_OCTETS);
	if (!config_file_find(wish->file, wish->environment, &config->memory, &config->file,
		    &config->is_found, why))
		return false;
	if (!config->file) return true;
	return config_file_load(config->file, &text, why) &&
		config_file_apply(config, text_slice(&text), config->file, wish->environment, why);
}

struct config *config_read(const struct config_wish *wish, struct fault *why) {
	AUTO(config) config = config_new(why);
	if (!config || !apply_file(config, wish, why) ||
		!apply_environment(config, wish->environment, why))
		return NULL;
	for (size_t i = 0; i < wish->flag_count; i++) {
		const struct config_flag_value *flag = &wish->flags[i];
		if (!config_assign(config, flag->name, slice_of(flag->value), flag->flag, why)) return NULL;
	}
	if (!config_finish(config, why)) return NULL;
	return TAKE(config);
}
