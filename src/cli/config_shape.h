/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Config shape: all that an operator may have decided, as plain values. Read by cli/config.h, which
 * owns what it points to.
 */
#ifndef HUSTINGS_CLI_CONFIG_SHAPE_H
#define HUSTINGS_CLI_CONFIG_SHAPE_H

#include "auth/identity.h"
#include "auth/jwt.h"
#include "base/arena.h"
#include "decide/inbox_settings.h"
#include "gateway/gateway.h"
#include "hosted/hosted.h"
#include "hosted/policy.h"
#include "kernel/embedding_provider.h"
#include "kernel/flow_settings.h"
#include "kernel/tool_sessions.h"

struct config_array {
	void *items;
	size_t count;
};

struct config_topic { /* [[rooms.topics]] */
	char topic[136];
	struct store_retention retention;
};

#define CONFIG_STRINGS_MOST 64 /* entries of a list, of a table of strings */

enum config_transport {
	CONFIG_STDIO,
	CONFIG_HTTP,
	CONFIG_SSE
};

struct config_server { /* [[servers]] */
	const char *id;
	const char *command;
	const char *args[CONFIG_STRINGS_MOST + 1];
	const char *env[CONFIG_STRINGS_MOST + 1]; /* "NAME=value" */
	const char *cwd;
	const char *url;
	const char *ca;
	const char *headers[CONFIG_STRINGS_MOST + 1]; /* "Name: value" */
	enum config_transport transport;
	enum hosted_share share;
	const char *rooms[CONFIG_STRINGS_MOST + 1];  /* topics */
	const char *expose[CONFIG_STRINGS_MOST + 1]; /* resources, prompts */

	struct policy policy; /* [servers.mgp]: its lists and rates stand beside it */
	const char *permissions_required[CONFIG_STRINGS_MOST + 1];
	const char *permissions_granted[CONFIG_STRINGS_MOST + 1];
	const char *validators[CONFIG_STRINGS_MOST + 1]; /* "TOOL=VALIDATOR" */
	struct config_array authorization_rules;         /* struct authorization_rule */
	const char *authorization_deciders[CONFIG_STRINGS_MOST + 1];
	unsigned trust;                /* 0: unsaid, else one more than enum mgp_trust */
	unsigned mgp_share;            /* 0: unsaid, else one more than enum hosted_share */
	const char *call_rate, *quota; /* NULL: unsaid */
	bool has_flow;
	enum hosted_restart restart;
	unsigned max_restarts; /* 0: never */
	uint64_t restart_window_secs, backoff_base_ms, backoff_max_ms;
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
	const char *audit_file; /* NULL: none is written */
	int64_t audit_file_size;
	unsigned audit_file_count;
	struct store_rule *rules; /* topics, then all others */
	size_t rule_count;
	int64_t max_backlog;
	unsigned threads;
	enum log_level log_level;
	const char *data;     /* NULL: none was named */
	const char *tls_cert; /* NULL: plain HTTP */
	const char *tls_key;
	const char *jwks;            /* a file or a URL */
	const char *file;            /* that was read; NULL: none was found */
	bool is_found;               /* ./mgp.toml, that nobody named: it holds [[servers]] alone */
	struct config_array servers; /* struct config_server */
	struct policy kernel;        /* [kernel] */
	struct embeddings_settings embeddings;
	const char *pinned[CONFIG_STRINGS_MOST + 1]; /* "server.tool" */
	struct tool_budget tool_budget;
	bool creating;
	bool has_flow;  /* [flow] enabled */
	bool has_gates; /* false: nothing governs the servers, for measuring */
	const char *call_rate, *quota;
	const char *register_allow[CONFIG_STRINGS_MOST + 1]; /* words with CONFIG_BETWEEN_WORDS between */
	const char *audit_server;                            /* NULL: none */
	struct flow_settings flow;                           /* all but is_enabled */
	struct inbox_settings decide;                        /* all but policy_hook, which stands beside it */
	const char *policy_hook;                             /* a URL, or a command's words between blanks; NULL: none */
	struct text later;                                   /* keys that were given and that this version does not use */
	struct arena memory;
};

#endif
