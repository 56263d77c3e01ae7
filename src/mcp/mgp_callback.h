/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_callback: what a server asks its client during a request (MGP 13.4), and what is an answer to it. Plain
 * functions, any thread. The slices and values of a callback lie in the params that it was read from.
 *
 * An answer is a JSON object: {"response":VALUE}, or {"response":null,"reason":WORD} where there is none:
 * "timeout", "declined", "ended" (the request that it was about is over), "invalid" (the question, or a form's
 * answer), "too_many", "unavailable" (nobody can be asked).
 */
#ifndef HUSTINGS_MCP_MGP_CALLBACK_H
#define HUSTINGS_MCP_MGP_CALLBACK_H

#include "wire/scan.h"

#define MGP_CALLBACK "mgp/callback" /* our own name of such a question (hosted/hosted.h); never on a wire */
#define MGP_CALLBACK_REQUEST "notifications/mgp.callback.request"
#define MGP_CALLBACK_RESPOND "mgp/callback/respond"
#define MGP_CALLBACK_ID 256               /* octets of callback_id as JSON text */
#define MGP_CALLBACK_MESSAGE (64 * 1024)  /* octets, as the next two */
#define MGP_CALLBACK_SCHEMA (64 * 1024)   /* of `schema` */
#define MGP_CALLBACK_RESPONSE (64 * 1024) /* of an answer */
#define MGP_CALLBACK_OPTIONS 64
#define MGP_CALLBACK_OPTION 512 /* octets of one, as JSON text */
#define MGP_CALLBACK_MS 60000   /* where timeout_ms does not say */
#define MGP_CALLBACK_LEAST_MS 1000
#define MGP_CALLBACK_MOST_MS 3600000

enum mgp_callback_type {
	MGP_CONFIRMATION,
	MGP_INPUT,
	MGP_SELECTION,
	MGP_NOTIFICATION, /* wants no answer */
	MGP_CALLBACK_TYPES
};

struct mgp_callback {
	enum mgp_callback_type type;
	struct slice id;           /* callback_id, JSON text; length 0: none, of a notification alone */
	struct scan_value request; /* request_id as it came; SCAN_NONE: not said */
	struct slice message;      /* a JSON string */
	struct scan_value options; /* an array of strings, none twice; SCAN_NONE: none */
	struct scan_value schema;  /* of an input that is an object; SCAN_NONE: any word or number */
	uint64_t timeout_ms;       /* within the bounds */
};

/* FAULT_BAD_INPUT, FAULT_TOO_LARGE: names the member. callback->id and ->request are set nonetheless, as far
 * as they could be read, so that who asked can be told. */
bool mgp_callback_read(const struct scan_value *params, struct mgp_callback *callback,
	struct fault *why) MUST_USE;
/* An array of strings within the bounds, none twice; it may be empty. */
bool mgp_callback_check_options(const struct scan_value *options, struct fault *why) MUST_USE;
const char *mgp_callback_word(enum mgp_callback_type type); /* "confirmation" */

/* Params of the notification under another id, without a request_id. */
void mgp_callback_write(struct text *to, const struct mgp_callback *callback, const char *id);
/* Those params once more, about that request (its id as JSON text). */
void mgp_callback_write_about(struct text *to, const struct scan_value *params, struct slice request_id);
/* Params of notifications/message, for who knows no callbacks; of MGP_NOTIFICATION. */
void mgp_callback_write_message(struct text *to, const struct mgp_callback *callback);

/* Whether that is an answer: one of the options; of a confirmation without any true, false, "confirm" or
 * "cancel"; an object that fits the schema; else a string, number or boolean. FAULT_BAD_INPUT says what is due. */
bool mgp_callback_accepts(const struct mgp_callback *callback, const struct scan_value *response,
	struct fault *why) MUST_USE;
/* Answers. Yes is a confirmation's first option, or true; false: it needs words. No is "cancel" where that was
 * offered, else null and "declined". */
bool mgp_callback_write_yes(struct text *to, const struct mgp_callback *callback) MUST_USE;
void mgp_callback_write_no(struct text *to, const struct mgp_callback *callback);
void mgp_callback_write_none(struct text *to, const char *reason);

#endif
