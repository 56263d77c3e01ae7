/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrears: what is owed to one reader beside its lane, in memory that is there only while something
 * is: history being read (catching.h), ranges to be left out and a dialect it turned away from
 * (room_log.h), echoes that wait (acknowledgement.h). Each of those makes it, sets its own member,
 * clears it again, and settles.
 */
#ifndef HUSTINGS_ROOM_ARREARS_H
#define HUSTINGS_ROOM_ARREARS_H

#include "room/island.h"

/* Made where there are none. NULL: no memory. */
struct arrears *arrears_of(struct seat *seat) MUST_USE;
/* Nothing is owed any more: they go. */
void arrears_settle(struct seat *seat);

#endif
