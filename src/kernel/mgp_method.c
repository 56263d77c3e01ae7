/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_method: one row a method. */
#include "kernel/mgp_method.h"

#include "kernel/flow_methods.h"
#include "kernel/mgp_access.h"
#include "kernel/mgp_callback_respond.h"
#include "kernel/mgp_discovery.h"
#include "kernel/mgp_events.h"
#include "kernel/mgp_health.h"
#include "kernel/mgp_registration.h"
#include "kernel/mgp_tools.h"
#include "kernel/mgp_tools_request.h"
#include "kernel/mgp_tools_session.h"
#include "kernel/mgp_stream.h"
#include "wire/jsonrpc.h"

#define OBJECT(properties, required) \
	"{\"type\":\"object\",\"properties\":{" properties "},\"required\":[" required "]}"
#define TEXT(name, words) "\"" name "\":{\"type\":\"string\",\"description\":\"" words "\"}"
#define NULLABLE(name, words) "\"" name "\":{\"type\":[\"string\",\"null\"],\"description\":\"" words "\"}"

#define GRANT_KEY \
	"\"entry_type\":{\"enum\":[\"server_grant\",\"tool_grant\"]}," TEXT("agent_id", "who") "," TEXT("server_id", "of which server") "," NULLABLE("tool_name", "of a tool_grant")
#define GRANT_REQUIRED "\"entry_type\",\"agent_id\",\"server_id\""

static const struct mgp_method methods[] = {
	{"mgp/access/query", "mgp_access_query", MGP_ACCESS_CONTROL, false, mgp_access_query,
		"Whether you may use a server or one of its tools, and by which grant.",
		OBJECT(TEXT("server_id", "which server") "," TEXT("tool_name", "one of its tools; left out: the server") "," TEXT("agent_id", "who; left out: you"), "\"server_id\"")},
	{"mgp/access/grant", "mgp_access_grant", MGP_ACCESS_CONTROL, true, mgp_access_grant,
		"Lets somebody use a server or a tool, or denies it.",
		OBJECT(GRANT_KEY ",\"permission\":{\"enum\":[\"allow\",\"deny\"]}," NULLABLE("justification", "why") "," NULLABLE("expires_at", "until when, RFC 3339"), GRANT_REQUIRED)},
	{"mgp/access/revoke", "mgp_access_revoke", MGP_ACCESS_CONTROL, true, mgp_access_revoke,
		"Takes a grant back.", OBJECT(GRANT_KEY, GRANT_REQUIRED)},
	{"mgp/callback/respond", "mgp_callback_respond", MGP_BIDIRECTIONAL, false, mgp_callback_respond,
		"Answers what a server has asked you during one of your calls.",
		OBJECT(TEXT("callback_id", "as it came with the question") ",\"response\":{\"description\":\"one of its options, or what it asks for; null, where there are none: no answer\"}", "\"callback_id\",\"response\"")},
	{"mgp/discovery/list", "mgp_discovery_list", MGP_DISCOVERY, false, mgp_discovery_list,
		"The servers that you may use, with their tools.",
		OBJECT("\"filter\":{\"type\":\"object\",\"properties\":{\"extensions\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"permissions\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"status\":{\"type\":\"string\"}}}", "")},
	{"mgp/discovery/register", "mgp_discovery_register", MGP_DISCOVERY, false, mgp_discovery_register,
		"Asks for a server of yours to be hosted; a person decides.",
		OBJECT(TEXT("id", "its name") "," TEXT("command", "the program") ",\"args\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}," TEXT("transport", "stdio or http") "," TEXT("url", "of a remote server") ",\"mgp\":{\"type\":\"object\"}," TEXT("justification", "why"), "\"id\"")},
	{"mgp/discovery/deregister", "mgp_discovery_deregister", MGP_DISCOVERY, false, mgp_discovery_deregister,
		"Ends a server that you have registered.",
		OBJECT(TEXT("id", "its name") "," TEXT("reason", "why"), "\"id\"")},
	{"mgp/events/subscribe", "mgp_events_subscribe", MGP_BIDIRECTIONAL, false, mgp_events_subscribe,
		"Subscribes you to events: tool.*, model.*, system.*, security.*, or single channels. Ask mgp_events_replay for what came.",
		OBJECT("\"channels\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":1,\"maxItems\":64},\"filter\":{\"type\":\"object\",\"properties\":{\"min_severity\":{\"enum\":[\"debug\",\"info\",\"warning\",\"error\",\"critical\"]}}}," TEXT("server_id", "of that server alone"), "\"channels\"")},
	{"mgp/events/unsubscribe", "mgp_events_unsubscribe", MGP_BIDIRECTIONAL, false, mgp_events_unsubscribe,
		"Ends a subscription of yours.", OBJECT(TEXT("subscription_id", "which"), "\"subscription_id\"")},
	{"mgp/events/replay", "mgp_events_replay", MGP_BIDIRECTIONAL, false, mgp_events_replay,
		"The events of a subscription behind a number, as far as they are kept; gap: some are not.",
		OBJECT(TEXT("subscription_id", "which") ",\"after_seq\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"the seq of the last event that you have; left out: 0\"}", "\"subscription_id\"")},
	{"mgp/health/ping", "mgp_health_ping", MGP_LIFECYCLE, false, mgp_health_ping,
		"Whether the kernel, or a server, is alive.",
		OBJECT(TEXT("server_id", "which server; left out: the kernel") "," TEXT("timestamp", "now"), "")},
	{"mgp/health/status", "mgp_health_status", MGP_LIFECYCLE, false, mgp_health_status,
		"How the kernel, or a server, does.", OBJECT(TEXT("server_id", "which server; left out: the kernel"), "")},
	{"mgp/lifecycle/shutdown", "mgp_lifecycle_shutdown", MGP_LIFECYCLE, true, mgp_lifecycle_shutdown,
		"Ends a server after its open requests.",
		OBJECT(TEXT("server_id", "which server") "," TEXT("reason", "operator_request, configuration_change, resource_limit, idle_timeout or kernel_shutdown") ",\"timeout_ms\":{\"type\":\"integer\",\"minimum\":0}", "\"server_id\"")},
	{"mgp/stream/cancel", "mgp_stream_cancel", MGP_STREAMING, false, mgp_stream_cancel,
		"Stops a request of yours that is under way; the answer is what it has done so far.",
		OBJECT("\"request_id\":{\"type\":[\"string\",\"integer\"],\"description\":\"the id of that request\"}," TEXT("reason", "why"), "\"request_id\"")},
	{"mgp/tools/discover", "mgp_tools_discover", MGP_TOOL_DISCOVERY, false, mgp_tools_discover,
		"Finds tools that are not listed. Ask for one step at a time, in a few words that say what it does (\"read a file\", \"list open issues\"). Answers the best tools with inputSchema and relevance_score (1 is best): call one by its call_name, listed or not. Nothing fits: try other words.",
		OBJECT(TEXT("query", "what the step does") ","
							   "\"strategy\":{\"enum\":[\"semantic\",\"keyword\",\"category\"]},\"max_results\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100},\"filter\":{\"type\":\"object\",\"properties\":{\"categories\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"risk_level_max\":{\"enum\":[\"safe\",\"moderate\",\"dangerous\"]},\"status\":{\"type\":\"string\"}}}",
			"\"query\"")},
	{"mgp/tools/categories", "mgp_tools_categories", MGP_TOOL_DISCOVERY, false, mgp_tools_categories,
		"The categories of all tools that you may use, with how many tools each has.",
		OBJECT(TEXT("under", "a category, as files/read; left out: all"), "")},
	{"mgp/tools/request", "mgp_tools_request", MGP_TOOL_DISCOVERY, false, mgp_tools_request,
		"Loads the tools for a whole task at once: name each capability in a few words. tools_loaded may be called by their call_name; tools_unavailable are not to be had.",
		OBJECT(TEXT("reason", "capability_gap") "," TEXT("context", "what the task is") ",\"requirements\":{\"type\":\"object\",\"properties\":{\"capabilities\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"input_types\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"output_types\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"preferred_risk_level\":{\"enum\":[\"safe\",\"moderate\",\"dangerous\"]}},\"required\":[\"capabilities\"]}," TEXT("task_trace_id", "the same for all requests of one task"), "\"requirements\"")},
	{"mgp/tools/session", "mgp_tools_session", MGP_TOOL_DISCOVERY, false, mgp_tools_session,
		"The tools that stand in your context, and how many tokens they cost.", OBJECT("", "")},
	{"mgp/tools/session/evict", "mgp_tools_session_evict", MGP_TOOL_DISCOVERY, false, mgp_tools_session_evict,
		"Takes tools out of your context that are needed no more.",
		OBJECT("\"tools\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}," TEXT("reason", "no_longer_needed"), "\"tools\"")},
};

bool mgp_method_is(struct slice method) { return slice_starts_with(method, "mgp/") || flow_methods_have(method); }

/* MGP 6.5. */
static void read_trace(struct mgp_ask *ask) {
	struct scan_value value;
	struct slice words;
	if (ask->params.type != SCAN_OBJECT || !scan_find(&ask->params, "trace_id", &value) ||
		value.type != SCAN_STRING || !scan_string(&value, ask->arena, &words) || !trace_id_read(words, ask->trace))
		trace_id_mint(ask->trace);
}

void mgp_method_ask(struct mgp_ask *ask, struct slice method) {
	read_trace(ask);
	if (flow_methods_have(method)) {
		flow_methods_ask(ask, method);
		return;
	}
	for (size_t i = 0; i < COUNT_OF(methods); i++) {
		if (!slice_is(method, methods[i].name) || !(ask->asker.mgp.extensions & methods[i].extension)) continue;
		methods[i].run(ask);
		return;
	}
	mgp_ask_refuse(ask, JSONRPC_METHOD_NOT_FOUND, "there is no such method");
}

const struct mgp_method *mgp_method_at(size_t at) { return at < COUNT_OF(methods) ? &methods[at] : NULL; }

/* "mgp.access.query" is "mgp_access_query". */
static bool is_tool(const struct mgp_method *method, struct slice tool) {
	if (tool.length != strlen(method->tool)) return false;
	for (size_t i = 0; i < tool.length; i++)
		if (tool.bytes[i] != method->tool[i] && !(tool.bytes[i] == '.' && method->tool[i] == '_')) return false;
	return true;
}

const struct mgp_method *mgp_method_of_tool(struct slice tool, const struct call_asker *asker) {
	for (size_t i = 0; i < COUNT_OF(methods); i++) {
		if (!is_tool(&methods[i], tool)) continue;
		bool is_shown = (asker->mgp.extensions & methods[i].extension) && (asker->is_admin || !methods[i].is_admin);
		return is_shown ? &methods[i] : NULL;
	}
	return NULL;
}

void mgp_method_write_tool(struct text *to, const struct mgp_method *method) {
	text_printf(to, "{\"name\":\"%s\",\"description\":", method->tool);
	text_json(to, slice_of(method->description));
	text_printf(to, ",\"inputSchema\":%s}", method->schema);
}
