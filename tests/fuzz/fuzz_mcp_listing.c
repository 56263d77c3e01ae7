/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: pages of tools/list, one a line. Whatever is accepted is whole and inside its page. */
#include "mcp/mcp_listing.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void check_tool(const struct mcp_listing *listing, const struct mcp_tool *tool) {
	struct scan_value root;
	struct scan_fault fault;
	require(tool->name.length > 0 && mcp_listing_find(listing, tool->name) == tool);
	require(scan_check(tool->definition, SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT);
	require(scan_check(tool->input_schema, SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT);
	require(tool->input_schema.bytes > tool->definition.bytes &&
		tool->input_schema.bytes + tool->input_schema.length <
			tool->definition.bytes + tool->definition.length);
	require(!tool->hints.is_read_only || !tool->hints.is_destructive);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct fault why = {.code = FAULT_NONE};
	struct slice rest = slice_make(data, size), page, cursor;
	AUTO(mcp_listing) listing = mcp_listing_open(&why);
	require(listing != NULL);
	while (slice_split(&rest, '\n', &page)) {
		if (mcp_listing_add(listing, page, &cursor, &why)) continue;
		require(why.code == FAULT_BAD_INPUT || why.code == FAULT_TOO_LARGE);
		break;
	}
	for (size_t i = 0; i < mcp_listing_count(listing); i++)
		check_tool(listing, mcp_listing_at(listing, i));
	return 0;
}
