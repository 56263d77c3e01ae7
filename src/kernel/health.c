/* SPDX-License-Identifier: Apache-2.0 */
/* Health: asked at intervals, one question a conversation; strikes are the server's. */
#include "kernel/health.h"

#include "base/clock.h"
#include "kernel/permissions.h"
#include "mcp/peer.h"

#include <stdio.h>
#include <stdlib.h>

/* A question under way, or a good-bye; it goes with its answer, or with its conversation. */
struct inquiry {
	struct link link;
	struct hosted *hosted;
	struct hosted_child *child;
	struct peer_call *call;
	struct deadline patience; /* of a good-bye that was accepted */
};

struct health {
	struct governed *governed;
	struct link inquiries;
	struct deadline due;
	unsigned strikes;   /* in a row */
	const char *reason; /* of the next stop; NULL: none was said */
};

static void look(struct deadline *deadline);

static void wait_again(struct health *health) {
	deadline_set(health->governed->means->loop, &health->due, health->governed->policy.health_interval_ms, look);
}

struct health *health_open(struct governed *governed, struct fault *why) {
	struct health *health = calloc(1, sizeof *health);
	if (!health) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	health->governed = governed;
	list_init(&health->inquiries);
	wait_again(health);
	return health;
}

static void inquiry_free(struct inquiry *inquiry) {
	deadline_clear(&inquiry->patience);
	list_remove(&inquiry->link);
	free(inquiry);
}

void health_close(struct health *health) {
	if (!health) return;
	deadline_clear(&health->due);
	while (!list_is_empty(&health->inquiries)) {
		struct inquiry *inquiry = CONTAINER_OF(health->inquiries.next, struct inquiry, link);
		if (inquiry->call) peer_cancel(TAKE(inquiry->call), SLICE("the server is removed"));
		inquiry_free(inquiry);
	}
	free(health);
}

/* Its calls end with the conversation, and no answer comes any more. */
void health_gone(struct health *health, struct hosted_child *child) {
	LIST_EACH_SAFE(link, &health->inquiries) {
		struct inquiry *inquiry = CONTAINER_OF(link, struct inquiry, link);
		if (inquiry->child != child) continue;
		if (inquiry->call) peer_cancel(TAKE(inquiry->call), SLICE("the conversation has ended"));
		inquiry_free(inquiry);
	}
}

void health_set_reason(struct health *health, const char *reason) { health->reason = reason; }
const char *health_reason(const struct health *health) {
	return health->reason ? health->reason : "operator_request";
}

static struct inquiry *begin(struct health *health, struct hosted_child *child, const char *method,
	struct slice params, uint64_t deadline_ms, peer_answered *answered) {
	struct inquiry *inquiry = calloc(1, sizeof *inquiry);
	struct fault why;
	if (!inquiry) return NULL;
	inquiry->hosted = health->governed->hosted;
	inquiry->child = child;
	list_append(&health->inquiries, &inquiry->link);
	const struct peer_request request = {
		.method = slice_of(method),
		.params = params,
		.deadline_ms = deadline_ms,
		.answered = answered,
		.context = inquiry,
	};
	inquiry->call = hosted_child_request(child, &request, &why);
	if (inquiry->call) return inquiry;
	inquiry_free(inquiry);
	return NULL;
}

/* ---- Alive? ---- */

static void strike(struct health *health, const char *what) {
	struct hosted *hosted = health->governed->hosted;
	char reason[120];
	hosted_set_health(hosted, HOSTED_UNHEALTHY);
	health->strikes++;
	log_write(health->governed->means->log, LOG_WARNING, "server %.*s is unhealthy: %s (%u of %d)",
		SLICE_ARGS(hosted_id(hosted)), what, health->strikes, HEALTH_STRIKES);
	if (health->strikes < HEALTH_STRIKES) return;
	health->strikes = 0;
	snprintf(reason, sizeof reason, "unhealthy %d times in a row: %s", HEALTH_STRIKES, what);
	hosted_fail(hosted, reason);
}

static void judge(struct health *health, const struct peer_reply *reply) {
	struct hosted *hosted = health->governed->hosted;
	const struct scan_value result = {.text = reply->result, .type = SCAN_OBJECT};
	struct scan_value status;
	bool is_object = reply->result.length && reply->result.bytes[0] == '{';
	bool says = is_object && scan_find(&result, "status", &status) && status.type == SCAN_STRING;
	if (says && slice_is(status.text, "\"unhealthy\"")) {
		strike(health, "it says so itself");
		return;
	}
	health->strikes = 0;
	bool is_degraded = says && slice_is(status.text, "\"degraded\"");
	if (is_degraded && hosted_health(hosted) != HOSTED_DEGRADED)
		log_write(health->governed->means->log, LOG_WARNING, "server %.*s says that it is degraded",
			SLICE_ARGS(hosted_id(hosted)));
	hosted_set_health(hosted, is_degraded ? HOSTED_DEGRADED : HOSTED_HEALTHY);
}

static void pinged(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct inquiry *inquiry = context;
	const struct governed *governed = governed_of(inquiry->hosted);
	inquiry->call = NULL;
	bool is_silent = why && why->code == FAULT_TIMEOUT;
	inquiry_free(inquiry);
	if (!governed) return;
	if (is_silent) strike(governed->health, "it does not answer within 5 s");
	else if (!why) judge(governed->health, reply); /* an error is an answer of somebody alive */
}

static void ping(struct health *health, struct hosted_child *child) {
	const struct governed *governed = health->governed;
	enum hosted_era era = hosted_child_era(child);
	bool speaks = (governed->agreed[era].extensions & MGP_LIFECYCLE) != 0;
	AUTO_TEXT struct text params = {0};
	char moment[CLOCK_TEXT_SIZE];
	if (!speaks) {
		if (era == HOSTED_LEGACY && !hosted_asks(governed->hosted) && !hosted_settings(governed->hosted)->url)
			(void)begin(health, child, "ping", SLICE_NONE, HEALTH_ANSWER_MS, pinged);
		return;
	}
	text_init(&params, 0);
	clock_write(clock_wall_ms(), moment);
	text_printf(&params, "{\"timestamp\":\"%s\"}", moment);
	if (!text_failed(&params))
		(void)begin(health, child, "mgp/health/ping", text_slice(&params), HEALTH_ANSWER_MS, pinged);
}

static bool is_asked(const struct health *health, const struct hosted_child *child) {
	LIST_EACH(link, &health->inquiries)
		if (CONTAINER_OF(link, struct inquiry, link)->child == child) return true;
	return false;
}

/* A grant has ended, and its sandbox still lets that through: it is made anew. */
static bool has_lost_permission(const struct governed *governed) {
	if (governed->policy.trust != MGP_SANDBOXED) return false;
	return (governed->has_network && !permissions_allow_network(governed->permissions)) ||
		(governed->has_writable && !permissions_allow_writing(governed->permissions));
}

static void look(struct deadline *deadline) {
	struct health *health = CONTAINER_OF(deadline, struct health, due);
	struct hosted *hosted = health->governed->hosted;
	wait_again(health);
	if (hosted_state(hosted) != HOSTED_CONNECTED) {
		health->strikes = 0;
		return;
	}
	if (has_lost_permission(health->governed)) {
		struct fault why;
		(void)!hosted_restart(hosted, &why);
		return;
	}
	for (struct hosted_child *child = NULL; (child = hosted_child_next(hosted, child));)
		if (!is_asked(health, child)) ping(health, child);
}

/* ---- Good-bye (MGP 11.4) ---- */

static void patience_over(struct deadline *deadline) {
	struct inquiry *inquiry = CONTAINER_OF(deadline, struct inquiry, patience);
	struct hosted_child *child = inquiry->child;
	inquiry_free(inquiry);
	hosted_child_part(child);
}

static void heard(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct inquiry *inquiry = context;
	struct hosted_child *child = inquiry->child;
	struct scan_value value;
	int64_t drain = 0;
	inquiry->call = NULL;
	if (!why && reply->result.length && reply->result.bytes[0] == '{') {
		const struct scan_value result = {.text = reply->result, .type = SCAN_OBJECT};
		if (scan_find(&result, "estimated_drain_ms", &value) && value.type == SCAN_NUMBER && !scan_integer(&value, &drain))
			drain = 0;
	}
	const struct governed *governed = governed_of(inquiry->hosted);
	if (governed && drain > 0) {
		deadline_set(governed->means->loop, &inquiry->patience, (uint64_t)drain, patience_over);
		return;
	}
	inquiry_free(inquiry);
	if (!why || why->code == FAULT_TIMEOUT) hosted_child_part(child);
}

static const char *reason_of(const struct health *health) {
	if (health->reason) return health->reason;
	return hosted_state(health->governed->hosted) == HOSTED_CONNECTED ? "idle_timeout" : "operator_request";
}

bool health_leaving(struct health *health, struct hosted_child *child, uint64_t patience_ms) {
	const struct governed *governed = health->governed;
	AUTO_TEXT struct text params = {0};
	if (!(governed->agreed[hosted_child_era(child)].extensions & MGP_LIFECYCLE)) return false;
	text_init(&params, 0);
	text_printf(&params, "{\"reason\":\"%s\",\"timeout_ms\":%llu}", reason_of(health),
		(unsigned long long)patience_ms);
	return !text_failed(&params) &&
		begin(health, child, "mgp/lifecycle/shutdown", text_slice(&params), patience_ms ? patience_ms : 1, heard) != NULL;
}
