/* SPDX-License-Identifier: Apache-2.0 */
/* Audit list: `hustings audit [--follow]`: records as a table, lines or JSON. */
#ifndef HUSTINGS_CLI_AUDIT_LIST_H
#define HUSTINGS_CLI_AUDIT_LIST_H

int audit_list(int argc, char **argv);

#endif
