/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Library server parts: what stands behind `struct hustings_server`; for client/library*.c alone.
 */
#ifndef HUSTINGS_CLIENT_LIBRARY_SERVER_PARTS_H
#define HUSTINGS_CLIENT_LIBRARY_SERVER_PARTS_H

#include "client/conversation.h"
#include "client/library.h"
#include "client/listening.h"

struct hustings_server {
	struct link link; /* of the hustings' servers */
	struct hustings *hustings;
	const struct hustings_server_events *events;
	void *context;
	struct conversation *conversation;
	struct listening listening;
	struct link calls;  /* struct hustings_call */
	struct arena words; /* of the options */
	bool is_left;       /* nothing is told any more */
	struct task closing;
};

#endif
