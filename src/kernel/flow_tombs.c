/* SPDX-License-Identifier: Apache-2.0 */
/* Flow tombs: a list by age, which is by end as well. */
#include "kernel/flow_tombs.h"

#include <stdlib.h>

struct tomb {
	struct link link;
	int64_t until;
	enum flow_code code;
	char id[FLOW_ID];
	char principal[]; /* for others it never was */
};

static void tomb_free(struct flow_tombs *tombs, struct tomb *tomb) {
	(void)map_remove(&tombs->by_id, slice_of(tomb->id));
	list_remove(&tomb->link);
	free(tomb);
}

static void sweep(struct flow_tombs *tombs, int64_t now) {
	while (!list_is_empty(&tombs->order)) {
		struct tomb *oldest = CONTAINER_OF(tombs->order.next, struct tomb, link);
		if (oldest->until > now && tombs->by_id.count < FLOW_TOMBS) return;
		tomb_free(tombs, oldest);
	}
}

void flow_tombs_open(struct flow_tombs *tombs) {
	map_init(&tombs->by_id);
	list_init(&tombs->order);
}

void flow_tombs_close(struct flow_tombs *tombs) {
	while (!list_is_empty(&tombs->order)) tomb_free(tombs, CONTAINER_OF(tombs->order.next, struct tomb, link));
	map_finish(&tombs->by_id);
}

void flow_tombs_add(struct flow_tombs *tombs, const struct flow_session *session, enum flow_code code, int64_t now) {
	size_t length = session->principal ? strlen(session->principal) : 0;
	sweep(tombs, now);
	struct tomb *tomb = calloc(1, sizeof *tomb + length + 1);
	if (!tomb) return;
	tomb->until = now + FLOW_TOMB_MS;
	tomb->code = code;
	memcpy(tomb->id, session->id, sizeof tomb->id);
	if (length) memcpy(tomb->principal, session->principal, length);
	if (!map_add(&tombs->by_id, slice_of(tomb->id), tomb, NULL)) {
		free(tomb);
		return;
	}
	list_append(&tombs->order, &tomb->link);
}

int flow_tombs_find(const struct flow_tombs *tombs, struct slice id, struct slice principal, int64_t now) {
	const struct tomb *tomb = map_find(&tombs->by_id, id);
	return tomb && tomb->until > now && slice_is(principal, tomb->principal) ? (int)tomb->code : 0;
}
