/* SPDX-License-Identifier: Apache-2.0 */
/* Uplink: whatever it is, it is sent and closed by what its kind says. */
#include "client/uplink.h"

bool uplink_send(struct uplink *uplink, struct slice text, struct fault *why) {
	return uplink->kind->send(uplink, text, why);
}

void uplink_close(struct uplink *uplink, unsigned code) {
	if (uplink) uplink->kind->close(uplink, code);
}

struct uplink_maker *uplink_maker_keep(struct uplink_maker *maker) {
	maker->references++;
	return maker;
}

void uplink_maker_drop(struct uplink_maker *maker) {
	if (maker && --maker->references == 0) maker->free(maker);
}
