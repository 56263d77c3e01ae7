/* SPDX-License-Identifier: Apache-2.0 */
/* Main: the table of commands. */
#include "cli/command.h"
#include "cli/serve.h"
#include "cli/token_command.h"
#include "cli/version.h"
#include "net/launcher.h"

static const struct command commands[] = {
	{ "serve", "runs the gateway", serve_command },
	{ "token", "makes, lists and revokes tokens", token_command },
	{ "version", "prints the version", version_command },
	{ 0 },
};

static const char first_steps[] =
	"First steps\n"
	"  hustings serve --open          a gateway on this machine, without tokens\n"
	"  hustings serve --help          everything it can be told";

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	return command_choose(commands, "hustings", first_steps, argc, argv);
}
