/* SPDX-License-Identifier: Apache-2.0 */
/* Glob: the last octet is looked at, the others are compared. */
#include "base/glob.h"

bool glob_is_open(struct slice glob) { return glob.length && glob.bytes[glob.length - 1] == '*'; }

struct slice glob_beginning(struct slice glob) {
	return slice_make(glob.bytes, glob.length - glob_is_open(glob));
}

bool glob_fits(struct slice glob, struct slice name) {
	struct slice beginning = glob_beginning(glob);
	if (!glob_is_open(glob)) return slice_equal(glob, name);
	return name.length >= beginning.length && slice_equal(beginning, slice_make(name.bytes, beginning.length));
}
