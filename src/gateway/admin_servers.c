/* SPDX-License-Identifier: Apache-2.0 */
/* Admin servers: each server is written once, for all answers. */
#include "gateway/admin_servers.h"

#include "base/clock.h"
#include "gateway/admin.h"
#include "gateway/mcp_face.h"
#include "kernel/governed.h"
#include "kernel/kernel.h"
#include "kernel/mgp_registration.h"
#include "kernel/permissions.h"
#include "kernel/registry.h"

static void write_member(struct text *to, const char *name, struct slice value) {
	if (!value.length) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, value);
}

/* In the era that it was asked first: what it says of itself there. */
static void write_words(struct text *to, struct hosted *hosted) {
	enum hosted_era era = hosted_speaks(hosted, HOSTED_MODERN) ? HOSTED_MODERN : HOSTED_LEGACY;
	const struct hosted_facts *facts = hosted_facts(hosted, era);
	struct hosted_items *tools = facts ? hosted_items_known(hosted, era, HOSTED_TOOLS) : NULL;
	text_add_cstr(to, ",\"eras\":[");
	if (hosted_speaks(hosted, HOSTED_LEGACY)) text_add_cstr(to, "\"legacy\"");
	if (hosted_speaks(hosted, HOSTED_MODERN))
		text_add_cstr(to, hosted_speaks(hosted, HOSTED_LEGACY) ? ",\"modern\"" : "\"modern\"");
	text_add_char(to, ']');
	if (!facts) return;
	write_member(to, "name", facts->name);
	write_member(to, "mcp", facts->version);
	if (tools) text_printf(to, ",\"tools\":%zu", hosted_items_count(tools));
}

static void write_permissions(struct text *to, const struct permissions *permissions) {
	struct permission_view view;
	char moment[CLOCK_TEXT_SIZE];
	const char *decision = permissions_decision(permissions), *before = "";
	text_add_cstr(to, ",\"permissions\":[");
	for (size_t at = 0; permissions_each(permissions, &at, &view);) {
		text_printf(to, "%s{\"permission\":", before);
		text_json(to, view.name);
		text_printf(to, ",\"state\":\"%s\"", permission_state_word(view.state));
		write_member(to, "by", view.by);
		if (view.at) clock_write(view.at, moment);
		if (view.at) text_printf(to, ",\"at\":\"%s\"", moment);
		if (view.expires_at) clock_write(view.expires_at, moment);
		if (view.expires_at) text_printf(to, ",\"expires_at\":\"%s\"", moment);
		text_add_char(to, '}');
		before = ",";
	}
	text_add_char(to, ']');
	if (decision) text_printf(to, ",\"decision\":\"%s\"", decision);
}

/* How the kernel governs it (MGP). */
static void write_governed(struct text *to, const struct governed *governed) {
	enum hosted_era era = hosted_era_for(governed->hosted, HOSTED_LEGACY);
	const struct mgp_agreed *agreed = &governed->agreed[era];
	const char *before = "";
	text_printf(to, ",\"trust_level\":\"%s\",\"policy\":\"%s\",\"default_policy\":\"%s\",\"extensions\":[",
		mgp_trust_word(governed->policy.trust), permission_policy_word(governed->policy.permissions),
		access_policy_word(governed->policy.access));
	for (unsigned bit = 1; bit < 1u << MGP_EXTENSIONS; bit <<= 1) {
		if (!(agreed->extensions & bit)) continue;
		text_printf(to, "%s\"%s\"", before, mgp_extension_word((enum mgp_extension)bit));
		before = ",";
	}
	text_add_char(to, ']');
	write_permissions(to, governed->permissions);
}

static void write_server(struct text *to, struct hosted *hosted) {
	const struct hosted_settings *settings = hosted_settings(hosted);
	char moment[CLOCK_TEXT_SIZE];
	clock_write(hosted_changed_at(hosted), moment);
	text_add_char(to, '{');
	definition_write(to, settings);
	text_printf(to, ",\"from\":\"%s\"", settings->is_registered ? "added" : "configuration");
	write_member(to, "state", slice_of(hosted_state_word(hosted_state(hosted))));
	text_printf(to, ",\"since\":\"%s\"", moment);
	write_member(to, "health", slice_of(hosted_health_word(hosted_health(hosted))));
	bool is_waiting = governed_of(hosted) && permissions_decision(governed_of(hosted)->permissions);
	write_member(to, "reason", is_waiting ? SLICE("its permissions wait for a decision: hustings pending") : slice_of(hosted_reason(hosted)));
	write_words(to, hosted);
	text_printf(to, ",\"restarts\":%llu,\"conversations\":%zu,\"calls\":%zu",
		(unsigned long long)hosted_restarts(hosted), hosted_children(hosted), hosted_asks(hosted));
	if (hosted_process(hosted)) text_printf(to, ",\"pid\":%d", hosted_process(hosted));
	if (governed_of(hosted)) write_governed(to, governed_of(hosted));
	text_add_char(to, '}');
}

static void answer_server(struct exchange *exchange, unsigned status, struct hosted *hosted) {
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	write_server(&body, hosted);
	exchange_text(exchange, status, &body);
}

/* The server that the path names. NULL: answered with 404. */
static struct hosted *find(struct exchange *exchange) {
	struct slice id = exchange->segments[2];
	struct hosted *hosted =
		exchange->gateway->mcp ? hosted_find(exchange->gateway->mcp->servers, id) : NULL;
	if (hosted) return hosted;
	id.length = slice_cut(id, HOSTED_ID);
	exchange_error(exchange, 404, "not_found", "there is no server %.*s: `hustings server list` shows those there are",
		SLICE_ARGS(id));
	return NULL;
}

void admin_servers_list(struct exchange *exchange) {
	struct mcp_face *face = exchange->gateway->mcp;
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	text_add_cstr(&body, "{\"servers\":[");
	struct hosted *hosted = face ? hosted_next(face->servers, NULL) : NULL;
	for (bool is_first = true; hosted; is_first = false, hosted = hosted_next(face->servers, hosted)) {
		if (!is_first) text_add_char(&body, ',');
		write_server(&body, hosted);
	}
	text_add_cstr(&body, "]}");
	exchange_text(exchange, 200, &body);
}

void admin_servers_show(struct exchange *exchange) {
	struct hosted *hosted = find(exchange);
	if (hosted) answer_server(exchange, 200, hosted);
}

void admin_servers_log(struct exchange *exchange) {
	struct hosted *hosted = find(exchange);
	AUTO_TEXT struct text body = {0};
	if (!hosted) return;
	text_init(&body, 0);
	hosted_write_log(hosted, &body);
	if (text_failed(&body))
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
	else
		exchange_answer(exchange, 200, "text/plain; charset=utf-8", SLICE_NONE, text_slice(&body));
}

void admin_servers_add(struct exchange *exchange) {
	struct registry *registry = exchange->gateway->registry;
	struct fault why;
	if (!registry) {
		exchange_error(exchange, 404, "not_found", "this gateway hosts no servers");
		return;
	}
	struct hosted *hosted = registry_add(registry, exchange->body, exchange->principal->id, &why);
	if (!hosted) {
		exchange_fault(exchange, &why);
		return;
	}
	admin_record(exchange, "server", hosted_id(hosted), SLICE_NONE, "added");
	answer_server(exchange, 201, hosted);
}

void admin_servers_remove(struct exchange *exchange) {
	struct hosted *hosted = find(exchange);
	struct fault why;
	if (!hosted) return;
	struct kernel *kernel = exchange->gateway->kernel;
	bool is_done = kernel ? mgp_registration_remove(kernel_means(kernel), hosted, &why)
			      : registry_remove(exchange->gateway->registry, hosted, &why);
	if (!is_done) {
		exchange_fault(exchange, &why);
		return;
	}
	admin_record(exchange, "server", exchange->segments[2], SLICE_NONE, "removed");
	exchange_answer(exchange, 204, NULL, SLICE_NONE, SLICE_NONE);
}

void admin_servers_restart(struct exchange *exchange) {
	struct hosted *hosted = find(exchange);
	struct fault why;
	if (!hosted) return;
	if (governed_of(hosted)) permissions_ask_again(governed_of(hosted)->permissions);
	if (!hosted_restart(hosted, &why)) {
		exchange_fault(exchange, &why);
		return;
	}
	admin_record(exchange, "server", hosted_id(hosted), SLICE_NONE, "restarted");
	answer_server(exchange, 200, hosted);
}

void admin_servers_revoke(struct exchange *exchange) {
	struct hosted *hosted = find(exchange);
	struct governed *governed = hosted ? governed_of(hosted) : NULL;
	struct fault why;
	if (!hosted) return;
	if (!governed)
		exchange_error(exchange, 503, "not_ready", "this server is not governed");
	else if (!permissions_revoke(governed->permissions, exchange->segments[4], exchange->principal->id, &why))
		exchange_fault(exchange, &why);
	else
		answer_server(exchange, 200, hosted);
}
