/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow methods: what a client asks of guided sessions: `capabilities` and interaction.start, respond, cancel,
 * getState and complete (MCP Flow, protocol messages). They need no MGP. A session belongs to who began it
 * (flow_book.h); in stateless mode its id is a token (flow/flow_token.h), of which each is good for one step. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_FLOW_METHODS_H
#define HUSTINGS_KERNEL_FLOW_METHODS_H

#include "kernel/mgp_ask.h"

bool flow_methods_have(struct slice method);
/* Answers, now or later. */
void flow_methods_ask(struct mgp_ask *ask, struct slice method);
/* What `capabilities` answers at the face of that server (NULL: of all): whether there are guided sessions. */
void flow_methods_write_capabilities(struct text *to, const struct kernel_means *means, const struct hosted *hosted);

#endif
