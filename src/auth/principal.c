/* SPDX-License-Identifier: Apache-2.0 */
/* Principal: one allocation with its strings behind it. */
#include "auth/principal.h"

#include "base/ident.h"

#include <stdatomic.h>
#include <stdlib.h>

static const char *const kind_texts[PRINCIPAL_KINDS] = {
	[PRINCIPAL_UNSAID] = "",
	[PRINCIPAL_HUMAN] = "human",
	[PRINCIPAL_AGENT] = "agent",
	[PRINCIPAL_ROBOT] = "robot",
};

const char *principal_kind_text(enum principal_kind kind) { return kind_texts[kind]; }

bool principal_kind_read(struct slice text, enum principal_kind *kind) {
	for (int which = PRINCIPAL_HUMAN; which < PRINCIPAL_KINDS; which++) {
		if (!slice_is(text, kind_texts[which])) continue;
		*kind = (enum principal_kind)which;
		return true;
	}
	return false;
}

static struct slice place(char **at, struct slice from) {
	struct slice copy = {*at, from.length};
	if (from.length) memcpy(*at, from.bytes, from.length);
	*at += from.length;
	return copy;
}

struct principal *principal_make(const struct principal *like, struct fault *why) {
	if (!ident_is_identity(like->id))
		return fault_null(why, FAULT_BAD_INPUT,
			"id must be 1 to 128 octets without blanks, control characters, quotes, backslash or slash, "
			"and not begin with system:");
	AUTO_TEXT struct text json = {0};
	text_init(&json, 0);
	text_json(&json, like->id);
	size_t length = like->id.length + like->name.length + like->mcp_version.length +
		like->topics.length + like->token_id.length + json.length;
	struct principal *principal = text_failed(&json) ? NULL : malloc(sizeof *principal + length);
	if (!principal) return fault_null(why, FAULT_NO_MEMORY, "no memory for a principal");
	char *at = (char *)(principal + 1);
	*principal = *like;
	atomic_init(&principal->references, 1);
	principal->id = place(&at, like->id);
	principal->name = place(&at, like->name);
	principal->mcp_version = place(&at, like->mcp_version);
	principal->topics = place(&at, like->topics);
	principal->token_id = place(&at, like->token_id);
	principal->id_json = place(&at, text_slice(&json));
	return principal;
}

struct principal *principal_keep(struct principal *principal) {
	atomic_fetch_add_explicit(&principal->references, 1, memory_order_relaxed);
	return principal;
}

void principal_drop(struct principal *principal) {
	if (!principal) return;
	if (atomic_fetch_sub_explicit(&principal->references, 1, memory_order_acq_rel) == 1)
		free(principal);
}

bool principal_may_enter(const struct principal *principal, struct slice topic) {
	struct slice rest = principal->topics, part;
	if (rest.length == 0) return true;
	while (slice_split(&rest, '\n', &part)) {
		bool is_pattern = part.length > 0 && part.bytes[part.length - 1] == '*';
		if (!is_pattern && slice_equal(part, topic)) return true;
		if (is_pattern && topic.length >= part.length - 1 &&
			memcmp(part.bytes, topic.bytes, part.length - 1) == 0)
			return true;
	}
	return false;
}
