/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Service parts: what a service (client/service.h) and its ears share.
 */
#ifndef HUSTINGS_CLIENT_SERVICE_PARTS_H
#define HUSTINGS_CLIENT_SERVICE_PARTS_H

#include "client/asker.h"
#include "client/caller.h"
#include "client/library.h"

#define SERVICE_SUBSCRIPTIONS 1000 /* of one host */

struct service {
	struct asker asker; /* the first: guest_asker() looks for it */
	struct link link;   /* of the hustings' services */
	struct hustings *hustings;
	uint64_t number; /* of its owner's services, each its own */
	struct peer *peer;
	struct caller caller;      /* a legacy one, since it said initialize */
	struct link subscriptions; /* its, legacy */
};

#endif
