/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_server: our half of MCP toward whoever asks: initialize, ping, tools/list, tools/call for the
 * tools that were offered. One server answers any number of peers and keeps nothing about them, so
 * a peer may ask again after either side came back.
 *
 * Owned: mcp_server_open() and mcp_server_close(); tools whose calls are open may still answer
 * afterwards. One thread. What stands in an offer is copied.
 */
#ifndef HUSTINGS_MCP_SERVER_H
#define HUSTINGS_MCP_SERVER_H

#include "mcp/era.h"
#include "mcp/peer.h"

#define MCP_SERVER_PAGE 100 /* tools a page of tools/list */
#define MCP_SERVER_TOOLS 10000
#define MCP_SERVER_NAME 128 /* octets of a tool's name */

struct mcp_server;

/* A call: the question is the callee's, to be answered once, now or later. `arguments` is an object,
 * borrowed until the return. */
typedef void mcp_server_run(void *context, struct peer_question *question,
	const struct scan_value *arguments);

enum mcp_effect { /* what is announced in `annotations` */
	MCP_EFFECT_UNSAID,
	MCP_EFFECT_NONE,     /* it only reads */
	MCP_EFFECT_ADDITIVE, /* it changes, and destroys nothing */
	MCP_EFFECT_DESTRUCTIVE,
};

struct mcp_offer {
	struct slice name;  /* 1 to MCP_SERVER_NAME of ASCII letters, digits and _-./ */
	struct slice title; /* length 0: none, as with the next */
	struct slice description;
	struct slice input_schema;  /* JSON text of an object; length 0: an object without members */
	struct slice output_schema; /* the same; length 0: none */
	struct slice authorization; /* JSON text of an object (MCPx ADR-001); length 0: none */
	enum mcp_effect effect;
	bool is_idempotent;
	mcp_server_run *run;
	void *context;
};

struct mcp_server *mcp_server_open(struct slice name, struct slice software,
	struct slice instructions, enum era_version newest, struct fault *why) MUST_USE;
void mcp_server_close(struct mcp_server *server); /* NULL is fine */
/* Stands for another server: `initialize` is answered with these JSON objects, which are copied. */
bool mcp_server_stand_for(struct mcp_server *server, struct slice server_info,
	struct slice capabilities, struct fault *why) MUST_USE;

/* FAULT_EXISTS: the name is taken; FAULT_BAD_INPUT: the name or a schema is not sound. Who has
 * listed tools before is to be told by notifications/tools/list_changed, which is the caller's. */
bool mcp_server_offer(struct mcp_server *server, const struct mcp_offer *offer,
	struct fault *why) MUST_USE;
bool mcp_server_withdraw(struct mcp_server *server, struct slice name); /* false: there was none */
size_t mcp_server_count(const struct mcp_server *server);

/* Answers a request, or hands it to its tool; unknown methods are -32601. */
void mcp_server_asked(struct mcp_server *server, struct peer_question *question,
	const struct jsonrpc *request);
/* Answers `initialize` with these capabilities (JSON text of an object) for this one peer. */
void mcp_server_introduce(struct mcp_server *server, struct peer_question *question,
	const struct jsonrpc *request, struct slice capabilities);

/* As tools/list shows it; SLICE_NONE: there is none of that name. */
struct slice mcp_server_definition(const struct mcp_server *server, struct slice name);
/* The result of tools/list. False: `params` has a cursor that is none of ours. */
bool mcp_server_write_tools(const struct mcp_server *server, const struct scan_value *params,
	struct text *to) MUST_USE;

/* Results of tools/call (MCP tools). `json` is JSON text; an object is structuredContent as well. */
void mcp_server_answer_text(struct peer_question *question, struct slice text, bool is_error);
void mcp_server_answer_json(struct peer_question *question, struct slice json);

#endif
