/* SPDX-License-Identifier: Apache-2.0 */
/* Audit export: `hustings audit export`: the trail as a file, the oldest record first. */
#ifndef HUSTINGS_CLI_AUDIT_EXPORT_H
#define HUSTINGS_CLI_AUDIT_EXPORT_H

int audit_export(int argc, char **argv);

#endif
