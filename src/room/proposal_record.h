/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proposal record: one entry of the book as MCPx v0.1 10.2 draws it, in memory and as JSON; the
 * payload's octets are kept as they came. One allocation and, once settled, two small ones.
 */
#ifndef HUSTINGS_ROOM_PROPOSAL_RECORD_H
#define HUSTINGS_ROOM_PROPOSAL_RECORD_H

#include "base/list.h"
#include "wire/envelope.h"

enum proposal_status {
	PROPOSAL_PENDING,
	PROPOSAL_FULFILLED,
	PROPOSAL_REJECTED,
	PROPOSAL_WITHDRAWN,
	PROPOSAL_EXPIRED,
	PROPOSAL_STATUSES
};

struct proposal {
	struct link in_book;
	enum proposal_status status;
	int64_t created_at; /* wall ms */
	int64_t expires_at;
	int64_t settled_at; /* 0: pending */
	struct slice id;
	struct slice proposer;
	struct slice to;      /* the JSON array, or empty */
	struct slice payload; /* the JSON object */
	struct slice method;  /* octets inside payload */
	struct slice params;  /* the same; empty: none */
	char *settled_by;     /* NULL: nobody, or not yet */
	char *reason;         /* the settler's; NULL: none */
};

/* NULL: no memory. */
struct proposal *proposal_make(const struct envelope *envelope, struct slice proposer,
	int64_t created_at, int64_t expires_at) MUST_USE;
void proposal_free(struct proposal *proposal); /* NULL is fine */
/* Without memory the words are missing, the status is not. */
void proposal_settle(struct proposal *proposal, enum proposal_status status, struct slice by,
	struct slice reason, int64_t now);
/* Whether an mcp request asks for the very same: to, method, params, octet for octet. */
bool proposal_equals(const struct proposal *proposal, const struct envelope *envelope);
void proposal_write(const struct proposal *proposal, struct text *to);
struct proposal *proposal_read(struct slice record) MUST_USE; /* NULL: no such record, or no memory */
const char *proposal_status_text(enum proposal_status status);

#endif
