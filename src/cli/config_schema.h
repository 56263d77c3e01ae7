/* SPDX-License-Identifier: Apache-2.0 */
/* Config schema: the table of keys, printed. */
#ifndef HUSTINGS_CLI_CONFIG_SCHEMA_H
#define HUSTINGS_CLI_CONFIG_SCHEMA_H

#include "base/text.h"

void config_schema_write(struct text *to);
/* {"keys":[{"key":...,"type":...,"default":...,"variable":...,...}]} */
void config_schema_write_json(struct text *to);

#endif
