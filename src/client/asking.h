/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asking: what a tool of ours asks its caller back (hustings_ask_back()), in the caller's era. A
 * legacy caller is sent a request, while its own is open. A modern one gets the questions of a pass
 * as an answer (`input_required`), and comes again with the replies and the requestState that names
 * the request here; it is a random one, good for one round. One thread.
 */
#ifndef HUSTINGS_CLIENT_ASKING_H
#define HUSTINGS_CLIENT_ASKING_H

#include "client/library_request.h"

#define ASKING_PATIENCE_MS (10 * 60 * 1000) /* of a modern caller that is to come again */
#define ASKING_HELD 1000                    /* requests whose callers are to come again */

/* A modern request that has a requestState comes again. True: it was taken, and the question with it;
 * false: it is a new one. */
bool asking_resume(struct hustings *hustings, const struct caller *caller,
	struct peer_question *question, const struct jsonrpc *request, struct slice name) MUST_USE;

/* All that is asked back ends with FAULT_CLOSED; nothing more is asked. */
void asking_finish(struct hustings *hustings);

#endif
