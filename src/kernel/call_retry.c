/* SPDX-License-Identifier: Apache-2.0 */
/* Call retry: the server's advice, bounded by ours. */
#include "kernel/call_retry.h"

static uint64_t pause_of(const struct mgp_recovery *recovery, unsigned tries) {
	uint64_t pause = recovery->retry_after_ms;
	if (recovery->strategy == MGP_EXPONENTIAL_BACKOFF)
		for (unsigned i = 1; i < tries && i < 16; i++) pause *= 2;
	return pause;
}

/* All tries together have no more time than one call has. */
static bool fits(const struct call *call, uint64_t pause_ms) {
	uint64_t now = loop_now(call->governed->means->loop);
	uint64_t most = call->deadline_ms;
	return most == UINT64_MAX || now + pause_ms < call->began_at + call->waited_ms + most;
}

enum call_retry call_retry(struct call *call, const struct hosted_answer *answer, uint64_t *pause_ms,
	struct slice *fallback) {
	struct mgp_recovery recovery;
	enum hosted_era era = hosted_era_for(call->hosted, call->inner.era);
	if (!call->is_repeatable || !call->governed->agreed[era].is_active || answer->result.bytes || !answer->data.length ||
		!mgp_error_read(answer->data, &call->arena, &recovery) || !recovery.is_retryable)
		return CALL_RETRY_NOT;
	unsigned most = recovery.max_retries < CALL_RETRIES ? recovery.max_retries : CALL_RETRIES;
	*pause_ms = pause_of(&recovery, call->tries);
	if (call->tries <= most && fits(call, *pause_ms)) return CALL_RETRY_LATER;
	if (!recovery.fallback_tool.length || call->fallback_of.length || !fits(call, 0) ||
		!arena_copy(&call->arena, recovery.fallback_tool, fallback))
		return CALL_RETRY_NOT;
	return CALL_RETRY_OTHER;
}
