/* SPDX-License-Identifier: Apache-2.0 */
/* Main: the table of commands. */
#include "cli/audit_command.h"
#include "cli/bench.h"
#include "cli/call_command.h"
#include "cli/access_command.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/config_command.h"
#include "cli/console_command.h"
#include "cli/decision_command.h"
#include "cli/doctor.h"
#include "cli/flow_command.h"
#include "cli/import_command.h"
#include "cli/join.h"
#include "cli/mcp_command.h"
#include "cli/promote.h"
#include "cli/say.h"
#include "cli/send.h"
#include "cli/serve.h"
#include "cli/server_command.h"
#include "cli/token_command.h"
#include "cli/tools_command.h"
#include "cli/topic.h"
#include "cli/version.h"
#include "cli/watch.h"
#include "net/launcher.h"

static const struct command commands[] = {
	{"attach", "seats an MCP server in a room", attach_command},
	{"call", "calls a tool of a participant, or of a hosted server", call_command},
	{"flow", "calls a tool by a guided session, which asks for what it needs", flow_command},
	{"join", "a room in the terminal", join_command},
	{"serve", "runs the gateway", serve_command},
	{"say", "says something to everybody in a room", say_command},
	{"send", "sends envelopes into a room", send_command},
	{"token", "makes, lists and revokes tokens", token_command},
	{"tools", "lists who offers what in a room, or what hosted servers do", tools_command},
	{"watch", "shows what passes in a room", watch_command},
	{"promote", "makes an identity full", promote_command},
	{"demote", "makes an identity restricted", demote_command},
	{"pending", "lists what waits for a person's yes or no", pending_command},
	{"show", "shows one such question in full", show_command},
	{"approve", "says yes to it", approve_command},
	{"deny", "says no to it, or takes a yes back", deny_command},
	{"topic", "lists topics", topic_command},
	{"audit", "shows, follows, exports, counts and checks the audit trail", audit_command},
	{"console", "prints a link that signs in to the console", console_command},
	{"config", "checks a configuration, prints all keys", config_command},
	{"mcp", "speaks MCP on stdin and stdout, for MCP hosts", mcp_command},
	{"server", "the MCP servers that a gateway hosts: list, add, remove, restart, revoke, status, logs", server_command},
	{"access", "who may use which of them: query, grant, revoke, list", access_command},
	{"import", "other programs' MCP servers as a configuration", import_command},
	{"doctor", "looks at this machine: what is fine, what is in the way", doctor_command},
	{"bench", "measures a gateway", bench_command},
	{"version", "prints the version", version_command},
	{0},
};

static const char first_steps[] =
	"First steps\n"
	"  hustings serve --open          a gateway on this machine, without tokens\n"
	"  hustings serve --help          everything it can be told";

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	if (argc == 2 && strcmp(argv[1], "--version") == 0)
		return version_command(1, (char *[]){"version", NULL});
	return command_choose(commands, "hustings", first_steps, argc, argv);
}
