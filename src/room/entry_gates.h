/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry gates: the one table that decides what may enter a room. Each gate answers pass or refuse;
 * no gate calls another; the name in the row is what errors, audit and figures show.
 */
#ifndef HUSTINGS_ROOM_ENTRY_GATES_H
#define HUSTINGS_ROOM_ENTRY_GATES_H

#include "room/entry.h"

enum verdict {
	PASS,
	REFUSE
};

struct entry_gate {
	const char *name;
	enum verdict (*ask)(struct entry *entry);
	enum counter refused;
};

extern const struct entry_gate entry_gates[]; /* ends with an empty row */

/* Asks them in order. False: refused by the gate that entry->gate names. */
bool entry_gates_ask(struct entry *entry) MUST_USE;

#endif
