/* SPDX-License-Identifier: Apache-2.0 */
/* Audit stats: `hustings audit stats`: how much of what there was. */
#ifndef HUSTINGS_CLI_AUDIT_STATS_H
#define HUSTINGS_CLI_AUDIT_STATS_H

int audit_stats(int argc, char **argv);

#endif
