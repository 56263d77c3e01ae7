/* SPDX-License-Identifier: Apache-2.0 */
/* Pass: the list of rooms that have something, and the one write. */
#include "room/pass.h"

void pass_note(struct room *room) {
	if (room->is_dirty) return;
	room->is_dirty = true;
	if (!room->is_syncing) list_append(&room->rooms->dirty, &room->in_rooms);
}

bool pass_store(struct rooms *rooms) {
	if (spool_is_empty(rooms->spool)) return true;
	if (!spool_commit(rooms->spool, &rooms->failure)) return false;
	rooms->commits++;
	return true;
}

bool pass_store_now(struct rooms *rooms) {
	if (!rooms->has_failed && pass_store(rooms)) return true;
	rooms->has_failed = true; /* nobody is sent away in the middle of a pass */
	return false;
}
