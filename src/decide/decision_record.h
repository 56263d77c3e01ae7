/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decision record: a decision as JSON, as people, REST, the webhook and the store have it (decisions
 * 51). Arguments and answers stand in it octet for octet.
 */
#ifndef HUSTINGS_DECIDE_DECISION_RECORD_H
#define HUSTINGS_DECIDE_DECISION_RECORD_H

#include "base/text.h"
#include "decide/decision.h"

void decision_write(const struct decision *decision, struct text *to);
/* A record that decision_write() wrote. FAULT_BAD_INPUT: it is none; FAULT_NO_MEMORY. */
struct decision *decision_read(struct slice record, struct fault *why) MUST_USE;

#endif
