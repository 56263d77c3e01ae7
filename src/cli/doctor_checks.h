/* SPDX-License-Identifier: Apache-2.0 */
/* Doctor checks: each looks at one thing and says ok, warning or problem, with the next step. */
#ifndef HUSTINGS_CLI_DOCTOR_CHECKS_H
#define HUSTINGS_CLI_DOCTOR_CHECKS_H

#include "cli/command.h"
#include "cli/config.h"
#include "cli/place.h"

enum doctor_verdict {
	DOCTOR_OK,
	DOCTOR_WARNING,
	DOCTOR_PROBLEM
};

struct doctor_finding {
	enum doctor_verdict verdict;
	char text[512]; /* a sentence; where it is not ok, with the next step */
};

struct doctor {
	const struct command_line *line;
	const struct config *config; /* NULL: it cannot be read */
	struct fault config_fault;
	char data[PLACE_PATH];
	bool has_gateway; /* one runs on the data folder */
	struct place_gateway gateway;
	struct fault gateway_fault;
};

typedef void doctor_check(const struct doctor *doctor, struct doctor_finding *finding);

struct doctor_row {
	const char *name;
	doctor_check *look;
};
extern const struct doctor_row doctor_rows[]; /* ends with an empty row */

#endif
