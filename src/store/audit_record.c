/* SPDX-License-Identifier: Apache-2.0 */
/* Audit record: its fields by number, and its packed form. */
#include "store/audit_record.h"

#include "store/octets.h"

#define PACKED 1 /* the first octet */

static const struct {
	const char *name;
	size_t offset;
} fields[AUDIT_PACKED_FIELDS] = {
	{"event", offsetof(struct audit_record, event)},
	{"actor", offsetof(struct audit_record, actor)},
	{"topic", offsetof(struct audit_record, topic)},
	{"target", offsetof(struct audit_record, target)},
	{"gate", offsetof(struct audit_record, gate)},
	{"result", offsetof(struct audit_record, result)},
	{"detail", offsetof(struct audit_record, detail)},
	{"actor_type", offsetof(struct audit_record, actor_type)},
	{"trace_id", offsetof(struct audit_record, trace_id)},
	{"server_id", offsetof(struct audit_record, server_id)},
	{"tool_name", offsetof(struct audit_record, tool_name)},
	{"details", offsetof(struct audit_record, details)},
	{"source", offsetof(struct audit_record, source)},
};

const char *audit_field_name(size_t at) { return fields[at].name; }

struct slice audit_field(const struct audit_record *record, size_t at) {
	return *(const struct slice *)((const char *)record + fields[at].offset);
}

void audit_field_set(struct audit_record *record, size_t at, struct slice value) {
	*(struct slice *)((char *)record + fields[at].offset) = value;
}

bool audit_is_claimed(const struct audit_record *record) {
	return record->source.length && !slice_is(record->source, "kernel");
}

bool audit_pack(const struct audit_record *record, char *head,
	struct slice pieces[1 + AUDIT_PACKED_FIELDS], struct fault *why) {
	size_t total = AUDIT_PACKED_HEAD;
	head[0] = PACKED;
	octets_put64(head + 1, (uint64_t)(record->count ? record->count : 1));
	pieces[0] = slice_make(head, AUDIT_PACKED_HEAD);
	for (size_t i = 0; i < AUDIT_PACKED_FIELDS; i++) {
		struct slice field = audit_field(record, i);
		if (field.length > AUDIT_RECORD_LIMIT || (total += field.length) > AUDIT_RECORD_LIMIT)
			return fault_set(why, FAULT_TOO_LARGE, "an audit record has over %d octets",
				AUDIT_RECORD_LIMIT);
		octets_put32(head + 9 + 4 * i, (uint32_t)field.length);
		pieces[1 + i] = field;
	}
	return true;
}

bool audit_unpack(struct slice packed, struct audit_record *record) {
	struct audit_record found = {0};
	if (packed.length < AUDIT_PACKED_HEAD || packed.bytes[0] != PACKED) return false;
	found.count = (int64_t)octets_get64(packed.bytes + 1);
	size_t at = AUDIT_PACKED_HEAD;
	for (size_t i = 0; i < AUDIT_PACKED_FIELDS; i++) {
		size_t length = octets_get32(packed.bytes + 9 + 4 * i);
		if (length > packed.length - at) return false;
		audit_field_set(&found, i, slice_make(packed.bytes + at, length));
		at += length;
	}
	if (at != packed.length || found.count < 1) return false;
	*record = found;
	return true;
}
