/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel rig: a data folder, an inbox and a kernel around hosted servers (hosted_rig.h), which are tests'
 * own (tests/mcp_server/mgp_fake): each does as files in its folder say. What is audited is counted.
 */
#ifndef HUSTINGS_TESTS_KERNEL_RIG_H
#define HUSTINGS_TESTS_KERNEL_RIG_H

#include "hosted/hosted_rig.h"

#include "kernel/governed.h"
#include "kernel/kernel.h"
#include "kernel/permissions.h"
#include "kernel/registry.h"
#include "kernel/tools.h"
#include "store/audit_listener.h"

#include <ftw.h>
#include <signal.h>
#include <unistd.h>

struct kernel_rig {
	struct hosted_rig of; /* loop and servers */
	char folder[64];      /* of data */
	char outside[64];     /* of the fake server */
	struct store *store;
	struct state *state;
	struct inbox *inbox;
	struct registry *registry;
	struct kernel *kernel;
	struct policy policy;      /* [kernel], before kernel_rig_open_as() */
	struct flow_settings flow; /* [flow], before kernel_rig_start() or by kernel_change_flow() */
	const char *const *register_allow;
	struct audit_listener listener;
	struct text audited; /* "EVENT GATE RESULT ACTOR TOOL\n" each */
};

static inline void kernel_rig_heard(struct audit_listener *listener, const struct audit_record *record,
	int64_t moment) {
	struct kernel_rig *rig = CONTAINER_OF(listener, struct kernel_rig, listener);
	(void)moment;
	text_printf(&rig->audited, "%.*s %.*s %.*s %.*s %.*s\n", SLICE_ARGS(record->event), SLICE_ARGS(record->gate),
		SLICE_ARGS(record->result), SLICE_ARGS(record->actor), SLICE_ARGS(record->tool_name));
}

static inline bool kernel_rig_audited(const struct kernel_rig *rig, const char *line) {
	return rig->audited.length && strstr(rig->audited.bytes, line) != NULL;
}

static inline void kernel_rig_start(struct kernel_rig *rig) {
	struct fault why = {0};
	rig_open(&rig->of);
	const struct store_options options = {.directory = rig->folder, .spools = 1};
	if (!(rig->store = store_open(&options, &why))) fail_msg("%s", why.text);
	if (!(rig->state = state_open(rig->folder, &why))) fail_msg("%s", why.text);
	const struct inbox_options inbox = {.state = rig->state, .loop = rig->of.loop};
	if (!(rig->inbox = inbox_open(&inbox, &why))) fail_msg("%s", why.text);
	const struct kernel_options kernel = {
		.loop = rig->of.loop,
		.servers = rig->of.servers,
		.state = rig->state,
		.spool = store_spool(rig->store, 0),
		.store = rig->store,
		.inbox = rig->inbox,
		.policy = rig->policy,
		.register_allow = rig->register_allow,
		.flow = rig->flow,
		.secret = SLICE("the house's secret"),
	};
	if (!(rig->kernel = kernel_open(&kernel, &why))) fail_msg("%s", why.text);
	rig->listener = (struct audit_listener){.told = kernel_rig_heard};
	assert_true(audit_listen(rig->store, rig->of.loop, &rig->listener, &why));
}

static inline void kernel_rig_stop(struct kernel_rig *rig) {
	audit_unlisten(&rig->listener);
	inbox_rest(rig->inbox);
	kernel_close(rig->kernel);
	registry_close(TAKE(rig->registry));
	hosted_servers_close(rig->of.servers);
	loop_step(rig->of.loop, 0);
	inbox_close(rig->inbox);
	state_close(rig->state);
	store_close(rig->store);
	loop_close(rig->of.loop);
}

static inline void kernel_rig_open(struct kernel_rig *rig, const struct policy *policy) {
	memset(rig, 0, sizeof *rig);
	if (policy) rig->policy = *policy;
	snprintf(rig->folder, sizeof rig->folder, "/tmp/hustings-kernel-XXXXXX");
	assert_non_null(mkdtemp(rig->folder));
	snprintf(rig->outside, sizeof rig->outside, "/tmp/hustings-outside-XXXXXX");
	assert_non_null(mkdtemp(rig->outside));
	text_init(&rig->audited, 0);
	kernel_rig_start(rig);
}

static inline int kernel_rig_remove(const char *path, const struct stat *found, int type, struct FTW *walk) {
	(void)found, (void)type, (void)walk;
	return remove(path);
}

static inline void kernel_rig_close(struct kernel_rig *rig) {
	kernel_rig_stop(rig);
	text_finish(&rig->audited);
	nftw(rig->folder, kernel_rig_remove, 16, FTW_DEPTH | FTW_PHYS);
	nftw(rig->outside, kernel_rig_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- The fake server ---- */

/* In one step, so that a server never reads half of it. */
static inline void fake_write(const struct kernel_rig *rig, const char *name, const char *words) {
	char path[200], making[200];
	snprintf(path, sizeof path, "%s/%s", rig->outside, name);
	snprintf(making, sizeof making, "%s/making", rig->outside);
	FILE *file = fopen(making, "w");
	assert_non_null(file);
	fputs(words, file);
	fclose(file);
	assert_int_equal(rename(making, path), 0);
}

/* How many of the messages that it got hold those words. */
static inline unsigned fake_got(const struct kernel_rig *rig, const char *words) {
	char path[200], *line = NULL;
	size_t room = 0;
	unsigned count = 0;
	snprintf(path, sizeof path, "%s/received", rig->outside);
	FILE *file = fopen(path, "r");
	if (!file) return 0;
	while (getline(&line, &room, file) > 0) count += strstr(line, words) != NULL;
	free(line);
	fclose(file);
	return count;
}

#define FAKE_CAN(extensions, permissions) \
	"{\"tools\":{\"listChanged\":true},\"mgp\":{\"version\":\"0.2.0\",\"extensions\":[" extensions \
	"],\"permissions_required\":[" permissions "]}}"

/* Started, and perhaps connected before long. */
static inline void fake_start(struct kernel_rig *rig, const struct policy *policy) {
	const char *const arguments[] = {rig->of.program, rig->outside, NULL};
	struct fault why = {0};
	const struct hosted_settings settings = {
		.id = "fake",
		.arguments = arguments,
		.eras = HOSTED_ERA_ONLY_LEGACY,
		.children = 1,
		.stop_ms = 1,
		.back_off_ms = 1,
		.policy = policy,
	};
	built_program("tests/mgp_fake", rig->of.program, sizeof rig->of.program);
	if (!(rig->of.hosted = hosted_add(rig->of.servers, &settings, &why))) fail_msg("%s", why.text);
	if (!hosted_start(rig->of.hosted, &why)) fail_msg("%s", why.text);
}

static inline void fake_run(struct kernel_rig *rig, const struct policy *policy) {
	fake_start(rig, policy);
	rig_until(&rig->of, hosted_state(rig->of.hosted) == HOSTED_CONNECTED);
}

/* ---- Calls ---- */

#define SPEAKS_MGP ((struct mgp_agreed){.is_active = true, .extensions = MGP_SPOKEN})

static inline struct call_asker mgp_asker(const char *principal) {
	return (struct call_asker){.principal = slice_of(principal), .mgp = SPEAKS_MGP};
}

/* What it was lent is gone when it returns. */
static inline void kernel_rig_start_call(struct kernel_rig *rig, struct rig_ask *made,
	struct call_asker asker, const char *params) {
	char lent[600], who[64];
	struct fault why = {0};
	snprintf(lent, sizeof lent, "%s", params);
	snprintf(who, sizeof who, "%.*s", SLICE_ARGS(asker.principal));
	rig_begin(made, who);
	asker.principal = made->ask.principal;
	made->ask.deadline_ms = 0; /* the policy's */
	made->ask.method = SLICE("tools/call");
	made->ask.params = slice_of(lent);
	if (!call_start(rig->of.hosted, &asker, &made->ask, &why)) fail_msg("%s", why.text);
	assert_int_equal(made->answered, 0); /* never from inside */
	memset(lent, '?', sizeof lent);
	memset(who, '?', sizeof who);
}

static inline void kernel_rig_call(struct kernel_rig *rig, struct rig_ask *made, struct call_asker asker,
	const char *params) {
	kernel_rig_start_call(rig, made, asker, params);
	rig_until(&rig->of, made->answered);
}

static inline void kernel_rig_grant(struct kernel_rig *rig, const char *agent, const char *tool, bool is_allowed) {
	const struct access_grant grant = {
		.entry = tool ? ACCESS_TOOL_GRANT : ACCESS_SERVER_GRANT,
		.is_allowed = is_allowed,
		.agent = slice_of(agent),
		.server = SLICE("fake"),
		.tool = tool ? slice_of(tool) : SLICE_NONE,
		.granted_by = SLICE("root"),
		.granted_at = clock_wall_ms(),
	};
	struct fault why = {0};
	if (!access_grant(kernel_means(rig->kernel)->access, &grant, &why)) fail_msg("%s", why.text);
}

/* The decision that is open, of that kind; NULL: none. */
static inline const struct decision *kernel_rig_open_decision(struct kernel_rig *rig, enum decision_kind kind) {
	for (const struct decision *one = NULL; (one = inbox_next(rig->inbox, one));)
		if (one->kind == kind && one->state == DECISION_PENDING) return one;
	return NULL;
}

static inline void kernel_rig_decide(struct kernel_rig *rig, enum decision_kind kind, bool approves,
	const char *only) {
	const struct slice names[] = {only ? slice_of(only) : SLICE_NONE};
	const struct inbox_answer answer = {
		.who = SLICE("root"),
		.is_admin = true,
		.approves = approves,
		.only = names,
		.only_count = only ? 1 : 0,
	};
	struct fault why = {0};
	const struct decision *decision = kernel_rig_open_decision(rig, kind);
	assert_non_null(decision);
	if (!inbox_answer(rig->inbox, slice_of(decision->id), &answer, &why)) fail_msg("%s", why.text);
}

#endif
