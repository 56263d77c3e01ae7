/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_progress: read in one form, written in the other. */
#include "mcp/mgp_progress.h"

#include "mcp/mgp_chunk.h"

#define LONGEST_MS 9007199254740991.0 /* that every reader of JSON keeps */

static bool has(const struct scan_value *params, const char *key, struct scan_value *value) {
	return scan_find(params, key, value) && value->type != SCAN_NULL;
}

static bool read_message(const struct scan_value *params, struct slice *message) {
	struct scan_value value;
	*message = SLICE_NONE;
	if (!has(params, "message", &value)) return true;
	*message = value.text;
	return value.type == SCAN_STRING;
}

bool mgp_progress_read(const struct scan_value *params, struct mgp_progress *progress) {
	struct scan_value value;
	double number;
	*progress = (struct mgp_progress){.remaining_ms = -1};
	if (params->type != SCAN_OBJECT || params->text.length > MGP_CHUNK || !read_message(params, &progress->message))
		return false;
	if (has(params, "progress", &value)) {
		if (value.type != SCAN_NUMBER || !scan_number(&value, &progress->fraction)) return false;
		if (progress->fraction < 0 || progress->fraction > 1) return false;
		progress->has_fraction = true;
	}
	if (has(params, "estimated_remaining_ms", &value)) {
		if (value.type != SCAN_NUMBER || !scan_number(&value, &number) || number < 0 || number > LONGEST_MS) return false;
		progress->remaining_ms = (int64_t)number;
	}
	return progress->has_fraction || progress->message.length;
}

bool mgp_progress_read_plain(const struct scan_value *params, struct mgp_progress *progress) {
	struct scan_value value;
	double done, total;
	*progress = (struct mgp_progress){.remaining_ms = -1};
	if (params->type != SCAN_OBJECT || params->text.length > MGP_CHUNK || !read_message(params, &progress->message))
		return false;
	if (!has(params, "progress", &value) || value.type != SCAN_NUMBER || !scan_number(&value, &done)) return false;
	progress->count = value.text;
	if (!has(params, "total", &value)) return true;
	if (value.type != SCAN_NUMBER || !scan_number(&value, &total)) return false;
	if (total <= 0) return true;
	progress->count = SLICE_NONE;
	progress->has_fraction = true;
	progress->fraction = done <= 0 ? 0 : done >= total ? 1
							   : done / total;
	return true;
}

void mgp_progress_follow(struct mgp_progress_course *course, struct mgp_progress *progress) {
	if (!progress->has_fraction) return;
	if (progress->fraction < course->fraction) progress->fraction = course->fraction;
	course->fraction = progress->fraction;
}

void mgp_progress_estimate(struct mgp_progress *progress, uint64_t elapsed_ms) {
	if (progress->remaining_ms >= 0 || !progress->has_fraction || progress->fraction <= 0) return;
	double remaining = (double)elapsed_ms * (1 - progress->fraction) / progress->fraction;
	if (remaining <= LONGEST_MS) progress->remaining_ms = (int64_t)remaining;
}

void mgp_progress_write(struct text *to, struct slice id, const struct mgp_progress *progress) {
	text_add_cstr(to, "{\"jsonrpc\":\"2.0\",\"method\":\"" MGP_PROGRESS_METHOD "\",\"params\":{\"request_id\":");
	text_add(to, id);
	if (progress->has_fraction) text_printf(to, ",\"progress\":%.6g", progress->fraction);
	if (progress->message.length) {
		text_add_cstr(to, ",\"message\":");
		text_add(to, progress->message);
	} else if (progress->count.length) text_printf(to, ",\"message\":\"%.*s\"", SLICE_ARGS(progress->count));
	if (progress->remaining_ms >= 0)
		text_printf(to, ",\"estimated_remaining_ms\":%lld", (long long)progress->remaining_ms);
	text_add_cstr(to, "}}");
}

void mgp_progress_write_plain(struct text *to, struct slice token, const struct mgp_progress *progress,
	const struct mgp_progress_course *course) {
	text_add_cstr(to, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":");
	text_add(to, token);
	text_printf(to, ",\"progress\":%.6g,\"total\":1",
		progress->has_fraction ? progress->fraction : course->fraction);
	if (progress->message.length) {
		text_add_cstr(to, ",\"message\":");
		text_add(to, progress->message);
	}
	text_add_cstr(to, "}}");
}
