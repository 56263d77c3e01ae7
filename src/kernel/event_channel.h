/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Event channel: the names of MGP 13.5 ("model.token_usage") and their patterns ("model.*", "*"), and how
 * severe an event is. Plain functions, any thread.
 */
#ifndef HUSTINGS_KERNEL_EVENT_CHANNEL_H
#define HUSTINGS_KERNEL_EVENT_CHANNEL_H

#include "base/slice.h"

#define EVENT_CHANNEL 128 /* octets of a name */

enum event_severity { /* the least first */
	EVENT_DEBUG,
	EVENT_INFO, /* of an event that does not say */
	EVENT_WARNING,
	EVENT_ERROR,
	EVENT_CRITICAL,
	EVENT_SEVERITIES
};
#define EVENT_SEVERITY_WORDS "debug, info, warning, error, critical"

const char *event_severity_word(enum event_severity severity); /* "warning" */
bool event_severity_read(struct slice word, enum event_severity *severity) MUST_USE;

/* ASCII letters, digits and _-.:/ without an empty part between two points; a pattern is "*", or has "*" as the
 * whole of its last part. */
bool event_channel_is_sound(struct slice name);
bool event_channel_is_pattern(struct slice name);
/* `wanted` is that channel, or a pattern that has it. */
bool event_channel_covers(struct slice wanted, struct slice channel);
/* Of model.*, system.*, tool.* or security.* (MGP 13.5). */
bool event_channel_is_standard(struct slice channel);
/* The kernel raises it itself (docs/protocol.md). */
bool event_channel_is_ours(struct slice channel);

#endif
