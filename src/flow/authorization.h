/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Authorization: whether a tool's owner lets somebody call it, asks first, or has another participant decide
 * (MCPx ADR-001: modes, tool metadata, the four messages). Plain values and functions, any thread; who keeps what
 * is pending is the caller (decide/inbox.h, or libhustings).
 */
#ifndef HUSTINGS_FLOW_AUTHORIZATION_H
#define HUSTINGS_FLOW_AUTHORIZATION_H

#include "wire/scan.h"

#define AUTHORIZATION_REQUIRED (-32001)
#define AUTHORIZATION_DENIED (-32002)
#define AUTHORIZATION_REQUIRED_MESSAGE "Authorization required" /* word for word as the text has them: */
#define AUTHORIZATION_DENIED_MESSAGE "Authorization denied"     /* why stands in `data.reason` */
#define AUTHORIZATION_NAME 256                                  /* octets of a tool, of a participant */
#define AUTHORIZATION_MESSAGE 4096                              /* octets */
#define AUTHORIZATION_DATA 64                                   /* octets of what goes with a refusal */
#define AUTHORIZATION_TIMEOUT_MS 300000
#define AUTHORIZATION_TIMEOUT_MOST 86400000

enum authorization_mode {
	AUTHORIZATION_UNSAID,
	AUTHORIZATION_ALWAYS_ALLOW,
	AUTHORIZATION_ALWAYS_PROMPT,
	AUTHORIZATION_SELECTIVE, /* by the first rule that fits; where none does, as the tool itself says */
	AUTHORIZATION_DELEGATED,
	AUTHORIZATION_MODES
};

enum authorization_action {
	AUTHORIZATION_ALLOW,
	AUTHORIZATION_ASK,
	AUTHORIZATION_DENY,
	AUTHORIZATION_ACTIONS
};

struct authorization_rule { /* a name, or a pattern with a * at its end; NULL: any */
	const char *tool, *caller;
	const char *argument; /* of a parameter, dots for its depth ("target.name"); NULL: whatever the arguments are */
	const char *value;    /* what it is, a text as above; NULL: it is there at all. Booleans and null count as their JSON
	                       text, numbers as plain decimals however they are written (1.0e2 is 100); of an array any
	                       element */
	enum authorization_action action;
};

/* What its owner has configured: of an agent (libhustings), or [servers.authorization]. */
struct authorization_settings {
	enum authorization_mode mode;
	const struct authorization_rule *rules;
	size_t rule_count;
	const char *delegate; /* who decides instead; NULL: the owner's own deciders */
	uint64_t timeout_ms;  /* 0: the tool's, else AUTHORIZATION_TIMEOUT_MS */
};

/* A tool's own member `authorization`. */
struct authorization_metadata {
	bool is_said;
	bool is_required;
	enum authorization_mode mode; /* automatic: always_allow, user_approval: always_prompt, delegated */
	uint64_t timeout_ms;          /* 0: not said */
	struct slice message;         /* as the next; length 0: not said */
	struct slice delegate;
};
/* Of a tool's definition (an object). What is malformed asks: a tool that says something unreadable of its
 * authorization is not called without. False: no memory. */
bool authorization_metadata_read(const struct scan_value *definition, struct arena *arena,
	struct authorization_metadata *metadata) MUST_USE;

struct authorization_verdict {
	enum authorization_action action;
	struct slice delegate; /* who decides; length 0: the owner's own deciders */
	uint64_t timeout_ms;
	struct slice message; /* of the tool; length 0: none */
};
/* Settings overrule the tool's own words. `arguments`: an object without a key that stands twice; of another type:
 * there are none; NULL: they are not known yet, and every rule about them that does not allow counts. Out of memory
 * for them it is denied. */
struct authorization_verdict authorization_judge(const struct authorization_settings *settings,
	const struct authorization_metadata *metadata, struct slice tool, struct slice caller,
	const struct scan_value *arguments);

/* Of a tool that asks for further arguments, before its first question: what is known (an object, as above) has to be
 * allowed already, and it is asked about where a rule that may come to count would ask. Whoever goes on judges again
 * by what has become known each time before the tool may act: then a denial alone counts. */
struct authorization_verdict authorization_judge_asking(const struct authorization_settings *settings,
	const struct authorization_metadata *metadata, struct slice tool, struct slice caller,
	const struct scan_value *known);

/* Whether its parts go together: FAULT_BAD_INPUT names the member. */
bool authorization_settings_check(const struct authorization_settings *settings, struct fault *why) MUST_USE;

const char *authorization_mode_word(enum authorization_mode mode); /* "always_prompt" */
bool authorization_mode_read(struct slice word, enum authorization_mode *mode) MUST_USE;
const char *authorization_action_word(enum authorization_action action);
bool authorization_action_read(struct slice word, enum authorization_action *action) MUST_USE; /* "allow" */

/* ---- Messages ---- */

struct authorization_request {
	struct slice id, tool, requester, reason;
	struct slice arguments;  /* JSON text */
	struct slice expires_at; /* RFC 3339; length 0: left out */
};
/* The object of `authorizationRequest`, which are also the params of notifications/authorization/request. */
void authorization_write_request(struct text *to, const struct authorization_request *request);
/* {"authorizationRequest":{...}}: data of the error -32001. */
void authorization_write_error_data(struct text *to, const struct authorization_request *request);
bool authorization_request_read(const struct scan_value *value, struct arena *arena, struct authorization_request *request,
	struct fault *why) MUST_USE;

struct authorization_response {
	struct slice id;
	bool approves;
	struct slice reason; /* may be empty */
	int64_t valid_until; /* wall ms; 0: for one call */
};
/* Params of authorization/respond, and of authorization/revoke, which have the id and a reason alone. */
bool authorization_response_read(const struct scan_value *params, struct arena *arena,
	struct authorization_response *response, struct fault *why) MUST_USE;
bool authorization_revoke_read(const struct scan_value *params, struct arena *arena,
	struct authorization_response *response, struct fault *why) MUST_USE;
void authorization_write_response(struct text *to, const struct authorization_response *response);
/* How one of them that came as a request is refused: the code of JSON-RPC, and its `data` ({"type":...}). */
int64_t authorization_refusal(const struct fault *why, char data[AUTHORIZATION_DATA]) MUST_USE;
/* {"reason":...,"type":...}: data of the error -32002; "authorization_denied", "authorization_timeout". */
void authorization_write_denial_data(struct text *to, struct slice reason, const char *type);
/* Params of notifications/authorization/resolved: `member` is "result" or "error" with its JSON text. */
void authorization_write_resolved(struct text *to, struct slice request_id, struct slice id, const char *member,
	struct slice outcome);

#endif
