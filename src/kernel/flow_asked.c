/* SPDX-License-Identifier: Apache-2.0 */
/* Flow asked: a tool found, waited for, or refused. */
#include "kernel/flow_asked.h"

#include "kernel/flow_speech.h"
#include "kernel/mgp_client.h"

#include <stdlib.h>

void flow_asked_refuse(struct mgp_ask *ask, const struct flow_refusal *refusal, struct slice id) {
	AUTO_TEXT struct text data = {0};
	text_init(&data, 0);
	flow_refusal_write_data(&data, refusal, id.length < FLOW_ID ? id : SLICE_NONE);
	struct hosted_answer answer = {.code = refusal->code, .message = slice_of(refusal->message)};
	if (!text_failed(&data)) answer.data = text_slice(&data);
	ask->cancel = NULL;
	ask->answered(ask, &answer);
}

/* ---- Which tool ---- */

static bool no_tool(struct flow_refusal *refusal) {
	return flow_refuse(refusal, FLOW_INVALID_PARAMS, "unknown_tool", "params.toolName: " CALL_NO_SUCH_TOOL);
}

bool flow_asked_may(struct mgp_ask *ask, struct hosted *hosted, struct slice tool, struct flow_refusal *refusal) {
	const struct governed *governed = governed_of(hosted);
	struct mgp_client *client = ask->client;
	struct fault why;
	if (!governed || !call_asker_may(&ask->asker, governed, tool)) return no_tool(refusal);
	if (!client || !client->face || !client->face->may_call || client->face->may_call(client, hosted, &why)) return true;
	return flow_refuse(refusal, why.code == FAULT_REFUSED ? FLOW_INVALID_PARAMS : FLOW_INTERNAL, "refused", "%s", why.text);
}

bool flow_asked_find(struct mgp_ask *ask, struct slice name, struct hosted **hosted, struct slice *tool,
	struct flow_refusal *refusal) {
	struct mgp_client *client = ask->client;
	*hosted = ask->hosted;
	*tool = name;
	if (!*hosted && (!client || !client->face || !client->face->find_tool || !client->face->find_tool(client, name, ask->arena, hosted, tool)))
		return no_tool(refusal);
	return flow_asked_may(ask, *hosted, *tool, refusal);
}

const struct tool *flow_asked_tool(struct mgp_ask *ask, struct hosted *hosted, struct slice name,
	struct flow_refusal *refusal) {
	const struct governed *governed = governed_of(hosted);
	bool is_known = false;
	(void)ask;
	if (!governed) {
		(void)no_tool(refusal);
		return NULL;
	}
	if (governed->policy.is_flowless) {
		(void)flow_refuse(refusal, FLOW_NOT_INTERACTIVE, NULL, "the tools of this server become no guided sessions: call it with tools/call");
		return NULL;
	}
	const struct tool *tool = tools_find(governed->tools[hosted_era_for(hosted, HOSTED_LEGACY)], name, &is_known);
	if (tool && !tool->is_quarantined) return tool;
	if (is_known) (void)no_tool(refusal);
	else
		(void)flow_refuse(refusal, FLOW_INTERNAL, "server_not_ready", "the server does not say which tools it has: try again later");
	return NULL;
}

/* ---- Waiting for a list, or a word ---- */

struct flow_wait {
	struct mgp_ask *ask;
	struct hosted_wait *list; /* NULL: it waits for the word */
	struct flow_speech_wait word;
	void (*go_on)(struct mgp_ask *ask);
	struct arena arena;
	char *params; /* JSON text */
};

static void wait_free(struct flow_wait *wait) {
	arena_finish(&wait->arena);
	free(wait->params);
	free(wait);
}

static void cancel(struct mgp_ask *ask) {
	struct flow_wait *wait = TAKE(ask->later);
	if (wait->list) hosted_items_cancel(wait->list);
	else flow_speech_cancel(&wait->word);
	wait_free(wait);
}

/* The ask may be gone when it has gone on. */
static void go_on(struct flow_wait *wait) {
	struct mgp_ask *ask = wait->ask;
	ask->cancel = NULL;
	ask->later = NULL;
	wait->go_on(ask);
	wait_free(wait);
}

static void listed(void *context, struct hosted_items *items, const struct fault *why) {
	(void)items, (void)why;
	go_on(context);
}

static void told(struct flow_speech_wait *word) { go_on(CONTAINER_OF(word, struct flow_wait, word)); }

static struct flow_wait *wait_make(struct mgp_ask *ask, void (*then)(struct mgp_ask *ask)) {
	struct flow_wait *wait = calloc(1, sizeof *wait);
	if (!wait) return NULL;
	wait->ask = ask;
	wait->go_on = then;
	arena_init(&wait->arena, NULL, 0, 0);
	if (ask->params.type != SCAN_OBJECT || (wait->params = slice_copy(ask->params.text))) return wait;
	wait_free(wait);
	return NULL;
}

static void begin(struct mgp_ask *ask, struct flow_wait *wait) {
	if (wait->params) ask->params.text = slice_make(wait->params, ask->params.text.length);
	ask->arena = &wait->arena;
	ask->later = wait;
	ask->cancel = cancel;
}

static bool is_listed(struct hosted *hosted) {
	return hosted_state(hosted) == HOSTED_CONNECTED &&
		hosted_items_are_current(hosted, hosted_era_for(hosted, HOSTED_LEGACY), HOSTED_TOOLS);
}

bool flow_asked_waits(struct mgp_ask *ask, struct hosted *hosted, void (*then)(struct mgp_ask *ask)) {
	struct fault why;
	struct flow_wait *wait = is_listed(hosted) ? NULL : wait_make(ask, then);
	if (!wait) return false;
	wait->list = hosted_items_ask(hosted, HOSTED_LEGACY, HOSTED_TOOLS, 0, listed, wait, &why);
	bool is_waiting = wait->list != NULL;
	if (is_waiting) begin(ask, wait);
	else wait_free(wait);
	return is_waiting;
}

bool flow_asked_hears(struct mgp_ask *ask, struct hosted *hosted, void (*then)(struct mgp_ask *ask)) {
	struct governed *governed = governed_of(hosted);
	struct flow_wait *wait = governed ? wait_make(ask, then) : NULL;
	if (!wait) return false;
	wait->word.told = told;
	bool is_asked = flow_speech_ask(governed, &ask->asker, &wait->word);
	if (is_asked) begin(ask, wait);
	else wait_free(wait);
	return is_asked;
}
