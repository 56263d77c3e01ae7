/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Config: what an operator decided, as plain values for the parts: the defaults, then one TOML file,
 * then HUSTINGS_* variables, then flags (MGP 15.2 for the file's place and its [[servers]]).
 *
 * Owned: config_free(). Everything it points to lives as long as it does. Nothing half right is
 * handed out: an unknown key, an unset ${VARIABLE} or a value out of range is a fault that names
 * the file and line, the variable, or the flag.
 */
#ifndef HUSTINGS_CLI_CONFIG_H
#define HUSTINGS_CLI_CONFIG_H

#include "auth/identity.h"
#include "auth/jwt.h"
#include "base/arena.h"
#include "cli/config_keys.h"
#include "gateway/gateway.h"

struct config_topic { /* [[rooms.topics]] */
	char topic[136];
	struct store_retention retention;
};

struct config {
	struct gateway_settings gateway;
	struct rooms_settings rooms;
	struct jwt_settings jwt;
	bool has_jwt;
	enum privilege default_privilege;
	struct config_array identities; /* struct identity_rule */
	struct config_array topics;     /* struct config_topic */
	struct store_retention retention;
	struct store_retention audit;
	struct store_rule *rules; /* topics, then all others */
	size_t rule_count;
	int64_t max_backlog;
	unsigned threads;
	enum log_level log_level;
	const char *data;     /* NULL: none was named */
	const char *tls_cert; /* NULL: plain HTTP */
	const char *tls_key;
	const char *jwks;    /* a file or a URL */
	const char *file;    /* that was read; NULL: none was found */
	bool is_found;       /* ./mgp.toml, that nobody named: it holds [[servers]] alone */
	size_t server_count; /* [[servers]] */
	struct text later;   /* keys that were given and that this version does not use */
	struct arena memory;
};

struct config_flag_value {
	const char *name; /* "rooms.pace" */
	const char *value;
	const char *flag; /* as it is called in faults: "--set rooms.pace" */
};

struct config_wish {
	const char *file;                      /* --config; NULL: looked for */
	const struct config_flag_value *flags; /* in their order; may be NULL */
	size_t flag_count;
	char **environment; /* NULL ended */
};

struct config *config_read(const struct config_wish *wish, struct fault *why) MUST_USE;
void config_free(struct config *config); /* NULL is fine */
AUTO_RELEASE(config, config_free)

/* The parts of config_read() that tests and the fuzzer use by themselves. */
struct config *config_new(struct fault *why) MUST_USE;                 /* the defaults */
bool config_finish(struct config *config, struct fault *why) MUST_USE; /* checks what hangs together */
/* One value as text, as flags and variables give it. `where` begins the fault. */
bool config_assign(struct config *config, const char *name, struct slice value, const char *where,
	struct fault *why) MUST_USE;

#endif
