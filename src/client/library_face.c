/* SPDX-License-Identifier: Apache-2.0 */
/* Library face: what participants of a room ask of us besides tools. */
#include "client/library_face.h"

#include "client/authorization_room.h"
#include "client/caller.h"
#include "mcp/mcp_server.h"
#include "mcp/mgp.h"

/* Whether it knows ADR-001: among its capabilities, or in the _meta of a call. */
static bool declares(const struct scan_value *params, const char *where) {
	struct scan_value value;
	return scan_path(params, &value, where, "extensions", MGP_AUTHORIZATION, NULL) ||
		scan_path(params, &value, where, MGP_AUTHORIZATION, NULL);
}

/* What it can be asked back; whoever says initialize again replaces it. */
static void introduce(struct guest_note *note, const struct scan_value *params) {
	struct caller caller;
	caller_introduce(&caller, params);
	note->abilities = caller.abilities | (declares(params, "capabilities") ? LIBRARY_DECLARES : 0);
}

bool library_face_asked(void *context, struct slice from, struct peer_question *question,
	const struct jsonrpc *request) {
	struct hustings_room *room = context;
	struct guest *guest = NULL;
	struct flow_caller caller = {.guest = room->guest};
	(void)from;
	guest_asker(question, &guest, &caller.id);
	if (!caller.id) return false;
	room->hustings->declares = declares(&request->params, "_meta") ||
		(guest_asker_note(question)->abilities & LIBRARY_DECLARES);
	if (slice_is(request->method, "tools/call")) return false;
	if (authorization_room_asked(room, slice_of(caller.id), question, request)) return true;
	if (slice_is(request->method, "initialize")) introduce(guest_asker_note(question), &request->params);
	if (slice_is(request->method, "initialize") && room->hustings->flows) {
		mcp_server_introduce(room->hustings->server, question, request, SLICE(LIBRARY_FACE_CAPABILITIES));
		return true;
	}
	return flow_tool_methods_asked(room->hustings, &caller, question, request);
}
