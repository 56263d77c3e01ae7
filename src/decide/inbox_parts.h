/* SPDX-License-Identifier: Apache-2.0 */
/* Inbox parts: what the files inbox*.c share. */
#ifndef HUSTINGS_DECIDE_INBOX_PARTS_H
#define HUSTINGS_DECIDE_INBOX_PARTS_H

#include "base/log.h"
#include "base/map.h"
#include "decide/inbox_settings.h"
#include "decide/policy_hook.h"
#include "decide/webhook.h"
#include "net/loop.h"
#include "store/spool.h"
#include "store/state.h"

struct inbox {
	struct state *state;
	struct loop *loop;
	struct spool *spool;
	struct log *log;
	struct inbox_settings settings; /* with the defaults filled in */
	struct link book;               /* all decisions, in the order of their opening */
	struct map by_id;
	size_t count, open, pending; /* decisions, those that may still change, those without an answer */
	size_t octets;
	uint64_t version;
	struct link told; /* askers whose decision is made */
	struct task tell;
	bool is_resting;                /* the gateway ends */
	const struct decision *telling; /* an asker reads it: it is not forgotten */
	struct deadline look;           /* at what is over */
	struct link listeners;
	struct fetch_desk *desk;  /* NULL: nobody needed it yet */
	struct webhook *webhook;  /* NULL: none */
	struct policy_hook *hook; /* the same */
};

#endif
