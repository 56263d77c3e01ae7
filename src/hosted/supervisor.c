/* SPDX-License-Identifier: Apache-2.0 */
/* Supervisor: the table says what follows; each state's duty is done on entering it. */
#include "hosted/supervisor.h"

#include "base/clock.h"
#include "hosted/hosted_parts.h"

#include <stdio.h>
#include <stdlib.h>

typedef void enter_fn(struct hosted *hosted);
struct step {
	enum hosted_state to;
	bool is_there;
	enter_fn *enter;
};

static void enter_connecting(struct hosted *hosted);
static void enter_draining(struct hosted *hosted);
static void enter_restarting(struct hosted *hosted);
static void enter_still(struct hosted *hosted);

#define TO(state, enter) \
	{ HOSTED_##state, true, enter }

/* MGP 11.2. An empty cell is an event that state refuses. */
static const struct step steps[HOSTED_STATES][SUPERVISOR_EVENTS] = {
	[HOSTED_REGISTERED] = {
		[SUPERVISOR_START] = TO(CONNECTING, enter_connecting),
		[SUPERVISOR_SHUTDOWN] = TO(DISCONNECTED, enter_still),
	},
	[HOSTED_CONNECTING] = {
		[SUPERVISOR_READY] = TO(CONNECTED, NULL),
		[SUPERVISOR_FAILED] = TO(ERROR, enter_still),
		[SUPERVISOR_EXITED] = TO(ERROR, enter_still),
		[SUPERVISOR_SHUTDOWN] = TO(DRAINING, enter_draining),
	},
	[HOSTED_CONNECTED] = {
		[SUPERVISOR_FAILED] = TO(ERROR, enter_still),
		[SUPERVISOR_EXITED] = TO(DISCONNECTED, enter_still),
		[SUPERVISOR_SHUTDOWN] = TO(DRAINING, enter_draining),
	},
	[HOSTED_DRAINING] = {
		[SUPERVISOR_DRAINED] = TO(DISCONNECTED, enter_still),
		[SUPERVISOR_RESTART] = TO(RESTARTING, enter_restarting),
	},
	[HOSTED_DISCONNECTED] = {
		[SUPERVISOR_START] = TO(CONNECTING, enter_connecting),
		[SUPERVISOR_RESTART] = TO(RESTARTING, enter_restarting),
	},
	[HOSTED_ERROR] = {
		[SUPERVISOR_START] = TO(CONNECTING, enter_connecting),
		[SUPERVISOR_RESTART] = TO(RESTARTING, enter_restarting),
		[SUPERVISOR_SHUTDOWN] = TO(DISCONNECTED, enter_still),
	},
	[HOSTED_RESTARTING] = {
		[SUPERVISOR_START] = TO(CONNECTING, enter_connecting),
		[SUPERVISOR_SHUTDOWN] = TO(DISCONNECTED, enter_still),
	},
};

bool supervisor_step(struct hosted *hosted, enum supervisor_event event, const char *reason) {
	struct supervisor *supervisor = &hosted->supervisor;
	enum hosted_state from = supervisor->state;
	const struct step *step = &steps[from][event];
	if (!step->is_there) return false;

	deadline_clear(&supervisor->deadline);
	supervisor->state = step->to;
	supervisor->changed_at = clock_wall_ms();
	snprintf(supervisor->reason, sizeof supervisor->reason, "%s", reason ? reason : "");
	log_write(hosted->servers->log, step->to == HOSTED_ERROR ? LOG_WARNING : LOG_INFO,
		"server %s: %s%s%s", hosted->setup.of.id, hosted_state_word(step->to),
		reason && *reason ? ": " : "", reason ? reason : "");
	hosted_tell_moved(hosted, from);
	if (step->enter && supervisor->state == step->to) step->enter(hosted);
	return true;
}

/* ---- Restarts ---- */

static bool is_within_budget(struct hosted *hosted) {
	struct supervisor *supervisor = &hosted->supervisor;
	uint64_t now = loop_now(hosted->servers->loop);
	uint64_t oldest = supervisor->stamps[supervisor->stamp_at];
	return !oldest || now - oldest > hosted->setup.of.restart_window_ms;
}

static void count_restart(struct hosted *hosted) {
	struct supervisor *supervisor = &hosted->supervisor;
	uint64_t now = loop_now(hosted->servers->loop);
	supervisor->stamps[supervisor->stamp_at] = now ? now : 1;
	supervisor->stamp_at = (supervisor->stamp_at + 1) % hosted->setup.of.restarts;
	supervisor->total++;
}

static void pause_over(struct deadline *deadline) {
	struct hosted *hosted = CONTAINER_OF(deadline, struct hosted, supervisor.deadline);
	(void)supervisor_step(hosted, SUPERVISOR_START, NULL);
}

static uint64_t pause_ms(const struct hosted *hosted) {
	uint64_t pause = hosted->setup.of.back_off_ms;
	for (unsigned i = 1; i < hosted->supervisor.failures && pause < hosted->setup.of.back_off_most_ms; i++)
		pause *= 2;
	return pause < hosted->setup.of.back_off_most_ms ? pause : hosted->setup.of.back_off_most_ms;
}

static void enter_restarting(struct hosted *hosted) {
	struct supervisor *supervisor = &hosted->supervisor;
	supervisor->health = supervisor->starts_again ? HOSTED_HEALTHY : HOSTED_DEGRADED;
	uint64_t pause = supervisor->starts_again ? 0 : pause_ms(hosted);
	supervisor->starts_again = false;
	deadline_set(hosted->servers->loop, &supervisor->deadline, pause, pause_over);
}

static void consider_restart(struct hosted *hosted, bool has_failed) {
	struct supervisor *supervisor = &hosted->supervisor;
	char reason[sizeof supervisor->reason];
	enum hosted_restart policy = hosted->setup.of.restart;
	if (policy == HOSTED_RESTART_NEVER || (policy == HOSTED_RESTART_ON_FAILURE && !has_failed)) return;
	if (is_within_budget(hosted)) {
		count_restart(hosted);
		snprintf(reason, sizeof reason, "%s", supervisor->reason);
		(void)supervisor_step(hosted, SUPERVISOR_RESTART, reason);
		return;
	}
	snprintf(reason, sizeof reason, "restarted %u times within %llu s, not again: %.150s",
		hosted->setup.of.restarts, (unsigned long long)hosted->setup.of.restart_window_ms / 1000,
		supervisor->reason);
	memcpy(supervisor->reason, reason, sizeof reason);
	supervisor->health = HOSTED_UNHEALTHY;
	log_write(hosted->servers->log, LOG_ERROR, "server %s: %s", hosted->setup.of.id, reason);
	hosted_tell_spent(hosted);
}

/* ---- Entering ---- */

static void enter_connecting(struct hosted *hosted) {
	struct fault why;
	if (hosted_child_open(hosted, hosted->first_era, false, &why)) return;
	hosted->supervisor.failures++;
	(void)supervisor_step(hosted, SUPERVISOR_FAILED, why.text);
	consider_restart(hosted, true);
	hosted_settle_later(hosted);
}

static void stop_all(struct hosted *hosted) {
	LIST_EACH(link, &hosted->children)
		hosted_child_stop(CONTAINER_OF(link, struct hosted_child, link), hosted->setup.of.stop_ms);
}

void supervisor_drain(struct hosted *hosted) {
	if (hosted->supervisor.state != HOSTED_DRAINING || hosted->run_count) return;
	stop_all(hosted);
	if (hosted->child_count) return;
	bool starts_again = hosted->supervisor.starts_again;
	(void)supervisor_step(hosted, starts_again ? SUPERVISOR_RESTART : SUPERVISOR_DRAINED,
		starts_again ? "restarting as asked" : "stopped");
}

static void patience_over(struct deadline *deadline) {
	stop_all(CONTAINER_OF(deadline, struct hosted, supervisor.deadline));
}

/* Whoever waits is told, unless it comes back. */
static void enter_draining(struct hosted *hosted) { hosted_settle_later(hosted); }
static void enter_still(struct hosted *hosted) { hosted_settle_later(hosted); }

/* One that only finds out about an era serves nobody. */
static bool has_conversations(const struct hosted *hosted) {
	LIST_EACH(link, &hosted->children) {
		const struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (!child->is_probe || child->has_opened) return true;
	}
	return false;
}

void supervisor_look(struct hosted *hosted, int status, bool was_asked_to,
	const struct fault *why) {
	struct supervisor *supervisor = &hosted->supervisor;
	bool is_up = supervisor->state == HOSTED_CONNECTING || supervisor->state == HOSTED_CONNECTED;
	if (!is_up || was_asked_to || has_conversations(hosted)) return;
	bool has_failed = status != 0 || supervisor->state == HOSTED_CONNECTING;
	supervisor->failures++;
	supervisor->health = HOSTED_DEGRADED;
	if (supervisor_step(hosted, has_failed ? SUPERVISOR_FAILED : SUPERVISOR_EXITED, why->text))
		consider_restart(hosted, has_failed);
}

bool supervisor_may_wait(const struct hosted *hosted, struct fault *why) {
	const struct supervisor *supervisor = &hosted->supervisor;
	if (hosted->is_removed)
		return fault_set(why, FAULT_CLOSED, "server %s was removed", hosted->setup.of.id);
	switch (supervisor->state) {
	case HOSTED_CONNECTED: return true;
	case HOSTED_CONNECTING:
	case HOSTED_RESTARTING:
		if (supervisor->failures < 2) return true;
		break;
	case HOSTED_DRAINING:
		if (supervisor->starts_again) return true;
		break;
	default: break;
	}
	return fault_set(why, FAULT_NOT_READY, "server %s is %s%s%s", hosted->setup.of.id,
		hosted_state_word(supervisor->state), supervisor->reason[0] ? ": " : "", supervisor->reason);
}

uint64_t hosted_restart_in(const struct hosted *hosted) {
	const struct supervisor *supervisor = &hosted->supervisor;
	uint64_t now = loop_now(hosted->servers->loop);
	if (supervisor->state != HOSTED_RESTARTING || supervisor->deadline.at <= now) return 0;
	return supervisor->deadline.at - now;
}

void supervisor_answered(struct hosted *hosted) {
	hosted->supervisor.failures = 0;
	hosted->supervisor.health = HOSTED_HEALTHY;
}

/* ---- From outside ---- */

bool supervisor_init(struct hosted *hosted, struct fault *why) {
	hosted->supervisor = (struct supervisor){.state = HOSTED_REGISTERED, .changed_at = clock_wall_ms()};
	hosted->supervisor.stamps = calloc(hosted->setup.of.restarts, sizeof(uint64_t));
	if (!hosted->supervisor.stamps) return fault_set(why, FAULT_NO_MEMORY, "no memory for a server");
	return true;
}

void supervisor_finish(struct hosted *hosted) {
	deadline_clear(&hosted->supervisor.deadline);
	free(TAKE(hosted->supervisor.stamps));
}

static bool refused(const struct hosted *hosted, const char *what, struct fault *why) {
	return fault_set(why, FAULT_NOT_READY, "server %s is %s and cannot be %s now",
		hosted->setup.of.id, hosted_state_word(hosted->supervisor.state), what);
}

bool hosted_start(struct hosted *hosted, struct fault *why) {
	hosted->supervisor.failures = 0;
	return supervisor_step(hosted, SUPERVISOR_START, NULL) || refused(hosted, "started", why);
}

static bool end(struct hosted *hosted, uint64_t patience_ms, bool starts_again, struct fault *why) {
	struct supervisor *supervisor = &hosted->supervisor;
	const char *reason = starts_again ? "restarting as asked" : "stopped";
	supervisor->starts_again = starts_again;
	hosted_settle_later(hosted); /* who waits may have nothing to wait for any more */
	if (supervisor->state == HOSTED_DRAINING) return true;
	if (!supervisor_step(hosted, SUPERVISOR_SHUTDOWN, reason)) {
		supervisor->starts_again = false;
		return refused(hosted, "stopped", why);
	}
	if (supervisor->state == HOSTED_DRAINING && hosted->run_count)
		deadline_set(hosted->servers->loop, &supervisor->deadline, patience_ms, patience_over);
	return true;
}

void hosted_fail(struct hosted *hosted, const char *reason) {
	if (!supervisor_step(hosted, SUPERVISOR_FAILED, reason)) return;
	hosted->supervisor.failures++;
	stop_all(hosted);
	consider_restart(hosted, true);
	hosted_settle_later(hosted);
}

void hosted_set_health(struct hosted *hosted, enum hosted_health health) { hosted->supervisor.health = health; }

void hosted_give_up(struct hosted *hosted, const char *reason) {
	(void)supervisor_step(hosted, SUPERVISOR_FAILED, reason);
	stop_all(hosted);
	hosted_settle_later(hosted);
}

bool hosted_stop(struct hosted *hosted, uint64_t patience_ms, struct fault *why) {
	return end(hosted, patience_ms, false, why);
}

bool hosted_restart(struct hosted *hosted, struct fault *why) {
	struct supervisor *supervisor = &hosted->supervisor;
	memset(supervisor->stamps, 0, hosted->setup.of.restarts * sizeof(uint64_t));
	supervisor->failures = 0;
	if (hosted->setup.of.eras == HOSTED_ERA_FIND) {
		hosted->is_known = false; /* another release of it may speak otherwise */
		hosted->first_era = hosted->speaks[HOSTED_MODERN] && !hosted->speaks[HOSTED_LEGACY] ? HOSTED_MODERN
												    : HOSTED_LEGACY;
		hosted->speaks[HOSTED_LEGACY] = hosted->speaks[HOSTED_MODERN] = false;
	}
	switch (supervisor->state) {
	case HOSTED_REGISTERED:
	case HOSTED_DISCONNECTED:
	case HOSTED_ERROR:
	case HOSTED_RESTARTING: return hosted_start(hosted, why);
	default: break;
	}
	if (!end(hosted, 0, true, why)) return false;
	supervisor->total++;
	return true;
}
