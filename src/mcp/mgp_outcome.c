/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_outcome: one member more, or one more complete. */
#include "mcp/mgp_outcome.h"

static const char *comma(const struct text *to) {
	return to->length && to->bytes[to->length - 1] == '{' ? "" : ",";
}

static void add(struct text *to, const struct scan_member *member) {
	text_printf(to, "%s\"%.*s\":", comma(to), SLICE_ARGS(member->key));
	text_add(to, member->value.text);
}

static void write_own(struct text *to, const struct scan_value *said, const struct mgp_outcome *outcome) {
	struct scan_walk walk;
	struct scan_member member;
	struct scan_value value;
	text_add_char(to, '{');
	if (said->type == SCAN_OBJECT)
		for (scan_open(&walk, said); scan_next(&walk, &member);)
			if (!outcome->is_cancelled || !scan_key_is(&member, "cancelled")) add(to, &member);
	if (outcome->is_cancelled) text_printf(to, "%s\"cancelled\":true", comma(to));
	if (outcome->is_streamed && !scan_find(said, "streamed", &value))
		text_printf(to, "%s\"streamed\":true", comma(to));
	if (outcome->is_streamed && !scan_find(said, "chunks_sent", &value))
		text_printf(to, "%s\"chunks_sent\":%llu", comma(to), (unsigned long long)outcome->chunks);
	if (outcome->is_streamed && !scan_find(said, "duration_ms", &value))
		text_printf(to, "%s\"duration_ms\":%llu", comma(to), (unsigned long long)outcome->duration_ms);
	text_add_char(to, '}');
}

static struct scan_value object_of(struct slice text) {
	struct slice trimmed = slice_trim(text);
	bool is_object = trimmed.length && trimmed.bytes[0] == '{';
	return (struct scan_value){.text = trimmed, .type = is_object ? SCAN_OBJECT : SCAN_NONE};
}

void mgp_outcome_write(struct text *to, struct slice result, const struct mgp_outcome *outcome) {
	const struct scan_value object = object_of(result);
	struct scan_value said = {.type = SCAN_NONE};
	struct scan_walk walk;
	struct scan_member member;
	if (object.type == SCAN_OBJECT && !scan_find(&object, "_mgp", &said)) said.type = SCAN_NONE;
	text_reserve(to, object.text.length + 128);
	text_add_char(to, '{');
	if (object.type == SCAN_OBJECT)
		for (scan_open(&walk, &object); scan_next(&walk, &member);)
			if (!scan_key_is(&member, "_mgp")) add(to, &member);
	text_printf(to, "%s\"_mgp\":", comma(to));
	write_own(to, &said, outcome);
	text_add_char(to, '}');
}

bool mgp_outcome_is_cancelled(struct slice result) {
	const struct scan_value object = object_of(result);
	struct scan_value flag;
	bool is_cancelled = false;
	return object.type == SCAN_OBJECT && scan_path(&object, &flag, "_mgp", "cancelled", NULL) &&
		scan_boolean(&flag, &is_cancelled) && is_cancelled;
}
