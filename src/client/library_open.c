/* SPDX-License-Identifier: Apache-2.0 */
/* Library, opening: the loop, closing it, and letting it run. */
#include "client/asking.h"
#include "client/authorization_book.h"
#include "client/flow_desk.h"
#include "client/library_request.h"
#include "client/library_server_parts.h"
#include "client/offerings.h"
#include "client/web_face.h"

#include <stdlib.h>

#define PARTING_MS 5000

struct hustings *hustings_open(const char *name, const char *version,
	struct hustings_error *error) {
	struct fault why;
	struct hustings *hustings = calloc(1, sizeof *hustings);
	if (!hustings) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for a loop");
		return library_error_null(error, &why);
	}
	list_init(&hustings->rooms);
	list_init(&hustings->servers);
	list_init(&hustings->tools);
	list_init(&hustings->requests);
	list_init(&hustings->services);
	list_init(&hustings->listeners);
	hustings->name = slice_copy(slice_of(name ? name : "hustings"));
	hustings->version = slice_copy(slice_of(version ? version : "0"));
	bool is_named = hustings->name && hustings->version;
	if (!is_named) fault_set(&why, FAULT_NO_MEMORY, "no memory for a name");
	if (is_named) hustings->loop = loop_open(&why);
	if (hustings->loop)
		hustings->server = mcp_server_open(slice_of(hustings->name), slice_of(hustings->version),
			SLICE_NONE, ERA_NEWEST, &why);
	if (hustings->server) hustings->offerings = offerings_open(&why);
	if (hustings->offerings) return hustings;
	hustings_close(hustings);
	return library_error_null(error, &why);
}

/* Servers hear that we leave: sessions are deleted, processes end by themselves. */
static void part(struct hustings *hustings) {
	uint64_t ends_at = clock_monotonic_ms() + PARTING_MS;
	loop_step(hustings->loop, 0); /* the memory of rooms and servers goes */
	while (hustings->carriers && clock_monotonic_ms() < ends_at)
		loop_step(hustings->loop, 20);
}

void hustings_close(struct hustings *hustings) {
	if (!hustings) return;
	LIST_EACH_SAFE(link, &hustings->rooms)
		hustings_leave(CONTAINER_OF(link, struct hustings_room, link));
	LIST_EACH_SAFE(at, &hustings->servers)
		hustings_disconnect(CONTAINER_OF(at, struct hustings_server, link));
	asking_finish(hustings);
	authorization_book_finish(hustings);
	web_face_close(TAKE(hustings->web));
	if (hustings->loop) part(hustings);
	library_requests_finish(hustings);
	library_tools_finish(hustings);
	flow_desk_close(hustings->flows);
	authorization_book_close(hustings->authorizations);
	offerings_close(hustings->offerings);
	fetch_desk_close(hustings->desk);
	mcp_server_close(hustings->server);
	loop_close(hustings->loop);
	free(hustings->name);
	free(hustings->version);
	free(hustings);
}

/* ---- Running ---- */

void hustings_run(struct hustings *hustings) { loop_run(hustings->loop); }
void hustings_stop(struct hustings *hustings) { loop_stop(hustings->loop); }
void hustings_step(struct hustings *hustings, int wait) { loop_step(hustings->loop, wait); }
int hustings_descriptor(const struct hustings *hustings) { return loop_descriptor(hustings->loop); }
int hustings_patience(const struct hustings *hustings) { return loop_patience_ms(hustings->loop); }
