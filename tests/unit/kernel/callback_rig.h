/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callback rig: a fake server that asks something during a call (kernel_rig.h), who is asked, and what
 * mgp/callback/respond says.
 */
#ifndef HUSTINGS_TESTS_CALLBACK_RIG_H
#define HUSTINGS_TESTS_CALLBACK_RIG_H

#include "kernel_rig.h"

#include "hosted/hosted_parts.h"
#include "kernel/call_callback.h"
#include "kernel/callbacks.h"
#include "kernel/mgp_method.h"
#include "mcp/mgp_callback.h"

static const struct policy open_policy = {.access = ACCESS_OPT_OUT, .approval = APPROVAL_AUTO_APPROVE};

#define TOOLS "[{\"name\":\"ask\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}}]"
#define ASKS(more) \
	"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.callback.request\",\"params\":{\"request_id\":$," more "}}"
#define CONFIRM "\"callback_id\":\"cb-001\",\"type\":\"confirmation\",\"message\":\"Continue?\",\"options\":[\"confirm\",\"cancel\"]"
#define CALL "{\"name\":\"ask\"}"
#define DONE "\"result\":{\"content\":[]}"

/* What the asker was shown last. */
static char shown[2000];
static struct hosted_question *first_shown;

static inline void note_questioned(struct hosted_ask *ask, struct hosted_question *question, struct slice method,
	const struct scan_value *params) {
	rig_questioned(ask, question, method, params);
	snprintf(shown, sizeof shown, "%.*s", SLICE_ARGS(params->text));
	if (!first_shown) first_shown = question;
}

static inline void note_told(struct hosted_ask *ask, struct slice method, const struct scan_value *params) {
	rig_told(ask, method, params);
	snprintf(shown, sizeof shown, "%.*s %.*s", SLICE_ARGS(method), SLICE_ARGS(params->text));
}

static const struct hosted_ask_events noting = {
	.answered = rig_answered,
	.questioned = note_questioned,
	.withdrawn = rig_withdrawn,
	.told = note_told,
};

static inline void begin_as(struct kernel_rig *rig, const char *extensions, const char *says) {
	char capabilities[300];
	struct policy policy = open_policy;
	shown[0] = '\0';
	first_shown = NULL;
	kernel_rig_open(rig, &policy);
	snprintf(capabilities, sizeof capabilities,
		"{\"tools\":{\"listChanged\":true},\"mgp\":{\"version\":\"0.2.0\",\"extensions\":[%s]}}", extensions);
	fake_write(rig, "capabilities", capabilities);
	fake_write(rig, "tools", TOOLS);
	fake_write(rig, "ask.stream", says);
	fake_write(rig, "ask.call", "silent");
	fake_write(rig, "callback.after", DONE);
	fake_run(rig, &policy);
}

static inline void begin(struct kernel_rig *rig, const char *says) { begin_as(rig, "\"bidirectional\"", says); }

static inline void call_with(struct kernel_rig *rig, struct rig_ask *made, struct call_asker asker, unsigned abilities,
	uint64_t deadline_ms) {
	struct fault why = {0};
	rig_begin(made, "");
	made->ask.principal = asker.principal;
	made->ask.abilities = abilities;
	made->ask.deadline_ms = deadline_ms;
	made->ask.events = &noting;
	made->ask.method = SLICE("tools/call");
	made->ask.params = SLICE(CALL);
	if (!call_start(rig->of.hosted, &asker, &made->ask, &why)) fail_msg("%s", why.text);
}

static inline struct call_asker plain_asker(const char *principal) {
	return (struct call_asker){.principal = slice_of(principal)};
}

/* The id that the asker was given. */
static inline void read_id(char id[64]) {
	const struct scan_value params = {.text = slice_of(shown), .type = SCAN_OBJECT};
	struct scan_value value;
	assert_true(scan_find(&params, "callback_id", &value));
	snprintf(id, 64, "%.*s", (int)value.text.length - 2, value.text.bytes + 1);
	assert_memory_equal(id, "cb-", 3);
}

static struct {
	char result[200], data[300], message[300];
	int64_t code;
	unsigned answered;
} heard;

static inline void note_answer(struct mgp_ask *ask, const struct hosted_answer *answer) {
	(void)ask;
	heard.answered++;
	heard.code = answer->code;
	snprintf(heard.result, sizeof heard.result, "%.*s", SLICE_ARGS(answer->result));
	snprintf(heard.data, sizeof heard.data, "%.*s", SLICE_ARGS(answer->data));
	snprintf(heard.message, sizeof heard.message, "%.*s", SLICE_ARGS(answer->message));
}

static inline void respond_raw(struct kernel_rig *rig, const char *principal, const char *params) {
	struct arena arena;
	char lent[1024];
	arena_init(&arena, lent, sizeof lent, 0);
	memset(&heard, 0, sizeof heard);
	struct mgp_ask ask = {
		.means = kernel_means(rig->kernel),
		.asker = mgp_asker(principal),
		.params = {.text = slice_of(params), .type = SCAN_OBJECT},
		.arena = &arena,
		.answered = note_answer,
	};
	mgp_method_ask(&ask, SLICE("mgp/callback/respond"));
	assert_int_equal(heard.answered, 1);
	arena_finish(&arena);
}

static inline void respond(struct kernel_rig *rig, const char *principal, const char *id, const char *response) {
	char params[400];
	snprintf(params, sizeof params, "{\"callback_id\":\"%s\",\"response\":%s}", id, response);
	respond_raw(rig, principal, params);
}

static inline void refused(const char *type) {
	char wanted[80];
	snprintf(wanted, sizeof wanted, "\"type\":\"%s\"", type);
	assert_int_equal(heard.code, 4000);
	if (!strstr(heard.data, wanted)) fail_msg("%s: %s", type, heard.data);
}

#endif
