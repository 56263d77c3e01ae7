/* SPDX-License-Identifier: Apache-2.0 */
/* Entry: the run through the gates, publication, and the words of a refusal. */
#include "room/entry.h"

#include "room/answers.h"
#include "room/entry_gates.h"
#include "room/proposals.h"
#include "room/publication.h"
#include "room/room_audit.h"

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

/* What the house cannot take is not held against who sent it. */
static void give_back(const struct entry *entry) {
	const struct rooms_settings *settings = &entry->room->rooms->settings;
	pace_give(entry->pace, &settings->pace);
	if (entry->envelope.kind == ENVELOPE_PROPOSAL)
		pace_give(entry->proposal_pace, &settings->proposal_pace);
}

static bool publish(struct entry *entry) {
	struct room *room = entry->room;
	struct fault why;
	why.code = FAULT_NO_MEMORY; /* all else is written with it: this is every envelope's way */
	struct publication publication = {
		.room = room,
		.envelope = &entry->envelope,
		.from_json = entry->principal->id_json,
		.ts = slice_make(loop_wall_text(room->rooms->loop), CLOCK_TEXT_SIZE - 1),
		.is_kept = room->rooms->settings.history,
		.id_hash = entry->id_hash,
		.text_hash = entry->text_hash,
		.mute = entry->seat && !entry->seat->echoes ? entry->seat : NULL,
	};
	if (recent_reserve(&room->recent) && publication_make(&publication, &why)) {
		recent_add(&room->recent, entry->id_hash, entry->text_hash);
		counters_add(room->rooms->counters, COUNTER_ENVELOPES_IN, 1);
		return true;
	}
	entry->gate = "journal";
	give_back(entry);
	if (why.code == FAULT_NO_MEMORY)
		return entry_refuse(entry, "no_memory", "the gateway has no memory for it now: try again");
	counters_add(room->rooms->counters, COUNTER_STORAGE_FULL, 1);
	return entry_refuse(entry, why.code == FAULT_FULL ? "storage_full" : "storage_failed",
		"not taken, nobody got it: %s", why.text);
}

bool entry_run(struct entry *entry) {
	if (!entry_gates_ask(entry)) {
		room_audit_refusal(entry);
		return false;
	}
	if (entry->is_repeated) return true;
	if (!proposals_have_room(entry) || !publish(entry)) {
		room_audit_refusal(entry);
		return false;
	}
	proposals_follow(entry);
	answers_follow(entry);
	return true;
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
