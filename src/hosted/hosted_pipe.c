/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted pipe: a conversation with a process of ours, a message a line (MCP stdio). */
#include "hosted/hosted_parts.h"

#include "hosted/policy.h"
#include "net/child.h"
#include "net/sandbox.h"

static bool pipe_send(struct hosted_child *child, struct slice message, char *sent,
	struct fault *why) {
	(void)sent;
	return child_write(child->process, message, why);
}

static void pipe_stop(struct hosted_child *child, uint64_t patience_ms) {
	child_stop(child->process, patience_ms);
}

static size_t pipe_behind(const struct hosted_child *child) { return child_behind(child->process); }

static void pipe_close(struct hosted_child *child) { child_close(TAKE(child->process)); }

static void pipe_pause(struct hosted_child *child, bool is_paused) {
	if (is_paused) child_pause(child->process);
	else child_resume(child->process);
}

static void line_came(void *context, struct slice line) { hosted_child_heard(context, line); }

static void error_line_came(void *context, struct slice line) {
	struct hosted_child *child = context;
	hosted_say(child->hosted, line);
}

static void ended(void *context, int status, const struct fault *why) {
	hosted_child_ended(context, status, why);
}

/* Where nobody governs it, it is at least not trusted further than its settings say. */
static bool is_sandboxed_as(struct hosted *hosted, struct sandbox_settings *sandbox) {
	const struct hosted_governor *governor = hosted->servers->governor;
	const struct policy *policy = hosted->setup.of.policy;
	if (governor && governor->sandbox) return governor->sandbox(hosted, sandbox);
	return policy && policy->has_trust && policy->trust == MGP_SANDBOXED;
}

static void list_hidden(const struct hosted_servers *servers, bool is_sandboxed, const char **list) {
	if (servers->hidden) *list++ = servers->hidden;
	for (size_t i = 0; is_sandboxed && i < HOSTED_HIDDEN; i++)
		if (servers->hidden_files[i]) *list++ = servers->hidden_files[i];
	*list = NULL;
}

bool hosted_pipe_open(struct hosted_child *child, struct fault *why) {
	static const struct child_events events = {.line = line_came, .error_line = error_line_came, .ended = ended};
	static const struct hosted_transport transport = {
		.send = pipe_send,
		.stop = pipe_stop,
		.close = pipe_close,
		.behind = pipe_behind,
		.pause = pipe_pause,
	};
	const struct hosted_settings *of = &child->hosted->setup.of;
	struct sandbox_settings sandbox = {.network = false};
	bool is_sandboxed = is_sandboxed_as(child->hosted, &sandbox);
	const char *hidden[HOSTED_HIDDEN + 2];
	list_hidden(child->hosted->servers, is_sandboxed, hidden);
	const struct child_options options = {
		.arguments = of->arguments,
		.environment = of->environment,
		.directory = of->directory,
		.sandbox = CHILD_CONTAINED,
		.sandboxed = is_sandboxed ? &sandbox : NULL,
		.hidden = is_sandboxed || child_can_contain(NULL) ? hidden : NULL,
		.line_limit = HOSTED_MESSAGE,
		.behind_limit = HOSTED_MESSAGE,
		.log = child->hosted->servers->log,
	};
	child->transport = &transport;
	child->process = child_open(child->hosted->servers->loop, &options, &events, child, why);
	return child->process != NULL;
}

int hosted_pipe_process(const struct hosted_child *child) {
	return child->process ? child_process(child->process) : 0;
}
