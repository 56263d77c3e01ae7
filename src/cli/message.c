/* SPDX-License-Identifier: Apache-2.0 */
/* Message: sent, and sent again where the pace was too fast. */
#include "cli/message.h"

#include "base/clock.h"
#include "base/ident.h"
#include "cli/ask.h"
#include "wire/http1.h"
#include "wire/scan.h"

#include <stdio.h>
#include <time.h>

#define PATIENCE_MS 60000

static void wait_ms(uint64_t ms) {
	struct timespec left = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
	while (nanosleep(&left, &left) != 0) continue;
}

/* "message" and "code" of the gateway's own errors, or of a JSON-RPC error. */
static bool read_words(const struct scan_value *root, struct arena *arena, struct fault *why) {
	struct scan_value error, value;
	struct slice message, code = SLICE_NONE;
	if (!scan_find(root, "error", &error)) error = *root;
	if (!scan_find(&error, "message", &value) || !scan_string(&value, arena, &message)) return false;
	if (scan_find(&error, "code", &value) && !scan_string(&value, arena, &code)) code = value.text;
	fault_set(why, FAULT_REFUSED, "%.*s%s%.*s%s", SLICE_ARGS(message), code.length ? " (" : "",
		SLICE_ARGS(code), code.length ? ")" : "");
	return true;
}

bool message_refusal(struct slice body, uint64_t *retry_after_ms, struct fault *why) {
	char lent[1024];
	struct arena arena;
	struct scan_value root, value;
	struct scan_fault fault;
	int64_t wait = 0;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_one = scan_check(body, SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT &&
		read_words(&root, &arena, why);
	if (is_one && scan_find(&root, "retry_after_ms", &value) && (!scan_integer(&value, &wait) || wait < 0))
		wait = 0;
	*retry_after_ms = (uint64_t)wait;
	arena_finish(&arena);
	return is_one;
}

/* In open mode who one is stands in the query. */
bool message_path(const struct reach *reach, const char *topic, const char *what,
	struct text *path) {
	text_add_cstr(path, "/v0/topics/");
	http1_escape(path, slice_of(topic));
	text_printf(path, "/%s", what);
	if (!reach->token[0]) {
		char user[129];
		reach_user(user);
		text_add_cstr(path, "?id=");
		http1_escape(path, slice_of(user));
	}
	return !text_failed(path);
}

bool message_send(const struct reach *reach, const char *topic, struct slice message,
	struct text *answer, struct fault *why) {
	uint64_t ends = clock_monotonic_ms() + PATIENCE_MS, retry_after;
	AUTO_TEXT struct text path = {0};
	text_init(&path, 0);
	if (!message_path(reach, topic, "messages", &path))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	for (;;) {
		struct fault own;
		if (ask(reach, "POST", path.bytes, message, answer, &own)) return true;
		bool is_refusal = message_refusal(text_slice(answer), &retry_after, &own);
		if (!is_refusal || !retry_after || clock_monotonic_ms() + retry_after > ends) {
			if (why) *why = own;
			return false;
		}
		wait_ms(retry_after);
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
