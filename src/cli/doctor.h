/* SPDX-License-Identifier: Apache-2.0 */
/* Doctor: `hustings doctor`, what this machine has and what is in the way. */
#ifndef HUSTINGS_CLI_DOCTOR_H
#define HUSTINGS_CLI_DOCTOR_H

int doctor_command(int argc, char **argv);

#endif
