/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics: the loops' counters summed, as Prometheus reads them. */
#include "gateway/metrics.h"

#include "base/clock.h"
#include "decide/inbox.h"
#include "kernel/audit_forwarder.h"
#include "kernel/flows.h"
#include "kernel/kernel.h"
#include "store/audit_file.h"
#include "store/audit_listener.h"

void metrics_health(struct exchange *exchange) {
	exchange_json(exchange, 200, SLICE("{\"status\":\"ok\"}"));
}

void metrics_ready(struct exchange *exchange) {
	const struct gateway *gateway = exchange->gateway;
	if (gateway->is_ready && !gateway->is_draining)
		exchange_json(exchange, 200, SLICE("{\"status\":\"ready\"}"));
	else
		exchange_error(exchange, 503, "not_ready", "%s",
			gateway->is_draining ? "the gateway is ending" : "the gateway is starting");
}

static int64_t sum(const struct gateway *gateway, enum counter which) {
	int64_t total = counters_read(loop_counters(gateway->loop), which);
	for (unsigned i = 0; i < gateway->island_count; i++)
		if (gateway->islands[i].loop != gateway->loop)
			total += counters_read(loop_counters(gateway->islands[i].loop), which);
	return total;
}

static void write_one(struct text *to, const char *name, const char *help, bool is_gauge,
	int64_t value) {
	text_printf(to, "# HELP %s %s\n# TYPE %s %s\n%s %lld\n", name, help, name,
		is_gauge ? "gauge" : "counter", name, (long long)value);
}

void metrics_show(struct exchange *exchange) {
	const struct gateway *gateway = exchange->gateway;
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	for (int which = 0; which < COUNTERS; which++)
		write_one(&body, counter_name(which), counter_help(which), counter_is_gauge(which),
			sum(gateway, which));
	write_one(&body, "hustings_store_backlog_octets", "Octets in spools that wait to be moved.", true,
		store_backlog(gateway->store));
	write_one(&body, "hustings_audit_missed_total", "Audit records that listeners were not told of.", false,
		(int64_t)audit_missed(gateway->store));
	write_one(&body, "hustings_audit_file_lost_total", "Audit records that are not in the audit file.", false,
		(int64_t)audit_file_lost(gateway->audit_file));
	const struct audit_forwarder *forwarder = gateway->kernel ? kernel_audit_forwarder(gateway->kernel) : NULL;
	write_one(&body, "hustings_audit_forward_waiting", "Audit events that the audit server was not told yet.", true,
		forwarder ? (int64_t)audit_forwarder_waiting(forwarder) : 0);
	write_one(&body, "hustings_audit_forward_dropped_total", "Audit events that the audit server was not told.", false,
		forwarder ? (int64_t)audit_forwarder_dropped(forwarder) : 0);
	write_one(&body, "hustings_decisions_open", "Questions that wait for a person's answer.", true,
		gateway->inbox ? (int64_t)inbox_open_count(gateway->inbox) : 0);
	const struct flow_book *sessions = gateway->kernel ? flows_book(kernel_means(gateway->kernel)->flows) : NULL;
	write_one(&body, "hustings_flow_sessions", "Guided sessions that are open.", true,
		sessions ? (int64_t)flow_book_count(sessions) : 0);
	write_one(&body, "hustings_flow_octets", "Octets of memory of guided sessions, also of those that are over.", true,
		sessions ? (int64_t)flow_book_octets(sessions) : 0);
	write_one(&body, "hustings_webhook_waiting", "Messages that the webhook's receiver was not told yet.", true,
		gateway->inbox ? (int64_t)inbox_untold(gateway->inbox) : 0);
	write_one(&body, "hustings_uptime_seconds", "Seconds since the gateway started.", true,
		(clock_wall_ms() - gateway->started_at) / 1000);
	if (text_failed(&body))
		exchange_text(exchange, 503, &body);
	else
		exchange_answer(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", SLICE_NONE,
			text_slice(&body));
}
