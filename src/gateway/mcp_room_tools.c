/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room_tools: asked, put on shelves, written. */
#include "gateway/mcp_room_tools.h"

#include "gateway/mcp_ear.h"
#include "gateway/mcp_names.h"

#include <stdlib.h>

/* ---- News ---- */

/* The shelves of a survey are shown to all that are restricted in its topic. */
static void tell(struct task *task) {
	const struct mcp_room *room = CONTAINER_OF(task, struct mcp_room, tell_tools);
	struct mcp_face *face = room->face;
	LIST_EACH(link, &face->rooms) {
		const struct mcp_room *other = CONTAINER_OF(link, struct mcp_room, link);
		bool is_shown = other == room ||
			(room->is_survey && mcp_room_is_restricted(other) && strcmp(room->topic, other->topic) == 0);
		if (is_shown)
			mcp_ear_room_changed(face, slice_of(other->target), other->principal->id);
	}
}

static void note_news(struct mcp_room *room) {
	if (room->was_listed) loop_later(mcp_room_loop(room), &room->tell_tools, tell);
}

/* ---- Listings ---- */

static bool is_pending(const struct mcp_room_listing *listing) {
	const struct mcp_room *room = listing->room;
	if (room->state == MCP_ROOM_ENTERING) return true;
	LIST_EACH(link, &room->shelves) {
		const struct mcp_room_shelf *shelf = CONTAINER_OF(link, struct mcp_room_shelf, link);
		if (shelf->errand && !shelf->is_slow) return true;
	}
	return false;
}

void mcp_room_tools_leave(struct mcp_room_listing *listing) {
	deadline_clear(&listing->deadline);
	list_remove(&listing->link);
}

static void be_listed(struct mcp_room_listing *listing) {
	listing->room->was_listed = true;
	mcp_room_tools_leave(listing);
	listing->listed(listing);
}

/* One at a time: whoever is told may do anything. */
static void look(struct mcp_room *room) {
	struct link *link = room->listings.next;
	while (link != &room->listings) {
		struct mcp_room_listing *listing = CONTAINER_OF(link, struct mcp_room_listing, link);
		link = link->next;
		if (is_pending(listing)) continue;
		be_listed(listing);
		link = room->listings.next;
	}
}

/* Nobody waits for these again, until they have answered. */
static void give_up_on(struct mcp_room *room, bool all) {
	LIST_EACH(link, &room->shelves) {
		struct mcp_room_shelf *shelf = CONTAINER_OF(link, struct mcp_room_shelf, link);
		if (shelf->errand && (all || !shelf->announces)) shelf->is_slow = true;
	}
}

static void overdue(struct deadline *deadline) {
	struct mcp_room_listing *listing = CONTAINER_OF(deadline, struct mcp_room_listing, deadline);
	bool was_past = listing->is_past_grace;
	listing->is_past_grace = true;
	give_up_on(listing->room, was_past);
	if (was_past || !is_pending(listing)) {
		be_listed(listing);
		return;
	}
	deadline_set(mcp_room_loop(listing->room), &listing->deadline,
		MCP_ROOM_LIST_MS - MCP_ROOM_GRACE_MS, overdue);
}

/* ---- Shelves ---- */

static struct mcp_room_shelf *find(const struct mcp_room *room, struct slice id) {
	LIST_EACH(link, &room->shelves) {
		struct mcp_room_shelf *shelf = CONTAINER_OF(link, struct mcp_room_shelf, link);
		if (slice_is(id, shelf->id)) return shelf;
	}
	return NULL;
}

static bool is_bare(const struct mcp_room_shelf *shelf) {
	return !shelf->listing || mcp_listing_count(shelf->listing) == 0;
}

/* Whether there is a place for that beside what stands on the other shelves. */
static bool has_place(const struct mcp_room_shelf *shelf, const struct mcp_listing *listing) {
	size_t octets = mcp_listing_octets(listing);
	LIST_EACH(link, &shelf->room->shelves) {
		const struct mcp_room_shelf *other = CONTAINER_OF(link, struct mcp_room_shelf, link);
		if (other != shelf && other->listing) octets += mcp_listing_octets(other->listing);
	}
	return octets <= MCP_ROOM_SHELVES_OCTETS;
}

/* NULL: it has none, or one that is too long. */
static void put(struct mcp_room_shelf *shelf, struct mcp_listing *listing) {
	bool was_bare = is_bare(shelf);
	mcp_listing_drop(shelf->listing);
	shelf->listing = listing ? mcp_listing_keep(listing) : NULL;
	if (!was_bare || !is_bare(shelf)) note_news(shelf->room);
}

static void ask(struct mcp_room_shelf *shelf);

static void listed(void *context, const struct errand_result *result, const struct fault *why) {
	struct mcp_room_shelf *shelf = context;
	struct mcp_room *room = shelf->room;
	bool is_over = why ? why->code == FAULT_TOO_LARGE : !has_place(shelf, result->listing);
	shelf->errand = NULL;
	shelf->failed_at = why || is_over ? loop_now(mcp_room_loop(room)) : 0;
	if (!why) shelf->is_slow = false;
	if (!why || is_over) put(shelf, is_over ? NULL : result->listing);
	if (shelf->is_asked_again) {
		shelf->is_asked_again = false;
		ask(shelf);
	}
	look(room);
}

static void ask(struct mcp_room_shelf *shelf) {
	struct mcp_room *room = shelf->room;
	if (mcp_room_is_restricted(room) || room->state == MCP_ROOM_OVER) return;
	if (shelf->errand) {
		shelf->is_asked_again = true;
		return;
	}
	const struct errand_options options = {
		.kind = ERRAND_LIST,
		.to = slice_of(shelf->id),
		.deadline_ms = MCP_ROOM_ASK_MS,
		.is_fresh = shelf->listing != NULL,
		.done = listed,
		.context = shelf,
	};
	shelf->errand = errand_open(room->guest, &options, NULL);
	if (!shelf->errand) shelf->failed_at = loop_now(mcp_room_loop(room));
}

static void free_shelf(struct mcp_room_shelf *shelf) {
	list_remove(&shelf->link);
	mcp_listing_drop(shelf->listing);
	free(shelf);
}

/* Those that are not known, and did not just fail to answer. */
static void ask_all(struct mcp_room *room) {
	uint64_t now = loop_now(mcp_room_loop(room));
	size_t unsaid = 0;
	LIST_EACH(link, &room->shelves) {
		struct mcp_room_shelf *shelf = CONTAINER_OF(link, struct mcp_room_shelf, link);
		if (!shelf->announces && ++unsaid > MCP_ROOM_UNSAID) continue;
		if (shelf->listing || shelf->errand) continue;
		if (!shelf->failed_at || now - shelf->failed_at > MCP_ROOM_AGAIN_MS) ask(shelf);
	}
}

static bool is_wanted(const struct mcp_room *room) {
	return room->was_listed || !list_is_empty(&room->listings);
}

/* Who says that it is a server takes the place of one who does not, and has told of nothing. */
static bool make_place(struct mcp_room *room, bool announces) {
	struct mcp_room_shelf *idle = NULL;
	size_t count = 0;
	LIST_EACH(link, &room->shelves) {
		struct mcp_room_shelf *shelf = CONTAINER_OF(link, struct mcp_room_shelf, link);
		if (!shelf->announces && !shelf->errand && is_bare(shelf)) idle = shelf;
		count++;
	}
	if (count < MCP_ROOM_SHELVES) return true;
	if (!announces || !idle) return false;
	free_shelf(idle);
	return true;
}

void mcp_room_tools_arrived(struct mcp_room *room, const struct roster_entry *entry) {
	size_t length = strlen(entry->id);
	if (find(room, slice_of(entry->id)) || !make_place(room, entry->mcp_version[0] != '\0')) return;
	struct mcp_room_shelf *shelf = calloc(1, sizeof *shelf + length + 1);
	if (!shelf) return; /* it is there, and can be called by its plain name */
	shelf->room = room;
	shelf->announces = entry->mcp_version[0] != '\0';
	memcpy(shelf->id, entry->id, length + 1);
	list_append(&room->shelves, &shelf->link);
	if (is_wanted(room)) ask_all(room);
}

void mcp_room_tools_left(struct mcp_room *room, struct slice id) {
	struct mcp_room_shelf *shelf = find(room, id);
	if (!shelf) return;
	if (shelf->errand) errand_cancel(shelf->errand, SLICE("it has left"));
	if (shelf->listing && mcp_listing_count(shelf->listing)) note_news(room);
	free_shelf(shelf);
	look(room);
}

void mcp_room_tools_changed(struct mcp_room *room, struct slice id) {
	struct mcp_room_shelf *shelf = find(room, id);
	if (shelf && is_wanted(room)) ask(shelf);
}

void mcp_room_tools_again(struct mcp_room *room) {
	LIST_EACH(link, &room->shelves) {
		struct mcp_room_shelf *shelf = CONTAINER_OF(link, struct mcp_room_shelf, link);
		if (shelf->listing || shelf->errand) ask(shelf);
	}
}

void mcp_room_tools_other(struct mcp_room *room) {
	if (is_wanted(room)) {
		mcp_room_tools_again(room); /* nobody could be asked meanwhile */
		ask_all(room);
	}
	note_news(room);
}

void mcp_room_tools_finish(struct mcp_room *room) {
	LIST_EACH_SAFE(link, &room->shelves) {
		struct mcp_room_shelf *shelf = CONTAINER_OF(link, struct mcp_room_shelf, link);
		if (shelf->errand) errand_cancel(shelf->errand, SLICE("leaving"));
		free_shelf(shelf);
	}
	while (!list_is_empty(&room->listings))
		be_listed(CONTAINER_OF(room->listings.next, struct mcp_room_listing, link));
}

bool mcp_room_tools_await(struct mcp_room *room, struct mcp_room_listing *listing) {
	listing->room = room;
	listing->is_past_grace = false;
	list_init(&listing->link);
	ask_all(room);
	if (!is_pending(listing)) {
		room->was_listed = true;
		return false;
	}
	list_append(&room->listings, &listing->link);
	deadline_set(mcp_room_loop(room), &listing->deadline, MCP_ROOM_GRACE_MS, overdue);
	return true;
}

/* ---- What is on them ---- */

static void write_tool(struct text *to, const char *participant, const struct mcp_tool *tool) {
	const struct scan_value definition = {.text = tool->definition, .type = SCAN_OBJECT};
	char name[MCP_NAME + 1];
	text_add_char(to, ',');
	if (mcp_name_write(name, slice_of(participant), tool->name))
		mcp_name_replace(to, &definition, slice_of(name));
	else
		to->failed = true;
}

void mcp_room_tools_write(struct mcp_room *room, struct slice self, struct text *to) {
	LIST_EACH(link, &room->shelves) {
		const struct mcp_room_shelf *shelf = CONTAINER_OF(link, struct mcp_room_shelf, link);
		if (!shelf->listing || slice_is(self, shelf->id)) continue;
		for (size_t i = 0; i < mcp_listing_count(shelf->listing); i++)
			write_tool(to, shelf->id, mcp_listing_at(shelf->listing, i));
	}
}

static bool find_hashed(const struct mcp_room_shelf *shelf, struct slice name, struct slice *tool) {
	char known[MCP_NAME + 1];
	struct slice plain;
	for (size_t i = 0; shelf->listing && i < mcp_listing_count(shelf->listing); i++) {
		struct slice own = mcp_listing_at(shelf->listing, i)->name;
		if (!mcp_name_write(known, slice_of(shelf->id), own) || !slice_is(name, known)) continue;
		if (mcp_name_is_plain(name, slice_of(shelf->id), &plain)) continue;
		*tool = own;
		return true;
	}
	return false;
}

bool mcp_room_tools_find(struct mcp_room *room, struct slice name, struct slice *participant,
	struct slice *tool) {
	LIST_EACH(link, &room->shelves) {
		const struct mcp_room_shelf *shelf = CONTAINER_OF(link, struct mcp_room_shelf, link);
		if (!mcp_name_may_be_hashed(name, slice_of(shelf->id)) || !find_hashed(shelf, name, tool)) continue;
		*participant = slice_of(shelf->id);
		return true;
	}
	return false;
}

const struct mcp_tool *mcp_room_tools_known(const struct mcp_room *room, struct slice participant,
	struct slice tool) {
	const struct mcp_room_shelf *shelf = find(room, participant);
	return shelf && shelf->listing ? mcp_listing_find(shelf->listing, tool) : NULL;
}
