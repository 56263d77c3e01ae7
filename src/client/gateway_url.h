/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gateway_url: where a gateway is, read from what people paste: http, https, ws or wss, with or
 * without /v0/ws behind it. A plain value, any thread.
 */
#ifndef HUSTINGS_CLIENT_GATEWAY_URL_H
#define HUSTINGS_CLIENT_GATEWAY_URL_H

#include "base/text.h"

#define GATEWAY_URL_HOST 256
#define GATEWAY_URL_PATH 512

struct gateway_url {
	bool is_secure;
	unsigned port;
	char host[GATEWAY_URL_HOST];          /* a name or an address, IPv6 without brackets */
	char authority[GATEWAY_URL_HOST + 8]; /* as Host wants it */
	char path[GATEWAY_URL_PATH];          /* before /v0/...; no slash at its end, often empty */
};

/* FAULT_BAD_INPUT: no URL of a gateway; user names, queries and fragments are refused. */
bool gateway_url_read(struct slice text, struct gateway_url *url, struct fault *why) MUST_USE;
/* "https://host:port/path", for REST. */
void gateway_url_write(const struct gateway_url *url, struct text *to);

#endif
