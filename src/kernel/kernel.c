/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel: opened beside the servers, told of each that comes and goes. */
#include "kernel/kernel.h"

#include "kernel/audit_forwarder.h"
#include "kernel/call.h"
#include "kernel/call_audit.h"
#include "kernel/call_figures.h"
#include "kernel/call_rounds.h"
#include "kernel/callbacks.h"
#include "kernel/claims.h"
#include "kernel/event_sources.h"
#include "kernel/flow_led_told.h"
#include "kernel/flow_speech.h"
#include "kernel/flows.h"
#include "kernel/health.h"
#include "kernel/mgp_registration.h"
#include "kernel/refusals.h"
#include "kernel/server_events.h"
#include "kernel/tool_creation.h"
#include "kernel/tool_embeddings.h"
#include "kernel/tool_index.h"
#include "kernel/tool_sessions.h"
#include "base/ident.h"
#include "net/sandbox.h"

#include <stdlib.h>

struct kernel {
	struct kernel_means means;
	struct call_figures figures;
	struct link registrations;
	struct hosted_listener listener;
	struct audit_forwarder *forwarder;
	struct tool_embeddings *embeddings; /* NULL: none */
};

static struct kernel *kernel_of(struct hosted_listener *listener) {
	return CONTAINER_OF(listener, struct kernel, listener);
}

/* ---- One server ---- */

static const struct policy nothing_said;

static void settle_policy(struct governed *governed) {
	const struct policy *own = hosted_settings(governed->hosted)->policy;
	governed->policy = policy_settle(own ? own : &nothing_said, &governed->means->policy, governed->means->is_open);
}

static void governed_close(struct governed *governed) {
	if (!governed) return;
	flow_speech_close(governed->speech);
	health_close(governed->health);
	for (int era = 0; era < HOSTED_ERAS; era++) tools_close(governed->tools[era]);
	permissions_close(governed->permissions);
	usage_close(governed->usage);
	free(governed);
}

static struct governed *governed_open(const struct kernel_means *means, struct hosted *hosted,
	struct fault *why) {
	struct governed *governed = calloc(1, sizeof *governed);
	if (!governed) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	governed->means = means;
	governed->hosted = hosted;
	list_init(&governed->calls);
	settle_policy(governed);
	governed->usage = usage_open(why);
	if (governed->usage) governed->permissions = permissions_open(governed, why);
	if (governed->permissions) governed->tools[HOSTED_LEGACY] = tools_open(governed, HOSTED_LEGACY, why);
	if (governed->tools[HOSTED_LEGACY]) governed->tools[HOSTED_MODERN] = tools_open(governed, HOSTED_MODERN, why);
	if (governed->tools[HOSTED_MODERN]) governed->health = health_open(governed, why);
	if (governed->health) governed->speech = flow_speech_open(governed, why);
	if (governed->speech) return governed;
	governed_close(governed);
	return NULL;
}

/* Without memory it has no struct governed, and is not to be used (kernel/call.h). */
static void added(struct hosted_listener *listener, struct hosted *hosted) {
	struct kernel *kernel = kernel_of(listener);
	struct fault why;
	struct governed *governed = governed_open(&kernel->means, hosted, &why);
	if (governed) {
		hosted_set_governed(hosted, governed);
		tool_index_changed(kernel->means.tool_index, hosted);
	} else
		log_write(kernel->means.log, LOG_ERROR, "server %.*s cannot be governed, and so not be used: %s",
			SLICE_ARGS(hosted_id(hosted)), why.text);
}

/* SERVER_CONNECTED, SERVER_DISCONNECTED (MGP 6.4). */
static void audit_change(const struct kernel *kernel, const struct hosted *hosted, enum hosted_state from,
	enum hosted_state to, const char *reason) {
	AUTO_TEXT struct text details = {0};
	text_init(&details, 2048);
	text_printf(&details, "{\"previous_state\":\"%s\",\"state\":\"%s\"", hosted_state_word(from),
		hosted_state_word(to));
	if (reason[0]) {
		text_add_cstr(&details, ",\"reason\":");
		text_json(&details, slice_of(reason));
	}
	text_add_char(&details, '}');
	const struct audit_record record = {
		.event = to == HOSTED_CONNECTED ? SLICE("SERVER_CONNECTED") : SLICE("SERVER_DISCONNECTED"),
		.actor_type = SLICE("system"),
		.server_id = hosted_id(hosted),
		.result = to == HOSTED_ERROR ? AUDIT_FAILED : AUDIT_SUCCESS,
		.details = text_failed(&details) ? SLICE_NONE : text_slice(&details),
	};
	kernel_audit(&kernel->means, &record);
	server_events_moved(kernel->means.events, hosted, from, to, reason);
}

static void removed(struct hosted_listener *listener, struct hosted *hosted) {
	struct governed *governed = governed_of(hosted);
	if (!governed) return;
	if (hosted_state(hosted) == HOSTED_CONNECTED)
		audit_change(kernel_of(listener), hosted, HOSTED_CONNECTED, HOSTED_DISCONNECTED, "removed");
	event_sources_removed(kernel_of(listener)->means.event_sources, hosted);
	governed->is_ending = true;
	tool_index_removed(kernel_of(listener)->means.tool_index, hosted);
	calls_end(governed);
	hosted_set_governed(hosted, NULL);
	governed_close(governed);
}

static void moved(struct hosted_listener *listener, struct hosted *hosted, enum hosted_state from) {
	struct kernel *kernel = kernel_of(listener);
	struct governed *governed = governed_of(hosted);
	enum hosted_state to = hosted_state(hosted);
	bool is_up = to == HOSTED_CONNECTED;
	if (governed) governed->connected_at = is_up ? loop_now(kernel->means.loop) : 0;
	if (governed && is_up) health_set_reason(governed->health, NULL); /* of a stop that is over */
	if (is_up != (from == HOSTED_CONNECTED) || to == HOSTED_ERROR)
		audit_change(kernel, hosted, from, to, hosted_reason(hosted));
	if (governed) tool_index_changed(kernel->means.tool_index, hosted);
}

static void changed(struct hosted_listener *listener, struct hosted *hosted, enum hosted_kind kind) {
	if (kind == HOSTED_TOOLS && governed_of(hosted)) tool_index_changed(kernel_of(listener)->means.tool_index, hosted);
}

/* MGP 11.5. */
static void spent(struct hosted_listener *listener, struct hosted *hosted) {
	AUTO_TEXT struct text details = {0};
	text_init(&details, 2048);
	text_add_cstr(&details, "{\"restart_limit_exceeded\":true,\"reason\":");
	text_json(&details, slice_of(hosted_reason(hosted)));
	text_add_char(&details, '}');
	const struct audit_record record = {
		.event = SLICE("SERVER_DISCONNECTED"),
		.actor_type = SLICE("system"),
		.server_id = hosted_id(hosted),
		.result = AUDIT_FAILED,
		.details = text_failed(&details) ? SLICE_NONE : text_slice(&details),
	};
	kernel_audit(&kernel_of(listener)->means, &record);
	server_events_spent(kernel_of(listener)->means.events, hosted);
}

/* ---- Handshakes (MGP 2) ---- */

static unsigned extensions(struct hosted *hosted) {
	const struct governed *governed = governed_of(hosted);
	if (!governed) return 0;
	return governed->policy.is_mgp_limited ? governed->policy.extensions & MGP_SPOKEN : MGP_SPOKEN;
}

static void warn_of_version(const struct governed *governed, const struct mgp_said *said) {
	if (mgp_is_other(said))
		log_write(governed->means->log, LOG_WARNING, "server %.*s speaks MGP %.*s, and this is " MGP_VERSION,
			SLICE_ARGS(hosted_id(governed->hosted)), SLICE_ARGS(said->version));
	if (!mgp_is_foreign(said)) return;
	log_write(governed->means->log, LOG_WARNING,
		"server %.*s speaks MGP %.*s, and this is " MGP_VERSION ": it is used as a plain MCP server",
		SLICE_ARGS(hosted_id(governed->hosted)), SLICE_ARGS(said->version));
}

/* Nothing but what was granted: the network, and its own folder to write in (MGP 15.4). */
static bool sandbox(struct hosted *hosted, struct sandbox_settings *settings) {
	struct governed *governed = governed_of(hosted);
	const char *directory = hosted_settings(hosted)->directory;
	if (!governed) return true; /* nobody knows how far it is trusted */
	if (governed->policy.trust != MGP_SANDBOXED) return false;
	governed->writable[0] = directory;
	governed->writable[1] = NULL;
	governed->has_network = permissions_allow_network(governed->permissions);
	governed->has_writable = permissions_allow_writing(governed->permissions);
	settings->network = governed->has_network;
	if (directory && governed->has_writable) settings->writable = governed->writable;
	return true;
}

static bool introduced(struct hosted *hosted, struct hosted_child *child, enum hosted_era era) {
	struct governed *governed = governed_of(hosted);
	const struct hosted_facts *facts = hosted_facts(hosted, era);
	struct mgp_said said = {.version = SLICE_NONE};
	struct arena arena;
	char lent[1024];
	struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory for a handshake"};
	if (!governed || !facts) {
		hosted_child_failed(child, &why);
		return false;
	}
	arena_init(&arena, lent, sizeof lent, 0);
	bool goes_on = mgp_read(facts->capabilities, era == HOSTED_MODERN, &arena, &said);
	if (!goes_on) hosted_child_failed(child, &why);
	else {
		governed->agreed[era] = mgp_agree(&said, extensions(hosted));
		hosted_child_speaks_mgp(child, governed->agreed[era].extensions);
		warn_of_version(governed, &said);
		goes_on = permissions_introduced(governed->permissions, child, era, &said);
	}
	arena_finish(&arena);
	return goes_on;
}

static void gone(struct hosted *hosted, struct hosted_child *child) {
	struct governed *governed = governed_of(hosted);
	if (!governed) return;
	event_sources_gone(governed->means->event_sources, child);
	permissions_gone(governed->permissions, child);
	health_gone(governed->health, child);
}

static void told(struct hosted *hosted, struct hosted_child *child, struct slice method,
	const struct scan_value *params) {
	struct governed *governed = governed_of(hosted);
	if (!governed) return;
	if (slice_is(method, "notifications/mgp.event")) event_sources_told(governed->means->event_sources, child, params);
	else claims_take(governed, method, params);
}

static void opened(struct hosted *hosted, struct hosted_child *child) {
	const struct governed *governed = governed_of(hosted);
	if (governed) event_sources_opened(governed->means->event_sources, child);
}

static void interacted(struct hosted *hosted, struct hosted_child *child, struct peer_question *question,
	struct slice method, const struct scan_value *params) {
	struct governed *governed = governed_of(hosted);
	if (governed) flow_led_told(governed->means, child, question, method, params);
	else if (question) peer_refuse(question, FLOW_SESSION_NOT_FOUND, SLICE("no session of that id is open here"), SLICE("{\"type\":\"session_not_found\"}"));
}

static void answered_late(struct hosted *hosted, struct hosted_child *child, const struct scan_value *result) {
	(void)hosted;
	flow_led_answered_late(child, result);
}

static bool leaving(struct hosted *hosted, struct hosted_child *child, uint64_t patience_ms) {
	struct governed *governed = governed_of(hosted);
	return governed && health_leaving(governed->health, child, patience_ms);
}

static const struct hosted_governor governor = {
	.extensions = extensions,
	.sandbox = sandbox,
	.introduced = introduced,
	.opened = opened,
	.gone = gone,
	.told = told,
	.interacted = interacted,
	.answered_late = answered_late,
	.leaving = leaving,
};

/* ---- All of it ---- */

static void refused_often(void *context, struct slice principal, struct slice server, const char *gate,
	unsigned count) {
	struct kernel *kernel = context;
	const struct audit_record record = {
		.event = SLICE("TOOL_BLOCKED"),
		.actor = principal,
		.actor_type = SLICE("agent"),
		.server_id = server,
		.gate = slice_of(gate),
		.result = AUDIT_BLOCKED,
		.count = count,
	};
	kernel_audit(&kernel->means, &record);
}

static bool open_flows(struct kernel_means *means, struct slice secret, struct fault *why) {
	uint8_t octets[32];
	if (!secret.length) {
		ident_random(octets, sizeof octets);
		secret = slice_make(octets, sizeof octets);
	}
	return (means->flows = flows_open(means, secret, why)) != NULL;
}

/* Each may use what was opened before it. */
static bool open_parts(struct kernel *kernel, const struct kernel_options *options, struct fault *why) {
	struct kernel_means *means = &kernel->means;
	return (means->refusals = refusals_open(options->loop, refused_often, kernel, why)) &&
		(means->call_rounds = call_rounds_open(why)) && (means->callbacks = callbacks_open(why)) &&
		(means->access = access_open(options->state, options->loop, options->log, why)) &&
		(means->events = events_open(options->loop, why)) && (means->event_sources = event_sources_open(means, why)) &&
		(means->tool_sessions = tool_sessions_open(options->log, why)) &&
		(means->tool_index = tool_index_open(means, why)) &&
		(means->tool_creations = tool_creations_open(means, why)) && open_flows(means, options->secret, why) &&
		(kernel->forwarder = audit_forwarder_open(means, options->store, why));
}

/* In the other order; what was not opened is fine. */
static void close_parts(struct kernel *kernel) {
	struct kernel_means *means = &kernel->means;
	audit_forwarder_close(kernel->forwarder);
	tool_embeddings_close(kernel->embeddings);
	flows_close(means->flows);
	tool_creations_close(means->tool_creations);
	tool_index_close(means->tool_index);
	tool_sessions_close(means->tool_sessions);
	event_sources_close(means->event_sources);
	events_close(means->events);
	access_close(means->access);
	callbacks_close(means->callbacks);
	call_rounds_close(means->call_rounds);
	refusals_close(means->refusals);
}

struct kernel *kernel_open(const struct kernel_options *options, struct fault *why) {
	struct kernel *kernel = calloc(1, sizeof *kernel);
	if (!kernel) return fault_null(why, FAULT_NO_MEMORY, "no memory for the kernel");
	kernel->means = (struct kernel_means){
		.loop = options->loop,
		.log = options->log,
		.servers = options->servers,
		.state = options->state,
		.spool = options->spool,
		.inbox = options->inbox,
		.flow = options->flow,
		.policy = options->policy,
		.is_open = options->is_open,
		.register_allow = options->register_allow,
		.opened_at = loop_now(options->loop),
		.registrations = &kernel->registrations,
		.call_figures = &kernel->figures,
	};
	list_init(&kernel->registrations);
	kernel->listener = (struct hosted_listener){.added = added, .removed = removed, .moved = moved, .changed = changed, .spent = spent};
	if (!open_parts(kernel, options, why)) {
		close_parts(kernel);
		free(kernel);
		return NULL;
	}
	hosted_listen(options->servers, &kernel->listener);
	hosted_servers_govern(options->servers, &governor);
	return kernel;
}

void kernel_close(struct kernel *kernel) {
	if (!kernel) return;
	flows_rest(kernel->means.flows);
	mgp_registration_end(&kernel->means);
	for (struct hosted *one = NULL; (one = hosted_next(kernel->means.servers, one));) removed(&kernel->listener, one);
	hosted_unlisten(&kernel->listener);
	close_parts(kernel);
	free(kernel);
}

void kernel_change(struct kernel *kernel, const struct policy *policy) {
	kernel->means.policy = *policy;
	for (struct hosted *one = NULL; (one = hosted_next(kernel->means.servers, one));)
		if (governed_of(one)) settle_policy(governed_of(one));
}

void kernel_change_flow(struct kernel *kernel, const struct flow_settings *settings) {
	kernel->means.flow = *settings;
	flows_change(kernel->means.flows);
}

bool kernel_change_tools(struct kernel *kernel, const struct tool_budget *budget, const char *const *pinned,
	bool may_create, struct fault *why) {
	tool_creations_allow(kernel->means.tool_creations, may_create);
	return tool_sessions_change(kernel->means.tool_sessions, budget, pinned, why);
}

bool kernel_forward_audit(struct kernel *kernel, const char *server, struct fault *why) {
	return audit_forwarder_aim(kernel->forwarder, server, why);
}

const struct audit_forwarder *kernel_audit_forwarder(const struct kernel *kernel) { return kernel->forwarder; }

bool kernel_use_embeddings(struct kernel *kernel, const struct embeddings_settings *settings, struct fault *why) {
	tool_embeddings_close(TAKE(kernel->embeddings));
	if (!settings->url) return true;
	kernel->embeddings = tool_embeddings_open(kernel->means.loop, kernel->means.log, kernel->means.tool_index, settings, why);
	return kernel->embeddings != NULL;
}

void kernel_use_registry(struct kernel *kernel, struct registry *registry) {
	kernel->means.registry = registry;
}

void kernel_drain(struct kernel *kernel) {
	for (struct hosted *one = NULL; (one = hosted_next(kernel->means.servers, one));)
		if (governed_of(one)) calls_drain(governed_of(one));
}

void kernel_says_good_bye(struct kernel *kernel) {
	flows_rest(kernel->means.flows);
	for (struct hosted *one = NULL; (one = hosted_next(kernel->means.servers, one));)
		if (governed_of(one)) health_set_reason(governed_of(one)->health, "kernel_shutdown");
}

void kernel_replaces(struct kernel *kernel, struct hosted *hosted) {
	(void)kernel;
	if (governed_of(hosted)) health_set_reason(governed_of(hosted)->health, "configuration_change");
}

const struct kernel_means *kernel_means(const struct kernel *kernel) { return &kernel->means; }
