/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp: what two sides have agreed on (MGP 2): "mgp" among the capabilities of initialize, or, as of
 * MCP 2026-07-28, the extension MGP_EXTENSION. What neither side said is nothing: struct mgp_agreed of
 * zeros is plain MCP. Plain functions, any thread.
 */
#ifndef HUSTINGS_MCP_MGP_H
#define HUSTINGS_MCP_MGP_H

#include "wire/scan.h"

#define MGP_VERSION "0.2.0"
#define MGP_FLOW_EXTENSION "dev.hustings/flow"         /* of MCP Flow, in the same place */
#define MGP_EXTENSION "dev.hustings/mgp"               /* under capabilities.extensions (docs/protocol.md) */
#define MGP_AUTHORIZATION "dev.hustings/authorization" /* the same, of ADR-001 */
#define MGP_SERVER_ID 128                              /* octets of a server_id that is claimed */
#define MGP_PERMISSIONS 64                             /* that one server may require */

enum mgp_extension { /* MGP 2.2; bits */
	MGP_SECURITY = 1,
	MGP_ACCESS_CONTROL = 2,
	MGP_AUDIT = 4,
	MGP_CODE_SAFETY = 8,
	MGP_LIFECYCLE = 16,
	MGP_STREAMING = 32,
	MGP_BIDIRECTIONAL = 64,
	MGP_DISCOVERY = 128,
	MGP_TOOL_DISCOVERY = 256,
};
#define MGP_EXTENSIONS 9
/* What this house speaks: all of it. */
#define MGP_SPOKEN \
	(MGP_SECURITY | MGP_ACCESS_CONTROL | MGP_AUDIT | MGP_CODE_SAFETY | MGP_LIFECYCLE | MGP_STREAMING | \
		MGP_BIDIRECTIONAL | MGP_DISCOVERY | MGP_TOOL_DISCOVERY)

enum mgp_trust { /* MGP 2.3; a greater one is trusted less */
	MGP_TRUSTED,
	MGP_STANDARD,
	MGP_SANDBOXED,
	MGP_TRUSTS
};

/* What was agreed. */
struct mgp_agreed {
	bool is_active;         /* both sides have said "mgp", in versions that fit */
	unsigned extensions;    /* the intersection, enum mgp_extension */
	bool has_authorization; /* it knows ADR-001's words, whether it speaks MGP or not (docs/protocol.md) */
};

/* What a side says of itself. The slices lie in the object that was read, or in the arena. */
struct mgp_said {
	struct slice version; /* bytes NULL: it says nothing of MGP */
	unsigned extensions;
	struct scan_value permissions_required; /* an array; SCAN_NONE: not said */
	struct slice server_id;                 /* length 0: not said */
	bool has_trust;
	enum mgp_trust trust;
	bool has_authorization;
};

/* `capabilities`: a JSON object as it came; is_modern: where to look in it. What is malformed is not
 * said: an extension that is unknown is left out. False: no memory. */
bool mgp_read(struct slice capabilities, bool is_modern, struct arena *arena,
	struct mgp_said *said) MUST_USE;
/* Ours against theirs (2.4): the major versions must match; inactive when `said` says nothing. */
struct mgp_agreed mgp_agree(const struct mgp_said *said, unsigned ours);
/* Both at once; nothing where there is no memory. */
struct mgp_agreed mgp_settle(struct slice capabilities, bool is_modern, unsigned ours);
/* Major versions differ: nothing is agreed on. */
bool mgp_is_foreign(const struct mgp_said *said);
/* They are the same, 0, and the minor ones differ: it connects, to be warned about (docs/protocol.md). */
bool mgp_is_other(const struct mgp_said *said);

/* {"version":"0.2.0","extensions":[...]}: as a client says it. */
void mgp_write(struct text *to, unsigned extensions);
/* What a server, or this house in its place, says of itself to a client. */
struct mgp_shown {
	struct mgp_agreed agreed;
	struct slice server_id;
	struct slice permissions; /* JSON array; length 0: none */
	struct slice flow;        /* JSON object: of guided sessions (MCP Flow), in place of the server's own; length 0: that stays */
	enum mgp_trust trust;
};
/* The capabilities object of a server (JSON text, or bytes NULL) again, without what it said of MGP in
 * either era's form, and with what we say where that was agreed on. */
void mgp_write_capabilities(struct text *to, struct slice capabilities, bool is_modern,
	const struct mgp_shown *shown);

const char *mgp_extension_word(enum mgp_extension extension); /* "security" */
/* 0: unknown. */
unsigned mgp_extension_read(struct slice word);
const char *mgp_trust_word(enum mgp_trust trust); /* "standard" */
bool mgp_trust_read(struct slice word, enum mgp_trust *trust) MUST_USE;

#endif
