/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote post: one message on its way to a remote server, and what is answered to it: JSON, or a
 * stream of events. They lie in the remote's list, and go with it or by themselves.
 */
#ifndef HUSTINGS_CLIENT_REMOTE_POST_H
#define HUSTINGS_CLIENT_REMOTE_POST_H

#include "client/remote.h"

/* `sent`, PEER_TAG octets, takes the id of a request. */
bool remote_post_send(struct remote *remote, struct slice message, char *sent,
	struct fault *why) MUST_USE;
void remote_posts_close(struct remote *remote);

#endif
