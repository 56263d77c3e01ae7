/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pins: the definitions of one server's tools that count, in one era, as DATA/state.db has them. Lies in
 * struct tools. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_PINS_H
#define HUSTINGS_KERNEL_PINS_H

#include "hosted/hosted.h"
#include "store/pin_rows.h"

struct pins;

struct pins *pins_open(struct state *state, struct slice server, enum hosted_era era,
	struct fault *why) MUST_USE;
void pins_close(struct pins *pins); /* NULL is fine */

/* The definition that is pinned, without insignificant white space; bytes NULL: none. Valid until the next
 * pins_put() of that tool. */
struct slice pins_find(const struct pins *pins, struct slice tool);
/* `definition` without insignificant white space; `by` length 0: it is seen first. */
bool pins_put(struct pins *pins, struct slice tool, struct slice definition, struct slice by,
	struct fault *why) MUST_USE;

#endif
