/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Service ears: who wants to hear that something of ours has changed, and telling them. A legacy host
 * hears of lists since it said initialize, and of resources it subscribed to; a modern one of what
 * its subscriptions/listen names, as long as that request is open.
 */
#ifndef HUSTINGS_CLIENT_SERVICE_EARS_H
#define HUSTINGS_CLIENT_SERVICE_EARS_H

#include "client/service_parts.h"

#define SERVICE_LISTENERS 1000 /* requests that are open */

void service_ears_listen(struct hustings *hustings, struct peer_question *question,
	const struct jsonrpc *request); /* takes the question */
/* True: the question was a listener's, and is over. */
bool service_ears_cancelled(struct hustings *hustings, struct peer_question *question);
bool service_ears_subscribe(struct service *service, struct slice uri) MUST_USE;
void service_ears_unsubscribe(struct service *service, struct slice uri);
void service_ears_forget(struct service *service);          /* its subscriptions */
size_t service_ears_count(const struct hustings *hustings); /* listeners */

void service_ears_tell_changed(struct hustings *hustings, enum hustings_list list);
void service_ears_tell_updated(struct hustings *hustings, struct slice uri);

#endif
