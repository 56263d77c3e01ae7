/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts idle: a gateway that was started for somebody ends when nobody has used it for a while: when
 * no connection has been open, and none has come and gone. Loop 0. Owned: parts_idle_open(),
 * parts_idle_close() before the parts are closed.
 */
#ifndef HUSTINGS_CLI_PARTS_IDLE_H
#define HUSTINGS_CLI_PARTS_IDLE_H

#include "cli/parts.h"

struct parts_idle;

struct parts_idle *parts_idle_open(struct parts *parts, uint64_t after_ms, struct log *log,
	struct fault *why) MUST_USE;
void parts_idle_close(struct parts_idle *idle); /* NULL is fine */

#endif
