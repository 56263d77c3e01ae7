/* SPDX-License-Identifier: Apache-2.0 */
/* Library: errors, strings, people: what all of it is told in. Opening is library_open.c. */
#include "client/library.h"

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

bool library_desk(struct hustings *hustings, struct fault *why) {
	if (!hustings->desk) hustings->desk = fetch_desk_open(hustings->loop, why);
	return hustings->desk != NULL;
}

void library_write_info(const struct hustings *hustings, struct text *to) {
	text_add_cstr(to, "{\"name\":");
	text_json(to, slice_of(hustings->name));
	text_add_cstr(to, ",\"version\":");
	text_json(to, slice_of(hustings->version));
	text_add_char(to, '}');
}

const char *library_string(struct arena *arena, struct slice slice, bool *failed) {
	struct slice copy;
	if (!slice.bytes) return NULL;
	if (arena_copy(arena, slice, &copy)) return copy.bytes;
	*failed = true;
	return NULL;
}

struct hustings_participant library_participant(const struct roster_entry *entry) {
	return (struct hustings_participant){
		.id = entry->id,
		.name = entry->name,
		.mcp_version = entry->mcp_version,
		.privilege = entry->privilege,
		.kind = (enum hustings_kind)entry->kind,
	};
}
