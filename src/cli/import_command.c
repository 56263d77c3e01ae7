/* SPDX-License-Identifier: Apache-2.0 */
/* Import command: read, translate, print or append. */
#include "cli/import_command.h"

#include "base/toml.h"
#include "cli/command.h"
#include "cli/config_file.h"
#include "cli/import_write.h"
#include "cli/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const struct command_option options[] = {
	{"write", "FILE", "append to that configuration, or make it, instead of printing"},
	{"yes", NULL, "do not ask before writing"},
	{"inline", NULL, "leave secrets as they are, instead of ${NAME}"},
	{0},
};

static const struct command_form form = {
	.name = "import",
	.usage = "FILE [options]",
	.summary = "Prints the MCP servers of another program's configuration as [[servers]].",
	.more = "Read are mcpServers (Claude Desktop, Claude Code, Cursor), servers (VS Code) and [mcp_servers] (Codex);\n"
		"`-` reads stdin. Secrets become ${NAME}: stderr says which variables the gateway will want, and what\n"
		"was not taken over. Examples\n"
		"  hustings import ~/.config/Claude/claude_desktop_config.json > servers.toml\n"
		"  hustings import .vscode/mcp.json --write ~/.config/mgp/servers.toml",
	.options = options,
	.least = 1,
	.most = 1,
	.prints = true,
};

AUTO_RELEASE(toml, toml_close)

struct importing {
	struct command_line line;
	struct import_file file;
	struct import_servers servers;
	struct text toml;
	struct text there; /* what --write's file holds */
	const char *target;
	bool is_there;
};

static bool read_stdin(struct text *text, struct fault *why) {
	char part[8192];
	for (size_t count; (count = fread(part, 1, sizeof part, stdin));)
		text_add(text, slice_make(part, count));
	return !ferror(stdin) || fault_errno(why, errno, "cannot read stdin");
}

static bool load(struct importing *importing, struct fault *why) {
	AUTO_TEXT struct text text = {0};
	const char *path = importing->line.words[0];
	bool is_stdin = strcmp(path, "-") == 0;
	text_init(&text, IMPORT_OCTETS);
	bool is_loaded = is_stdin ? read_stdin(&text, why) : config_file_load(path, &text, why);
	if (text_failed(&text))
		return fault_set(why, FAULT_TOO_LARGE, "%.120s is larger than 16 MiB", is_stdin ? "the input" : path);
	return is_loaded &&
		import_file_read(&importing->file, text_slice(&text), is_stdin ? "input" : path, why);
}

/* Ids of the configuration that is appended to stay theirs. */
static bool look_at_target(struct importing *importing, struct fault *why) {
	importing->target = command_value(&importing->line, "write");
	if (!importing->target) return true;
	importing->is_there = access(importing->target, F_OK) == 0;
	if (!importing->is_there) return true;
	if (!config_file_load(importing->target, &importing->there, why)) return false;
	AUTO(toml) root = toml_open(text_slice(&importing->there), importing->target, why);
	if (!root) return false;
	const struct toml *servers = toml_find(root, "servers");
	for (const struct toml *one = servers ? servers->first : NULL; one; one = one->next) {
		const struct toml *id = one->kind == TOML_TABLE ? toml_find(one, "id") : NULL;
		if (id && id->kind == TOML_STRING) import_servers_reserve(&importing->servers, slice_of(id->string));
	}
	return true;
}

static void show(const char *lead, struct slice words) {
	char shown[500];
	text_display_in(shown, sizeof shown, words);
	fprintf(stderr, "%s%s\n", lead, shown);
}

static void tell(const struct importing *importing) {
	for (const struct import_pair *one = importing->servers.notes.first; one; one = one->next) {
		char lead[IMPORT_ID + 32] = "hustings: ";
		if (one->name.length) snprintf(lead, sizeof lead, "hustings: %.*s: ", SLICE_ARGS(one->name));
		show(lead, one->value);
	}
	for (const struct import_variable *one = importing->servers.variables; one; one = one->next) {
		char lead[160];
		snprintf(lead, sizeof lead, "hustings: set %.*s before the gateway starts: ", SLICE_ARGS(one->name));
		show(lead, one->what);
	}
}

static bool is_confirmed(const struct importing *importing, struct fault *why) {
	char answer[16] = "";
	if (command_has(&importing->line, "yes")) return true;
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO) || strcmp(importing->line.words[0], "-") == 0)
		return fault_set(why, FAULT_REFUSED, "nobody can be asked here: add --yes to write %.120s",
			importing->target);
	fprintf(stderr, "%s\n%s %zu servers %s %s? [y/N] ", importing->toml.bytes,
		importing->is_there ? "Append" : "Write", importing->servers.count,
		importing->is_there ? "to" : "into", importing->target);
	fflush(stderr);
	if (fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y')) return true;
	return fault_set(why, FAULT_REFUSED, "%.120s was not touched", importing->target);
}

static bool append(const char *path, struct slice text, struct fault *why) {
	AUTO_CLOSE int descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
	if (descriptor < 0) return fault_errno(why, errno, "cannot open %s", path);
	while (text.length) {
		ssize_t count = write(descriptor, text.bytes, text.length);
		if (count < 0 && errno == EINTR) continue;
		if (count < 0) return fault_errno(why, errno, "cannot write %s", path);
		text = slice_make(text.bytes + count, text.length - (size_t)count);
	}
	return true;
}

/* What comes out has to be TOML as a whole before anything is written. */
static bool write_target(struct importing *importing, struct fault *why) {
	struct text *there = &importing->there;
	size_t before = there->length;
	if (before) text_add_cstr(there, there->bytes[before - 1] == '\n' ? "\n" : "\n\n");
	text_add(there, text_slice(&importing->toml));
	if (text_failed(there)) return fault_set(why, FAULT_TOO_LARGE, "%.120s would be too large", importing->target);
	AUTO(toml) root = toml_open(text_slice(there), importing->target, why);
	if (!root) return fault_before(why, "it cannot be appended: ");
	if (!is_confirmed(importing, why)) return false;
	if (!importing->is_there) return place_write(importing->target, text_slice(there), true, why);
	return append(importing->target, slice_make(there->bytes + before, there->length - before), why);
}

static bool print(struct importing *importing, struct fault *why) {
	AUTO_TEXT struct text json = {0};
	text_init(&json, 0);
	if (!command_has(&importing->line, "json")) return command_print(text_slice(&importing->toml));
	import_write_json(&json, &importing->servers);
	if (text_failed(&json)) return fault_set(why, FAULT_NO_MEMORY, "no memory for the servers");
	return command_print(text_slice(&json));
}

static int run(struct importing *importing) {
	struct fault why = {0};
	bool done = load(importing, &why) && look_at_target(importing, &why) &&
		import_servers_take(&importing->servers, &importing->file, &why);
	if (!done) return command_fail(&why);
	import_write_toml(&importing->toml, &importing->servers);
	tell(importing);
	if (text_failed(&importing->toml)) done = fault_set(&why, FAULT_NO_MEMORY, "no memory for the servers");
	if (done && !importing->servers.count)
		done = fault_set(&why, FAULT_NOT_FOUND, "%.120s has no server to import", importing->line.words[0]);
	if (done && importing->target) done = write_target(importing, &why);
	if (done && (!importing->target || command_has(&importing->line, "json"))) done = print(importing, &why);
	if (!done) return why.code == FAULT_NONE ? COMMAND_FAILED : command_fail(&why);
	return COMMAND_FINE;
}

int import_command(int argc, char **argv) {
	struct importing importing = {0};
	int status;
	import_file_init(&importing.file);
	text_init(&importing.toml, 0);
	text_init(&importing.there, 2 * CONFIG_FILE_OCTETS);
	if (command_read(&importing.line, &form, argc, argv, &status)) {
		import_servers_init(&importing.servers, command_has(&importing.line, "inline"));
		status = run(&importing);
		import_servers_finish(&importing.servers);
	}
	import_file_finish(&importing.file);
	text_finish(&importing.toml);
	text_finish(&importing.there);
	command_finish(&importing.line);
	return status;
}
