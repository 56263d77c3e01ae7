/* SPDX-License-Identifier: Apache-2.0 */
/* Parts audit: the file that gets every audit record, where the configuration names one. */
#include "cli/parts_inside.h"

#include "store/audit_file.h"
#include "store/audit_outside.h"

bool parts_audit_open(struct gateway *gateway, const struct config *config, struct audit_file **file,
	struct fault *why) {
	const struct audit_file_settings settings = {
		.path = config->audit_file,
		.bytes = config->audit_file_size,
		.count = config->audit_file_count,
	};
	*file = NULL;
	if (!config->audit_file) return true;
	*file = audit_file_open(gateway->store, gateway->loop, &settings, gateway->log, why);
	return *file || fault_before(why, "gateway.audit_file: ");
}

bool parts_audit_begin(struct parts *parts, struct fault *why) {
	struct gateway *gateway = &parts->gateway;
	if (!parts_audit_open(gateway, parts->config, &gateway->audit_file, why)) return false;
	parts->audit_outside = audit_outside_open(gateway->store, gateway->loop, why);
	return parts->audit_outside != NULL;
}

void parts_audit_close(struct parts *parts) {
	struct gateway *gateway = &parts->gateway;
	audit_outside_close(TAKE(parts->audit_outside));
	loop_step(gateway->loop, 0); /* the last records are still on their way */
	audit_file_close(gateway->audit_file);
	gateway->audit_file = NULL;
}
