/* SPDX-License-Identifier: Apache-2.0 */
/* Serve: flags into a configuration, a configuration into parts, signals into drain and reload. */
#include "cli/serve.h"

#include "base/clock.h"
#include "base/secret.h"
#include "cli/command.h"
#include "cli/config_flags.h"
#include "cli/parts.h"
#include "cli/parts_idle.h"
#include "cli/place.h"
#include "cli/serve_trust.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define LARGE_MEMORY (512 * 1024)

extern char **environ;

static const struct command_option serve_options[] = {
	{"config", "FILE", "configuration; default $MGP_CONFIG_PATH, ./mgp.toml, ~/.config/mgp/servers.toml"},
	{"listen", "HOST:PORT", "where to accept connections (127.0.0.1:7410); port 0 takes a free one"},
	{"data", "DIR", "the data folder (~/.local/share/hustings)"},
	{"open", NULL, "open mode: no tokens, everyone is full, ?id= says who; loopback only"},
	{"insecure-open", NULL, "open mode on any address: anyone who reaches it is in"},
	{"threads", "N", "loops over which rooms are spread (1)"},
	{"history", "on|off", "whether envelopes are kept (on)"},
	{"log-level", "LEVEL", "error, warning, info or debug (info)"},
	{"idle-exit", "SPAN", "end when nobody has been connected for so long: 5m"},
	{"set", "KEY=VALUE", "any key: --set rooms.pace=off; `hustings config schema` lists them"},
	{0},
};

static const struct command_form serve_form = {
	.name = "serve",
	.usage = "[options]",
	.summary = "Runs the gateway until SIGTERM or SIGINT; SIGHUP reads the configuration again.",
	.more = "Examples\n"
		"  hustings serve --open                     try it: no tokens, this machine only\n"
		"  hustings serve --listen 127.0.0.1:0       a free port; the first line of output names it\n"
		"  hustings serve --config rooms.toml --set rooms.pace=off\n\n"
		"The first line is `ready URL`, once connections are accepted. The administrator's token of\n"
		"the first start lies in DATA/admin.token.",
	.options = serve_options,
};

struct serving {
	struct command_line line;
	struct config *config;
	struct parts *parts;
	struct parts_idle *idle; /* NULL: without --idle-exit */
	struct log log;
	char data[PLACE_PATH];
	bool is_open;
};

/* Signals, on loop 0 */

static void end(void *context, int number) {
	struct serving *serving = context;
	if (parts_is_draining(serving->parts)) {
		/* What anybody received was stored before: nothing is lost by ending now. */
		place_withdraw(serving->data);
		_exit(COMMAND_FINE);
	}
	log_write(&serving->log, LOG_INFO, "%s: ending; once more ends at once",
		number == SIGINT ? "SIGINT" : "SIGTERM");
	parts_drain(serving->parts);
}

static void reload(void *context, int number) {
	struct serving *serving = context;
	struct fault why;
	(void)number;
	const char *file = command_value(&serving->line, "config");
	struct config *config = config_flags_read(&serving->line, file, environ, &why);
	if (!config || !parts_change(serving->parts, config, &why)) {
		log_write(&serving->log, LOG_ERROR, "SIGHUP: the old settings stay: %s", why.text);
		config_free(config);
		return;
	}
	config_free(serving->config);
	serving->config = config;
	log_set_level(&serving->log, config->log_level);
	if (!place_announce(serving->data, parts_url(serving->parts), &why))
		log_write(&serving->log, LOG_ERROR, "SIGHUP: %s", why.text);
	log_write(&serving->log, LOG_INFO, "SIGHUP: the configuration was read again%s%s",
		config->file ? " from " : "", config->file ? config->file : "");
}

static bool watch_signals(struct serving *serving, struct fault *why) {
	struct loop *loop = parts_loop(serving->parts);
	signal(SIGPIPE, SIG_IGN);
	return loop_signal(loop, SIGTERM, end, serving, why) &&
		loop_signal(loop, SIGINT, end, serving, why) && loop_signal(loop, SIGHUP, reload, serving, why);
}

/* Starting */

static bool is_loopback_host(const char *host) {
	return strcmp(host, "localhost") == 0 || strcmp(host, "::1") == 0 || strncmp(host, "127.", 4) == 0;
}

/* Before anything is touched, as far as the name tells; the listener's address is looked at again. */
static bool check_exposure(const struct serving *serving, struct fault *why) {
	const char *host = serving->config->gateway.host;
	if (!serving->is_open || is_loopback_host(host) || command_has(&serving->line, "insecure-open"))
		return true;
	return fault_set(why, FAULT_REFUSED,
		"open mode on %s would let anyone in: leave --open out, or add --insecure-open", host);
}

/* Without its gates whoever comes may call anything, and nothing is written down. */
static bool check_gates(const struct serving *serving, struct fault *why) {
	if (serving->config->has_gates || (serving->is_open && is_loopback_host(serving->config->gateway.host)))
		return true;
	return fault_set(why, FAULT_REFUSED,
		"kernel.gates = false is for measuring: leave it out, or add --open and listen on loopback");
}

/* As many descriptors as the system lets us have: connections are bounded by gateway.max_connections. */
static void raise_descriptors(void) {
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static bool trust_found_file(const struct serving *serving, struct fault *why) {
	const struct config *config = serving->config;
	bool has_terminal = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
	if (!config->is_found) return true;
	return serve_trust(config->file, serving->data, has_terminal ? stdin : NULL,
		has_terminal ? stderr : NULL, why);
}

static void tell_unused(struct serving *serving) {
	const struct config *config = serving->config;
	if (config->later.length)
		log_write(&serving->log, LOG_WARNING, "the configuration has keys that this version does not use: %s",
			config->later.bytes);
}

static bool watch_use(struct serving *serving, struct fault *why) {
	const char *span = command_value(&serving->line, "idle-exit");
	int64_t after;
	if (!span) return true;
	if (!clock_span_read(slice_of(span), &after, NULL) || after < 1)
		return fault_set(why, FAULT_BAD_INPUT, "--idle-exit has to be a span of time like 5m, not '%.60s'", span);
	serving->idle = parts_idle_open(serving->parts, (uint64_t)after, &serving->log, why);
	return serving->idle != NULL;
}

static bool open_house(struct serving *serving, bool *is_first, char token[64], struct fault *why) {
	const struct parts_options options = {
		.config = serving->config,
		.data = serving->data,
		.is_open = serving->is_open,
		.may_be_exposed = command_has(&serving->line, "insecure-open"),
		.log = &serving->log,
	};
	raise_descriptors();
	serving->parts = parts_open(&options, why);
	return serving->parts && watch_signals(serving, why) && watch_use(serving, why) &&
		place_admin_token(serving->data, parts_state(serving->parts), is_first, token, why) &&
		parts_listen(serving->parts, why) &&
		place_announce(serving->data, parts_url(serving->parts), why);
}

/* Commands find the default folder by themselves. */
static void write_data_flag(const struct serving *serving, char flag[PLACE_PATH + 16]) {
	char usual[PLACE_PATH];
	bool is_usual = place_find(NULL, usual, NULL) && strcmp(usual, serving->data) == 0;
	if (is_usual) flag[0] = '\0';
	else snprintf(flag, PLACE_PATH + 16, " --data '%s'", serving->data);
}

/* The link signs its reader in, once: it is for a terminal's eyes and stands in no file. */
static void show_console(struct serving *serving, const char *url, const char *data) {
	char ticket[TICKET_TEXT];
	struct fault why;
	if (!isatty(STDOUT_FILENO)) {
		printf("console   hustings console%s\n", data);
	} else if (parts_sign_in_ticket(serving->parts, serving->data, ticket, &why)) {
		printf("console   %s/#ticket=%s\n", url, ticket);
		printf("          good once, for ten minutes; another one: hustings console%s\n", data);
		secret_wipe(ticket, sizeof ticket);
	} else {
		printf("console   %s/\n", url);
		log_write(&serving->log, LOG_WARNING, "console: %s", why.text);
	}
}

/* What somebody who sees this for the first time needs. */
static void greet(struct serving *serving, bool is_first, const char *token) {
	const char *url = parts_url(serving->parts);
	char data[PLACE_PATH + 16];
	write_data_flag(serving, data);
	printf("ready %s\n", url);
	show_console(serving, url, data);
	printf("data      %s\n", serving->data);
	printf("admin     %s/admin.token\n", serving->data);
	if (is_first && isatty(STDOUT_FILENO)) printf("          %s\n", token);
	printf("hear      hustings watch lobby%s\n", data);
	printf("talk      hustings say lobby 'good morning'%s\n", data);
	printf("mcp       %s/mcp, %s/mcp/rooms/lobby   or on stdio: hustings mcp%s\n", url, url, data);
	if (serving->is_open)
		printf("open mode: whoever reaches this address is in, as ?id=NAME says\n"
		       "client    ws%s/v0/ws?topic=lobby&id=me\n",
			url + 4);
	else
		printf("token     hustings token create --id me --privilege full%s\n"
		       "client    ws%s/v0/ws?topic=lobby   with   Authorization: Bearer TOKEN\n",
			data, url + 4);
	fflush(stdout);
}

static int run(struct serving *serving) {
	struct fault why;
	bool is_first = false;
	char token[64] = "";
	serving->is_open = command_has(&serving->line, "open") || command_has(&serving->line, "insecure-open");
	serving->config = config_flags_read(&serving->line, command_value(&serving->line, "config"), environ, &why);
	if (!serving->config) return command_fail(&why);
	log_init(&serving->log, STDERR_FILENO, serving->config->log_level);
	if (!check_exposure(serving, &why) || !check_gates(serving, &why) || !place_find(serving->config->data, serving->data, &why) ||
		!trust_found_file(serving, &why) || !open_house(serving, &is_first, token, &why)) {
		secret_wipe(token, sizeof token);
		return command_fail(&why);
	}
	tell_unused(serving);
	greet(serving, is_first, token);
	secret_wipe(token, sizeof token);
	parts_run(serving->parts);
	place_withdraw(serving->data);
	return COMMAND_FINE;
}

/* What one large message needed goes back to the system with it. Left alone, the C library learns from
 * the first one to keep so much for the next. */
static void give_large_memory_back(void) { (void)mallopt(M_MMAP_THRESHOLD, LARGE_MEMORY); }

int serve_command(int argc, char **argv) {
	struct serving serving = {0};
	int status;
	give_large_memory_back();
	if (command_read(&serving.line, &serve_form, argc, argv, &status)) status = run(&serving);
	parts_idle_close(serving.idle);
	parts_close(serving.parts);
	config_free(serving.config);
	command_finish(&serving.line);
	return status;
}
