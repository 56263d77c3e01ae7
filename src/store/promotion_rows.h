/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Promotion rows: explicit privileges by identity and topic in DATA/state.db (MCPx v0.1 10.3). A
 * row with an empty topic holds for every topic; one for the topic itself comes before it.
 */
#ifndef HUSTINGS_STORE_PROMOTION_ROWS_H
#define HUSTINGS_STORE_PROMOTION_ROWS_H

#include "store/token_rows.h"

/* privilege: "full", "restricted". A row for all topics removes the rows of single ones. */
bool promotion_set(struct state *state, struct slice id, struct slice topic, const char *privilege,
	struct slice by, struct fault *why) MUST_USE;
/* "full", "restricted", or an empty string where nothing is set. */
bool promotion_find(struct state *state, struct slice id, struct slice topic, char privilege[16],
	struct fault *why) MUST_USE;

#endif
