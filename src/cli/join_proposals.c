/* SPDX-License-Identifier: Apache-2.0 */
/* Join proposals: a list, since people read it from top to bottom. */
#include "cli/join_proposals.h"

#include <stdlib.h>

#define SHOWN_ID 8 /* octets */
#define SHOWN_PARAMS 240

void join_proposals_init(struct join_proposals *proposals) {
	*proposals = (struct join_proposals){.count = 0};
	list_init(&proposals->waiting);
}

static void drop(struct join_proposals *proposals, struct join_proposal *proposal) {
	list_remove(&proposal->link);
	proposals->count--;
	free(proposal);
}

void join_proposals_finish(struct join_proposals *proposals) {
	LIST_EACH_SAFE(link, &proposals->waiting)
		drop(proposals, CONTAINER_OF(link, struct join_proposal, link));
}

static struct join_proposal *find_exactly(const struct join_proposals *proposals, struct slice id) {
	LIST_EACH(link, &proposals->waiting) {
		struct join_proposal *proposal = CONTAINER_OF(link, struct join_proposal, link);
		if (slice_equal(proposal->id, id)) return proposal;
	}
	return NULL;
}

static struct slice lay(char **at, struct slice slice) {
	char *laid = *at;
	if (slice.length) memcpy(laid, slice.bytes, slice.length);
	*at += slice.length;
	return slice_make(laid, slice.length);
}

void join_proposals_note(struct join_proposals *proposals, const struct join_proposal *like) {
	if (find_exactly(proposals, like->id)) return;
	struct join_proposal *proposal = malloc(sizeof *proposal + like->id.length + like->from.length +
		like->to.length + like->method.length + like->params.length + like->reason.length);
	if (!proposal) return; /* it is on the screen, and cannot be approved from here */
	char *at = proposal->octets;
	proposal->id = lay(&at, like->id);
	proposal->from = lay(&at, like->from);
	proposal->to = lay(&at, like->to);
	proposal->method = lay(&at, like->method);
	proposal->params = lay(&at, like->params);
	proposal->reason = lay(&at, like->reason);
	list_append(&proposals->waiting, &proposal->link);
	if (++proposals->count > JOIN_PROPOSALS_KEPT)
		drop(proposals, CONTAINER_OF(proposals->waiting.next, struct join_proposal, link));
}

void join_proposals_settled(struct join_proposals *proposals, struct slice id) {
	struct join_proposal *proposal = find_exactly(proposals, id);
	if (proposal) drop(proposals, proposal);
}

static bool begins_so(const struct join_proposal *proposal, struct slice beginning) {
	return proposal->id.length >= beginning.length &&
		memcmp(proposal->id.bytes, beginning.bytes, beginning.length) == 0;
}

const struct join_proposal *join_proposals_find(const struct join_proposals *proposals,
	struct slice beginning, struct fault *why) {
	const struct join_proposal *found = NULL;
	LIST_EACH(link, &proposals->waiting) {
		const struct join_proposal *proposal = CONTAINER_OF(link, struct join_proposal, link);
		if (!begins_so(proposal, beginning)) continue;
		if (proposal->id.length == beginning.length) return proposal;
		if (found)
			return fault_null(why, FAULT_BAD_INPUT, "several proposals begin with %.*s: write more of it",
				SLICE_ARGS(beginning));
		found = proposal;
	}
	if (found) return found;
	return fault_null(why, FAULT_NOT_FOUND, "no proposal that waits begins with %.*s: /proposals lists them",
		SLICE_ARGS(beginning));
}

void join_proposals_write(const struct join_proposals *proposals, struct text *to) {
	LIST_EACH(link, &proposals->waiting) {
		const struct join_proposal *proposal = CONTAINER_OF(link, struct join_proposal, link);
		text_add_cstr(to, "  ");
		text_display(to, slice_make(proposal->id.bytes, slice_cut(proposal->id, SHOWN_ID)));
		text_add_cstr(to, " of ");
		text_display(to, proposal->from);
		if (proposal->to.length) {
			text_add_cstr(to, " to ");
			text_display(to, proposal->to);
		}
		text_add_cstr(to, ": ");
		text_display(to, proposal->method);
		text_add_char(to, ' ');
		text_display(to, slice_make(proposal->params.bytes, slice_cut(proposal->params, SHOWN_PARAMS)));
		text_add_char(to, '\n');
	}
	if (!proposals->count) text_add_cstr(to, "* no proposal waits\n");
}
