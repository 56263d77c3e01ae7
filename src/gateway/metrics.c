/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics: the loops' counters summed, as Prometheus reads them. */
#include "gateway/metrics.h"

#include "base/clock.h"
#include "decide/inbox.h"
#include "kernel/audit_forwarder.h"
#include "kernel/call_figures.h"
#include "kernel/call_gates.h"
#include "kernel/flows.h"
#include "kernel/kernel.h"
#include "store/audit_file.h"
#include "store/audit_listener.h"

#include <stdio.h>
#include <unistd.h>

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

static void write_head(struct text *to, const char *name, const char *help, const char *type) {
	text_printf(to, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void write_one(struct text *to, const char *name, const char *help, bool is_gauge,
	int64_t value) {
	write_head(to, name, help, is_gauge ? "gauge" : "counter");
	text_printf(to, "%s %lld\n", name, (long long)value);
}

/* ---- Calls of hosted tools, and their servers ---- */

static void write_labelled(struct text *to, const char *name, const char *label, const char *word, uint64_t value) {
	text_printf(to, "%s{%s=\"%s\"} %llu\n", name, label, word, (unsigned long long)value);
}

/* Each bound counts what the ones below it do, too. */
static void write_durations(struct text *to, const struct call_figures *figures) {
	uint64_t count = 0;
	write_head(to, "hustings_call_seconds",
		"Seconds of calls that were sent to their server, without waiting for a person.", "histogram");
	for (unsigned i = 0; i < CALL_FIGURES_BOUNDS; i++) {
		count += figures->within[i];
		text_printf(to, "hustings_call_seconds_bucket{le=\"%g\"} %llu\n", call_figures_bounds_us[i] / 1e6,
			(unsigned long long)count);
	}
	count += figures->within[CALL_FIGURES_BOUNDS];
	write_labelled(to, "hustings_call_seconds_bucket", "le", "+Inf", count);
	text_printf(to, "hustings_call_seconds_sum %llu.%06llu\nhustings_call_seconds_count %llu\n",
		(unsigned long long)figures->sum_us / 1000000, (unsigned long long)figures->sum_us % 1000000,
		(unsigned long long)count);
}

static void write_calls(struct text *to, const struct call_figures *figures) {
	write_head(to, "hustings_calls_total", "Calls of hosted tools that ended.", "counter");
	for (int i = 0; i < CALL_OUTCOMES; i++)
		write_labelled(to, "hustings_calls_total", "outcome", call_outcome_word(i), figures->outcomes[i]);
	write_head(to, "hustings_calls_refused_total", "Calls of hosted tools refused at that gate.", "counter");
	for (int i = 0; call_gates[i].name; i++)
		write_labelled(to, "hustings_calls_refused_total", "gate", call_gates[i].name, figures->refused[i]);
	write_durations(to, figures);
	write_one(to, "hustings_calls_open", "Calls of hosted tools under way, and those that wait at a gate.", true,
		(int64_t)figures->open);
}

static void write_servers(struct text *to, const struct kernel *kernel) {
	struct hosted_servers *servers = kernel ? kernel_means(kernel)->servers : NULL;
	uint64_t counts[HOSTED_STATES] = {0};
	for (struct hosted *one = servers ? hosted_next(servers, NULL) : NULL; one; one = hosted_next(servers, one))
		counts[hosted_state(one)]++;
	write_head(to, "hustings_servers", "Hosted servers in that state.", "gauge");
	for (int i = 0; i < HOSTED_STATES; i++)
		write_labelled(to, "hustings_servers", "state", hosted_state_word(i), counts[i]);
}

/* Of this process, without those of hosted servers. 0: the system does not say. */
static int64_t resident_octets(void) {
	FILE *file = fopen("/proc/self/statm", "re");
	long long pages = 0;
	if (!file) return 0;
	if (fscanf(file, "%*s %lld", &pages) != 1) pages = 0;
	fclose(file);
	return pages * sysconf(_SC_PAGESIZE);
}

static void write_audit(struct text *to, const struct gateway *gateway) {
	const struct audit_forwarder *forwarder = gateway->kernel ? kernel_audit_forwarder(gateway->kernel) : NULL;
	write_one(to, "hustings_store_backlog_octets", "Octets in spools that wait to be moved.", true,
		store_backlog(gateway->store));
	write_one(to, "hustings_audit_missed_total", "Audit records that listeners were not told of.", false,
		(int64_t)audit_missed(gateway->store));
	write_one(to, "hustings_audit_file_lost_total", "Audit records that are not in the audit file.", false,
		(int64_t)audit_file_lost(gateway->audit_file));
	write_one(to, "hustings_audit_forward_waiting", "Audit events that the audit server was not told yet.", true,
		forwarder ? (int64_t)audit_forwarder_waiting(forwarder) : 0);
	write_one(to, "hustings_audit_forward_dropped_total", "Audit events that the audit server was not told.", false,
		forwarder ? (int64_t)audit_forwarder_dropped(forwarder) : 0);
}

static void write_people(struct text *to, const struct gateway *gateway) {
	const struct flow_book *sessions = gateway->kernel ? flows_book(kernel_means(gateway->kernel)->flows) : NULL;
	write_one(to, "hustings_decisions_open", "Questions that wait for a person's answer.", true,
		gateway->inbox ? (int64_t)inbox_open_count(gateway->inbox) : 0);
	write_one(to, "hustings_flow_sessions", "Guided sessions that are open.", true,
		sessions ? (int64_t)flow_book_count(sessions) : 0);
	write_one(to, "hustings_flow_octets", "Octets of memory of guided sessions, also of those that are over.", true,
		sessions ? (int64_t)flow_book_octets(sessions) : 0);
	write_one(to, "hustings_webhook_waiting", "Messages that the webhook's receiver was not told yet.", true,
		gateway->inbox ? (int64_t)inbox_untold(gateway->inbox) : 0);
}

void metrics_show(struct exchange *exchange) {
	static const struct call_figures none;
	const struct gateway *gateway = exchange->gateway;
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	for (int which = 0; which < COUNTERS; which++)
		write_one(&body, counter_name(which), counter_help(which), counter_is_gauge(which),
			sum(gateway, which));
	write_audit(&body, gateway);
	write_people(&body, gateway);
	write_calls(&body, gateway->kernel ? kernel_means(gateway->kernel)->call_figures : &none);
	write_servers(&body, gateway->kernel);
	write_one(&body, "hustings_memory_octets", "Octets of memory that the gateway itself has resident.", true,
		resident_octets());
	write_one(&body, "hustings_uptime_seconds", "Seconds since the gateway started.", true,
		(clock_wall_ms() - gateway->started_at) / 1000);
	if (text_failed(&body))
		exchange_text(exchange, 503, &body);
	else
		exchange_answer(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", SLICE_NONE,
			text_slice(&body));
}
