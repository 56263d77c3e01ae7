/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_callback_respond: mgp/callback/respond (MGP 13.4): a client's answer to what it was asked during one of
 * its requests (kernel/callbacks.h). Loop 0.
 */
#ifndef HUSTINGS_KERNEL_MGP_CALLBACK_RESPOND_H
#define HUSTINGS_KERNEL_MGP_CALLBACK_RESPOND_H

#include "kernel/mgp_ask.h"

/* {callback_id, response}: {"accepted":true}, once. null declines, where there are no options. Else 4000, whose
 * data.type is callback_unknown (somebody else's too), callback_answered, callback_expired or
 * callback_invalid (it may be answered again). */
void mgp_callback_respond(struct mgp_ask *ask);

#endif
