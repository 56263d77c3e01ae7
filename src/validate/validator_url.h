/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator url: the parts of a URL as the most generous of programs would read it: backslashes for
 * slashes, too few or too many of them, several at signs. Pure; what is found are spans of the text.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_URL_H
#define HUSTINGS_VALIDATE_VALIDATOR_URL_H

#include "base/dialect.h"
#include "base/slice.h"

enum url_scheme {
	URL_NONE,    /* no scheme */
	URL_WEB,     /* http, https, ws, wss */
	URL_NETWORK, /* another one with a host in it */
	URL_CLOSED,  /* one that reaches files, sockets or old protocols */
	URL_INERT,   /* one that reaches nothing: data, mailto, s3 */
	URL_UNKNOWN,
};

struct url_parts {
	enum url_scheme scheme;
	struct slice name;      /* of the scheme */
	struct slice authority; /* userinfo, host and port */
	size_t end;             /* where the authority ends in the text */
};

/* The next URL at or behind `from`; false: no more. `is_whole`: the text is one URL and nothing else, so that
 * "http:host" is one too. */
bool validator_url_find(struct slice text, size_t from, bool is_whole, struct url_parts *parts) MUST_USE;

struct url_authority {
	struct slice userinfo; /* NULL: none */
	struct slice host;
	struct slice port; /* NULL: none */
};

void validator_url_split(struct slice authority, struct url_authority *parts);
/* Whether programs refuse to speak HTTP to that port, as other protocols live there; also where it is none. */
bool validator_url_is_bad_port(struct slice port);

#endif
