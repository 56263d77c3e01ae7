/* SPDX-License-Identifier: Apache-2.0 */
/* Visitors: a short list, the latest first. */
#include "room/visitors.h"

#include <stdlib.h>

static void forget(struct room *room, struct speaker *speaker) {
	list_remove(&speaker->in_room);
	room->visitor_count--;
	free(speaker);
}

struct speaker *visitors_find(struct room *room, struct slice id) {
	LIST_EACH(link, &room->visitors) {
		struct speaker *speaker = CONTAINER_OF(link, struct speaker, in_room);
		if (!slice_equal(slice_make(speaker->id, speaker->length), id)) continue;
		list_remove(&speaker->in_room);
		list_prepend(&room->visitors, &speaker->in_room);
		return speaker;
	}
	struct speaker *speaker = calloc(1, sizeof *speaker + id.length);
	if (!speaker) return NULL;
	speaker->length = id.length;
	memcpy(speaker->id, id.bytes, id.length);
	list_prepend(&room->visitors, &speaker->in_room);
	if (++room->visitor_count > VISITORS)
		forget(room, CONTAINER_OF(room->visitors.previous, struct speaker, in_room));
	return speaker;
}

void visitors_finish(struct room *room) {
	LIST_EACH_SAFE(link, &room->visitors)
		forget(room, CONTAINER_OF(link, struct speaker, in_room));
}
