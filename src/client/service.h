/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Service: what a host at the other end of stdin, or of HTTP, gets when it asks us: all of what is
 * offered, in its own era (MCP 2024-11-05 to 2026-07-28). Rooms are served by mcp/mcp_server.h.
 *
 * A plain struct in its owner's, and the first member of the context of its peer; service_init() and
 * service_finish(). One thread.
 */
#ifndef HUSTINGS_CLIENT_SERVICE_H
#define HUSTINGS_CLIENT_SERVICE_H

#include "client/service_parts.h"

/* Opens its peer, whose context is `context` and begins with the service. */
bool service_init(struct service *service, struct hustings *hustings,
	const struct peer_events *events, void *context, struct fault *why) MUST_USE;
void service_finish(struct service *service);

/* For the peer's events. */
void service_asked(struct service *service, struct peer_question *question,
	const struct jsonrpc *request);
void service_cancelled(struct service *service, struct peer_question *question);

#endif
