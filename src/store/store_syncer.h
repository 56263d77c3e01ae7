/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Store syncer: a thread that makes spools survive a power cut, so that no loop waits for a disk.
 * Begins with the first spool_sync(). Each spool has one question under way at most.
 */
#ifndef HUSTINGS_STORE_STORE_SYNCER_H
#define HUSTINGS_STORE_STORE_SYNCER_H

#include "store/store.h"

struct store_syncer;

struct store_syncer *store_syncer_open(struct store *store, struct fault *why) MUST_USE;
void store_syncer_close(struct store_syncer *syncer); /* answers what was asked; NULL is fine */

#endif
