/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Routes: the one table of what HTTP answers: method, path, who may, handler. A request passes, in
 * this order: Host and Origin (as soon as its head is read), route, method, credentials,
 * administration; then its handler.
 */
#ifndef HUSTINGS_GATEWAY_ROUTES_H
#define HUSTINGS_GATEWAY_ROUTES_H

#include "gateway/exchange.h"

enum route_need {
	ROUTE_PUBLIC,    /* no credentials are looked at */
	ROUTE_PRINCIPAL, /* a bearer, or in open mode ?id= */
	ROUTE_ADMIN,     /* an administrator */
	ROUTE_METRICS,   /* open to loopback peers that are no proxies, else an administrator */
	ROUTE_HANDLER,   /* the handler finds out by itself (several ways in) */
};

struct route {
	const char *method;
	const char *path; /* "*" stands for one segment: "/v0/topics/ * /history" without the blanks */
	enum route_need need;
	void (*handle)(struct exchange *exchange);
};

extern const struct route routes[]; /* ends with an empty row */

/* Answers the exchange, now or later. */
void routes_run(struct exchange *exchange);

#endif
