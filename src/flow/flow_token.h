/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow token: a whole session as a token that its client carries (MCP Flow, appendix B):
 * base64url of {"sessionId","state","expiresAt","keyId","signature"}, where `signature` is an HMAC-SHA-256 over
 * everything else. It names whose it is and when it ends, so that nobody else's and no old one is taken. Plain
 * functions, any thread.
 */
#ifndef HUSTINGS_FLOW_FLOW_TOKEN_H
#define HUSTINGS_FLOW_FLOW_TOKEN_H

#include "base/secret.h"
#include "flow/flow_record.h"

#define FLOW_TOKEN ((size_t)1 << 20) /* octets of one */
#define FLOW_KEY 32

struct flow_key {
	uint8_t octets[FLOW_KEY];
	char id[9]; /* which key it is: the first hex digits of its hash */
};

bool flow_key_make(struct flow_key *key, const uint8_t octets[FLOW_KEY]) MUST_USE;

bool flow_token_write(struct text *to, const struct flow_session *session, const struct flow_key *key,
	struct fault *why) MUST_USE;
/* NULL: *refusal says why: -32001 for what is no token of ours, was changed, is not signed, or belongs to somebody
 * else; -32002 for one that has expired (`now` 0: none has, its reader sees to that). `spent` takes the hash by which a token that was used up is known. */
struct flow_session *flow_token_read(struct slice token, const struct flow_key *key, struct slice principal, int64_t now,
	uint8_t spent[SECRET_HASH_SIZE], struct flow_refusal *refusal) MUST_USE;
/* Whether it could be one at all: an id of a kept session is none. */
bool flow_token_is_one(struct slice word);

#endif
