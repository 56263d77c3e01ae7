/* SPDX-License-Identifier: Apache-2.0 */
/* Dialect: what the cleanup attributes call. */
#include "base/dialect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void dialect_free(void *held) {
	void *memory;
	memcpy(&memory, held, sizeof(memory)); /* `held` is a pointer to a pointer of any type */
	free(memory);
}

void dialect_close(const int *held) {
	if (*held >= 0) close(*held);
}
