/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Beside: a guest for the length of one command: it uses the identity without replacing whoever
 * uses it already (query beside=1), answers nobody, and is gone when its owner is done.
 *
 * A plain struct in its owner's, which stays where it is; beside_close() after beside_open(), also
 * when that failed. The owner's callbacks end it by beside_done().
 */
#ifndef HUSTINGS_CLI_BESIDE_H
#define HUSTINGS_CLI_BESIDE_H

#include "cli/entrance.h"
#include "client/errand.h"
#include "client/guest.h"

struct beside {
	struct entrance entrance;
	struct guest *guest;
	void (*ready)(void *context); /* once: we are in the room, and know who else is */
	void *context;
	struct task arrived;
	bool is_over;
	struct fault why; /* of a failure */
};

/* Into a topic that exists: none is opened by it. */
bool beside_open(struct beside *beside, const struct command_line *line, const char *topic,
	void (*ready)(void *context), void *context, struct fault *why) MUST_USE;
/* The same, and says these capabilities to whom it asks: static JSON text of an object. */
bool beside_open_with(struct beside *beside, const struct command_line *line, const char *topic,
	struct slice capabilities, void (*ready)(void *context), void *context, struct fault *why) MUST_USE;
/* Until beside_done(), the end of the membership, or a signal, which is a failure too. */
bool beside_run(struct beside *beside, struct fault *why) MUST_USE;
/* Adds to "ID is not in the room" where to see who is. False: it is something else. */
bool beside_explain(const char *topic, struct fault *why);
void beside_done(struct beside *beside, const struct fault *why); /* why NULL: it went well */
/* What was said last still goes out, for a moment; then it leaves. */
void beside_close(struct beside *beside);

#endif
