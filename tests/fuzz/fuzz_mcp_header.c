/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: any octets as the value of a header of MCP. What is written is one line of plain ASCII
 * and is read as what it was; what a stranger wrote is read or refused.
 */
#include "mcp/mcp_header.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	const struct slice value = slice_make(data, size), name = SLICE("Mcp-Name: ");
	AUTO_TEXT struct text line = {0}, back = {0}, read = {0};
	text_init(&line, 0);
	text_init(&back, 0);
	text_init(&read, 0);
	mcp_header_write(&line, "Mcp-Name", value);
	require(!text_failed(&line) && slice_starts_with(text_slice(&line), "Mcp-Name: "));
	for (size_t i = 0; i < line.length; i++) require(line.bytes[i] >= 0x20 && line.bytes[i] <= 0x7e);
	require(mcp_header_read(slice_make(line.bytes + name.length, line.length - name.length), &back));
	require(slice_equal(text_slice(&back), value));
	(void)!mcp_header_read(value, &read);
	return 0;
}
