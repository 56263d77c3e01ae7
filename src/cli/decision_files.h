/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decision files: decisions in the data folder of a gateway that does not run. An answer given there is
 * good as it is when the gateway runs again. The folder is held while this is open, so no gateway
 * starts on it meanwhile. Who answers is the local administrator.
 */
#ifndef HUSTINGS_CLI_DECISION_FILES_H
#define HUSTINGS_CLI_DECISION_FILES_H

#include "base/text.h"

/* As GET /admin/decisions?state=STATE answers; state NULL: all. */
bool decision_files_list(const char *data, const char *state, struct text *json, struct fault *why) MUST_USE;
/* As GET /admin/decisions/{id}. */
bool decision_files_show(const char *data, const char *id, struct text *json, struct fault *why) MUST_USE;
/* As POST /admin/decisions/{id} with that body; audited. */
bool decision_files_answer(const char *data, const char *id, struct slice body, struct text *json,
	struct fault *why) MUST_USE;

#endif
