/* SPDX-License-Identifier: Apache-2.0 */
/* Call audit: records with the call's own facts as details. */
#include "kernel/call_audit.h"

#include "kernel/call_events.h"
#include "kernel/call_figures.h"
#include "kernel/refusals.h"

static struct audit_record record_of(const struct call *call, struct slice event, struct slice result) {
	return (struct audit_record){
		.event = event,
		.actor = call->asker.principal,
		.actor_type = call->asker.kind.length ? call->asker.kind : SLICE("agent"),
		.result = result,
		.trace_id = slice_of(call->trace),
		.server_id = hosted_id(call->hosted),
		.tool_name = call->name,
		.topic = call->asker.topic,
	};
}

static void write_details(const struct call *call, struct text *to) {
	uint64_t now = loop_now(call->governed->means->loop);
	text_printf(to, "{\"duration_ms\":%llu", (unsigned long long)(now - call->began_at));
	if (call->risk) text_printf(to, ",\"risk_level\":\"%s\"", call->risk);
	if (call->validator) text_printf(to, ",\"validator_applied\":\"%s\"", call->validator);
	if (call->decision) text_printf(to, ",\"decision\":\"%s\"", call->decision);
	if (call->tries > 1) text_printf(to, ",\"tries\":%u", call->tries);
	if (call->fallback_of.length) {
		text_add_cstr(to, ",\"fallback_of\":");
		text_json(to, call->fallback_of);
	}
}

void call_audit_end(const struct call *call, struct slice result, int64_t code) {
	AUTO_TEXT struct text details = {0};
	if (!call->is_tool && !call->is_guided) return;
	text_init(&details, 4096);
	write_details(call, &details);
	if (code) text_printf(&details, ",\"code\":%lld", (long long)code);
	text_add_char(&details, '}');
	struct audit_record record = record_of(call, SLICE("TOOL_EXECUTED"), result);
	if (!text_failed(&details)) record.details = text_slice(&details);
	kernel_audit(call->governed->means, &record);
	call_figures_end(call, result, code);
	call_events_ended(call, result, code);
}

static void audit_decision(const struct call *call, struct slice event, struct slice result, struct slice by,
	struct slice more) {
	AUTO_TEXT struct text details = {0};
	text_init(&details, 8192);
	write_details(call, &details);
	text_add(&details, more);
	text_add_char(&details, '}');
	struct audit_record record = record_of(call, event, result);
	if (by.length) {
		record.target = record.actor;
		record.actor = by;
		record.actor_type = SLICE_NONE;
	}
	if (!text_failed(&details)) record.details = text_slice(&details);
	kernel_audit(call->governed->means, &record);
}

void call_audit_question(const struct call *call) {
	audit_decision(call, SLICE("dev.hustings.approval_asked"), SLICE("PENDING"), SLICE_NONE, SLICE_NONE);
}

void call_audit_answer(const struct call *call, struct slice result, struct slice by) {
	audit_decision(call, SLICE("dev.hustings.approval_answered"), result, by, SLICE_NONE);
}

void call_audit_callback(const struct call *call, bool is_answer, struct slice result, struct slice by,
	struct slice more) {
	audit_decision(call, is_answer ? SLICE("dev.hustings.callback_answered") : SLICE("dev.hustings.callback_asked"),
		result, by, more);
}

void call_audit_parameters(const struct call *call, bool is_answer, struct slice result, struct slice more) {
	audit_decision(call, is_answer ? SLICE("dev.hustings.parameters_answered") : SLICE("dev.hustings.parameters_asked"),
		result, SLICE_NONE, more);
}

void call_audit_retry(const struct call *call, int64_t code, uint64_t pause_ms, struct slice fallback) {
	AUTO_TEXT struct text details = {0};
	text_init(&details, 4096);
	text_printf(&details, "{\"attempt\":%u,\"code\":%lld,\"retry_after_ms\":%llu", call->tries, (long long)code,
		(unsigned long long)pause_ms);
	if (fallback.length) {
		text_add_cstr(&details, ",\"fallback_tool\":");
		text_json(&details, fallback);
	}
	text_add_char(&details, '}');
	struct audit_record record = record_of(call, SLICE("dev.hustings.tool_retried"), SLICE("RETRIED"));
	if (!text_failed(&details)) record.details = text_slice(&details);
	kernel_audit(call->governed->means, &record);
}

/* What a gate refuses with is an event of its own (MGP 6.4). */
static struct slice event_of(int64_t code) {
	if (code == MGP_VALIDATION_BLOCKED || code == MGP_INVALID_TOOL_ARGS) return SLICE("VALIDATION_FAILED");
	if (code == MGP_CODE_SAFETY_VIOLATION) return SLICE("CODE_REJECTED");
	return SLICE_NONE;
}

void call_audit_refusal(const struct call *call) {
	const struct call_refusal *refusal = &call->refusal;
	AUTO_TEXT struct text details = {0};
	unsigned count;
	if (!call->is_tool && !call->is_guided) return;
	call_figures_refused(call);
	bool is_told = refusals_count(call->governed->means->refusals, call->asker.principal, hosted_id(call->hosted),
		call_gate_name(call), &count);
	call_events_refused(call, is_told);
	if (!is_told) return;
	text_init(&details, 16384);
	write_details(call, &details);
	text_printf(&details, ",\"gate\":\"%s\",\"code\":%lld,\"reason\":", call_gate_name(call),
		(long long)refusal->code);
	text_json(&details, slice_of(refusal->message));
	if (refusal->recovery.details.length) {
		text_add_cstr(&details, ",\"details\":");
		text_add(&details, refusal->recovery.details);
	}
	text_add_char(&details, '}');
	struct audit_record record = record_of(call, SLICE("TOOL_BLOCKED"), AUDIT_BLOCKED);
	record.gate = slice_of(call_gate_name(call));
	record.count = count;
	if (!text_failed(&details)) record.details = text_slice(&details);
	struct slice own = event_of(refusal->code);
	if (own.length) {
		record.event = own;
		kernel_audit(call->governed->means, &record);
		record.event = SLICE("TOOL_BLOCKED");
	}
	kernel_audit(call->governed->means, &record);
}
