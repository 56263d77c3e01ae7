/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit record: who did what, or what was refused, before it has a place in the chain.
 *
 * Two kinds share it. What happens in a room and in administration has a word ("joined"); what
 * happens to servers and their tools has an event type of MGP 6.4 or a reverse-domain one
 * ("TOOL_EXECUTED", "dev.hustings.tool_retried"). audit_event.h shows both as MGP 6.3 wants them.
 * A record that is all zeros is valid. Slices are borrowed from whoever fills it in.
 *
 * Packed it is what a spool holds: an octet 1, the count, the length of every field, the fields.
 */
#ifndef HUSTINGS_STORE_AUDIT_RECORD_H
#define HUSTINGS_STORE_AUDIT_RECORD_H

#include "base/fault.h"
#include "base/slice.h"
#include "base/text.h"

/* Results of event types. Words of rooms have results of their own ("full", "added", ...). */
#define AUDIT_SUCCESS SLICE("SUCCESS")
#define AUDIT_BLOCKED SLICE("BLOCKED")     /* a gate or a decision said no; nothing was tried */
#define AUDIT_FAILED SLICE("FAILED")       /* it was tried and did not work */
#define AUDIT_CANCELLED SLICE("CANCELLED") /* given up by its asker */

struct audit_record {
	struct slice event;  /* "refused", "joined", "privilege", ... or "TOOL_EXECUTED", ... */
	struct slice actor;  /* a principal's id, a server's id; may be empty: the gateway itself */
	struct slice topic;  /* may be empty */
	struct slice target; /* whom or what else it was about; may be empty */
	struct slice gate;   /* of refusals; may be empty */
	struct slice result; /* "ok", "refused", a status word; AUDIT_SUCCESS, ... */
	struct slice detail; /* a sentence or JSON object text; never a secret; may be empty */
	int64_t count;       /* how often, when counted by the minute; 0 is 1 */

	struct slice actor_type; /* agent, human, robot, system, server; empty: unsaid */
	struct slice trace_id;   /* as base/trace.h has it; empty: it belongs to no call */
	struct slice server_id;  /* a hosted server */
	struct slice tool_name;  /* the server's own name of it */
	struct slice details;    /* JSON object text: risk_level, validator_applied, duration_ms, ... */
	/* Empty or "kernel": ours. "server:ID": that server claims it; kept apart from the chain. */
	struct slice source;
};

/* The details of a record that a command chained by itself. */
#define AUDIT_BY_COMMAND SLICE("{\"by\":\"command\"}")

#define AUDIT_FIELDS 12        /* of a row: all slices but the source */
#define AUDIT_SIGNED_ALWAYS 7  /* the fields that every row's signature covers; the rest when any is there */
#define AUDIT_PACKED_FIELDS 13 /* with the source */
#define AUDIT_PACKED_HEAD (1 + 8 + 4 * AUDIT_PACKED_FIELDS)
#define AUDIT_RECORD_LIMIT (64 * 1024) /* octets of one, packed */

/* The fields by number, in the order of the columns; the source is the last. */
const char *audit_field_name(size_t at);
struct slice audit_field(const struct audit_record *record, size_t at);
void audit_field_set(struct audit_record *record, size_t at, struct slice value);

bool audit_is_claimed(const struct audit_record *record);

/* The packed form in pieces, so that nothing is copied; `head` has AUDIT_PACKED_HEAD octets and is
 * the first piece. False: FAULT_TOO_LARGE. */
bool audit_pack(const struct audit_record *record, char *head,
	struct slice pieces[1 + AUDIT_PACKED_FIELDS], struct fault *why) MUST_USE;
/* The record's slices lie in `packed`. False: it has not that form. */
bool audit_unpack(struct slice packed, struct audit_record *record) MUST_USE;

#endif
