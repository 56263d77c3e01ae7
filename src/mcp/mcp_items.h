/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_items: the resources, templates or prompts of one server (or its tools, as no more than
 * definitions), gathered from all pages of a list.
 *
 * What a server says is data of a stranger and is kept as it came. Owned: mcp_items_open() and
 * mcp_items_close(). One thread. Bounded: MCP_ITEMS_MOST and MCP_ITEMS_OCTETS.
 */
#ifndef HUSTINGS_MCP_MCP_ITEMS_H
#define HUSTINGS_MCP_MCP_ITEMS_H

#include "wire/scan.h"

#define MCP_ITEMS_MOST 10000
#define MCP_ITEMS_OCTETS ((size_t)16 << 20)

enum mcp_items_kind {
	MCP_ITEMS_TOOLS,
	MCP_ITEMS_RESOURCES,
	MCP_ITEMS_TEMPLATES,
	MCP_ITEMS_PROMPTS,
	MCP_ITEMS_KINDS
};

struct mcp_item {
	struct slice key;  /* name, uri or uriTemplate; unescaped, as the next three */
	struct slice name; /* bytes NULL: none, as with the next two */
	struct slice title;
	struct slice description;
	struct slice definition; /* JSON object, as it came */
};

struct mcp_items;

const char *mcp_items_method(enum mcp_items_kind kind);     /* "resources/templates/list" */
const char *mcp_items_member(enum mcp_items_kind kind);     /* "resourceTemplates" */
const char *mcp_items_capability(enum mcp_items_kind kind); /* "resources" */

struct mcp_items *mcp_items_open(enum mcp_items_kind kind, struct fault *why) MUST_USE;
void mcp_items_close(struct mcp_items *items); /* NULL is fine */
/* One result. *cursor is that of the next page, valid as long as the items; bytes NULL: the last one.
 * An item without its key is left out. False: no such list, or over the bounds. */
bool mcp_items_add(struct mcp_items *items, struct slice result, struct slice *cursor,
	struct fault *why) MUST_USE;
size_t mcp_items_count(const struct mcp_items *items);
const struct mcp_item *mcp_items_at(const struct mcp_items *items, size_t at);

#endif
