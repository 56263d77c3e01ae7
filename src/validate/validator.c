/* SPDX-License-Identifier: Apache-2.0 */
/* Validator: which one is asked, and the wait for names. */
#include "validate/validator.h"

#include "validate/code_safety.h"
#include "validate/validator_network.h"
#include "validate/validator_readonly.h"
#include "validate/validator_sandbox.h"
#include "net/resolution.h"

#include <netdb.h>
#include <stdlib.h>

#define LENT 4096

_Static_assert(VALIDATOR_NAMES == VALIDATOR_HOSTS, "as many names as are collected");

struct validator_wait;

struct lookup {
	struct validator_wait *wait;
	struct resolution *resolution; /* NULL: answered */
	char name[VALIDATOR_HOST_NAME];
};

struct validator_wait {
	struct validator_report *report;
	validator_done *done;
	void *context;
	size_t count;
	size_t left; /* not answered yet */
	struct lookup lookups[];
};

/* ---- At once ---- */

static void check_code(
	const struct tool_security *security, struct slice arguments, struct validator_report *report) {
	char lent[LENT];
	struct arena arena;
	struct code_verdict verdict = {.is_rejected = false};
	struct fault why = {.code = FAULT_NONE};
	arena_init(&arena, lent, sizeof lent, 0);
	if (!code_safety_check(&security->code, arguments, &arena, &verdict, &why)) {
		validator_report_add(report, 0, "arguments", "could not be looked at: %s", why.text);
	} else if (verdict.is_rejected) {
		code_safety_write_rejection(&report->whole, &verdict);
		size_t count = verdict.violations.count;
		for (size_t i = 0; i < count; i++)
			validator_report_add(report, 0, "arguments", "hold code that is refused: %.*s",
				SLICE_ARGS(verdict.violations.items[i]));
		if (!count) validator_report_add(report, 0, "arguments", "hold code that is refused");
	}
	arena_finish(&arena);
}

static bool says_read_only(const struct tool_security *security) {
	return security->read_only == TOOL_YES && security->destructive != TOOL_YES;
}

static enum validator_verdict check(const struct tool_security *security, struct slice arguments,
	struct validator_hosts *hosts, struct validator_report *report) {
	report->validator = security->validator;
	switch (security->validator) {
	case VALIDATOR_SANDBOX: validator_sandbox_judge(arguments, report); break;
	case VALIDATOR_READONLY:
		validator_readonly_judge(arguments, says_read_only(security), report);
		break;
	case VALIDATOR_NETWORK_RESTRICTED: validator_network_judge(arguments, hosts, report); break;
	case VALIDATOR_CODE_SAFETY: check_code(security, arguments, report); break;
	case VALIDATOR_NONE:
	case VALIDATORS: break;
	}
	if (report->count) return VALIDATOR_REFUSES;
	return security->validator == VALIDATOR_NETWORK_RESTRICTED && hosts->count ? VALIDATOR_WAITS
										   : VALIDATOR_PASSES;
}

enum validator_verdict validator_check(
	const struct tool_security *security, struct slice arguments, struct validator_report *report) {
	struct validator_hosts hosts;
	return check(security, arguments, &hosts, report);
}

/* ---- With names ---- */

static void wait_free(struct validator_wait *wait) {
	for (size_t i = 0; i < wait->count; i++) resolution_close(wait->lookups[i].resolution);
	free(wait);
}

static void tell_name(const struct lookup *lookup, const char *what) {
	validator_report_add(lookup->wait->report, VALIDATOR_ADVICE_PUBLIC, "arguments",
		"name the host %s, %s", lookup->name, what);
}

static void judge_found(const struct lookup *lookup, const struct addrinfo *found) {
	for (; found; found = found->ai_next) {
		if (found->ai_addr && validator_host_is_open(found->ai_addr)) continue;
		tell_name(lookup, "which leads to an address that is not public");
		return;
	}
}

static void lookup_done(void *context, const struct addrinfo *found, const struct fault *why) {
	struct lookup *lookup = context;
	struct validator_wait *wait = lookup->wait;
	resolution_close(TAKE(lookup->resolution));
	if (found) judge_found(lookup, found);
	else
		tell_name(lookup,
			why && why->code == FAULT_TIMEOUT ? "which was not resolved in time"
							  : "which cannot be resolved");
	wait->left--;
	/* One refusal is enough: the others are not waited for. */
	if (wait->left && !wait->report->count) return;
	validator_done *done = wait->done;
	void *whose = wait->context;
	enum validator_verdict verdict = wait->report->count ? VALIDATOR_REFUSES : VALIDATOR_PASSES;
	wait_free(wait);
	done(whose, verdict);
}

static bool look_up(struct validator_wait *wait, struct loop *loop, const struct validator_hosts *hosts,
	uint64_t deadline_ms, struct fault *why) {
	for (size_t i = 0; i < hosts->count; i++) {
		struct lookup *lookup = &wait->lookups[i];
		lookup->wait = wait;
		memcpy(lookup->name, hosts->names[i], sizeof lookup->name);
		lookup->resolution = resolution_open(
			loop, lookup->name, deadline_ms, lookup_done, lookup, why);
		if (!lookup->resolution) return false;
		wait->count = ++wait->left;
	}
	return true;
}

enum validator_verdict validator_start(struct loop *loop, const struct tool_security *security,
	struct slice arguments, uint64_t deadline_ms, struct validator_report *report, validator_done *done,
	void *context, struct validator_wait **wait) {
	struct validator_hosts hosts;
	struct fault why = {.code = FAULT_NONE};
	*wait = NULL;
	enum validator_verdict verdict = check(security, arguments, &hosts, report);
	if (verdict != VALIDATOR_WAITS) return verdict;
	struct validator_wait *made = calloc(1, sizeof *made + hosts.count * sizeof *made->lookups);
	if (!made) {
		validator_report_add(report, 0, "arguments", "could not be looked at: no memory");
		return VALIDATOR_REFUSES;
	}
	made->report = report;
	made->done = done;
	made->context = context;
	if (!look_up(made, loop, &hosts, deadline_ms ? deadline_ms : VALIDATOR_DEADLINE_MS, &why)) {
		validator_report_add(report, 0, "arguments", "could not be looked at: %s", why.text);
		wait_free(made);
		return VALIDATOR_REFUSES;
	}
	*wait = made;
	return VALIDATOR_WAITS;
}

void validator_cancel(struct validator_wait *wait) {
	if (wait) wait_free(wait);
}
