/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_chunk: what has to be known of one, and its members under another id. */
#include "mcp/mgp_chunk.h"

static const char id_key[] = "request_id";

bool mgp_chunk_request(const struct scan_value *params, struct scan_value *id) {
	return params->type == SCAN_OBJECT && params->text.length <= MGP_CHUNK && scan_find(params, id_key, id) &&
		(id->type == SCAN_STRING || id->type == SCAN_NUMBER);
}

/* Between the quotes; false: it is no such content. */
static bool read_text(const struct scan_value *content, struct slice *text) {
	struct scan_value type, value;
	*text = SLICE_NONE;
	if (!scan_find(content, "type", &type) || type.type != SCAN_STRING) return false;
	if (!slice_is(type.text, "\"text\"")) return true;
	if (!scan_find(content, "text", &value) || value.type != SCAN_STRING) return false;
	*text = slice_make(value.text.bytes + 1, value.text.length - 2);
	return true;
}

bool mgp_chunk_read(const struct scan_value *params, struct mgp_chunk *chunk) {
	struct scan_value value;
	*chunk = (struct mgp_chunk){.text = SLICE_NONE};
	if (!mgp_chunk_request(params, &chunk->request_id)) return false;
	if (!scan_find(params, "index", &value) || !scan_integer(&value, &chunk->index) || chunk->index < 0) return false;
	if (scan_find(params, "done", &value) && !scan_boolean(&value, &chunk->is_done)) return false;
	return scan_find(params, "content", &value) && value.type == SCAN_OBJECT && read_text(&value, &chunk->text);
}

/* Where the members lie that follow the id, when that is the first of them and stands there once. */
static bool rest_of(const struct scan_value *params, struct slice *rest) {
	struct scan_walk walk;
	struct scan_member member;
	scan_open(&walk, params);
	if (!scan_next(&walk, &member) || !scan_key_is(&member, id_key)) return false;
	const char *from = member.value.text.bytes + member.value.text.length;
	const char *to = params->text.bytes + params->text.length - 1;
	while (scan_next(&walk, &member))
		if (scan_key_is(&member, id_key)) return false;
	*rest = slice_make(from, (size_t)(to - from));
	return true;
}

struct slice mgp_chunk_begin(struct text *start, struct slice method, const struct scan_value *params,
	struct slice id) {
	struct scan_walk walk;
	struct scan_member member;
	struct slice rest;
	text_add_cstr(start, "{\"jsonrpc\":\"2.0\",\"method\":\"");
	text_add(start, method);
	text_add_cstr(start, "\",\"params\":{\"request_id\":");
	text_add(start, id);
	if (rest_of(params, &rest)) return rest;
	for (scan_open(&walk, params); scan_next(&walk, &member);) {
		if (scan_key_is(&member, id_key)) continue;
		text_printf(start, ",\"%.*s\":", SLICE_ARGS(member.key));
		text_add(start, member.value.text);
	}
	return SLICE("");
}
