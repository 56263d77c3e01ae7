/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator network: where a call could reach out to (MGP 4.5, decision 64). URLs are looked for in every
 * string, also inside other URLs; under keys that hold hosts (url, host, endpoint, proxy, ...) bare hosts and
 * addresses are too. Addresses are judged at once; names are collected, to be resolved. Pure.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_NETWORK_H
#define HUSTINGS_VALIDATE_VALIDATOR_NETWORK_H

#include "validate/validator_host.h"
#include "validate/validator_report.h"

#define VALIDATOR_HOSTS 16 /* names in one call */

struct validator_hosts {
	char names[VALIDATOR_HOSTS][VALIDATOR_HOST_NAME]; /* each once */
	size_t count;
};

/* hosts->count is set. More names than there is room for are a violation. */
void validator_network_judge(
	struct slice arguments, struct validator_hosts *hosts, struct validator_report *report);

#endif
