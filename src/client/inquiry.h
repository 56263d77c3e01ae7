/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inquiry: what an MCP server asks back of us (`struct hustings_question`): an elicitation, a
 * sampling, our roots. It came as a request (legacy) or as a part of an answer (modern); whoever
 * raised it takes the reply, and whoever got it neither knows nor cares.
 *
 * It is answered once, by inquiry_reply() or inquiry_refuse(), now or later, and is gone then. When
 * nobody waits for it any more it is withdrawn, and still to be answered.
 */
#ifndef HUSTINGS_CLIENT_INQUIRY_H
#define HUSTINGS_CLIENT_INQUIRY_H

#include "base/list.h"
#include "hustings.h"
#include "wire/scan.h"

enum inquiry_kind {
	INQUIRY_FORM, /* elicitation */
	INQUIRY_URL,
	INQUIRY_SAMPLING,
	INQUIRY_ROOTS,
	INQUIRY_KINDS
};

/* result: JSON text of an object; bytes NULL: refused with the code and the words. */
typedef void inquiry_replied(void *raiser, struct slice key, struct slice result, int64_t code,
	struct slice words);

/* False: no question that we know. `params` may be SCAN_NONE. */
bool inquiry_kind_of(struct slice method, const struct scan_value *params,
	enum inquiry_kind *kind) MUST_USE;

/* `key`: the raiser's, handed back; both are copied. It stands in `list` until it is gone. */
struct hustings_question *inquiry_make(struct link *list, enum inquiry_kind kind, struct slice key,
	const struct scan_value *params, inquiry_replied *replied, void *raiser) MUST_USE;
/* The reply goes nowhere from now on. False: it was withdrawn before. */
bool inquiry_withdraw(struct hustings_question *question);
void inquiry_free(struct hustings_question *question); /* nobody may answer it any more */

void inquiry_reply(struct hustings_question *question, struct slice result);
void inquiry_refuse(struct hustings_question *question, int64_t code, struct slice words);

enum inquiry_kind inquiry_kind(const struct hustings_question *question);
const struct scan_value *inquiry_params(const struct hustings_question *question);
void *inquiry_raiser(const struct hustings_question *question);
struct slice inquiry_key(const struct hustings_question *question);
bool inquiry_is_withdrawn(const struct hustings_question *question);
struct hustings_question *inquiry_of(struct link *link);             /* of the list */
void inquiry_set(struct hustings_question *question, void *context); /* a pointer of whoever answers */
void *inquiry_context(const struct hustings_question *question);

#endif
