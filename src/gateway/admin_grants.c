/* SPDX-License-Identifier: Apache-2.0 */
/* Admin grants: the kernel's own functions, with the query's words. */
#include "gateway/admin_grants.h"

#include "kernel/kernel.h"
#include "kernel/mgp_access.h"

static const struct kernel_means *means_of(struct exchange *exchange) {
	if (exchange->gateway->kernel) return kernel_means(exchange->gateway->kernel);
	exchange_error(exchange, 404, "not_found", "this gateway hosts no servers");
	return NULL;
}

struct listing {
	struct text *to;
	bool has_more;
};

static bool write_grant(void *context, const struct access_grant *grant) {
	struct listing *listing = context;
	if (TAKE(listing->has_more)) text_add_char(listing->to, ',');
	listing->has_more = true;
	access_write_grant(listing->to, grant);
	return !text_failed(listing->to);
}

void admin_grants_list(struct exchange *exchange) {
	const struct kernel_means *means = means_of(exchange);
	struct slice agent, server;
	AUTO_TEXT struct text body = {0};
	if (!means || !exchange_query(exchange, "agent", &agent) || !exchange_query(exchange, "server", &server)) return;
	text_init(&body, 0);
	struct listing listing = {.to = &body};
	text_add_cstr(&body, "{\"grants\":[");
	access_each(means->access, agent, server, write_grant, &listing);
	text_add_cstr(&body, "]}");
	exchange_text(exchange, 200, &body);
}

void admin_grants_add(struct exchange *exchange) {
	const struct kernel_means *means = means_of(exchange);
	struct scan_value object;
	struct scan_fault fault;
	struct access_grant grant;
	struct fault why;
	AUTO_TEXT struct text body = {0};
	bool has_twins = true;
	if (!means) return;
	if (!scan_check(exchange->body, SCAN_DEPTH, &object, &fault) || object.type != SCAN_OBJECT ||
		!scan_has_duplicates(exchange->body, &exchange->arena, &has_twins) || has_twins) {
		exchange_error(exchange, 400, "bad_input",
			"a grant is a JSON object with entry_type, agent_id, server_id, tool_name, permission, justification, "
			"expires_at");
		return;
	}
	if (!mgp_access_add(means, &object, exchange->principal->id, SLICE_NONE, &exchange->arena, &grant, &why)) {
		exchange_fault(exchange, &why);
		return;
	}
	text_init(&body, 0);
	access_write_grant(&body, &grant);
	exchange_text(exchange, 201, &body);
}

struct key {
	struct slice entry, agent, server, tool;
};

static bool read_key(struct exchange *exchange, struct key *key) {
	return exchange_query(exchange, "entry_type", &key->entry) && exchange_query(exchange, "agent_id", &key->agent) &&
		exchange_query(exchange, "server_id", &key->server) && exchange_query(exchange, "tool_name", &key->tool);
}

void admin_grants_remove(struct exchange *exchange) {
	const struct kernel_means *means = means_of(exchange);
	struct key key;
	enum access_entry entry;
	struct fault why;
	if (!means || !read_key(exchange, &key)) return;
	if (!access_entry_read(key.entry, &entry))
		exchange_error(exchange, 400, "bad_input", "entry_type: \"server_grant\" or \"tool_grant\" is due");
	else if (!mgp_access_remove(means, entry, key.agent, key.server, key.tool, exchange->principal->id, SLICE_NONE, &why))
		exchange_fault(exchange, &why);
	else
		exchange_json(exchange, 200, SLICE("{\"revoked\":true}"));
}

void admin_grants_query(struct exchange *exchange) {
	const struct kernel_means *means = means_of(exchange);
	struct key key;
	AUTO_TEXT struct text body = {0};
	if (!means || !read_key(exchange, &key)) return;
	if (!key.agent.length || !key.server.length) {
		exchange_error(exchange, 400, "bad_input", "agent_id and server_id are due");
		return;
	}
	text_init(&body, 0);
	mgp_access_write_answer(&body, means, key.agent, key.server, key.tool, true);
	exchange_text(exchange, 200, &body);
}
