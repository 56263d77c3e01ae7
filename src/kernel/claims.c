/* SPDX-License-Identifier: Apache-2.0 */
/* Claims: read leniently, bounded, written under the server's own name. */
#include "kernel/claims.h"

#define WORD 256            /* octets of each */
#define DETAILS (16 * 1024) /* octets */
#define SCRATCH 2048

static struct slice word(const struct scan_value *object, struct arena *arena, const char *outer,
	const char *inner) {
	struct scan_value value;
	struct slice words;
	if (!scan_path(object, &value, outer, inner, NULL) || value.type != SCAN_STRING ||
		!scan_string(&value, arena, &words) || words.length > WORD)
		return SLICE_NONE;
	return words;
}

static struct slice object_text(const struct scan_value *object, const char *member) {
	struct scan_value value;
	return scan_find(object, member, &value) && value.type == SCAN_OBJECT && value.text.length <= DETAILS ? value.text
													      : SLICE_NONE;
}

static void take_audit(const struct governed *governed, const struct scan_value *params, struct arena *arena,
	struct slice source) {
	const struct audit_record record = {
		.event = word(params, arena, "event_type", NULL),
		.actor = word(params, arena, "actor", "id"),
		.actor_type = word(params, arena, "actor", "type"),
		.server_id = word(params, arena, "target", "server_id"),
		.tool_name = word(params, arena, "target", "tool_name"),
		.result = word(params, arena, "result", NULL),
		.trace_id = word(params, arena, "trace_id", NULL),
		.details = object_text(params, "details"),
		.source = source,
	};
	if (record.event.length) kernel_audit(governed->means, &record);
}

static void take_lifecycle(const struct governed *governed, const struct scan_value *params,
	struct slice source) {
	const struct audit_record record = {
		.event = SLICE("dev.hustings.lifecycle"),
		.actor = hosted_id(governed->hosted),
		.actor_type = SLICE("server"),
		.server_id = hosted_id(governed->hosted),
		.result = AUDIT_SUCCESS,
		.details = params->text.length <= DETAILS ? params->text : SLICE_NONE,
		.source = source,
	};
	kernel_audit(governed->means, &record);
}

/* Its records are on our disk: what is too much within a minute is left out, and that is a record too. */
static bool may_claim(struct governed *governed, struct slice source) {
	uint64_t now = loop_now(governed->means->loop);
	if (!governed->claims || now - governed->claims_at >= 60000) {
		governed->claims_at = now;
		governed->claims = 0;
	}
	if (governed->claims > CLAIMS_A_MINUTE) return false;
	if (governed->claims++ < CLAIMS_A_MINUTE) return true;
	const struct audit_record record = {
		.event = SLICE("dev.hustings.claims_left_out"),
		.actor = hosted_id(governed->hosted),
		.actor_type = SLICE("server"),
		.server_id = hosted_id(governed->hosted),
		.result = AUDIT_BLOCKED,
	};
	kernel_audit(governed->means, &record);
	log_write(governed->means->log, LOG_WARNING, "%.*s tells of more than %d events within a minute: the rest is left out",
		SLICE_ARGS(source), CLAIMS_A_MINUTE);
	return false;
}

void claims_take(struct governed *governed, struct slice method, const struct scan_value *params) {
	char lent[SCRATCH];
	struct arena arena;
	AUTO_TEXT struct text source = {0};
	if (params->type != SCAN_OBJECT) return;
	text_init(&source, 0);
	text_printf(&source, "server:%.*s", SLICE_ARGS(hosted_id(governed->hosted)));
	if (text_failed(&source) || !may_claim(governed, text_slice(&source))) return;
	arena_init(&arena, lent, sizeof lent, 0);
	unsigned agreed = governed->agreed[HOSTED_LEGACY].extensions | governed->agreed[HOSTED_MODERN].extensions;
	if (slice_is(method, "notifications/mgp.audit") && (agreed & MGP_AUDIT))
		take_audit(governed, params, &arena, text_slice(&source));
	else if (slice_is(method, "notifications/mgp.lifecycle") && (agreed & MGP_LIFECYCLE))
		take_lifecycle(governed, params, text_slice(&source));
	arena_finish(&arena);
}
