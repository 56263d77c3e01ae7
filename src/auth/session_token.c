/* SPDX-License-Identifier: Apache-2.0 */
/* Session token: a principal back into a row. */
#include "auth/session_token.h"

#include "base/clock.h"

#define PARENT_OCTETS 256

/* A JWT may name itself at any length; what is longer is remembered by its beginning. */
static struct slice parent_of(const struct principal *principal) {
	struct slice name = principal_text(principal, PRINCIPAL_TOKEN_ID);
	return slice_make(name.bytes, slice_cut(name, PARENT_OCTETS));
}

static bool may_make(const struct principal *principal, struct fault *why) {
	if (principal->is_open)
		return fault_set(why, FAULT_REFUSED, "a session is made with a token, and there is none");
	if (principal->is_session)
		return fault_set(why, FAULT_REFUSED, "a session makes no other: sign in with a token");
	if (principal->expires_at && principal->expires_at <= clock_wall_ms())
		return fault_set(why, FAULT_REFUSED, "the token has expired");
	return true;
}

bool session_token_create(struct state *state, const struct principal *principal, char token[TOKEN_TEXT],
	char token_id[TOKEN_ID], int64_t *expires_at, struct fault *why) {
	if (!may_make(principal, why)) return false;
	struct token_row row = {
		.id = principal->id,
		.name = principal_text(principal, PRINCIPAL_NAME),
		.kind = slice_of(principal_kind_text(principal->said_kind)),
		.mcp_version = principal_text(principal, PRINCIPAL_MCP_VERSION),
		.dialect = principal->has_dialect ? slice_of(envelope_dialect_text(principal->dialect)) : SLICE_NONE,
		.privilege = slice_of(privilege_text(principal->privilege)),
		.topics = principal_text(principal, PRINCIPAL_TOPICS),
		.parent = parent_of(principal),
		.is_admin = principal->said_admin,
		.is_local = principal->is_local,
		.is_session = true,
		.created_at = clock_wall_ms(),
	};
	row.expires_at = row.created_at + SESSION_TOKEN_LIFE_MS;
	if (principal->expires_at && principal->expires_at < row.expires_at) row.expires_at = principal->expires_at;
	if (!token_name(&row, token, why)) return false;
	if (!token_add_session(state, &row, SESSION_TOKENS, why)) {
		secret_wipe(token, TOKEN_TEXT);
		return false;
	}
	memcpy(token_id, row.token_id, sizeof row.token_id);
	*expires_at = row.expires_at;
	return true;
}
