/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_ask: one request of an MGP method to the kernel ("mgp/access/query"), while it is answered. Lies in
 * its asker's, which fills in the first part and keeps it until answered() or mgp_ask_cancel(). What the
 * asker lent is borrowed until mgp_method_ask() (kernel/mgp_method.h) returns. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_MGP_ASK_H
#define HUSTINGS_KERNEL_MGP_ASK_H

#include "kernel/call_run.h"

struct mgp_client; /* mgp_client.h */
struct registry;

struct mgp_ask {
	const struct kernel_means *means;
	struct call_asker asker;
	struct mgp_client *client; /* lives as long as the ask at least; NULL: it cannot be told anything later */
	struct hosted *hosted;     /* the server whose face it came by; NULL: the kernel's */
	struct scan_value params;  /* an object; of another type: none */
	struct arena *arena;
	char trace[TRACE_SIZE]; /* filled in by mgp_method_ask(): params.trace_id, or a new one */
	/* Exactly once unless cancelled, perhaps from inside of mgp_method_ask(). */
	void (*answered)(struct mgp_ask *ask, const struct hosted_answer *answer);
	void *context; /* the asker's */

	/* The method's, which answers later. */
	void *later;
	void (*cancel)(struct mgp_ask *ask);
};

/* Nobody waits any more; harmless when it was answered. */
void mgp_ask_cancel(struct mgp_ask *ask);

/* ---- For methods ---- */

/* Each answers. The result is the text's JSON; a text that has failed becomes an error. */
void mgp_ask_answer(struct mgp_ask *ask, const struct text *result);
void mgp_ask_refuse(struct mgp_ask *ask, int64_t code, const char *format, ...) PRINTF_LIKE(3, 4);
/* -32602, or 3001 where memory or room is lacking. */
void mgp_ask_fail(struct mgp_ask *ask, const struct fault *why);

/* params.NAME as words. False: answered; only a required one has to be there (null counts as missing). */
bool mgp_ask_word(struct mgp_ask *ask, const char *name, bool is_required, struct slice *word);
/* The server that it is about: params.server_id, else the face's. *hosted NULL: the kernel itself, where
 * that may be. False: answered (one that the asker may not use is unknown). */
bool mgp_ask_server(struct mgp_ask *ask, const char *name, bool is_required, struct hosted **hosted);
bool mgp_ask_may_use(const struct mgp_ask *ask, struct hosted *hosted);
/* False: answered with 1000. */
bool mgp_ask_is_admin(struct mgp_ask *ask);

#endif
