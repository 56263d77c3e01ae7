/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Catching: a seat that reads what it missed (`history=N` in the welcome, `since=ID` behind it)
 * while what happens meanwhile is held back for it, at most max_behind octets.
 */
#ifndef HUSTINGS_ROOM_CATCHING_H
#define HUSTINGS_ROOM_CATCHING_H

#include "room/holding.h"

/* Welcomes the seat: at once where nothing is asked, else when the store has answered. The seat may
 * be closed by this. */
void catching_start(struct seat *seat, const struct catching_wish *wish);

#endif
