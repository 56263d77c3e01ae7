/* SPDX-License-Identifier: Apache-2.0 */
/* Parts inside: what the files parts*.c share. */
#ifndef HUSTINGS_CLI_PARTS_INSIDE_H
#define HUSTINGS_CLI_PARTS_INSIDE_H

#include "cli/config.h"

#include <pthread.h>
#include <semaphore.h>

struct parts;

/* One island: loop 0's own, or one with a thread of its own. */
struct parts_island {
	struct parts *parts;
	unsigned index;
	bool has_thread;
	pthread_t thread;
	sem_t ready; /* its rooms are open, or `why` says why not */
	struct fault why;
	struct letter drain;   /* from loop 0 */
	struct letter drained; /* to loop 0 */
	struct deadline look;  /* whether the last connection is gone */
	uint64_t drain_ends;   /* loop ms: those that are still there then are closed */
};

struct parts {
	struct gateway gateway;
	struct parts_island islands[GATEWAY_LOOPS];
	struct listener *listener;
	struct hosted_servers *servers;
	struct hosted_listener server_listener;
	struct task replacing;      /* servers that the configuration has otherwise now */
	struct hosted_seats *seats; /* where they sit */
	struct audit_outside *audit_outside;
	const struct config *config;
	bool is_open;
	bool may_be_exposed;
	char url[320];
	unsigned undrained; /* islands that have not said that they are empty */
};

/* parts_drain.c */
void parts_drain_begin(struct parts *parts);
/* parts_settings.c */
void parts_settings(struct parts *parts, const struct config *config);
struct tls *parts_tls(const struct config *config, bool *failed, struct fault *why);
void parts_name(struct parts *parts); /* the URL by what the settings say now */
struct identity_settings parts_identity(const struct parts *parts, const struct config *config);
/* parts_audit.c: *file NULL: the configuration names none */
bool parts_audit_open(struct gateway *gateway, const struct config *config, struct audit_file **file,
	struct fault *why) MUST_USE;
/* Also what commands write into the trail is told from now on. */
bool parts_audit_begin(struct parts *parts, struct fault *why) MUST_USE;
void parts_audit_close(struct parts *parts);
/* parts_decide.c: opens the inbox, or gives it another configuration */
bool parts_decide(struct gateway *gateway, const struct config *config, struct fault *why) MUST_USE;
/* parts_servers.c: the hosted servers, and the MCP faces before them */
bool parts_servers_open(struct parts *parts, const char *data, struct fault *why) MUST_USE;
void parts_servers_close(struct parts *parts);
void parts_servers_change(struct parts *parts, const struct config *config);

#endif
