/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow speech: whether a hosted server leads guided sessions by itself (MCP Flow, capability negotiation): by what it
 * said when it introduced itself (capabilities.extensions["dev.hustings/flow"].interactive), else by the method
 * `capabilities`, which it is asked once as long as it is connected, for the first session that it could lead. An
 * error is a no. Where it does not answer (within FLOW_SPEECH_MS, or because it has no place, or is lost), its schema
 * leads who waits, and it is asked again for a later session: after silence not before FLOW_SPEECH_PAUSE_MS are over.
 * Lies in struct governed. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_FLOW_SPEECH_H
#define HUSTINGS_KERNEL_FLOW_SPEECH_H

#include "base/list.h"
#include "kernel/call_run.h"

#define FLOW_SPEECH_MS 2000
#define FLOW_SPEECH_PAUSE_MS 10000

struct flow_speech; /* flow_speech.c */

enum flow_speech_word {
	FLOW_SPEECH_UNKNOWN,
	FLOW_SPEECH_NONE,
	FLOW_SPEECH_OWN
};

struct flow_speech *flow_speech_open(struct governed *governed, struct fault *why) MUST_USE;
/* Whoever waits is told. NULL is fine. */
void flow_speech_close(struct flow_speech *speech);

enum flow_speech_word flow_speech_of(const struct governed *governed);

struct flow_speech_wait { /* the asker's, until told() or flow_speech_cancel() */
	struct link link;
	void (*told)(struct flow_speech_wait *wait);
};
/* One of unknown speech is asked, in that asker's name, once for all who wait. False: it cannot be. */
bool flow_speech_ask(struct governed *governed, const struct call_asker *asker, struct flow_speech_wait *wait) MUST_USE;
void flow_speech_cancel(struct flow_speech_wait *wait);

#endif
