/* SPDX-License-Identifier: Apache-2.0 */
/* Routes: matching, and the steps before every handler. */
#include "gateway/routes.h"

#include "gateway/admin.h"
#include "gateway/admin_audit.h"
#include "gateway/admin_decisions.h"
#include "gateway/admin_grants.h"
#include "gateway/admin_servers.h"
#include "gateway/admin_tokens.h"
#include "gateway/console_files.h"
#include "gateway/credentials.h"
#include "gateway/decision_outcome.h"
#include "gateway/mcp_door.h"
#include "gateway/metrics.h"
#include "gateway/protected_resource.h"
#include "gateway/rest.h"
#include "gateway/rest_history.h"
#include "gateway/rest_proposals.h"
#include "gateway/rest_session.h"
#include "gateway/rest_topics.h"
#include "gateway/websocket_door.h"

const struct route routes[] = {
	{"GET", "/", ROUTE_PUBLIC, console_files_page},
	{"GET", "/assets/*", ROUTE_PUBLIC, console_files_show},
	{"GET", "/healthz", ROUTE_PUBLIC, metrics_health},
	{"GET", "/readyz", ROUTE_PUBLIC, metrics_ready},
	{"GET", "/metrics", ROUTE_METRICS, metrics_show},
	{"GET", "/.well-known/oauth-protected-resource", ROUTE_PUBLIC, protected_resource_show},
	{"GET", "/.well-known/oauth-protected-resource/mcp", ROUTE_PUBLIC, protected_resource_show},
	{"GET", "/.well-known/oauth-protected-resource/mcp/servers/*", ROUTE_PUBLIC, protected_resource_show},
	{"GET", "/.well-known/oauth-protected-resource/mcp/rooms/*", ROUTE_PUBLIC, protected_resource_show},
	{"GET", "/v0/ws", ROUTE_HANDLER, websocket_door},
	{"POST", "/v0/session", ROUTE_PUBLIC, rest_session_begin},
	{"GET", "/v0/session", ROUTE_HANDLER, rest_session_show},
	{"DELETE", "/v0/session", ROUTE_HANDLER, rest_session_end},
	{"POST", "/v0/tickets", ROUTE_PRINCIPAL, rest_ticket},
	{"GET", "/v0/topics", ROUTE_PRINCIPAL, rest_topics},
	{"GET", "/v0/topics/*/participants", ROUTE_PRINCIPAL, rest_participants},
	{"GET", "/v0/topics/*/history", ROUTE_PRINCIPAL, rest_history},
	{"POST", "/v0/topics/*/messages", ROUTE_PRINCIPAL, rest_message},
	{"GET", "/v0/topics/*/proposals", ROUTE_PRINCIPAL, rest_proposals},
	{"POST", "/v0/topics/*/proposals/*/withdraw", ROUTE_PRINCIPAL, rest_proposal_withdraw},
	{"POST", "/v0/topics/*/proposals/*/reject", ROUTE_PRINCIPAL, rest_proposal_reject},
	{"POST", "/mcp", ROUTE_PRINCIPAL, mcp_door_post},
	{"GET", "/mcp", ROUTE_PRINCIPAL, mcp_door_get},
	{"DELETE", "/mcp", ROUTE_PRINCIPAL, mcp_door_delete},
	{"POST", "/mcp/sse", ROUTE_PRINCIPAL, mcp_door_post_old},
	{"GET", "/mcp/sse", ROUTE_PRINCIPAL, mcp_door_get_old},
	{"POST", "/mcp/servers/*/sse", ROUTE_PRINCIPAL, mcp_door_post_old},
	{"GET", "/mcp/servers/*/sse", ROUTE_PRINCIPAL, mcp_door_get_old},
	{"POST", "/mcp/rooms/*/sse", ROUTE_PRINCIPAL, mcp_door_post_old},
	{"GET", "/mcp/rooms/*/sse", ROUTE_PRINCIPAL, mcp_door_get_old},
	{"POST", "/mcp/rooms/*", ROUTE_PRINCIPAL, mcp_door_post},
	{"GET", "/mcp/rooms/*", ROUTE_PRINCIPAL, mcp_door_get},
	{"DELETE", "/mcp/rooms/*", ROUTE_PRINCIPAL, mcp_door_delete},
	{"POST", "/mcp/servers/*", ROUTE_PRINCIPAL, mcp_door_post},
	{"GET", "/mcp/servers/*", ROUTE_PRINCIPAL, mcp_door_get},
	{"DELETE", "/mcp/servers/*", ROUTE_PRINCIPAL, mcp_door_delete},
	{"POST", "/admin/participants/*/promote", ROUTE_ADMIN, admin_promote},
	{"POST", "/admin/participants/*/demote", ROUTE_ADMIN, admin_demote},
	{"GET", "/admin/tokens", ROUTE_ADMIN, admin_tokens_list},
	{"POST", "/admin/tokens", ROUTE_ADMIN, admin_tokens_create},
	{"DELETE", "/admin/tokens/*", ROUTE_ADMIN, admin_tokens_revoke},
	{"DELETE", "/admin/tokens", ROUTE_ADMIN, admin_tokens_revoke_id},
	{"GET", "/admin/audit", ROUTE_ADMIN, admin_audit},
	{"GET", "/admin/audit/statistics", ROUTE_ADMIN, admin_audit_statistics},
	{"GET", "/admin/audit/export", ROUTE_ADMIN, admin_audit_export},
	{"GET", "/admin/decisions", ROUTE_PRINCIPAL, admin_decisions_list},
	{"GET", "/admin/decisions/*", ROUTE_PRINCIPAL, admin_decisions_show},
	{"GET", "/admin/decisions/*/outcome", ROUTE_PRINCIPAL, decision_outcome_show},
	{"POST", "/admin/decisions/*", ROUTE_PRINCIPAL, admin_decisions_answer},
	{"DELETE", "/admin/decisions/*", ROUTE_PRINCIPAL, admin_decisions_revoke},
	{"GET", "/admin/grants", ROUTE_ADMIN, admin_grants_list},
	{"POST", "/admin/grants", ROUTE_ADMIN, admin_grants_add},
	{"DELETE", "/admin/grants", ROUTE_ADMIN, admin_grants_remove},
	{"GET", "/admin/grants/query", ROUTE_ADMIN, admin_grants_query},
	{"DELETE", "/admin/servers/*/permissions/*", ROUTE_ADMIN, admin_servers_revoke},
	{"GET", "/admin/servers", ROUTE_ADMIN, admin_servers_list},
	{"POST", "/admin/servers", ROUTE_ADMIN, admin_servers_add},
	{"GET", "/admin/servers/*", ROUTE_ADMIN, admin_servers_show},
	{"DELETE", "/admin/servers/*", ROUTE_ADMIN, admin_servers_remove},
	{"GET", "/admin/servers/*/log", ROUTE_ADMIN, admin_servers_log},
	{"POST", "/admin/servers/*/restart", ROUTE_ADMIN, admin_servers_restart},
	{0},
};

/* The path's segments, decoded into the arena. */
static bool split_path(struct exchange *exchange) {
	struct slice rest = exchange->head->path, segment;
	rest = slice_make(rest.bytes + 1, rest.length - 1); /* it begins with a slash */
	if (rest.length == 0) return true;
	while (slice_split(&rest, '/', &segment)) {
		AUTO_TEXT struct text decoded = {0};
		text_init(&decoded, 0);
		if (exchange->segment_count == EXCHANGE_SEGMENTS) {
			exchange_error(exchange, 404, "not_found", "there is nothing here");
			return false;
		}
		struct slice *place = &exchange->segments[exchange->segment_count++];
		*place = segment;
		if (!memchr(segment.bytes, '%', segment.length)) continue; /* a target is ASCII */
		if (!http1_unescape(segment, &decoded) ||
			!arena_copy(&exchange->arena, text_slice(&decoded), place)) {
			exchange_error(exchange, 400, "bad_input", "the path is not percent-encoded UTF-8");
			return false;
		}
	}
	return true;
}

static bool path_fits(const struct exchange *exchange, const char *path) {
	struct slice rest = slice_of(path + 1), segment;
	size_t at = 0;
	if (rest.length == 0) return exchange->segment_count == 0;
	struct slice first = exchange->segment_count ? exchange->segments[0] : SLICE_NONE;
	if (!first.length || first.bytes[0] != rest.bytes[0]) return false; /* no row begins with a star */
	while (slice_split(&rest, '/', &segment)) {
		if (at == exchange->segment_count) return false;
		if (!slice_is(segment, "*") && !slice_equal(segment, exchange->segments[at])) return false;
		at++;
	}
	return at == exchange->segment_count;
}

static bool method_fits(const struct exchange *exchange, const char *method) {
	return slice_is(exchange->head->method, method) ||
		(slice_is(exchange->head->method, "HEAD") && strcmp(method, "GET") == 0);
}

/* NULL: answered with 404 or 405. */
static const struct route *find(struct exchange *exchange) {
	AUTO_TEXT struct text allow = {0};
	text_init(&allow, 0);
	for (const struct route *route = routes; route->path; route++) {
		if (!path_fits(exchange, route->path)) continue;
		if (method_fits(exchange, route->method)) return route;
		text_printf(&allow, "%s%s%s", allow.length ? ", " : "Allow: ", route->method,
			strcmp(route->method, "GET") == 0 ? ", HEAD" : "");
	}
	if (allow.length == 0) {
		exchange_error(exchange, 404, "not_found", "there is nothing here");
		return NULL;
	}
	text_add_cstr(&allow, "\r\n");
	exchange_answer(exchange, 405, "application/json", text_slice(&allow),
		SLICE("{\"event\":\"error\",\"code\":\"method_not_allowed\",\"message\":\"this path has other "
		      "methods: see Allow\"}"));
	return NULL;
}

static void run(struct exchange *exchange, const struct route *route) {
	bool needs_admin = route->need == ROUTE_ADMIN || route->need == ROUTE_METRICS;
	if (needs_admin && !exchange->principal->is_admin) {
		exchange_error(exchange, 403, "forbidden", "this needs an administrator's token");
		return;
	}
	route->handle(exchange);
}

static void identified(struct exchange *exchange, struct principal *principal) {
	if (!principal) return;
	const struct route *route = exchange->context;
	exchange->gone = NULL;
	exchange->principal = principal;
	run(exchange, route);
}

/* From this machine, and not on behalf of somebody behind a proxy. */
static bool is_from_here(const struct exchange *exchange) {
	static const char *const forwarded[] = {"Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"};
	for (size_t i = 0; i < COUNT_OF(forwarded); i++)
		if (http1_field_count(exchange->head, forwarded[i]) > 0) return false;
	return strncmp(exchange->address, "127.", 4) == 0 || strcmp(exchange->address, "::1") == 0;
}

static bool is_open_to(const struct exchange *exchange, const struct route *route) {
	if (route->need == ROUTE_PUBLIC || route->need == ROUTE_HANDLER) return true;
	return route->need == ROUTE_METRICS && is_from_here(exchange);
}

void routes_run(struct exchange *exchange) {
	struct slice bearer;
	if (!split_path(exchange)) return;
	const struct route *route = find(exchange);
	if (!route) return;
	if (is_open_to(exchange, route)) {
		route->handle(exchange);
		return;
	}
	if (!credentials_bearer(exchange, &bearer, NULL)) return;
	if (!bearer.bytes && route->need == ROUTE_ADMIN) {
		exchange_error(exchange, 401, "token_required", "this needs an administrator's token");
		return;
	}
	exchange->context = (void *)route;
	exchange->gone = credentials_forget;
	credentials_ask(exchange, bearer, identified);
}
