/* SPDX-License-Identifier: Apache-2.0 */
/* Arrears: made by the first that needs them, freed by the last. */
#include "room/arrears.h"

#include <stdlib.h>

struct arrears *arrears_of(struct seat *seat) {
	if (seat->arrears) return seat->arrears;
	struct arrears *arrears = calloc(1, sizeof *arrears);
	if (!arrears) return NULL;
	list_init(&arrears->echoes);
	seat->arrears = arrears;
	return arrears;
}

void arrears_settle(struct seat *seat) {
	const struct arrears *arrears = seat->arrears;
	if (!arrears || arrears->catching || arrears->skips || arrears->past ||
		!list_is_empty(&arrears->echoes))
		return;
	free(seat->arrears);
	seat->arrears = NULL;
}
