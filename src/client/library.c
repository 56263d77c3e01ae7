/* SPDX-License-Identifier: Apache-2.0 */
/* Library: the loop, errors. */
#include "client/library.h"

#include <stdlib.h>

static const enum hustings_status statuses[FAULT_CODES] = {
	[FAULT_NONE] = HUSTINGS_FINE,
	[FAULT_NO_MEMORY] = HUSTINGS_NO_MEMORY,
	[FAULT_BAD_INPUT] = HUSTINGS_BAD_INPUT,
	[FAULT_TOO_LARGE] = HUSTINGS_TOO_LARGE,
	[FAULT_NOT_FOUND] = HUSTINGS_NOT_FOUND,
	[FAULT_EXISTS] = HUSTINGS_EXISTS,
	[FAULT_NOT_READY] = HUSTINGS_NOT_READY,
	[FAULT_REFUSED] = HUSTINGS_REFUSED,
	[FAULT_TIMEOUT] = HUSTINGS_TIMEOUT,
	[FAULT_CLOSED] = HUSTINGS_CLOSED,
	[FAULT_FULL] = HUSTINGS_FULL,
	[FAULT_IO] = HUSTINGS_IO,
	[FAULT_UNSUPPORTED] = HUSTINGS_UNSUPPORTED,
};

static const char *const words[] = {
	[HUSTINGS_FINE] = "fine",
	[HUSTINGS_NO_MEMORY] = "no_memory",
	[HUSTINGS_BAD_INPUT] = "bad_input",
	[HUSTINGS_TOO_LARGE] = "too_large",
	[HUSTINGS_NOT_FOUND] = "not_found",
	[HUSTINGS_EXISTS] = "exists",
	[HUSTINGS_NOT_READY] = "not_ready",
	[HUSTINGS_REFUSED] = "refused",
	[HUSTINGS_TIMEOUT] = "timeout",
	[HUSTINGS_CLOSED] = "closed",
	[HUSTINGS_FULL] = "full",
	[HUSTINGS_IO] = "io",
	[HUSTINGS_UNSUPPORTED] = "unsupported",
};

const char *hustings_status_word(enum hustings_status status) {
	return (size_t)status < COUNT_OF(words) ? words[status] : "unknown";
}

const char *hustings_version(void) { return HUSTINGS_VERSION; }

bool library_error(struct hustings_error *error, const struct fault *why) {
	if (!error) return false;
	_Static_assert(sizeof error->text == sizeof why->text, "one sentence fits the other");
	error->status = statuses[why->code];
	memcpy(error->text, why->text, sizeof error->text);
	return false;
}

void *library_error_null(struct hustings_error *error, const struct fault *why) {
	(void)library_error(error, why);
	return NULL;
}

const char *library_string(struct arena *arena, struct slice slice, bool *failed) {
	struct slice copy;
	if (!slice.bytes) return NULL;
	if (arena_copy(arena, slice, &copy)) return copy.bytes;
	*failed = true;
	return NULL;
}

/* ---- Opening and closing ---- */

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
