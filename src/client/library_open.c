/* SPDX-License-Identifier: Apache-2.0 */
/* Library, opening: the loop, closing it, and letting it run. */
#include "client/library.h"

#include <stdlib.h>

struct hustings *hustings_open(const char *name, const char *version,
	struct hustings_error *error) {
	struct fault why;
	struct hustings *hustings = calloc(1, sizeof *hustings);
	if (!hustings) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for a loop");
		return library_error_null(error, &why);
	}
	list_init(&hustings->rooms);
	list_init(&hustings->tools);
	list_init(&hustings->requests);
	hustings->name = slice_copy(slice_of(name ? name : "hustings"));
	if (!hustings->name) fault_set(&why, FAULT_NO_MEMORY, "no memory for a name");
	if (hustings->name) hustings->loop = loop_open(&why);
	if (hustings->loop)
		hustings->server = mcp_server_open(slice_of(hustings->name), slice_of(version ? version : "0"),
			SLICE_NONE, ERA_NEWEST, &why);
	if (hustings->server) return hustings;
	hustings_close(hustings);
	return library_error_null(error, &why);
}

void hustings_close(struct hustings *hustings) {
	if (!hustings) return;
	LIST_EACH_SAFE(link, &hustings->rooms)
		hustings_leave(CONTAINER_OF(link, struct hustings_room, link));
	if (hustings->loop) loop_step(hustings->loop, 0); /* the rooms' memory goes */
	library_tools_finish(hustings);
	fetch_desk_close(hustings->desk);
	mcp_server_close(hustings->server);
	loop_close(hustings->loop);
	free(hustings->name);
	free(hustings);
}

/* ---- Running ---- */

void hustings_run(struct hustings *hustings) { loop_run(hustings->loop); }
void hustings_stop(struct hustings *hustings) { loop_stop(hustings->loop); }
void hustings_step(struct hustings *hustings, int wait) { loop_step(hustings->loop, wait); }
int hustings_descriptor(const struct hustings *hustings) { return loop_descriptor(hustings->loop); }
int hustings_patience(const struct hustings *hustings) { return loop_patience_ms(hustings->loop); }
