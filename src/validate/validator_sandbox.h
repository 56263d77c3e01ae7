/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator sandbox: arguments of a tool that runs commands (MGP 4.5, decision 64). Every string and key:
 * no shell metacharacters; no closed places (validator_path.h); no dangerous commands
 * (validator_command.h), also where program and arguments stand in members of their own. Pure.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_SANDBOX_H
#define HUSTINGS_VALIDATE_VALIDATOR_SANDBOX_H

#include "validate/validator_report.h"

void validator_sandbox_judge(struct slice arguments, struct validator_report *report);

#endif
