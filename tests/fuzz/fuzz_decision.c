/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: the record of a decision, as the store keeps it. What is read can be written, and reads
 * as the very same again. */
#include "decide/decision_record.h"

#include "wire/scan.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void check(const struct decision *decision) {
	AUTO_TEXT struct text first = {0}, second = {0};
	struct scan_value root;
	struct scan_fault fault;
	text_init(&first, 0);
	text_init(&second, 0);
	require(decision->requester.length > 0 && decision->requester.length <= DECISION_NAME);
	require(decision->arguments.length <= DECISION_ARGUMENTS && decision->answer.length <= DECISION_ANSWER);
	require(!decision_names(decision, SLICE("")));
	require(!decision_grants(decision, SLICE("nothing of the kind")));
	decision_write(decision, &first);
	if (!scan_check(text_slice(&first), SCAN_DEPTH + 1, &root, &fault)) {
		require(false);
		return;
	}
	AUTO(decision) again = decision_read(text_slice(&first), NULL);
	require(again != NULL);
	decision_write(again, &second);
	require(slice_equal(text_slice(&first), text_slice(&second)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct fault why = {.code = FAULT_NONE};
	AUTO(decision) decision = decision_read(slice_make(data, size), &why);
	if (decision) check(decision);
	else require(why.code == FAULT_BAD_INPUT && why.text[0]);
	return 0;
}
