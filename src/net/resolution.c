/* SPDX-License-Identifier: Apache-2.0 */
/* Resolution: one request to libuv's threads, and a deadline. */
#include "net/resolution.h"
#include "net/loop_parts.h"

#include <netdb.h>
#include <stdlib.h>

enum resolution_state {
	RESOLUTION_ASKING,
	RESOLUTION_TOLD,
	RESOLUTION_CLOSED, /* waits for libuv */
};

struct resolution {
	uv_getaddrinfo_t request;
	struct deadline deadline;
	resolution_done *done;
	void *context;
	enum resolution_state state;
	bool is_held; /* libuv has the request */
	char name[];
};

static void resolution_tell(
	struct resolution *resolution, const struct addrinfo *found, const struct fault *why) {
	resolution->state = RESOLUTION_TOLD;
	deadline_clear(&resolution->deadline);
	resolution->done(resolution->context, found, why);
}

static void resolution_answered(uv_getaddrinfo_t *request, int status, struct addrinfo *found) {
	struct resolution *resolution = CONTAINER_OF(request, struct resolution, request);
	struct fault why = {.code = FAULT_NONE};
	resolution->is_held = false;
	if (resolution->state == RESOLUTION_CLOSED) {
		uv_freeaddrinfo(found);
		free(resolution);
		return;
	}
	if (resolution->state == RESOLUTION_ASKING) {
		if (status || !found)
			fault_set(&why, FAULT_NOT_FOUND, "%s cannot be resolved: %s", resolution->name,
				status ? uv_strerror(status) : "no address");
		/* `done` may close, which frees: the answer is not the resolution's any more. */
		resolution_tell(resolution, status ? NULL : found, status || !found ? &why : NULL);
	}
	uv_freeaddrinfo(found);
}

static void resolution_late(struct deadline *deadline) {
	struct resolution *resolution = CONTAINER_OF(deadline, struct resolution, deadline);
	struct fault why;
	fault_set(&why, FAULT_TIMEOUT, "%s was not resolved in time", resolution->name);
	uv_cancel((uv_req_t *)&resolution->request);
	resolution_tell(resolution, NULL, &why);
}

struct resolution *resolution_open(struct loop *loop, const char *name, uint64_t deadline_ms,
	resolution_done *done, void *context, struct fault *why) {
	size_t length = strlen(name);
	if (!length || length > RESOLUTION_NAME)
		return fault_null(
			why, FAULT_BAD_INPUT, "a name to resolve has 1 to %d octets", RESOLUTION_NAME);
	struct resolution *resolution = calloc(1, sizeof *resolution + length + 1);
	if (!resolution) return fault_null(why, FAULT_NO_MEMORY, "no memory to resolve a name");
	memcpy(resolution->name, name, length);
	resolution->done = done;
	resolution->context = context;
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	int error = uv_getaddrinfo(
		&loop->uv, &resolution->request, resolution_answered, resolution->name, NULL, &hints);
	if (error) {
		fault_errno(why, -error, "%s cannot be resolved", name);
		free(resolution);
		return NULL;
	}
	resolution->is_held = true;
	deadline_set(loop, &resolution->deadline, deadline_ms, resolution_late);
	return resolution;
}

void resolution_close(struct resolution *resolution) {
	if (!resolution || resolution->state == RESOLUTION_CLOSED) return;
	resolution->state = RESOLUTION_CLOSED;
	deadline_clear(&resolution->deadline);
	if (resolution->is_held) uv_cancel((uv_req_t *)&resolution->request);
	else free(resolution);
}
