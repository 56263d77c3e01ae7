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

/* How the file looked at a moment, for who keeps what was read from it. */
struct state_mark {
	int64_t seconds, nanoseconds, octets; /* of its log of writes */
	int64_t taken_at;                     /* wall ns; 0: never */
};
struct state_mark state_mark_take(const struct state *state);
/* Nobody, in this process or another, has written since the mark was taken: what was read after that still
 * holds. One look at the file, without SQL. When in doubt (the clock, a write just before) false. */
bool state_is_as_marked(const struct state *state, const struct state_mark *mark);

#endif
