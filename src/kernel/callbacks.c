/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks: a map of those that are open, and a ring of those that are over. */
#include "kernel/callbacks.h"

#include "base/map.h"

#include <stdio.h>
#include <stdlib.h>

#define PRINCIPAL 256 /* octets; of a longer one the beginning counts, and its length */

struct over {
	char id[sizeof((struct callback *)NULL)->id];
	char principal[PRINCIPAL];
	size_t length;
	enum callback_state how; /* CALLBACK_UNKNOWN: nothing stands here */
};

struct callbacks {
	struct map open;
	size_t next; /* of the ring */
	struct over over[CALLBACKS_OVER];
};

struct callbacks *callbacks_open(struct fault *why) {
	struct callbacks *callbacks = calloc(1, sizeof *callbacks);
	if (!callbacks) return fault_null(why, FAULT_NO_MEMORY, "no memory for callbacks");
	map_init(&callbacks->open);
	return callbacks;
}

void callbacks_close(struct callbacks *callbacks) {
	if (!callbacks) return;
	map_finish(&callbacks->open);
	free(callbacks);
}

bool callbacks_add(struct callbacks *callbacks, struct callback *callback, struct fault *why) {
	char uuid[IDENT_UUID_SIZE];
	ident_uuid(uuid);
	snprintf(callback->id, sizeof callback->id, "cb-%s", uuid);
	if (map_add(&callbacks->open, slice_of(callback->id), callback, NULL)) return true;
	callback->id[0] = '\0';
	return fault_set(why, FAULT_NO_MEMORY, "no memory for a callback");
}

static size_t cut(struct slice principal) {
	return principal.length < PRINCIPAL ? principal.length : PRINCIPAL;
}

void callbacks_end(struct callbacks *callbacks, struct callback *callback, enum callback_state how) {
	struct over *over = &callbacks->over[callbacks->next];
	if (!callback->id[0] || map_remove(&callbacks->open, slice_of(callback->id)) != callback) return;
	callbacks->next = (callbacks->next + 1) % CALLBACKS_OVER;
	memcpy(over->id, callback->id, sizeof over->id);
	if (callback->principal.length) memcpy(over->principal, callback->principal.bytes, cut(callback->principal));
	over->length = callback->principal.length;
	over->how = how;
	callback->id[0] = '\0';
}

static bool was_of(const struct over *over, struct slice principal) {
	return over->length == principal.length &&
		slice_equal(slice_make(over->principal, cut(principal)), slice_make(principal.bytes, cut(principal)));
}

enum callback_state callbacks_find(const struct callbacks *callbacks, struct slice id, struct slice principal,
	struct callback **callback) {
	struct callback *open = map_find(&callbacks->open, id);
	if (open && slice_equal(open->principal, principal)) {
		*callback = open;
		return CALLBACK_OPEN;
	}
	for (size_t i = 0; !open && i < CALLBACKS_OVER; i++) {
		const struct over *over = &callbacks->over[i];
		if (over->how && slice_is(id, over->id) && was_of(over, principal)) return over->how;
	}
	return CALLBACK_UNKNOWN;
}
