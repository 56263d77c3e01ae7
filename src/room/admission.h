/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Admission: the one way of an envelope into a room, whoever sends it: gates, then publication, then
 * what the room notes of it.
 */
#ifndef HUSTINGS_ROOM_ADMISSION_H
#define HUSTINGS_ROOM_ADMISSION_H

#include "room/entry.h"

/* False: refused; the entry says why, and it was counted and audited. Who sent it is told by the
 * caller. */
bool admission_run(struct entry *entry) MUST_USE;

#endif
