/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit event: a record as MGP 6.3 shows it, whatever it is about.
 *
 * Words of rooms and administration become reverse-domain event types; what MGP has no member for
 * (topic, gate, a room's own result, a count) stands in `details`. A record that belongs to no call
 * gets a trace id made of its content, the same each time it is shown.
 */
#ifndef HUSTINGS_STORE_AUDIT_EVENT_H
#define HUSTINGS_STORE_AUDIT_EVENT_H

#include "base/trace.h"
#include "store/audit_record.h"

#define AUDIT_TYPE_SIZE 160

/* The event type; `room` may hold it. An event that is a type already is handed back as it is. */
struct slice audit_event_type(const struct audit_record *record, char room[AUDIT_TYPE_SIZE]);
/* The word that stands behind an event type of rooms or administration; SLICE_NONE: none. */
struct slice audit_event_word(struct slice type);
/* SUCCESS, BLOCKED, FAILED, or the record's own. */
struct slice audit_event_result(const struct audit_record *record);
/* The server it is about: its own field, or whom administration dealt with. */
struct slice audit_event_server(const struct audit_record *record);
const char *audit_event_actor_type(const struct audit_record *record, char room[AUDIT_TYPE_SIZE]);

/* The object `params` of notifications/mgp.audit (MGP 6.3), on one line. A claim has its `source` as
 * well. */
void audit_write_event(struct text *to, const struct audit_record *record, int64_t moment);
/* All fields there are, as they are kept, without braces, on one line; event_type is added. */
void audit_write_fields(struct text *to, const struct audit_record *record);

#endif
