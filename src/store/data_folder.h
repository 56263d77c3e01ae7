/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data folder: making it, naming what lies in it, and the lock that one process holds on it.
 */
#ifndef HUSTINGS_STORE_DATA_FOLDER_H
#define HUSTINGS_STORE_DATA_FOLDER_H

#include "base/fault.h"

/* Makes the folder and those above it, 0700 each; one that is there stays as it is. */
bool data_folder_make(const char *directory, struct fault *why) MUST_USE;
/* "directory/name", free it; NULL: no memory. */
char *data_folder_path(const char *directory, const char *name, struct fault *why) MUST_USE;
/* Takes DATA/lock, or FAULT_EXISTS with the holder's process id: the descriptor, held until it is
 * closed. -1: no. */
int data_folder_lock(const char *directory, struct fault *why) MUST_USE;

#endif
