/* SPDX-License-Identifier: Apache-2.0 */
/* Tool creation: offers, by principal and task. */
#include "kernel/tool_creation.h"

#include "base/trace.h"
#include "kernel/permissions.h"
#include "kernel/tool_index.h"
#include "kernel/tools.h"
#include "validate/code_safety.h"

#include <stdio.h>
#include <stdlib.h>

#define NAME 64 /* octets of a tool's name that is proposed */

struct offer {
	struct link link;              /* the oldest first */
	struct slice principal, trace; /* behind the struct */
	char id[HOSTED_ID + 1];        /* of the server that is to be made */
	uint64_t made_at;              /* loop ms */
};

struct tool_creations {
	const struct kernel_means *means;
	struct link offers;
	size_t count;
	bool is_allowed;
};

static struct offer *offer_of(struct link *link) { return CONTAINER_OF(link, struct offer, link); }

static void withdraw(struct tool_creations *creations, struct offer *offer) {
	list_remove(&offer->link);
	creations->count--;
	free(offer);
}

struct tool_creations *tool_creations_open(const struct kernel_means *means, struct fault *why) {
	struct tool_creations *creations = calloc(1, sizeof *creations);
	if (!creations) return fault_null(why, FAULT_NO_MEMORY, "no memory for the kernel");
	creations->means = means;
	list_init(&creations->offers);
	return creations;
}

void tool_creations_close(struct tool_creations *creations) {
	if (!creations) return;
	LIST_EACH_SAFE(link, &creations->offers) withdraw(creations, offer_of(link));
	free(creations);
}

void tool_creations_allow(struct tool_creations *creations, bool is_allowed) { creations->is_allowed = is_allowed; }

/* ---- Offers ---- */

static void forget_old(struct tool_creations *creations) {
	uint64_t now = loop_now(creations->means->loop);
	LIST_EACH_SAFE(link, &creations->offers) {
		struct offer *offer = offer_of(link);
		if (creations->count > TOOL_CREATIONS || now - offer->made_at >= TOOL_CREATION_MS) withdraw(creations, offer);
	}
}

static struct offer *find(struct tool_creations *creations, struct slice principal, struct slice trace) {
	forget_old(creations);
	LIST_EACH(link, &creations->offers) {
		struct offer *offer = offer_of(link);
		if (slice_equal(offer->principal, principal) && slice_equal(offer->trace, trace)) return offer;
	}
	return NULL;
}

static struct offer *make(struct tool_creations *creations, struct slice principal, struct slice trace) {
	struct offer *offer = calloc(1, sizeof *offer + principal.length + trace.length);
	char unique[TRACE_SIZE];
	if (!offer) return NULL;
	char *at = (char *)(offer + 1);
	if (principal.length) memcpy(at, principal.bytes, principal.length);
	if (trace.length) memcpy(at + principal.length, trace.bytes, trace.length);
	offer->principal = slice_make(at, principal.length);
	offer->trace = slice_make(at + principal.length, trace.length);
	trace_id_mint(unique);
	snprintf(offer->id, sizeof offer->id, "made-%.13s", unique);
	offer->made_at = loop_now(creations->means->loop);
	list_append(&creations->offers, &offer->link);
	creations->count++;
	forget_old(creations);
	return offer;
}

/* ---- Who may ---- */

static bool is_automatic(const struct kernel_means *means) {
	static const struct policy nothing_said;
	return policy_settle(&nothing_said, &means->policy, means->is_open).permissions == PERMISSION_AUTO_APPROVE;
}

/* An agent has `code_execution` where it may use a server that holds it. */
static bool may_run_code(const struct kernel_means *means, struct slice principal, bool is_trusted) {
	for (struct hosted *one = NULL; (one = hosted_next(means->servers, one));) {
		const struct governed *governed = governed_of(one);
		if (!governed || !permissions_hold(governed->permissions, SLICE("code_execution"))) continue;
		if (is_trusted || access_ask(means->access, principal, hosted_id(one), SLICE_NONE, governed->policy.access).is_allowed)
			return true;
	}
	return false;
}

/* ---- What an agent is told ---- */

/* A capability as the name of a tool: "data analysis" is data_analysis. */
static void name_of(struct slice capability, char name[NAME + 1]) {
	size_t length = 0;
	for (size_t i = 0; i < capability.length && length < NAME; i++) {
		char one = capability.bytes[i];
		bool is_upper = one >= 'A' && one <= 'Z';
		bool is_plain = (one >= 'a' && one <= 'z') || (one >= '0' && one <= '9') || is_upper;
		if (is_plain) name[length++] = is_upper ? (char)(one - 'A' + 'a') : one;
		else if (length && name[length - 1] != '_') name[length++] = '_';
	}
	while (length && name[length - 1] == '_') length--;
	name[length] = '\0';
	if (!length) snprintf(name, NAME + 1, "created_tool");
}

static void write_tools(struct text *to, const struct tool_wish *wish) {
	char name[NAME + 1];
	text_add_cstr(to, "\"tools\":[");
	for (size_t i = 0; i < wish->count; i++) {
		name_of(wish->capabilities[i], name);
		text_add_cstr(to, i ? ",{\"capability\":" : "{\"capability\":");
		text_json(to, wish->capabilities[i]);
		text_printf(to, ",\"name\":\"%s\"}", name);
	}
	text_add_char(to, ']');
}

static void write_offer(struct text *to, const struct offer *offer, const struct tool_wish *wish) {
	text_printf(to, "{\"server_id\":\"%s\",", offer->id);
	write_tools(to, wish);
	text_printf(to,
		",\"safety_level\":\"standard\",\"method\":\"mgp/discovery/register\",\"params\":{\"id\":\"%s\",\"command\":\"node\","
		"\"args\":[\"-e\",\"CODE\"],\"transport\":\"stdio\",\"mgp\":{\"trust_level\":\"sandboxed\"}}",
		offer->id);
	text_add_cstr(to, ",\"instructions\":");
	text_json(to, SLICE("No tool does this, so write one: a program in JavaScript, in one line, that uses nothing but what Node.js brings along and is an MCP server on stdio with these tools. "
			    "Put its text in the place of CODE (python3 with -c is allowed as well) and call the method with the params. "
			    "The code is checked (MGP 7) and runs in a sandbox without a network. Then ask again with the same task_trace_id."));
	text_printf(to, ",\"expires_in_secs\":%d}", TOOL_CREATION_MS / 1000);
}

bool tool_creation_offer(struct mgp_ask *ask, const struct call_asker *asker, const struct tool_wish *wish,
	struct text *to) {
	struct tool_creations *creations = ask->means->tool_creations;
	if (!creations->is_allowed || ask->hosted || !is_automatic(ask->means) ||
		!may_run_code(ask->means, asker->principal, asker->is_admin || asker->is_local))
		return false;
	struct offer *offer = find(creations, asker->principal, wish->trace);
	if (!offer) offer = make(creations, asker->principal, wish->trace);
	if (!offer) return false;
	write_offer(to, offer, wish);
	return true;
}

/* ---- What has come of it ---- */

bool tool_creation_find(struct mgp_ask *ask, const struct call_asker *asker, const struct tool_wish *wish,
	struct slice capability, struct slice *server, struct slice *name) {
	const struct offer *offer = find(ask->means->tool_creations, asker->principal, wish->trace);
	struct hosted *hosted = offer ? hosted_find(ask->means->servers, slice_of(offer->id)) : NULL;
	char wanted[NAME + 1];
	if (!hosted || !governed_of(hosted) || (ask->hosted && ask->hosted != hosted)) return false;
	name_of(capability, wanted);
	const struct tool *tool = tool_index_tool(hosted, slice_of(wanted), NULL);
	if (!tool && wish->count == 1) { /* it has another name, and is the only one */
		const struct tools *tools = governed_of(hosted)->tools[hosted_era_for(hosted, HOSTED_LEGACY)];
		const struct tool *first = tools_at((struct tools *)tools, 0);
		if (first && !tools_at((struct tools *)tools, 1)) tool = tool_index_tool(hosted, first->name, NULL);
	}
	if (!tool || !call_asker_may(asker, governed_of(hosted), tool->name)) return false;
	*server = hosted_id(hosted);
	*name = tool->name;
	return true;
}

/* The program's text; length 0: it is not started as it was told. */
static struct slice code_of(const struct hosted_settings *settings, enum code_language *language) {
	const char *const *arguments = settings->arguments;
	*language = CODE_UNSAID;
	if (!arguments || settings->directory || !arguments[0] || !arguments[1] || !arguments[2] || arguments[3])
		return SLICE_NONE;
	bool is_python = strcmp(arguments[0], "python3") == 0 && strcmp(arguments[1], "-c") == 0;
	bool is_node = strcmp(arguments[0], "node") == 0 && strcmp(arguments[1], "-e") == 0;
	*language = is_python ? CODE_PYTHON : CODE_JAVASCRIPT;
	return is_python || is_node ? slice_of(arguments[2]) : SLICE_NONE;
}

static bool check_code(struct slice code, enum code_language language, struct fault *why) {
	struct code_rules rules;
	struct code_verdict verdict;
	struct arena arena;
	char lent[4096];
	code_rules_init(&rules);
	code_rules_floor(&rules);
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_checked = code_safety_check_code(&rules, code, language, &arena, &verdict, why);
	if (is_checked && verdict.is_rejected)
		fault_set(why, FAULT_REFUSED, "params.args: the code is not allowed: %.*s",
			verdict.violations.count ? (int)slice_cut(verdict.violations.items[0], 150) : 0,
			verdict.violations.count ? verdict.violations.items[0].bytes : "");
	bool is_fine = is_checked && !verdict.is_rejected;
	arena_finish(&arena);
	return is_fine;
}

bool tool_creation_allows(const struct kernel_means *means, const struct call_asker *asker,
	const struct hosted_settings *settings, bool *is_offered, struct fault *why) {
	struct tool_creations *creations = means->tool_creations;
	enum code_language language;
	struct slice code = code_of(settings, &language);
	bool is_known = false;
	forget_old(creations);
	LIST_EACH(link, &creations->offers) {
		const struct offer *offer = offer_of(link);
		is_known = is_known || (slice_equal(offer->principal, asker->principal) && strcmp(offer->id, settings->id) == 0);
	}
	*is_offered = is_known && code.length && creations->is_allowed && is_automatic(means) &&
		may_run_code(means, asker->principal, asker->is_admin || asker->is_local);
	return *is_offered && check_code(code, language, why);
}
