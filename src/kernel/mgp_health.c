/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_health: asked of the server, or told of it. */
#include "kernel/mgp_health.h"

#include "base/clock.h"
#include "kernel/health.h"
#include "mcp/peer.h"
#include "wire/jsonrpc.h"

#include <stdlib.h>

#define SHUTDOWN_MS 30000
#define SHUTDOWN_MOST_MS (10 * 60 * 1000)

static void write_now(struct text *to) {
	char moment[CLOCK_TEXT_SIZE];
	clock_write(clock_wall_ms(), moment);
	text_printf(to, "\"timestamp\":\"%s\"", moment);
}

/* ---- What is known here ---- */

static const char *status_of(const struct hosted *hosted) {
	if (hosted_state(hosted) == HOSTED_CONNECTED) return hosted_health_word(hosted_health(hosted));
	return hosted_state(hosted) == HOSTED_ERROR ? "unhealthy" : "degraded";
}

static unsigned long long uptime_of(const struct mgp_ask *ask, const struct hosted *hosted) {
	const struct governed *governed = hosted ? governed_of(hosted) : NULL;
	uint64_t since = governed ? governed->connected_at : ask->means->opened_at;
	uint64_t now = loop_now(ask->means->loop);
	return since && now > since ? (now - since) / 1000 : 0;
}

static void tell_ping(struct mgp_ask *ask, const struct hosted *hosted) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	text_printf(&result, "{\"status\":\"%s\",", hosted ? status_of(hosted) : "healthy");
	write_now(&result);
	text_printf(&result, ",\"uptime_secs\":%llu,\"server_id\":", uptime_of(ask, hosted));
	text_json(&result, hosted ? hosted_id(hosted) : SLICE("hustings"));
	text_add_char(&result, '}');
	mgp_ask_answer(ask, &result);
}

struct tally {
	size_t total, available;
};

static void count_tools(const struct hosted *hosted, struct tally *tally) {
	const struct governed *governed = governed_of(hosted);
	const struct tool *tool;
	if (!governed) return;
	bool is_up = hosted_state(hosted) == HOSTED_CONNECTED;
	for (size_t at = 0; (tool = tools_at(governed->tools[hosted_era_for(hosted, HOSTED_LEGACY)], at)); at++) {
		tally->total++;
		tally->available += is_up && !tool->disabled;
	}
}

static void tell_status(struct mgp_ask *ask, const struct hosted *hosted) {
	AUTO_TEXT struct text result = {0};
	struct tally tally = {0};
	size_t pending = 0, connected = 0;
	for (const struct hosted *one = NULL; (one = hosted_next(ask->means->servers, one));) {
		if (hosted ? one != hosted : !mgp_ask_may_use(ask, (struct hosted *)one)) continue;
		count_tools(one, &tally);
		pending += hosted_asks(one);
		connected += hosted_state(one) == HOSTED_CONNECTED;
	}
	text_init(&result, 0);
	text_printf(&result,
		"{\"status\":\"%s\",\"uptime_secs\":%llu,\"tools_available\":%zu,\"tools_total\":%zu,"
		"\"pending_requests\":%zu,\"resources\":{\"%s\":%zu},\"checks\":{",
		hosted ? status_of(hosted) : "healthy", uptime_of(ask, hosted), tally.available, tally.total, pending,
		hosted ? "conversations" : "servers_connected", hosted ? hosted_children(hosted) : connected);
	if (hosted) text_printf(&result, "\"connected\":%s", hosted_state(hosted) == HOSTED_CONNECTED ? "true" : "false");
	text_add_cstr(&result, "}}");
	mgp_ask_answer(ask, &result);
}

/* ---- Asked of the server ---- */

struct passing {             /* in ask->later; it goes with the answer, whoever still waits */
	struct mgp_ask *ask; /* NULL: nobody does */
};

static void passed_back(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct passing *passing = context;
	struct mgp_ask *ask = passing->ask;
	free(passing);
	if (!ask) return;
	ask->cancel = NULL;
	if (why) {
		mgp_ask_refuse(ask, why->code == FAULT_TIMEOUT ? MGP_TIMEOUT : MGP_SERVER_NOT_READY, "%s", why->text);
		return;
	}
	const struct hosted_answer answer = {
		.result = reply->result,
		.code = reply->code,
		.message = reply->message,
		.data = reply->data,
	};
	ask->answered(ask, &answer);
}

static void forget(struct mgp_ask *ask) { ((struct passing *)ask->later)->ask = NULL; }

static struct hosted_child *speaking(const struct hosted *hosted) {
	const struct governed *governed = governed_of(hosted);
	if (!governed || hosted_state(hosted) != HOSTED_CONNECTED) return NULL;
	for (struct hosted_child *child = NULL; (child = hosted_child_next(hosted, child));)
		if (governed->agreed[hosted_child_era(child)].extensions & MGP_LIFECYCLE) return child;
	return NULL;
}

static void pass(struct mgp_ask *ask, struct hosted_child *child, const char *method) {
	struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory for the request: try again"};
	AUTO_TEXT struct text params = {0};
	struct passing *passing = calloc(1, sizeof *passing);
	text_init(&params, 0);
	text_add_char(&params, '{');
	if (slice_is(slice_of(method), "mgp/health/ping")) write_now(&params);
	text_add_char(&params, '}');
	const struct peer_request request = {
		.method = slice_of(method),
		.params = text_slice(&params),
		.deadline_ms = HEALTH_ANSWER_MS,
		.answered = passed_back,
		.context = passing,
	};
	if (!passing || text_failed(&params) || !hosted_child_request(child, &request, &why)) {
		free(passing);
		mgp_ask_fail(ask, &why);
		return;
	}
	passing->ask = ask;
	ask->later = passing;
	ask->cancel = forget;
}

void mgp_health_ping(struct mgp_ask *ask) {
	struct hosted *hosted;
	if (!mgp_ask_server(ask, "server_id", false, &hosted)) return;
	struct hosted_child *child = hosted ? speaking(hosted) : NULL;
	if (child) pass(ask, child, "mgp/health/ping");
	else tell_ping(ask, hosted);
}

void mgp_health_status(struct mgp_ask *ask) {
	struct hosted *hosted;
	if (!mgp_ask_server(ask, "server_id", false, &hosted)) return;
	struct hosted_child *child = hosted ? speaking(hosted) : NULL;
	if (child) pass(ask, child, "mgp/health/status");
	else tell_status(ask, hosted);
}

/* ---- Shutdown ---- */

static const char *read_reason(struct slice word) {
	static const char *const reasons[] = {"operator_request", "configuration_change", "resource_limit",
		"idle_timeout", "kernel_shutdown"};
	if (!word.length) return reasons[0];
	for (size_t i = 0; i < COUNT_OF(reasons); i++)
		if (slice_is(word, reasons[i])) return reasons[i];
	return NULL;
}

static bool read_timeout(struct mgp_ask *ask, uint64_t *timeout_ms) {
	struct scan_value value;
	int64_t read;
	*timeout_ms = SHUTDOWN_MS;
	if (ask->params.type != SCAN_OBJECT || !scan_find(&ask->params, "timeout_ms", &value)) return true;
	if (value.type == SCAN_NUMBER && scan_integer(&value, &read) && read >= 0 && read <= SHUTDOWN_MOST_MS) {
		*timeout_ms = (uint64_t)read;
		return true;
	}
	mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.timeout_ms: 0 to %d is due", SHUTDOWN_MOST_MS);
	return false;
}

void mgp_lifecycle_shutdown(struct mgp_ask *ask) {
	struct hosted *hosted;
	struct slice word;
	uint64_t timeout_ms;
	struct fault why;
	AUTO_TEXT struct text result = {0};
	if (!mgp_ask_is_admin(ask) || !mgp_ask_server(ask, "server_id", true, &hosted) ||
		!mgp_ask_word(ask, "reason", false, &word) || !read_timeout(ask, &timeout_ms))
		return;
	const char *reason = read_reason(word);
	if (!reason) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS,
			"params.reason: one of operator_request, configuration_change, resource_limit, idle_timeout, "
			"kernel_shutdown is due");
		return;
	}
	size_t pending = hosted_asks(hosted);
	if (governed_of(hosted)) health_set_reason(governed_of(hosted)->health, reason);
	if (!hosted_stop(hosted, timeout_ms, &why)) {
		mgp_ask_refuse(ask, MGP_SERVER_NOT_READY, "%s", why.text);
		return;
	}
	text_init(&result, 0);
	text_printf(&result, "{\"accepted\":true,\"pending_requests\":%zu,\"estimated_drain_ms\":%llu}", pending,
		pending ? (unsigned long long)timeout_ms : 0);
	mgp_ask_answer(ask, &result);
}
