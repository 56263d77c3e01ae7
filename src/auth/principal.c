/* SPDX-License-Identifier: Apache-2.0 */
/* Principal: one allocation with its strings behind it. */
#include "auth/principal.h"

#include "base/glob.h"
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

static bool check(const struct principal_facts *facts, struct fault *why) {
	if (!ident_is_identity(facts->id))
		return fault_set(why, FAULT_BAD_INPUT,
			"id must be 1 to 128 octets without blanks, control characters, quotes, backslash or slash, "
			"and not begin with system: or server:");
	size_t length = facts->name.length + facts->mcp_version.length + facts->topics.length +
		facts->token_id.length;
	if (length <= UINT16_MAX) return true;
	return fault_set(why, FAULT_BAD_INPUT,
		"name, mcp, topics and token id are at most %d octets together; they have %zu", UINT16_MAX, length);
}

static char *place(char *at, struct slice from) {
	if (from.length) memcpy(at, from.bytes, from.length);
	return at + from.length;
}

struct principal *principal_make(const struct principal_facts *facts, struct fault *why) {
	if (!check(facts, why)) return NULL;
	const struct slice texts[PRINCIPAL_TEXTS] = {
		[PRINCIPAL_NAME] = facts->name,
		[PRINCIPAL_MCP_VERSION] = facts->mcp_version,
		[PRINCIPAL_TOPICS] = facts->topics,
		[PRINCIPAL_TOKEN_ID] = facts->token_id,
	};
	size_t length = facts->id.length + 2;
	for (int which = 0; which < PRINCIPAL_TEXTS; which++) length += texts[which].length;
	struct principal *principal = malloc(sizeof *principal + length);
	if (!principal) return fault_null(why, FAULT_NO_MEMORY, "no memory for a principal");
	*principal = (struct principal){
		.kind = (uint8_t)facts->kind,
		.said_kind = (uint8_t)facts->said_kind,
		.said_admin = facts->said_admin,
		.privilege = (uint8_t)facts->privilege,
		.dialect = (uint8_t)facts->dialect,
		.is_admin = facts->is_admin,
		.is_local = facts->is_local,
		.is_open = facts->is_open,
		.is_session = facts->is_session,
		.has_dialect = facts->has_dialect,
		.expires_at = facts->expires_at,
		.id = slice_make((char *)(principal + 1) + 1, facts->id.length),
	};
	atomic_init(&principal->references, 1);
	char *at = place((char *)(principal + 1), SLICE("\""));
	char *first = place(place(at, facts->id), SLICE("\""));
	at = first;
	for (int which = 0; which < PRINCIPAL_TEXTS; which++) {
		at = place(at, texts[which]);
		principal->ends[which] = (uint16_t)(at - first);
	}
	return principal;
}

struct slice principal_text(const struct principal *principal, enum principal_text which) {
	const char *first = principal->id.bytes + principal->id.length + 1;
	size_t start = which ? principal->ends[which - 1] : 0;
	return slice_make(first + start, principal->ends[which] - start);
}

struct principal *principal_describe(const struct principal *principal, struct slice name,
	struct slice kind, struct slice mcp_version, struct fault *why) {
	struct principal_facts facts = {
		.kind = principal->kind,
		.said_kind = principal->said_kind,
		.said_admin = principal->said_admin,
		.privilege = principal->privilege,
		.is_admin = principal->is_admin,
		.is_local = principal->is_local,
		.is_open = principal->is_open,
		.is_session = principal->is_session,
		.has_dialect = principal->has_dialect,
		.dialect = principal->dialect,
		.expires_at = principal->expires_at,
		.id = principal->id,
		.name = principal_text(principal, PRINCIPAL_NAME),
		.mcp_version = principal_text(principal, PRINCIPAL_MCP_VERSION),
		.topics = principal_text(principal, PRINCIPAL_TOPICS),
		.token_id = principal_text(principal, PRINCIPAL_TOKEN_ID),
	};
	enum principal_kind said = PRINCIPAL_UNSAID;
	if (name.length > 256 || mcp_version.length > 64)
		return fault_null(why, FAULT_BAD_INPUT, "name is at most 256 octets, mcp at most 64");
	if (kind.length && !principal_kind_read(kind, &said))
		return fault_null(why, FAULT_BAD_INPUT, "kind must be human, agent or robot");
	if (facts.name.length == 0) facts.name = name;
	if (facts.mcp_version.length == 0) facts.mcp_version = mcp_version;
	if (facts.kind == PRINCIPAL_UNSAID) facts.kind = said;
	return principal_make(&facts, why);
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
	struct slice rest = principal_text(principal, PRINCIPAL_TOPICS), part;
	if (rest.length == 0) return true;
	while (slice_split(&rest, '\n', &part))
		if (glob_fits(part, topic)) return true;
	return false;
}
