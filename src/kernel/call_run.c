/* SPDX-License-Identifier: Apache-2.0 */
/* Call run: from gate to gate. */
#include "kernel/call_run.h"

#include <stdarg.h>
#include <stdio.h>

const char *call_gate_name(const struct call *call) {
	const char *name = call->gates[call->at].name;
	return name ? name : "";
}

bool call_asker_may(const struct call_asker *asker, const struct governed *governed, struct slice tool) {
	enum access_policy fallback = asker->is_in_room ? ACCESS_OPT_OUT : governed->policy.access;
	return asker->is_admin || asker->is_local ||
		access_ask(governed->means->access, asker->principal, hosted_id(governed->hosted), tool, fallback).is_allowed;
}

void call_resume(struct call *call) {
	if (call->is_walking) return;
	call->is_walking = true;
	while (call->gates[call->at].name) {
		enum call_verdict verdict = call->gates[call->at].ask(call);
		if (verdict == CALL_PASS) {
			call->at++;
			continue;
		}
		call->is_walking = false;
		if (verdict == CALL_REFUSE) call->refused(call);
		return;
	}
	call->is_walking = false;
	call->passed(call);
}

enum call_verdict call_refuse(struct call *call, int64_t code, const char *format, ...) {
	char *message = call->refusal.message;
	va_list arguments;
	va_start(arguments, format);
	if (vsnprintf(message, sizeof call->refusal.message, format, arguments) < 0) message[0] = '\0';
	va_end(arguments);
	message[slice_cut(slice_of(message), sizeof call->refusal.message - 1)] = '\0';
	call->refusal.code = code;
	call->refusal.recovery = mgp_error_recovery(code);
	return CALL_REFUSE;
}

void call_detail(struct call *call, struct slice object) {
	struct slice copy;
	if (object.length && arena_copy(&call->arena, object, &copy)) call->refusal.recovery.details = copy;
}

/* ---- What it was lent ---- */

static bool copy(struct call *call, struct slice *slice) {
	return !slice->bytes || arena_copy(&call->arena, *slice, slice);
}

static struct slice moved(struct slice inner, struct slice from, struct slice to) {
	bool is_inside = inner.bytes >= from.bytes && inner.bytes + inner.length <= from.bytes + from.length;
	return is_inside && from.bytes ? slice_make(to.bytes + (inner.bytes - from.bytes), inner.length) : inner;
}

bool call_keep(struct call *call, struct fault *why) {
	struct hosted_ask *ask = &call->inner;
	struct slice params = ask->params;
	if (call->is_kept) return true;
	if (!copy(call, &ask->method) || !copy(call, &ask->params) || !copy(call, &ask->principal) ||
		!copy(call, &ask->session) || !copy(call, &ask->client_info) || !copy(call, &ask->log_level) ||
		!copy(call, &call->asker.session) || !copy(call, &call->asker.kind) || !copy(call, &call->asker.topic))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for the request: try again");
	call->asker.principal = ask->principal;
	call->arguments.text = moved(call->arguments.text, params, ask->params);
	/* A name without escapes lies in the params; with them, in the arena already. */
	call->name = moved(call->name, params, ask->params);
	call->is_kept = true;
	return true;
}

bool call_keep_names(struct call *call, struct fault *why) {
	if (call->is_kept || !(call->is_tool || call->is_guided)) return true;
	return (copy(call, &call->name) && copy(call, &call->asker.principal) && copy(call, &call->asker.session) &&
		       copy(call, &call->asker.kind) && copy(call, &call->asker.topic)) ||
		fault_set(why, FAULT_NO_MEMORY, "no memory for the request: try again");
}

enum call_verdict call_hold(struct call *call) {
	struct fault why;
	if (call_keep(call, &why)) return CALL_HOLD;
	call_stop_waiting(call);
	return call_refuse(call, MGP_RESOURCE_EXHAUSTED, "%s", why.text);
}

static bool read_params(struct call *call, struct fault *why) {
	const struct scan_value object = {.text = call->inner.params, .type = SCAN_OBJECT};
	struct scan_value name;
	call->name = SLICE_NONE;
	call->arguments = (struct scan_value){.type = SCAN_NONE};
	if (!object.text.length) return true;
	if (scan_find(&object, "name", &name) && name.type == SCAN_STRING &&
		!scan_string(&name, &call->arena, &call->name))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for the request: try again");
	(void)scan_find(&object, "arguments", &call->arguments);
	return true;
}

bool call_set_params(struct call *call, struct slice params, struct fault *why) {
	struct slice copied = SLICE_NONE;
	if (params.bytes && !arena_copy(&call->arena, params, &copied))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for the request: try again");
	call->inner.params = copied;
	return !call->is_tool || read_params(call, why);
}

void call_stop_waiting(struct call *call) {
	deadline_clear(&call->again);
	task_clear(&call->ending);
	task_clear(&call->telling);
	inbox_withdraw(call->governed->means->inbox, &call->waits);
	if (call->list) hosted_items_cancel(TAKE(call->list));
	if (call->names) validator_cancel(TAKE(call->names));
}
