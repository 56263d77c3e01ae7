/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow tombs: guided sessions that have expired, known by their id, whose they were, and what ended them, without any
 * of their data. Each for FLOW_TOMB_MS; beyond FLOW_TOMBS the oldest gives way. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_FLOW_TOMBS_H
#define HUSTINGS_KERNEL_FLOW_TOMBS_H

#include "base/list.h"
#include "base/map.h"
#include "flow/flow_session.h"

#define FLOW_TOMB_MS 3600000
#define FLOW_TOMBS 65536

struct flow_tombs { /* lies in its owner's */
	struct map by_id;
	struct link order; /* the oldest first */
};

void flow_tombs_open(struct flow_tombs *tombs);
void flow_tombs_close(struct flow_tombs *tombs);
/* `code`: FLOW_SESSION_EXPIRED or FLOW_TIMEOUT. Without memory it is as if the session never was. */
void flow_tombs_add(struct flow_tombs *tombs, const struct flow_session *session, enum flow_code code, int64_t now);
/* 0: there is none of that principal's. */
int flow_tombs_find(const struct flow_tombs *tombs, struct slice id, struct slice principal, int64_t now);

#endif
