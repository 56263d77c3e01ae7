/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State: DATA/state.db, opened and closed; what it holds is token_rows.h and promotion_rows.h.
 */
#ifndef HUSTINGS_STORE_STATE_H
#define HUSTINGS_STORE_STATE_H

#include "base/fault.h"

struct state; /* DATA/state.db, one thread's */

/* Makes the folder (0700) and the file (0600) when they are not there, and brings the schema up to
 * date. */
struct state *state_open(const char *directory, struct fault *why) MUST_USE;
void state_close(struct state *state);
AUTO_RELEASE(state, state_close)
/* Changes whenever another connection has changed the file (PRAGMA data_version): cheap. */
uint64_t state_version(struct state *state);

#endif
