/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Glob: a name, or the beginning of names and a * as its last octet, which stands for any octets, none among them.
 * A * anywhere else is an octet like any other, so one comparison decides and no glob takes long. Any octets, any
 * thread; nothing is kept.
 */
#ifndef HUSTINGS_BASE_GLOB_H
#define HUSTINGS_BASE_GLOB_H

#include "base/slice.h"

bool glob_is_open(struct slice glob); /* it ends in * */
/* Without that *; a name is its own. */
struct slice glob_beginning(struct slice glob);
bool glob_fits(struct slice glob, struct slice name);

#endif
