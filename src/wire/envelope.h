/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Envelope: MCPx's one message form, read in one pass and written per dialect (MCPx v0 4, v0.1 4).
 *
 * Reading copies nothing but names that were written with escapes (these go into the arena); all
 * else are spans of the caller's text. Names are compared after unescaping, exactly. Of the payload
 * it notes only which of method, id, result and error stand at its top (and the octets of method,
 * params and id): this is all that a room reads of MCP.
 */
#ifndef HUSTINGS_WIRE_ENVELOPE_H
#define HUSTINGS_WIRE_ENVELOPE_H

#include "wire/scan.h"

enum envelope_dialect {
	ENVELOPE_V0,
	ENVELOPE_V01,
	ENVELOPE_DIALECTS
};

enum envelope_kind {
	ENVELOPE_MCP,
	ENVELOPE_PROPOSAL,
	ENVELOPE_CHAT,
	ENVELOPE_PRESENCE,
	ENVELOPE_SYSTEM,
	ENVELOPE_KINDS,
	ENVELOPE_OTHER = ENVELOPE_KINDS, /* a kind no text knows */
};

#define ENVELOPE_RECIPIENTS 256 /* of one envelope */
#define ENVELOPE_NAME 256       /* octets of id, correlation_id and kind */
#define ENVELOPE_IDENTITY 128   /* octets of from and of a recipient; more in base/ident */

struct envelope {
	struct slice text; /* the whole, blanks around it cut off */
	enum envelope_dialect dialect;
	enum envelope_kind kind;
	struct slice id;             /* unescaped */
	struct slice from;           /* unescaped; bytes NULL: not given */
	struct slice correlation_id; /* unescaped; bytes NULL: not given */
	struct slice ts;             /* bytes NULL: not given; valid RFC 3339 otherwise */
	int64_t moment;              /* ts in wall milliseconds; 0 when not given */
	struct scan_value to;        /* the array as it stands; SCAN_NONE when not given */
	size_t recipients;
	struct slice recipient;       /* the first one, unescaped */
	struct slice kind_text;       /* as sent, unescaped (for words about it) */
	struct slice protocol_value;  /* as it stands, quotes included */
	struct scan_value payload;    /* an object */
	struct scan_value id_value;   /* it and the next as they stand, quotes included */
	struct scan_value from_value; /* SCAN_NONE: not given, as with the next */
	struct scan_value correlation_value;
	struct scan_value kind_value;
	struct {
		struct scan_value method; /* SCAN_NONE: absent */
		struct scan_value id;
		struct scan_value params;
		struct scan_value result;
		struct scan_value error;
		struct scan_value reason; /* of a proposal */
		struct scan_value text;   /* of a chat */
	} body;
};

/* Why an envelope is refused: the gate ("protocol" or "shape"), a stable word, and a sentence that
 * names the field and the limit. */
struct envelope_refusal {
	const char *gate;
	const char *word; /* bad_json, bad_envelope, duplicate_key, too_deep, bad_protocol, ... */
	bool is_utf8_fault;
	char message[200];
};

/* Checks the whole text. On refusal `envelope` still holds id and body.id where those could be read
 * (else bytes NULL, SCAN_NONE). Required: protocol, id, kind, payload (an object). Unknown extra
 * fields pass. Refused: a key twice or in another case (escapes read), one of the payload's keys in
 * `body` twice, a `ts` that is no RFC 3339, names that are empty, too long, hold control characters
 * or NUL, `to` that is no array of names, a chat so deep that it could not be wrapped. */
bool envelope_read(struct envelope *envelope, struct slice text, struct arena *arena,
	struct envelope_refusal *refusal) MUST_USE;

/* Recipients in order: size_t at = 0; while (envelope_recipient(&envelope, &at, arena, &name)). */
bool envelope_recipient(const struct envelope *envelope, size_t *at, struct arena *arena,
	struct slice *name);
bool envelope_is_request(const struct envelope *envelope);  /* body has method and id */
bool envelope_is_response(const struct envelope *envelope); /* body has result or error */

/* What leaves for readers of `dialect`: the octets themselves where nothing has to change, else a
 * text with only `protocol` changed. Written in pieces, so that the caller can lay them straight
 * into a frame: at most ENVELOPE_PIECES. `from` and `ts` fill in what the sender left out. A chat
 * of v0.1 becomes the notification notifications/chat/message for v0 readers. */
#define ENVELOPE_PIECES 16
struct envelope_form {
	struct slice pieces[ENVELOPE_PIECES];
	size_t count;
	size_t length; /* of all */
};
/* `from_json` is the sender as a JSON string with quotes, `ts` without quotes; both stay while the
 * form is used. */
void envelope_write(const struct envelope *envelope, enum envelope_dialect dialect,
	struct slice from_json, struct slice ts, struct envelope_form *form);

const char *envelope_dialect_text(enum envelope_dialect dialect); /* "mcp-x/v0", "mcpx/v0.1" */
bool envelope_dialect_read(struct slice text, enum envelope_dialect *dialect) MUST_USE;
const char *envelope_kind_text(enum envelope_kind kind);

/* An envelope of the gateway's own, from "system:gateway" now: `to` (one identity, as it is) and
 * `correlation_id` (as it is) may be SLICE_NONE, `payload` is JSON text. */
void envelope_compose(struct text *text, enum envelope_dialect dialect, enum envelope_kind kind,
	struct slice to, struct slice correlation_id, struct slice payload);

#endif
