/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decision outcome: what became of a call that a person has approved, as the audit trail has it: whether it runs, ran,
 * failed, or was refused at a later gate. For who asked, who decided or might have, and administrators; for everybody
 * else there is no such decision. What the tool was given and handed out is not told. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_DECISION_OUTCOME_H
#define HUSTINGS_GATEWAY_DECISION_OUTCOME_H

#include "gateway/exchange.h"

/* GET /admin/decisions/{id}/outcome: {"decision","state", and of one that has ended "at","result","trace","took_ms",
 * "gate","reason"}. State: open (nobody has decided), nothing (it was a no), waiting (for who asked), running, done, failed,
 * refused, unknown (it was used, and no end is found: the gateway ended before, or too much was written since). Of an
 * approval that holds for a while: the newest call. */
void decision_outcome_show(struct exchange *exchange);

#endif
