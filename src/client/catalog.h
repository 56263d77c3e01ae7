/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Catalog: all pages of a list of an MCP server's, as turns one after the other.
 *
 * Tools may come as a listing, which the conversation keeps for their schemas; all else comes as
 * items. Owned by its asker until `listed` was called or catalog_cancel().
 */
#ifndef HUSTINGS_CLIENT_CATALOG_H
#define HUSTINGS_CLIENT_CATALOG_H

#include "mcp/mcp_items.h"
#include "mcp/mcp_listing.h"

#define CATALOG_PAGES 1000

struct catalog;
struct conversation;

/* Exactly once, never before catalog_open() has returned. All are borrowed; of listing and items one
 * is not NULL, or `why` is not. A kind that the server does not know has no items. */
typedef void catalog_listed(void *context, const struct mcp_listing *listing,
	const struct mcp_items *items, const struct fault *why);

/* deadline_ms: of each page; 0: the conversation's. `as_listing`: of tools. */
struct catalog *catalog_open(struct conversation *conversation, enum mcp_items_kind kind,
	bool as_listing, uint64_t deadline_ms, catalog_listed *listed, void *context, struct fault *why) MUST_USE;
void catalog_cancel(struct catalog *catalog, struct slice reason);
/* Whether a tool may be called: a modern remote server marks its arguments by the rules
 * (mcp/mcp_header.h); elsewhere they do not matter. */
bool catalog_is_callable(const struct conversation *conversation, const struct mcp_tool *tool);

#endif
