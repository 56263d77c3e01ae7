/* SPDX-License-Identifier: Apache-2.0 */
/* Parts: opening everything in its order, and closing it in the other. */
#include "cli/parts.h"

#include "cli/parts_inside.h"
#include "decide/inbox.h"
#include "gateway/http_connection.h"
#include "gateway/listener.h"
#include "gateway/live.h"
#include "gateway/proposal_desk.h"
#include "gateway/sign_in_pace.h"
#include "gateway/wrong_bearers.h"
#include "kernel/kernel.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Islands */

static bool open_rooms(struct parts_island *island) {
	struct gateway *gateway = &island->parts->gateway;
	struct gateway_island *own = &gateway->islands[island->index];
	const struct rooms_options options = {
		.loop = own->loop,
		.store = gateway->store,
		.index = island->index,
		.log = gateway->log,
		.settings = &gateway->rooms_settings,
		.watch = proposal_desk_watch(gateway),
	};
	own->rooms = rooms_open(&options, &island->why);
	return own->rooms != NULL;
}

static void *run_island(void *context) {
	struct parts_island *island = context;
	struct gateway_island *own = &island->parts->gateway.islands[island->index];
	bool is_open = open_rooms(island);
	sem_post(&island->ready);
	if (!is_open) return NULL;
	loop_run(own->loop);
	rooms_close(own->rooms);
	return NULL;
}

/* Signals are loop 0's: a thread that others wait for takes none. */
static bool start_thread(struct parts_island *island, struct fault *why) {
	sigset_t all, before;
	if (sem_init(&island->ready, 0, 0) != 0) return fault_errno(why, errno, "cannot make a semaphore");
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&island->thread, NULL, run_island, island);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error) {
		sem_destroy(&island->ready);
		return fault_errno(why, error, "cannot start a thread");
	}
	while (sem_wait(&island->ready) != 0 && errno == EINTR) continue;
	island->has_thread = true;
	if (island->parts->gateway.islands[island->index].rooms) return true;
	if (why) *why = island->why;
	return false;
}

static bool open_islands(struct parts *parts, struct fault *why) {
	for (unsigned i = 0; i < parts->gateway.island_count; i++) {
		struct parts_island *island = &parts->islands[i];
		island->parts = parts;
		island->index = i;
		if (i > 0 ? start_thread(island, why) : open_rooms(island)) continue;
		if (i == 0 && why) *why = island->why;
		return false;
	}
	return true;
}

static bool open_loops(struct parts *parts, unsigned count, struct fault *why) {
	struct gateway *gateway = &parts->gateway;
	for (unsigned i = 0; i < count; i++) {
		gateway->islands[i].loop = loop_open(why);
		if (!gateway->islands[i].loop) return false;
		gateway->island_count = i + 1;
	}
	gateway->loop = gateway->islands[0].loop;
	return true;
}

/* The rest */

static bool open_store(struct parts *parts, const char *data, struct fault *why) {
	const struct config *config = parts->config;
	struct gateway *gateway = &parts->gateway;
	const struct store_options options = {
		.directory = data,
		.spools = gateway->island_count,
		.durability = config->rooms.power_safe ? STORE_POWER : STORE_PROCESS,
		.rules = config->rules,
		.rule_count = config->rule_count,
		.audit = config->audit,
		.spool_limit = config->max_backlog,
		.log = gateway->log,
	};
	gateway->store = store_open(&options, why);
	if (!gateway->store) return false;
	gateway->state = state_open(data, why);
	return gateway->state != NULL && parts_audit_begin(parts, why);
}

static bool open_ways_in(struct parts *parts, struct fault *why) {
	struct gateway *gateway = &parts->gateway;
	struct identity_settings identity = parts_identity(parts, parts->config);
	bool failed;
	gateway->tls = parts_tls(parts->config, &failed, why);
	if (failed) return false;
	gateway->identity = identity_open(gateway->loop, gateway->state, &identity, gateway->log, why);
	if (!gateway->identity) return false;
	gateway->tickets = tickets_open(gateway->loop, why);
	gateway->sign_in_tickets = gateway->tickets ? tickets_open_sign_in(gateway->loop, why) : NULL;
	gateway->sign_in_pace = gateway->sign_in_tickets ? sign_in_pace_open(SIGN_IN_UNITS, why) : NULL;
	gateway->wrong_bearers = gateway->sign_in_pace ? wrong_bearers_open(gateway, why) : NULL;
	if (!gateway->wrong_bearers) return false;
	gateway->connections = connections_open(gateway, why);
	return gateway->connections != NULL;
}

static bool open_all(struct parts *parts, const struct parts_options *options, struct fault *why) {
	struct gateway *gateway = &parts->gateway;
	if (!open_loops(parts, parts->config->threads, why) || !open_store(parts, options->data, why) ||
		!open_islands(parts, why) || !open_ways_in(parts, why) ||
		!parts_decide(gateway, parts->config, why))
		return false;
	gateway->live = live_open(gateway, why);
	gateway->proposals = gateway->live ? proposal_desk_open(gateway, why) : NULL;
	return gateway->proposals != NULL && parts_servers_open(parts, options->data, why);
}

struct parts *parts_open(const struct parts_options *options, struct fault *why) {
	AUTO(parts) parts = calloc(1, sizeof *parts);
	if (!parts) return fault_null(why, FAULT_NO_MEMORY, "no memory for the gateway");
	parts->config = options->config;
	parts->is_open = options->is_open;
	parts->may_be_exposed = options->may_be_exposed;
	parts->gateway.log = options->log;
	parts->gateway.started_at = clock_wall_ms();
	parts_settings(parts, options->config);
	if (!open_all(parts, options, why)) return NULL;
	return TAKE(parts);
}

/* What still runs on other threads ends before anything that it may use. */
static void close_islands(struct parts *parts) {
	struct gateway *gateway = &parts->gateway;
	for (unsigned i = 1; i < gateway->island_count; i++) {
		if (!parts->islands[i].has_thread) continue;
		loop_stop(gateway->islands[i].loop);
		pthread_join(parts->islands[i].thread, NULL);
		sem_destroy(&parts->islands[i].ready);
	}
}

void parts_close(struct parts *parts) {
	if (!parts) return;
	struct gateway *gateway = &parts->gateway;
	if (gateway->inbox) inbox_rest(gateway->inbox);
	listener_close(parts->listener);
	connections_close(gateway->connections);
	wrong_bearers_close(gateway->wrong_bearers); /* it has something to write */
	parts_servers_close(parts);
	proposal_desk_close(gateway->proposals);
	gateway->proposals = NULL;
	inbox_close(gateway->inbox);
	close_islands(parts);
	if (gateway->loop) loop_step(gateway->loop, 0); /* the islands' last letters */
	if (gateway->island_count) rooms_close(gateway->islands[0].rooms);
	if (gateway->live) live_close(gateway->live);
	sign_in_pace_close(gateway->sign_in_pace);
	tickets_close(gateway->sign_in_tickets);
	tickets_close(gateway->tickets);
	identity_close(gateway->identity);
	if (gateway->store) parts_audit_close(parts);
	if (gateway->store) store_close(gateway->store);
	for (unsigned i = gateway->island_count; i > 0; i--) loop_close(gateway->islands[i - 1].loop);
	if (gateway->state) state_close(gateway->state);
	if (gateway->tls) tls_close(gateway->tls);
	free(parts);
}

bool parts_listen(struct parts *parts, struct fault *why) {
	struct gateway *gateway = &parts->gateway;
	parts->listener = listener_open(gateway, why);
	if (!parts->listener)
		return fault_before(why, "gateway.listen (another gateway there? --listen 127.0.0.1:0 takes a free port): ");
	if (parts->is_open && !parts->may_be_exposed && !listener_is_loopback(parts->listener))
		return fault_set(why, FAULT_REFUSED,
			"open mode on %s would let anyone in: leave --open out, or add --insecure-open",
			gateway->settings.host);
	if (!gateway->kernel && !listener_is_loopback(parts->listener))
		return fault_set(why, FAULT_REFUSED, "kernel.gates = false is for measuring: it needs a loopback address, and %s is none",
			gateway->settings.host);
	gateway->settings.port = listener_port(parts->listener);
	parts_name(parts);
	gateway->is_ready = true;
	return true;
}

const char *parts_url(const struct parts *parts) { return parts->url; }
struct loop *parts_loop(struct parts *parts) {
	return parts->gateway.loop;
}
struct state *parts_state(struct parts *parts) {
	return parts->gateway.state;
}
void parts_run(struct parts *parts) { loop_run(parts->gateway.loop); }
bool parts_is_draining(const struct parts *parts) { return parts->gateway.is_draining; }

void parts_drain(struct parts *parts) {
	struct gateway *gateway = &parts->gateway;
	if (gateway->is_draining) {
		loop_stop(gateway->loop);
		return;
	}
	gateway->is_draining = true;
	gateway->is_ready = false;
	inbox_rest(gateway->inbox);
	if (gateway->kernel) kernel_drain(gateway->kernel);
	listener_close(parts->listener);
	parts->listener = NULL;
	parts_drain_begin(parts);
}
