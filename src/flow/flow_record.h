/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow record: a session as one JSON object, from which it is made again: in the store, where it is encrypted
 * (docs/internals/flow.md), and in the tokens of stateless mode (flow_token.h). Plain functions, any thread.
 */
#ifndef HUSTINGS_FLOW_FLOW_RECORD_H
#define HUSTINGS_FLOW_FLOW_RECORD_H

#include "flow/flow_session.h"

#define FLOW_RECORD ((size_t)6 << 20) /* octets of one */

void flow_record_write(struct text *to, const struct flow_session *session);
/* NULL: FAULT_BAD_INPUT names the member, FAULT_TOO_LARGE, FAULT_NO_MEMORY. */
struct flow_session *flow_record_read(struct slice json, struct fault *why) MUST_USE;

#endif
