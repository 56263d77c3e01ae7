/* SPDX-License-Identifier: Apache-2.0 */
/* Parts settings: what a configuration says, in the words of each part, at the start and at every
 * reload. */
#include "cli/parts_inside.h"

#include <stdio.h>
#include <string.h>

void parts_settings(struct parts *parts, const struct config *config) {
	struct gateway *gateway = &parts->gateway;
	gateway->settings = config->gateway;
	gateway->rooms_settings = config->rooms;
}

struct identity_settings parts_identity(const struct parts *parts, const struct config *config) {
	return (struct identity_settings){
		.is_open = parts->is_open,
		.default_privilege = config->default_privilege,
		.rules = config->identities.items,
		.rule_count = config->identities.count,
		.jwt = config->has_jwt ? &config->jwt : NULL,
	};
}

struct tls *parts_tls(const struct config *config, bool *failed, struct fault *why) {
	struct tls *tls = config->tls_cert ? tls_server_open(config->tls_cert, config->tls_key, why) : NULL;
	*failed = config->tls_cert && !tls;
	return tls;
}

void parts_name(struct parts *parts) {
	const struct gateway *gateway = &parts->gateway;
	bool is_six = strchr(gateway->settings.host, ':') != NULL;
	snprintf(parts->url, sizeof parts->url, "%s://%s%s%s:%u", gateway->tls ? "https" : "http",
		is_six ? "[" : "", gateway->settings.host, is_six ? "]" : "", gateway->settings.port);
}
