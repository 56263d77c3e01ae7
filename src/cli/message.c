/* SPDX-License-Identifier: Apache-2.0 */
/* Message: sent, and sent again where the pace was too fast. */
#include "cli/message.h"

#include "base/clock.h"
#include "base/ident.h"
#include "wire/http1.h"
#include "wire/scan.h"

#include <time.h>

#define PATIENCE_MS 60000

static void wait_ms(uint64_t ms) {
	struct timespec left = { .tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000 };
	while (nanosleep(&left, &left) != 0) continue;
}

bool message_send(struct reach *reach, const char *topic, struct slice message,
	struct text *answer, struct fault *why) {
	uint64_t ends = clock_monotonic_ms() + PATIENCE_MS, retry_after;
	unsigned status;
	AUTO_TEXT struct text path;
	text_init(&path, 0);
	text_add_cstr(&path, "/v0/topics/");
	http1_escape(&path, slice_of(topic));
	text_add_cstr(&path, "/messages");
	if (text_failed(&path)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	for (;;) {
		if (!reach_ask(reach, "POST", path.bytes, message, &status, answer, why)) return false;
		if (status == 201) return true;
		reach_refusal(status, text_slice(answer), &retry_after, why);
		if (status != 429 || clock_monotonic_ms() + retry_after > ends) return false;
		wait_ms(retry_after ? retry_after : 100);
	}
}

struct slice message_id(const struct text *answer, struct arena *arena) {
	struct scan_value root, value;
	struct scan_fault fault;
	struct slice id;
	if (!scan_check(text_slice(answer), SCAN_DEPTH, &root, &fault) || !scan_find(&root, "id", &value) ||
		!scan_string(&value, arena, &id))
		return SLICE_NONE;
	return id;
}

bool message_topic(const struct command_line *line, const char *topic, int *status) {
	if (ident_is_topic(slice_of(topic))) return true;
	*status = command_misuse(line->form,
		"topic '%s': 1 to 128 ASCII letters, digits and ._:@-/ without ..", topic);
	return false;
}
