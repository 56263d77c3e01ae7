/* SPDX-License-Identifier: Apache-2.0 */
/* Version: which Hustings this is, and which protocols it speaks. */
#include "cli/version.h"

#include "cli/command.h"

static const struct command_form form = {
	.name = "version",
	.usage = "[--json]",
	.summary = "Prints the version and the protocols that it speaks.",
	.prints = true,
};

int version_command(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	int status;
	if (!command_read(&line, &form, argc, argv, &status)) return status;
	if (command_has(&line, "json"))
		return command_print(SLICE("{\"version\":\"" HUSTINGS_VERSION
					   "\",\"protocols\":[\"mcpx/v0.1\",\"mcp-x/v0\"],"
					   "\"mcp\":[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\",\"2024-11-05\"]}\n"))
			? COMMAND_FINE
			: COMMAND_FAILED;
	return command_print(SLICE("hustings " HUSTINGS_VERSION "\nprotocols mcpx/v0.1, mcp-x/v0, MCP 2024-11-05 to 2026-07-28\n"))
		? COMMAND_FINE
		: COMMAND_FAILED;
}
