/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events rig: a kernel (kernel_rig.h), a server that raises events, and two who hear: ann, a principal alone,
 * and bob in a session.
 */
#ifndef HUSTINGS_TESTS_EVENTS_RIG_H
#define HUSTINGS_TESTS_EVENTS_RIG_H

#include "kernel_rig.h"

#include "kernel/call.h"
#include "kernel/event_sources.h"
#include "kernel/events.h"
#include "kernel/mgp_method.h"

#define TOOLS \
	"[{\"name\":\"read\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"}}," \
	"{\"name\":\"other\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"}}]"
#define CAN FAKE_CAN("\"security\",\"bidirectional\"", "")
#define HAS "{\"subscribed\":[\"model.own\",\"model.*\"],\"unsupported\":[],\"subscription_id\":\"own-1\"}"
#define CLAIM(channel, data) \
	"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.event\",\"params\":{\"subscription_id\":\"own-1\",\"channel\":\"" channel "\"," data "}}\n"
#define READ "{\"name\":\"read\",\"arguments\":{\"secret\":\"hidden\"}}"

static const struct policy free_policy = {
	.permissions = PERMISSION_AUTO_APPROVE,
	.access = ACCESS_OPT_OUT,
	.approval = APPROVAL_AUTO_APPROVE,
};

struct hearer {
	struct mgp_client client;
	struct text heard; /* params, a line each */
	uint64_t last;     /* number */
	unsigned freed;
	bool is_deaf;
};

struct asked {
	struct mgp_ask ask;
	struct arena arena;
	char lent[512], params[2048];
	char result[65536], message[400];
	int64_t code;
	unsigned answered;
};

static struct kernel_rig rig;
static struct rig_ask made;
static struct hearer ann, bob;
static struct asked asked;

static inline bool tell(struct mgp_client *client, const char *method, const struct scan_value *params) {
	struct hearer *hearer = CONTAINER_OF(client, struct hearer, client);
	assert_string_equal(method, "notifications/mgp.event");
	if (hearer->is_deaf) return false;
	text_add(&hearer->heard, params->text);
	text_add_char(&hearer->heard, '\n');
	hearer->last = client->event;
	return true;
}

static inline void is_free(struct mgp_client *client) { CONTAINER_OF(client, struct hearer, client)->freed++; }

static const struct mgp_client_face face = {.tell = tell, .is_free = is_free};

static inline void hear(struct hearer *hearer, const char *principal, const char *session) {
	memset(hearer, 0, sizeof *hearer);
	text_init(&hearer->heard, 0);
	mgp_client_begin(&hearer->client, &face, slice_of(principal), slice_of(session));
}

static inline void begin(const char *capabilities, const struct policy *policy) {
	kernel_rig_open(&rig, NULL);
	fake_write(&rig, "capabilities", capabilities);
	fake_write(&rig, "tools", TOOLS);
	fake_write(&rig, "events", HAS);
	fake_run(&rig, policy);
	hear(&ann, "ann", "");
	hear(&bob, "bob", "s1");
	/* Its tools are known. */
	kernel_rig_call(&rig, &made, (struct call_asker){.principal = SLICE("root"), .is_admin = true}, READ);
}

static inline int tear_down(void **state) {
	(void)state;
	mgp_client_end(&ann.client);
	mgp_client_end(&bob.client);
	text_finish(&ann.heard);
	text_finish(&bob.heard);
	kernel_rig_close(&rig);
	return 0;
}

static inline void answered(struct mgp_ask *ask, const struct hosted_answer *answer) {
	struct asked *one = CONTAINER_OF(ask, struct asked, ask);
	one->answered++;
	one->code = answer->code;
	assert_true(answer->result.length < sizeof one->result);
	snprintf(one->result, sizeof one->result, "%.*s", SLICE_ARGS(answer->result));
	snprintf(one->message, sizeof one->message, "%.*s", SLICE_ARGS(answer->message));
}

static inline void start_as(struct asked *one, struct call_asker asker, struct hearer *hearer, const char *method,
	const char *params) {
	struct scan_fault fault;
	memset(one, 0, sizeof *one);
	arena_init(&one->arena, one->lent, sizeof one->lent, 0);
	snprintf(one->params, sizeof one->params, "%s", params);
	one->ask = (struct mgp_ask){
		.means = kernel_means(rig.kernel),
		.asker = asker,
		.client = hearer ? &hearer->client : NULL,
		.arena = &one->arena,
		.answered = answered,
	};
	assert_true(scan_check(slice_of(one->params), SCAN_DEPTH, &one->ask.params, &fault));
	mgp_method_ask(&one->ask, slice_of(method));
	arena_finish(&one->arena);
}

static inline struct call_asker asker_of(const struct hearer *hearer) {
	return (struct call_asker){
		.principal = hearer->client.principal,
		.session = hearer->client.session,
		.mgp = SPEAKS_MGP,
	};
}

static inline void start(struct hearer *hearer, const char *method, const char *params) {
	start_as(&asked, asker_of(hearer), hearer, method, params);
}

static inline const char *result(struct hearer *hearer, const char *method, const char *params) {
	start(hearer, method, params);
	rig_until(&rig.of, asked.answered);
	if (asked.code) fail_msg("%s: %s", method, asked.message);
	return asked.result;
}

static inline void refused(struct hearer *hearer, const char *method, const char *params, int64_t code, const char *words) {
	start(hearer, method, params);
	rig_until(&rig.of, asked.answered);
	if (asked.code != code || !strstr(asked.message, words))
		fail_msg("%s: %lld %s %s", params, (long long)asked.code, asked.message, asked.result);
}

static inline void id_of(char id[EVENTS_ID]) {
	const char *at = strstr(asked.result, "\"sub-");
	assert_non_null(at);
	snprintf(id, EVENTS_ID, "%.40s", at + 1);
}

static inline void subscribe(struct hearer *hearer, const char *params, char id[EVENTS_ID]) {
	result(hearer, "mgp/events/subscribe", params);
	id_of(id);
}

/* Params that name a subscription. */
static inline const char *about(const char *id, const char *more) {
	static char params[200];
	snprintf(params, sizeof params, "{\"subscription_id\":\"%s\"%s}", id, more);
	return params;
}

static inline unsigned times(const struct hearer *hearer, const char *words) {
	unsigned count = 0;
	for (const char *at = hearer->heard.length ? hearer->heard.bytes : ""; (at = strstr(at, words)); at++) count++;
	return count;
}

static inline void has(const char *text, const char *words) {
	if (!strstr(text, words)) fail_msg("no %s in %s", words, text);
}

static inline void raise_named(const char *channel, enum event_severity severity, const char *data) {
	const struct event_raised raised = {
		.channel = slice_of(channel),
		.severity = severity,
		.data = slice_of(data),
	};
	events_raise(kernel_means(rig.kernel)->events, &raised);
}

#endif
