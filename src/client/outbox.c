/* SPDX-License-Identifier: Apache-2.0 */
/* Outbox: a list in order, a map by id. */
#include "client/outbox.h"

#include <stdlib.h>

void outbox_init(struct outbox *outbox) {
	list_init(&outbox->items);
	map_init(&outbox->by_id);
	outbox->octets = 0;
}

void outbox_finish(struct outbox *outbox) {
	LIST_EACH_SAFE(link, &outbox->items)
		outbox_remove(outbox, CONTAINER_OF(link, struct outbox_item, link));
	map_finish(&outbox->by_id);
}

struct outbox_item *outbox_add(struct outbox *outbox, const char id[IDENT_UUID_SIZE],
	struct slice text, struct fault *why) {
	if (outbox->by_id.count >= OUTBOX_ENVELOPES || text.length > OUTBOX_OCTETS - outbox->octets)
		return fault_null(why, FAULT_FULL,
			"%zu envelopes wait for the gateway already; go on when some are through",
			outbox->by_id.count);
	struct outbox_item *item = malloc(sizeof *item + text.length);
	if (!item) return fault_null(why, FAULT_NO_MEMORY, "no memory for an envelope");
	item->is_sent = false;
	item->length = text.length;
	memcpy(item->id, id, sizeof item->id);
	memcpy(item->text, text.bytes, text.length);
	if (!map_add(&outbox->by_id, slice_of(item->id), item, NULL)) {
		free(item);
		return fault_null(why, FAULT_NO_MEMORY, "no memory for an envelope");
	}
	list_append(&outbox->items, &item->link);
	outbox->octets += item->length;
	return item;
}

struct outbox_item *outbox_find(const struct outbox *outbox, struct slice id) {
	return map_find(&outbox->by_id, id);
}

void outbox_remove(struct outbox *outbox, struct outbox_item *item) {
	(void)map_remove(&outbox->by_id, slice_of(item->id));
	list_remove(&item->link);
	outbox->octets -= item->length;
	free(item);
}

void outbox_unsend(struct outbox *outbox) {
	LIST_EACH(link, &outbox->items)
		CONTAINER_OF(link, struct outbox_item, link)->is_sent = false;
}

void outbox_drop_sent(struct outbox *outbox) {
	LIST_EACH_SAFE(link, &outbox->items) {
		struct outbox_item *item = CONTAINER_OF(link, struct outbox_item, link);
		if (item->is_sent) outbox_remove(outbox, item);
	}
}
