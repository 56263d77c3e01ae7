/* SPDX-License-Identifier: Apache-2.0 */
/* Parts change: another configuration while they run. What can fail is done before anything has
 * changed. */
#include "cli/parts.h"
#include "cli/parts_inside.h"

#include "gateway/live.h"
#include "store/audit_file.h"

#include <stdlib.h>

/* New settings on their way to an island. */
struct change {
	struct letter letter;
	struct rooms *rooms;
	struct rooms_settings settings;
};

static void change_rooms(struct letter *letter) {
	struct change *change = CONTAINER_OF(letter, struct change, letter);
	rooms_change(change->rooms, &change->settings);
	free(change);
}

static void free_changes(struct change **changes, unsigned count) {
	for (unsigned i = 0; i < count; i++) free(changes[i]);
}

static bool make_changes(const struct parts *parts, const struct config *config,
	struct change *changes[GATEWAY_LOOPS], struct fault *why) {
	const struct gateway *gateway = &parts->gateway;
	for (unsigned i = 0; i < gateway->island_count; i++) {
		changes[i] = malloc(sizeof *changes[i]);
		if (!changes[i]) {
			free_changes(changes, i);
			return fault_set(why, FAULT_NO_MEMORY, "no memory for new settings");
		}
		changes[i]->rooms = gateway->islands[i].rooms;
		changes[i]->settings = config->rooms;
		changes[i]->settings.power_safe = gateway->rooms_settings.power_safe;
	}
	return true;
}

/* What needs a new start keeps its value, and the log says so. */
static void keep_fixed(struct parts *parts, const struct config *config) {
	struct gateway *gateway = &parts->gateway;
	const struct config *now = parts->config;
	struct gateway_settings before = gateway->settings;
	bool is_power_safe = gateway->rooms_settings.power_safe;
	if (config->threads != now->threads || config->max_backlog != now->max_backlog ||
		config->rooms.power_safe != now->rooms.power_safe || config->has_gates != now->has_gates ||
		config->gateway.port != now->gateway.port ||
		strcmp(config->gateway.host, now->gateway.host) != 0)
		log_write(gateway->log, LOG_WARNING,
			"reload: gateway.listen, threads, max_backlog, rooms.durability and kernel.gates change at the next start only");
	parts_settings(parts, config);
	memcpy(gateway->settings.host, before.host, sizeof before.host);
	gateway->settings.port = before.port;
	gateway->rooms_settings.power_safe = is_power_safe;
}

bool parts_change(struct parts *parts, const struct config *config, struct fault *why) {
	struct gateway *gateway = &parts->gateway;
	struct identity_settings identity = parts_identity(parts, config);
	struct change *changes[GATEWAY_LOOPS];
	bool failed;
	struct tls *tls = parts_tls(config, &failed, why);
	if (failed) return false;
	AUTO(tls) fresh = tls;
	struct audit_file *file;
	if (!parts_audit_open(gateway, config, &file, why)) return false;
	AUTO(audit_file) other_file = file;
	if (!make_changes(parts, config, changes, why)) return false;
	if (!identity_change(gateway->identity, &identity, why) || !parts_decide(gateway, config, why)) {
		free_changes(changes, gateway->island_count);
		return false;
	}
	AUTO(tls) old = gateway->tls;
	gateway->tls = TAKE(fresh);
	audit_file_close(gateway->audit_file);
	gateway->audit_file = TAKE(other_file);
	store_retain(gateway->store, config->rules, config->rule_count, config->audit);
	keep_fixed(parts, config);
	for (unsigned i = 0; i < gateway->island_count; i++)
		mailbox_answer(gateway->islands[i].loop, &changes[i]->letter, change_rooms);
	live_review(gateway->live);
	parts_servers_change(parts, config);
	parts->config = config;
	parts_name(parts);
	return true;
}
