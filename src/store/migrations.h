/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Migrations: the schemas of DATA/state.db and DATA/history.db, as the steps that lead to them. A
 * step that was released is never changed; a change is another step.
 */
#ifndef HUSTINGS_STORE_MIGRATIONS_H
#define HUSTINGS_STORE_MIGRATIONS_H

#include "store/database.h"

#define STATE_VERSION 6
#define HISTORY_VERSION 3

extern const struct migration state_migrations[STATE_VERSION];
extern const struct migration history_migrations[HISTORY_VERSION];

#endif
