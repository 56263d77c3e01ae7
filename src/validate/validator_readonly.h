/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator readonly: whether a call only reads (MGP 4.5, decision 64). SQL is judged by the kind of its
 * statements; `operation`, `mode`, `method` and their like by their verb; command lines by their program.
 * Where none of these says that the call reads, the tool's readOnlyHint has to. Pure.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_READONLY_H
#define HUSTINGS_VALIDATE_VALIDATOR_READONLY_H

#include "validate/validator_report.h"

void validator_readonly_judge(struct slice arguments, bool says_read_only, struct validator_report *report);

#endif
