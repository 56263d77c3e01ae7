/* SPDX-License-Identifier: Apache-2.0 */
/* Listener: an acceptor that pauses while there are enough. */
#include "gateway/listener.h"

#include "gateway/http_connection.h"
#include "net/acceptor.h"

#include <stdlib.h>

#define LOOK_AGAIN_MS 50

struct listener {
	struct gateway *gateway;
	struct acceptor *acceptor;
	struct deadline again;
};

static bool is_full(const struct gateway *gateway) {
	size_t all = 0;
	for (unsigned i = 0; i < gateway->island_count; i++)
		all += (size_t)counters_read(loop_counters(gateway->islands[i].loop), COUNTER_CONNECTIONS);
	if (gateway->islands[0].loop != gateway->loop)
		all += (size_t)counters_read(loop_counters(gateway->loop), COUNTER_CONNECTIONS);
	return all >= gateway->settings.max_connections ||
		connections_count(gateway->connections) >= gateway->settings.max_handshakes;
}

static void look_again(struct deadline *deadline) {
	struct listener *listener = CONTAINER_OF(deadline, struct listener, again);
	if (is_full(listener->gateway))
		deadline_set(listener->gateway->loop, &listener->again, LOOK_AGAIN_MS, look_again);
	else
		acceptor_pause(listener->acceptor, false);
}

static void accepted(void *context, int descriptor, const char *address) {
	struct listener *listener = context;
	http_connection_open(listener->gateway, descriptor, address);
	if (!is_full(listener->gateway)) return;
	acceptor_pause(listener->acceptor, true);
	deadline_set(listener->gateway->loop, &listener->again, LOOK_AGAIN_MS, look_again);
}

struct listener *listener_open(struct gateway *gateway, struct fault *why) {
	struct listener *listener = calloc(1, sizeof *listener);
	if (!listener) return fault_null(why, FAULT_NO_MEMORY, "no memory to listen");
	listener->gateway = gateway;
	listener->acceptor = acceptor_open(gateway->loop, gateway->settings.host, gateway->settings.port,
		accepted, listener, why);
	if (listener->acceptor) return listener;
	free(listener);
	return NULL;
}

unsigned listener_port(const struct listener *listener) { return acceptor_port(listener->acceptor); }

bool listener_is_loopback(const struct listener *listener) {
	return acceptor_is_loopback(listener->acceptor);
}

void listener_close(struct listener *listener) {
	if (!listener) return;
	deadline_clear(&listener->again);
	acceptor_close(listener->acceptor);
	free(listener);
}
