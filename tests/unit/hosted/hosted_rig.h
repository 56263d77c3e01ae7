/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted rig: a loop, hosted test servers (tests/mcp_server) on it, and what its asks came to.
 */
#ifndef HUSTINGS_TESTS_HOSTED_RIG_H
#define HUSTINGS_TESTS_HOSTED_RIG_H

#include "built.h"

#include "hosted/hosted.h"
#include "net/launcher.h"

#include <stdio.h>
#include <stdlib.h>

#define RIG_PATIENCE_MS 90000
#define rig_until(rig, condition) \
	do { \
		uint64_t rig_end_ = clock_monotonic_ms() + RIG_PATIENCE_MS; \
		while (!(condition)) { \
			if (clock_monotonic_ms() > rig_end_) fail_msg("never: %s", #condition); \
			loop_step((rig)->loop, 20); \
		} \
	} while (0)

struct hosted_rig {
	struct loop *loop;
	struct hosted_servers *servers;
	struct hosted *hosted;
	char program[400];
	struct hosted_listener listener;
	unsigned moved, changed, updated, logged, declined;
	char updated_for[40];
};

/* One ask and what came of it. */
struct rig_ask {
	struct hosted_ask ask;
	unsigned answered, progressed, questioned, withdrawn, told;
	char result[2000], message[300], data[1500];
	int64_t code;
	unsigned lacking;
	struct fault why;
	struct hosted_question *question;
	char asked[64];
};

static inline void rig_moved(struct hosted_listener *listener, struct hosted *hosted,
	enum hosted_state from) {
	struct hosted_rig *rig = CONTAINER_OF(listener, struct hosted_rig, listener);
	assert_int_not_equal(hosted_state(hosted), from);
	rig->moved++;
}
static inline void rig_changed(struct hosted_listener *listener, struct hosted *hosted,
	enum hosted_kind kind) {
	(void)hosted;
	if (kind == HOSTED_TOOLS) CONTAINER_OF(listener, struct hosted_rig, listener)->changed++;
}
static inline void rig_updated(struct hosted_listener *listener, struct hosted *hosted,
	struct slice principal, struct slice uri, const struct scan_value *params) {
	struct hosted_rig *rig = CONTAINER_OF(listener, struct hosted_rig, listener);
	(void)hosted;
	(void)params;
	check_slice(uri, "test://one");
	snprintf(rig->updated_for, sizeof rig->updated_for, "%.*s", SLICE_ARGS(principal));
	rig->updated++;
}

static inline void rig_declined(struct hosted_listener *listener, struct hosted *hosted,
	struct slice method, unsigned count) {
	(void)hosted;
	check_slice(method, "elicitation/create");
	CONTAINER_OF(listener, struct hosted_rig, listener)->declined += count;
}

static inline void rig_open(struct hosted_rig *rig) {
	struct fault why;
	memset(rig, 0, sizeof *rig);
	rig->loop = loop_open(&why);
	assert_non_null(rig->loop);
	rig->servers = hosted_servers_open(rig->loop, NULL, &why);
	assert_non_null(rig->servers);
	rig->listener = (struct hosted_listener){.moved = rig_moved, .changed = rig_changed, .updated = rig_updated, .declined = rig_declined};
	hosted_listen(rig->servers, &rig->listener);
	built_program("tests/mcp_server", rig->program, sizeof rig->program);
}

static inline void rig_close(struct hosted_rig *rig) {
	hosted_servers_close(rig->servers);
	loop_close(rig->loop);
}

/* A server with these words behind its program, NULL ended. */
static inline struct hosted *rig_add(struct hosted_rig *rig, const char *id,
	struct hosted_settings settings, const char *const *words) {
	const char *arguments[12] = {rig->program};
	struct fault why = {0};
	for (size_t i = 0; words && words[i]; i++) arguments[i + 1] = words[i];
	settings.id = id;
	settings.arguments = arguments;
	struct hosted *hosted = hosted_add(rig->servers, &settings, &why);
	assert_string_equal(why.text, "");
	assert_non_null(hosted);
	return hosted;
}

/* The same, started, and known through and through. */
static inline void rig_run(struct hosted_rig *rig, struct hosted_settings settings,
	const char *const *words) {
	rig_open(rig);
	rig->hosted = rig_add(rig, "test", settings, words);
	assert_true(hosted_start(rig->hosted, NULL));
	rig_until(rig, hosted_state(rig->hosted) == HOSTED_CONNECTED && hosted_is_known(rig->hosted));
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static inline void rig_answered(struct hosted_ask *ask, const struct hosted_answer *answer,
	const struct fault *why) {
	struct rig_ask *made = CONTAINER_OF(ask, struct rig_ask, ask);
	assert_true((answer == NULL) == (why != NULL));
	made->answered++;
	if (why) made->why = *why;
	if (!answer) return;
	made->code = answer->code;
	made->lacking = answer->lacking;
	snprintf(made->result, sizeof made->result, "%.*s", SLICE_ARGS(answer->result));
	snprintf(made->message, sizeof made->message, "%.*s", SLICE_ARGS(answer->message));
	snprintf(made->data, sizeof made->data, "%.*s", SLICE_ARGS(answer->data));
}
static inline void rig_progressed(struct hosted_ask *ask, const struct scan_value *params) {
	struct scan_value value;
	assert_true(scan_find(params, "progress", &value));
	CONTAINER_OF(ask, struct rig_ask, ask)->progressed++;
}
static inline void rig_questioned(struct hosted_ask *ask, struct hosted_question *question,
	struct slice method, const struct scan_value *params) {
	struct rig_ask *made = CONTAINER_OF(ask, struct rig_ask, ask);
	(void)params;
	made->questioned++;
	made->question = question;
	snprintf(made->asked, sizeof made->asked, "%.*s", SLICE_ARGS(method));
}
static inline void rig_withdrawn(struct hosted_ask *ask, struct hosted_question *question) {
	struct rig_ask *made = CONTAINER_OF(ask, struct rig_ask, ask);
	assert_ptr_equal(made->question, question);
	made->question = NULL;
	made->withdrawn++;
}
static inline void rig_told(struct hosted_ask *ask, struct slice method,
	const struct scan_value *params) {
	(void)method;
	(void)params;
	CONTAINER_OF(ask, struct rig_ask, ask)->told++;
}
static const struct hosted_ask_events rig_ask_events = {.answered = rig_answered,
	.progressed = rig_progressed,
	.questioned = rig_questioned,
	.withdrawn = rig_withdrawn,
	.told = rig_told};

#define RIG_ALL_ABILITIES (HOSTED_CAN_ROOTS | HOSTED_CAN_SAMPLE | HOSTED_CAN_SAMPLE_TOOLS | \
	HOSTED_CAN_FORM | HOSTED_CAN_URL)

static inline void rig_begin(struct rig_ask *made, const char *principal) {
	memset(made, 0, sizeof *made);
	made->ask.principal = slice_of(principal);
	made->ask.abilities = RIG_ALL_ABILITIES;
	made->ask.events = &rig_ask_events;
	made->ask.deadline_ms = RIG_PATIENCE_MS;
}

/* Calls a tool; what else the ask has was filled in before. */
static inline void rig_call(struct hosted *hosted, struct rig_ask *made, const char *tool) {
	char params[200];
	struct fault why = {0};
	snprintf(params, sizeof params, "{\"name\":\"%s\",\"arguments\":{\"a\":1e400},\"_meta\":{\"x.y/z\":1}}", tool);
	made->ask.method = SLICE("tools/call");
	made->ask.params = slice_of(params);
	bool is_started = hosted_ask_start(hosted, &made->ask, &why);
	assert_string_equal(why.text, "");
	assert_true(is_started);
	assert_int_equal(made->answered, 0);
	memset(params, '?', sizeof params);
}

/* Calls a tool as that principal and waits for its answer. */
static inline void rig_ask(struct hosted_rig *rig, struct rig_ask *made, const char *principal,
	const char *tool) {
	rig_begin(made, principal);
	rig_call(rig->hosted, made, tool);
	rig_until(rig, made->answered);
}

#define check_has(made, words) \
	do { \
		if (!strstr((made)->result, (words))) \
			fail_msg("%s not in %s (%s)", (words), (made)->result, (made)->why.text); \
	} while (0)

#endif
