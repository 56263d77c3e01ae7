/* SPDX-License-Identifier: Apache-2.0 */
/* Entry: the words of a refusal. */
#include "room/entry.h"

#include <stdarg.h>
#include <stdio.h>

bool entry_refuse(struct entry *entry, const char *word, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(entry->message, sizeof entry->message, format, arguments);
	va_end(arguments);
	entry->word = word;
	return false;
}

static void write_violation(const struct entry *entry, struct text *payload) {
	const struct scan_value *id = &entry->envelope.body.id;
	bool has_id = id->type == SCAN_STRING || id->type == SCAN_NUMBER;
	text_add_cstr(payload, "{\"jsonrpc\":\"2.0\",\"id\":");
	text_add(payload, has_id ? id->text : SLICE("null"));
	text_add_cstr(payload, ",\"error\":{\"code\":-32001,\"message\":\"Privilege violation\",\"data\":{"
			       "\"type\":\"privilege_violation\",\"reason\":");
	text_json(payload, slice_of(entry->message));
	text_add_cstr(payload, ",\"suggestion\":\"Use kind: 'mcp/proposal' instead");
	if (slice_is(entry->envelope.body.method.text, "\"notifications/chat/message\""))
		text_add_cstr(payload, ", or kind: 'chat' to say something");
	text_add_cstr(payload, "\"}}}");
}

void entry_write_refusal(const struct entry *entry, enum envelope_kind *kind, struct text *payload) {
	if (strcmp(entry->word, "privilege_violation") == 0) {
		*kind = ENVELOPE_MCP;
		write_violation(entry, payload);
		return;
	}
	*kind = ENVELOPE_SYSTEM;
	text_printf(payload, "{\"event\":\"error\",\"code\":\"%s\",\"message\":", entry->word);
	text_json(payload, slice_of(entry->message));
	text_printf(payload, ",\"gate\":\"%s\"", entry->gate);
	if (entry->retry_after_ms)
		text_printf(payload, ",\"retry_after_ms\":%llu", (unsigned long long)entry->retry_after_ms);
	text_add_char(payload, '}');
}
