/* SPDX-License-Identifier: Apache-2.0 */
/* Library fetch: what is asked of the gateway itself: history, proposals. */
#include "client/gateway_fetch.h"
#include "client/library.h"

#include <stdlib.h>

struct hustings_fetch {
	struct link link; /* in its room */
	struct gateway_fetch *fetch;
	hustings_fetched *fetched;
	void *context;
};

static void fetch_free_one(struct hustings_fetch *fetch) {
	list_remove(&fetch->link);
	free(fetch);
}

void hustings_fetch_cancel(struct hustings_fetch *fetch) {
	if (!fetch) return;
	gateway_fetch_close(fetch->fetch);
	fetch_free_one(fetch);
}

void library_fetches_end(struct hustings_room *room) {
	LIST_EACH_SAFE(link, &room->fetches)
		hustings_fetch_cancel(CONTAINER_OF(link, struct hustings_fetch, link));
}

static void fetched(void *context, struct slice body, const struct fault *why) {
	struct hustings_fetch *held = context, fetch = *held;
	struct hustings_error error;
	fetch_free_one(held);
	if (why) (void)library_error(&error, why);
	fetch.fetched(fetch.context, library_json(body), why ? &error : NULL);
}

static struct hustings_fetch *start(struct hustings_room *room, struct text *path,
	struct text *body, hustings_fetched *tell, void *context, struct hustings_error *error) {
	struct fault why;
	struct hustings_fetch *fetch = calloc(1, sizeof *fetch);
	if (!fetch || text_failed(path) || text_failed(body)) {
		free(fetch);
		fault_set(&why, FAULT_NO_MEMORY, "no memory for a request");
		return library_error_null(error, &why);
	}
	fetch->fetched = tell;
	fetch->context = context;
	list_append(&room->fetches, &fetch->link);
	if (library_desk(room->hustings, &why))
		fetch->fetch = gateway_fetch_open(room->guest, room->hustings->desk, text_slice(path),
			text_slice(body), fetched, fetch, &why);
	if (fetch->fetch) return fetch;
	fetch_free_one(fetch);
	return library_error_null(error, &why);
}

/* ---- Large rooms ---- */

/* Who could not be asked for is met when it speaks or is called. */
static void roster_came(void *context, struct hustings_json json,
	const struct hustings_error *error) {
	const struct hustings_room *room = context;
	if (!error) guest_meet(room->guest, library_slice(json));
}

void library_ask_roster(void *context) {
	struct hustings_room *room = context;
	AUTO_TEXT struct text path = {0}, body = {0};
	text_init(&path, 0);
	text_init(&body, 0);
	text_add_cstr(&path, "/participants");
	(void)start(room, &path, &body, roster_came, room, NULL);
}

/* ---- History and proposals ---- */

struct hustings_fetch *hustings_history(struct hustings_room *room, unsigned limit,
	const char *before, hustings_fetched *tell, void *context, struct hustings_error *error) {
	AUTO_TEXT struct text path = {0}, body = {0};
	text_init(&path, 0);
	text_init(&body, 0);
	gateway_fetch_write_history(&path, limit, slice_of(before));
	return start(room, &path, &body, tell, context, error);
}

struct hustings_fetch *hustings_proposals(struct hustings_room *room, hustings_fetched *tell,
	void *context, struct hustings_error *error) {
	AUTO_TEXT struct text path = {0}, body = {0};
	text_init(&path, 0);
	text_init(&body, 0);
	text_add_cstr(&path, "/proposals");
	return start(room, &path, &body, tell, context, error);
}

static struct hustings_fetch *settle(struct hustings_room *room, const char *proposal,
	const char *verb, const char *reason, hustings_fetched *tell, void *context,
	struct hustings_error *error) {
	AUTO_TEXT struct text path = {0}, body = {0};
	text_init(&path, 0);
	text_init(&body, 0);
	gateway_fetch_write_proposal(&path, slice_of(proposal), verb);
	text_add_char(&body, '{');
	if (reason) {
		text_add_cstr(&body, "\"reason\":");
		text_json(&body, slice_of(reason));
	}
	text_add_char(&body, '}');
	return start(room, &path, &body, tell, context, error);
}

struct hustings_fetch *hustings_withdraw(struct hustings_room *room, const char *proposal,
	const char *reason, hustings_fetched *tell, void *context, struct hustings_error *error) {
	return settle(room, proposal, "withdraw", reason, tell, context, error);
}

struct hustings_fetch *hustings_reject(struct hustings_room *room, const char *proposal,
	const char *reason, hustings_fetched *tell, void *context, struct hustings_error *error) {
	return settle(room, proposal, "reject", reason, tell, context, error);
}

bool hustings_propose(struct hustings_room *room, const char *participant, const char *tool,
	const char *arguments, const char *reason, char *id, struct hustings_error *error) {
	struct fault why;
	AUTO_TEXT struct text params;
	text_init(&params, 0);
	text_add_cstr(&params, "{\"name\":");
	text_json(&params, slice_of(tool));
	if (arguments) {
		text_add_cstr(&params, ",\"arguments\":");
		text_add_cstr(&params, arguments);
	}
	text_add_char(&params, '}');
	if (text_failed(&params)) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for a proposal");
		return library_error(error, &why);
	}
	return guest_propose(room->guest, slice_of(participant), SLICE("tools/call"), text_slice(&params),
		       slice_of(reason), id, &why) ||
		library_error(error, &why);
}
