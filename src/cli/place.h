/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Place: the data folder and the small files in it that people and commands look at.
 *
 *   DATA/admin.token    0600: the administrator's token of the first start
 *   DATA/gateway.json   0600: {"url":..., "pid":...} of the gateway that runs on this folder
 *
 * Which process has the folder is the store's to settle (store/store.h).
 */
#ifndef HUSTINGS_CLI_PLACE_H
#define HUSTINGS_CLI_PLACE_H

#include "base/fault.h"
#include "store/token_rows.h"

#include <sys/types.h>

#define PLACE_PATH 3072
#define PLACE_URL 512

/* The folder as an absolute path: the one that was named, else $HUSTINGS_DATA, else
 * ~/.local/share/hustings. It need not exist. */
bool place_find(const char *named, char path[PLACE_PATH], struct fault *why) MUST_USE;
/* "folder/name". */
bool place_file(const char *folder, const char *name, char path[PLACE_PATH + 256],
	struct fault *why) MUST_USE;
/* Written beside and moved into its place, mode 0600. `lasts`: synced, so that a power cut leaves it. */
bool place_write(const char *path, struct slice text, bool lasts, struct fault *why) MUST_USE;

/* Makes the administrator's token at the first start: when there is neither its file nor an
 * administrator's token that lives. *is_new: it was made now, and `token` holds it. */
bool place_admin_token(const char *folder, struct state *state, bool *is_new, char token[64],
	struct fault *why) MUST_USE;

struct place_gateway {
	char url[PLACE_URL];
	pid_t pid;
};
bool place_announce(const char *folder, const char *url, struct fault *why) MUST_USE;
void place_withdraw(const char *folder);
/* The gateway that runs on this folder. FAULT_NOT_FOUND: none does. */
bool place_gateway(const char *folder, struct place_gateway *gateway, struct fault *why) MUST_USE;

#endif
