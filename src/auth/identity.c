/* SPDX-License-Identifier: Apache-2.0 */
/* Identity: tokens and JWTs become principals; four sources become one privilege. */
#include "auth/identity.h"

#include "auth/jwt.h"
#include "auth/token_record.h"
#include "auth/token_table.h"
#include "base/clock.h"
#include "base/glob.h"
#include "base/ident.h"
#include "store/promotion_rows.h"

#include <stdio.h>
#include <stdlib.h>

struct identity {
	struct loop *loop;
	struct state *state;
	struct log *log;
	bool is_open;
	enum privilege default_privilege;
	struct identity_rule *rules;
	size_t rule_count;
	struct jwt *jwt; /* NULL: none is accepted */
	struct token_table tokens;
};

static void apply_rules(const struct identity *identity, struct principal_facts *facts);

/* What the claims say of somebody, and then what the rules say (auth/jwt.h). */
static void dress(const void *context, struct principal_facts *facts) { apply_rules(context, facts); }

/* The settings are copied; the rules are asked at every token, so that a reload changes them. */
static struct jwt *open_jwt(const struct identity *identity, const struct jwt_settings *settings,
	struct fault *why) {
	struct jwt_settings dressed = *settings;
	dressed.dress = dress;
	dressed.dress_context = identity;
	return jwt_open(identity->loop, &dressed, identity->log, why);
}

static bool copy_rules(const struct identity_settings *settings, struct identity_rule **rules,
	struct fault *why) {
	*rules = NULL;
	if (settings->rule_count == 0) return true;
	*rules = calloc(settings->rule_count, sizeof **rules);
	if (!*rules) return fault_set(why, FAULT_NO_MEMORY, "no memory for identity rules");
	memcpy(*rules, settings->rules, settings->rule_count * sizeof **rules);
	return true;
}

bool identity_change(struct identity *identity, const struct identity_settings *settings,
	struct fault *why) {
	struct identity_rule *rules;
	struct jwt *jwt = NULL, *before = identity->jwt;
	if (!copy_rules(settings, &rules, why)) return false;
	if (settings->jwt && !(jwt = open_jwt(identity, settings->jwt, why))) {
		free(rules);
		return false;
	}
	free(identity->rules);
	token_table_clear(&identity->tokens); /* the rules have dressed them */
	identity->jwt = jwt;
	identity->rules = rules;
	identity->rule_count = settings->rule_count;
	identity->is_open = settings->is_open;
	identity->default_privilege = settings->default_privilege;
	jwt_close(before); /* whoever hears of it may ask again at once, and asks the new one */
	return true;
}

struct identity *identity_open(struct loop *loop, struct state *state,
	const struct identity_settings *settings, struct log *log, struct fault *why) {
	struct identity *identity = calloc(1, sizeof *identity);
	if (!identity) return fault_null(why, FAULT_NO_MEMORY, "no memory for identities");
	identity->loop = loop;
	identity->state = state;
	identity->log = log;
	token_table_init(&identity->tokens);
	if (identity_change(identity, settings, why)) return identity;
	free(identity);
	return NULL;
}

void identity_close(struct identity *identity) {
	if (!identity) return;
	jwt_close(TAKE(identity->jwt));
	token_table_clear(&identity->tokens);
	free(identity->rules);
	free(identity);
}

bool identity_is_open(const struct identity *identity) { return identity->is_open; }

/* The rules' word on kind and administration, for any topic. */
static void apply_rules(const struct identity *identity, struct principal_facts *facts) {
	facts->said_kind = facts->kind;
	facts->said_admin = facts->is_admin;
	for (size_t i = 0; i < identity->rule_count; i++) {
		const struct identity_rule *rule = &identity->rules[i];
		if (!glob_fits(slice_of(rule->id), facts->id)) continue;
		if (rule->kind != PRINCIPAL_UNSAID && facts->kind == PRINCIPAL_UNSAID) facts->kind = rule->kind;
		if (rule->is_admin) facts->is_admin = true;
	}
}

static struct principal *from_row(const struct identity *identity, const struct token_row *row,
	struct fault *why) {
	if (row->revoked_at) return fault_null(why, FAULT_REFUSED, "revoked_token: the token was revoked");
	if (row->expires_at && row->expires_at <= clock_wall_ms())
		return fault_null(why, FAULT_REFUSED, "expired_token: the token has expired");
	struct principal_facts facts = {
		.privilege = PRIVILEGE_UNSAID,
		.is_admin = row->is_admin,
		.is_local = row->is_local,
		.is_session = row->is_session,
		.expires_at = row->expires_at,
		.id = row->id,
		.name = row->name,
		.mcp_version = row->mcp_version,
		.topics = row->topics,
		.token_id = slice_of(row->token_id),
	};
	/* A word that is none of ours gives nothing away. */
	if (row->privilege.length && !privilege_read(row->privilege, &facts.privilege))
		facts.privilege = PRIVILEGE_RESTRICTED;
	(void)(row->kind.length && principal_kind_read(row->kind, &facts.kind));
	facts.has_dialect = row->dialect.length && envelope_dialect_read(row->dialect, &facts.dialect);
	apply_rules(identity, &facts);
	return principal_make(&facts, why);
}

static struct principal *from_token(struct identity *identity, struct slice bearer,
	struct fault *why) {
	uint8_t hash[SECRET_HASH_SIZE];
	if (!secret_hash(bearer, hash)) return fault_null(why, FAULT_NO_MEMORY, "no memory");
	struct principal *principal = token_table_find(&identity->tokens, identity->state, hash);
	if (principal) return principal;
	struct token_row *row = token_find(identity->state, hash, why);
	if (!row && why->code == FAULT_NOT_FOUND)
		return fault_null(why, FAULT_REFUSED, "unknown_token: the token is unknown; "
						      "`hustings token create --id ID` makes one");
	if (!row) return NULL;
	principal = from_row(identity, row, why);
	token_row_free(row);
	if (principal) token_table_add(&identity->tokens, hash, principal);
	return principal;
}

void identity_ask(struct identity *identity, struct slice bearer, identity_found *found,
	void *context) {
	struct fault why = {0};
	if (!token_is_one(bearer) && identity->jwt) {
		jwt_ask(identity->jwt, bearer, found, context);
		return;
	}
	struct principal *principal = from_token(identity, bearer, &why);
	found(context, principal, principal ? NULL : &why);
}

void identity_forget(struct identity *identity, void *context) {
	if (identity->jwt) jwt_forget(identity->jwt, context);
}

struct principal *identity_guest(struct identity *identity, struct slice id, struct slice name,
	struct slice kind, struct slice mcp_version, struct fault *why) {
	char made_up[16];
	uint8_t octets[2];
	struct principal_facts facts = {
		.privilege = PRIVILEGE_UNSAID,
		.is_open = true,
		.id = id,
		.name = name,
		.mcp_version = mcp_version,
	};
	if (!id.bytes) {
		ident_random(octets, sizeof octets);
		snprintf(made_up, sizeof made_up, "guest-%02X%02X", octets[0], octets[1]);
		facts.id = slice_of(made_up);
	}
	if (kind.length && !principal_kind_read(kind, &facts.kind))
		return fault_null(why, FAULT_BAD_INPUT, "kind must be human, agent or robot");
	if (name.length > 256 || mcp_version.length > 64)
		return fault_null(why, FAULT_BAD_INPUT, "name is at most 256 octets, mcp at most 64");
	apply_rules(identity, &facts);
	facts.is_admin = false; /* administration needs the admin token, in open mode too */
	return principal_make(&facts, why);
}

static void explain(struct text *reason, const char *source, const char *what, enum privilege privilege) {
	if (reason) text_printf(reason, "%s%s: %s", source, what, privilege_text(privilege));
}

bool identity_privilege(struct identity *identity, const struct principal *principal,
	struct slice topic, enum privilege *privilege, struct text *reason, struct fault *why) {
	char promoted[16];
	if (!promotion_find(identity->state, principal->id, topic, promoted, why)) return false;
	if (promoted[0] && privilege_read(slice_of(promoted), privilege)) {
		explain(reason, "explicit promotion or demotion", "", *privilege);
		return true;
	}
	if (principal->privilege != PRIVILEGE_UNSAID) {
		*privilege = principal->privilege;
		explain(reason, "token or claim", "", *privilege);
		return true;
	}
	for (size_t i = 0; i < identity->rule_count; i++) {
		const struct identity_rule *rule = &identity->rules[i];
		if (rule->privilege == PRIVILEGE_UNSAID || !glob_fits(slice_of(rule->id), principal->id)) continue;
		if (rule->topic[0] && !glob_fits(slice_of(rule->topic), topic)) continue;
		*privilege = rule->privilege;
		explain(reason, "identity rule for ", rule->id, *privilege);
		return true;
	}
	*privilege = identity->is_open ? PRIVILEGE_FULL : identity->default_privilege;
	explain(reason, identity->is_open ? "open mode" : "default (auth.default_privilege)", "", *privilege);
	return true;
}
