/* SPDX-License-Identifier: Apache-2.0 */
/* Library told: what an MCP server says without having been asked; for library_server.c alone. */
#ifndef HUSTINGS_CLIENT_LIBRARY_TOLD_H
#define HUSTINGS_CLIENT_LIBRARY_TOLD_H

#include "wire/scan.h"

void library_told(void *context, struct slice method, const struct scan_value *params);

#endif
