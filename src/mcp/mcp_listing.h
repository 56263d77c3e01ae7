/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_listing: the tools of one server, gathered from all pages of its tools/list.
 *
 * What a server says of its tools is data of a stranger: names and texts are kept as they came
 * (unescaped), and whoever shows them uses text_display(). Counted: who keeps it calls
 * mcp_listing_drop(). Not changed any more once handed out. One thread. Bounded: MCP_LISTING_TOOLS
 * and MCP_LISTING_OCTETS.
 */
#ifndef HUSTINGS_MCP_LISTING_H
#define HUSTINGS_MCP_LISTING_H

#include "wire/scan.h"

#define MCP_LISTING_TOOLS 10000
#define MCP_LISTING_OCTETS ((size_t)16 << 20)

/* What `annotations` say; MCP's defaults where they are silent. */
struct mcp_hints {
	bool are_given; /* there are annotations */
	bool is_read_only;
	bool is_destructive;
	bool is_idempotent;
	bool is_open_world;
};

struct mcp_tool {
	struct slice name;
	struct slice title; /* bytes NULL: none, as with the next */
	struct slice description;
	struct slice input_schema;  /* JSON text of an object */
	struct slice output_schema; /* the same; bytes NULL: none */
	struct slice definition;    /* the whole as it came, JSON text */
	struct mcp_hints hints;
};

struct mcp_listing;

struct mcp_listing *mcp_listing_open(struct fault *why) MUST_USE;
/* One of fewer octets than MCP_LISTING_OCTETS. Before anything is added. */
void mcp_listing_limit(struct mcp_listing *listing, size_t octets);
size_t mcp_listing_octets(const struct mcp_listing *listing); /* that it takes */
struct mcp_listing *mcp_listing_keep(struct mcp_listing *listing);
void mcp_listing_drop(struct mcp_listing *listing); /* NULL is fine */
AUTO_RELEASE(mcp_listing, mcp_listing_drop)

/* The result of one tools/list. *cursor is that of the next page, valid as long as the listing;
 * bytes NULL: this was the last one. Refused: no `tools`, a tool without a name or input schema, a
 * name twice, the bounds above; the listing is then good for nothing but mcp_listing_drop(). */
bool mcp_listing_add(struct mcp_listing *listing, struct slice result, struct slice *cursor,
	struct fault *why) MUST_USE;

size_t mcp_listing_count(const struct mcp_listing *listing);
const struct mcp_tool *mcp_listing_at(const struct mcp_listing *listing, size_t at);
const struct mcp_tool *mcp_listing_find(const struct mcp_listing *listing, struct slice name);

#endif
