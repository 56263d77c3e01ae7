/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what a hosted server says, a message a line, while two requests of one asker are open.
 * '@' in a line stands for the id of the first, '$' for that of the last request that it got. The line "!" stops the
 * first, "#" says that its asker is behind, or not any more. The first octet says in which era, what the asker does
 * with questions, and whether streaming was agreed on. Whatever is said, each request ends once, no question is left
 * behind, and who stopped one hears of its end once.
 */
#include "hosted/hosted_parts.h"

#include "mcp/mcp_modern.h"
#include "mcp/mgp.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct asker {
	struct hosted_ask ask;
	unsigned answered, open; /* open: questions */
	unsigned stopped;
	bool is_stopping, is_behind;
	unsigned manner; /* 0: answers at once, 1: refuses, 2: cancels, else: never */
};

static void require(bool holds) {
	if (!holds) abort();
}

/* ---- The asker ---- */

static struct asker *asker_of(struct hosted_ask *ask) { return CONTAINER_OF(ask, struct asker, ask); }

static void answered(struct hosted_ask *ask, const struct hosted_answer *answer,
	const struct fault *why) {
	require(!answer != !why);
	require(asker_of(ask)->answered++ == 0);
}

static void progressed(struct hosted_ask *ask, const struct scan_value *params) {
	require(params->type == SCAN_OBJECT && !asker_of(ask)->answered);
}

static void questioned(struct hosted_ask *ask, struct hosted_question *question, struct slice method,
	const struct scan_value *params) {
	struct asker *asker = asker_of(ask);
	require(method.length && params->type != SCAN_STRING && !asker->answered);
	if (asker->manner == 0) hosted_question_answer(question, SLICE("{\"action\":\"accept\"}"));
	else if (asker->manner == 1) hosted_question_refuse(question, -1, SLICE("no"), SLICE_NONE);
	else if (asker->manner == 2) {
		hosted_ask_cancel(ask, "enough");
		asker->answered++;
		asker->is_stopping = false; /* nobody is told of that */
	} else require(++asker->open <= HOSTED_QUESTIONS);
}

static void withdrawn(struct hosted_ask *ask, struct hosted_question *question) {
	struct asker *asker = asker_of(ask);
	require(question != NULL && asker->open > 0);
	asker->open--;
}

static void told(struct hosted_ask *ask, struct slice method, const struct scan_value *params) {
	(void)params;
	require(method.length && !asker_of(ask)->answered);
}

static void streamed(struct hosted_ask *ask, struct slice method, const struct scan_value *params) {
	require(slice_starts_with(method, "notifications/mgp.stream.") && params->type == SCAN_OBJECT);
	require(!asker_of(ask)->answered);
}

static void stopped(void *context, struct slice partial) {
	struct asker *asker = context;
	struct scan_value root;
	struct scan_fault fault;
	require(asker->is_stopping && !asker->answered && asker->stopped++ == 0);
	require(!partial.bytes || (scan_check(partial, SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT));
}

static const struct hosted_ask_events ask_events = {
	.answered = answered,
	.progressed = progressed,
	.questioned = questioned,
	.withdrawn = withdrawn,
	.streamed = streamed,
	.told = told,
};

/* ---- A conversation without a process ---- */

static struct slice first_id, last_id; /* in `sent` and `sent_last` */
static char sent[64], sent_last[64];

static bool send_message(void *context, struct slice message, struct slice about, char *tag,
	struct fault *why) {
	struct scan_value root, id;
	struct scan_fault fault;
	(void)context, (void)about, (void)tag, (void)why;
	require(scan_check(message, SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT);
	require(!memchr(message.bytes, '\n', message.length));
	if (!scan_find(&root, "id", &id)) return true;
	snprintf(sent_last, sizeof sent_last, "%.*s", SLICE_ARGS(id.text));
	last_id = slice_of(sent_last);
	if (first_id.bytes) return true;
	snprintf(sent, sizeof sent, "%.*s", SLICE_ARGS(id.text));
	first_id = slice_of(sent);
	return true;
}

static void asked(void *context, struct peer_question *question, const struct jsonrpc *request) {
	hosted_child_asked(context, question, request);
}
static void heard(void *context, const struct jsonrpc *notification) {
	hosted_child_told(context, notification);
}
static void withdrew(void *context, struct peer_question *question) {
	hosted_child_withdrew(context, question);
}
static void stop(struct hosted_child *child, uint64_t patience_ms) { (void)child, (void)patience_ms; }
static void shut(struct hosted_child *child) { (void)child; }

static struct hosted_child *converse(struct hosted *hosted, enum hosted_era era) {
	static const struct peer_events events = {.send = send_message, .asked = asked, .told = heard, .cancelled = withdrew};
	static const struct hosted_transport transport = {.stop = stop, .close = shut};
	struct hosted_child *child = calloc(1, sizeof *child);
	require(child != NULL);
	child->hosted = hosted;
	child->era = era;
	child->stage = HOSTED_OPEN;
	child->has_opened = true;
	child->transport = &transport;
	child->peer = peer_open(hosted->servers->loop, &events, child, NULL);
	require(child->peer != NULL);
	list_init(&child->runs);
	list_init(&child->talks);
	list_append(&hosted->children, &child->link);
	hosted->child_count++;
	hosted->is_known = true;
	hosted->speaks[era] = true;
	hosted->supervisor.state = HOSTED_CONNECTED;
	return child;
}

static void begin(struct hosted *hosted, struct asker *asker, unsigned manner) {
	*asker = (struct asker){.manner = manner};
	asker->ask.method = SLICE("tools/call");
	asker->ask.params = SLICE("{\"name\":\"t\"}");
	asker->ask.principal = SLICE("ann");
	asker->ask.abilities = HOSTED_CAN_ROOTS | HOSTED_CAN_SAMPLE | HOSTED_CAN_FORM | HOSTED_CAN_URL;
	asker->ask.events = &ask_events;
	require(hosted_ask_start(hosted, &asker->ask, NULL));
}

static void say(struct hosted_child *child, struct slice line) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	for (size_t i = 0; i < line.length; i++) {
		if (line.bytes[i] == '@') text_add(&text, first_id);
		else if (line.bytes[i] == '$') text_add(&text, last_id);
		else text_add_char(&text, line.bytes[i]);
	}
	if (!text_failed(&text)) hosted_child_heard(child, text_slice(&text));
}

static void act(struct hosted_child *child, struct asker *asker, struct slice line) {
	if (slice_is(line, "!")) {
		bool is_stopped = hosted_ask_stop(&asker->ask, SLICE("enough"), stopped, asker);
		require(!is_stopped || (!asker->is_stopping && !asker->answered));
		asker->is_stopping = asker->is_stopping || is_stopped;
	} else if (slice_is(line, "#")) {
		asker->is_behind = !asker->is_behind;
		hosted_ask_hold(&asker->ask, asker->is_behind);
	} else say(child, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static struct loop *loop;
	struct fault why;
	struct asker one, two;
	if (size < 1) return 0;
	if (!loop) loop = loop_open(&why);
	struct hosted_servers *servers = hosted_servers_open(loop, NULL, &why);
	const struct hosted_settings settings = {
		.id = "s",
		.arguments = (const char *const[]){"none", NULL},
		.children = 1,
		.restart = HOSTED_RESTART_NEVER,
	};
	struct hosted *hosted = servers ? hosted_add(servers, &settings, &why) : NULL;
	require(hosted != NULL);
	struct hosted_child *child = converse(hosted, data[0] & 1 ? HOSTED_MODERN : HOSTED_LEGACY);
	struct slice rest = slice_make(data + 1, size - 1), line;
	first_id = last_id = SLICE_NONE;
	if (data[0] & 64) hosted_child_speaks_mgp(child, MGP_STREAMING);
	begin(hosted, &one, data[0] >> 1 & 3);
	bool has_two = data[0] & 8;
	if (has_two) begin(hosted, &two, data[0] >> 4 & 3);
	while (slice_split(&rest, '\n', &line)) act(child, &one, line);
	hosted_servers_close(servers);
	require(one.stopped == one.is_stopping);
	require(one.answered == 1 && (!has_two || two.answered == 1));
	return 0;
}
