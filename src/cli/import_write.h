/* SPDX-License-Identifier: Apache-2.0 */
/* Import write: imported servers as [[servers]] of a configuration, and as JSON. */
#ifndef HUSTINGS_CLI_IMPORT_WRITE_H
#define HUSTINGS_CLI_IMPORT_WRITE_H

#include "cli/import_servers.h"

void import_write_toml(struct text *to, const struct import_servers *servers);
/* {"servers":[...],"variables":[{"name","what"}],"notes":[{"server","note"}]}; no value of a secret,
 * unless it is inline. */
void import_write_json(struct text *to, const struct import_servers *servers);

#endif
