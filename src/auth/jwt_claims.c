/* SPDX-License-Identifier: Apache-2.0 */
/* Jwt claims: RFC 7519, read strictly. */
#include "auth/jwt_claims.h"

#include "base/glob.h"
#include "base/ident.h"
#include "base/secret.h"

static bool bad(struct fault *why, const char *what) {
	return fault_set(why, FAULT_REFUSED, "bad_token: %s", what);
}

static bool decode(struct slice part, struct arena *arena, struct slice *octets) {
	AUTO_TEXT struct text decoded = {0};
	text_init(&decoded, 0);
	return part.length && secret_unbase64url(&decoded, part) && decoded.length &&
		arena_copy(arena, text_slice(&decoded), octets);
}

/* A JSON object without a key twice. */
static bool read_object(struct slice text, struct arena *arena, struct scan_value *root) {
	struct scan_fault fault;
	bool duplicates = true;
	return scan_check(text, 16, root, &fault) && root->type == SCAN_OBJECT &&
		scan_has_duplicates(text, arena, &duplicates) && !duplicates;
}

static bool read_header(struct jwt_token *token, struct slice text, struct arena *arena,
	struct fault *why) {
	struct scan_value root, value;
	struct slice algorithm;
	if (!read_object(text, arena, &root)) return bad(why, "the JWT's header is no JSON object");
	if (scan_find(&root, "crit", &value)) return bad(why, "the JWT has critical headers");
	if (!scan_find(&root, "alg", &value) || !scan_string(&value, arena, &algorithm) ||
		!jwt_algorithm_read(algorithm, &token->algorithm))
		return bad(why, "the JWT's alg is none of HS256, RS256, PS256, ES256, EdDSA");
	token->kid = SLICE_NONE;
	if (scan_find(&root, "kid", &value) && !scan_string(&value, arena, &token->kid))
		return bad(why, "the JWT's kid is no string");
	return true;
}

bool jwt_token_read(struct jwt_token *token, struct slice bearer, struct arena *arena,
	struct fault *why) {
	struct slice rest = bearer, header, payload, header_text;
	if (bearer.length > JWT_OCTETS) return bad(why, "the token is larger than 16 KiB");
	if (!slice_split(&rest, '.', &header) || !slice_split(&rest, '.', &payload) || !rest.length ||
		memchr(rest.bytes, '.', rest.length))
		return bad(why, "it is neither one of our tokens nor a JWT");
	if (!decode(header, arena, &header_text) || !decode(payload, arena, &token->payload) ||
		!decode(rest, arena, &token->signature))
		return bad(why, "the JWT's parts must be base64url");
	token->signed_text = slice_make(bearer.bytes, header.length + 1 + payload.length);
	return read_header(token, header_text, arena, why);
}

/* NumericDate: seconds since 1970, maybe with a fraction. False: not a number. */
static bool read_date(const struct scan_value *root, const char *name, bool *has, int64_t *wall_ms) {
	struct scan_value value;
	double seconds;
	*has = scan_find(root, name, &value);
	if (!*has) return true;
	if (!scan_number(&value, &seconds) || seconds < 0 || seconds > 1e12) return false;
	*wall_ms = (int64_t)(seconds * 1000);
	return true;
}

static bool check_time(const struct scan_value *root, const struct jwt_settings *settings, int64_t now,
	int64_t *expires_at, struct fault *why) {
	bool has_expiry, has_start;
	int64_t start;
	if (!read_date(root, "exp", &has_expiry, expires_at) || !read_date(root, "nbf", &has_start, &start))
		return bad(why, "the JWT's exp and nbf must be numbers");
	if (!has_expiry) return bad(why, "the JWT has no exp");
	if (*expires_at + settings->leeway_ms <= now)
		return fault_set(why, FAULT_REFUSED, "expired_token: the JWT has expired");
	*expires_at += settings->leeway_ms; /* whoever was let in late is not sent away at once */
	if (has_start && start - settings->leeway_ms > now) return bad(why, "the JWT is not valid yet");
	return true;
}

/* Whether the claim is that string, or an array that holds it. */
static bool claim_has(const struct scan_value *root, const char *name, const char *wanted,
	struct arena *arena) {
	struct scan_value value;
	struct scan_walk walk;
	struct scan_member element;
	struct slice string;
	if (!scan_find(root, name, &value)) return false;
	if (value.type == SCAN_STRING)
		return scan_string(&value, arena, &string) && slice_is(string, wanted);
	if (value.type != SCAN_ARRAY) return false;
	scan_open(&walk, &value);
	while (scan_next(&walk, &element))
		if (scan_string(&element.value, arena, &string) && slice_is(string, wanted)) return true;
	return false;
}

static bool add_topic(struct text *topics, struct slice topic) {
	if (!ident_is_topic(glob_beginning(topic))) return false;
	if (topics->length) text_add_char(topics, '\n');
	text_add(topics, topic);
	return true;
}

/* An array of names, or one string of names with blanks between. */
static bool read_topics(const struct scan_value *value, struct arena *arena, struct text *topics) {
	struct scan_walk walk;
	struct scan_member element;
	struct slice string, part;
	if (value->type == SCAN_STRING) {
		if (!scan_string(value, arena, &string)) return false;
		while (slice_split(&string, ' ', &part))
			if (part.length && !add_topic(topics, part)) return false;
		return true;
	}
	if (value->type != SCAN_ARRAY) return false;
	scan_open(&walk, value);
	while (scan_next(&walk, &element))
		if (!scan_string(&element.value, arena, &string) || !add_topic(topics, string)) return false;
	return true;
}

/* A claim of another type says something that we do not understand: then nothing is guessed. */
static bool claim(const struct scan_value *root, const char *name, struct arena *arena,
	struct slice *string, struct fault *why) {
	struct scan_value value;
	*string = SLICE_NONE;
	if (!scan_find(root, name, &value)) return true;
	if (scan_string(&value, arena, string)) return true;
	return fault_set(why, FAULT_REFUSED, "bad_token: the JWT's %s is no string", name);
}

static const char *named(const char *name, const char *otherwise) { return name ? name : otherwise; }

static bool read_who(const struct scan_value *root, const struct jwt_settings *settings,
	struct arena *arena, struct principal_facts *facts, struct fault *why) {
	struct slice privilege, kind;
	struct scan_value admin;
	if (!claim(root, named(settings->claim_privilege, "privilege"), arena, &privilege, why) ||
		!claim(root, named(settings->claim_kind, "kind"), arena, &kind, why) ||
		!claim(root, named(settings->claim_id, "sub"), arena, &facts->id, why) ||
		!claim(root, named(settings->claim_name, "name"), arena, &facts->name, why) ||
		!claim(root, "jti", arena, &facts->token_id, why))
		return false;
	if (!facts->id.length || !ident_is_identity(facts->id))
		return bad(why, "the JWT's claim for the id is missing or no identity");
	if (facts->name.length > 256) return bad(why, "the JWT's name is over 256 octets");
	if (privilege.length && !privilege_read(privilege, &facts->privilege))
		return bad(why, "the JWT's privilege must be full or restricted");
	if (kind.length && !principal_kind_read(kind, &facts->kind))
		return bad(why, "the JWT's kind must be human, agent or robot");
	if (settings->claim_admin && scan_find(root, settings->claim_admin, &admin))
		(void)(admin.type == SCAN_BOOLEAN && scan_boolean(&admin, &facts->is_admin));
	return true;
}

struct principal *jwt_claims_principal(const struct jwt_token *token,
	const struct jwt_settings *settings, int64_t now, struct arena *arena, struct fault *why) {
	struct scan_value root, topics_claim;
	struct principal_facts facts = {.privilege = PRIVILEGE_UNSAID};
	AUTO_TEXT struct text topics = {0};
	text_init(&topics, 0);
	if (!read_object(token->payload, arena, &root)) {
		bad(why, "the JWT's claims are no JSON object");
		return NULL;
	}
	if (!check_time(&root, settings, now, &facts.expires_at, why)) return NULL;
	if (settings->issuer && !claim_has(&root, "iss", settings->issuer, arena))
		return fault_null(why, FAULT_REFUSED, "bad_token: the JWT has another issuer");
	if (settings->audience && !claim_has(&root, "aud", settings->audience, arena))
		return fault_null(why, FAULT_REFUSED, "bad_token: the JWT is for another audience");
	if (!read_who(&root, settings, arena, &facts, why)) return NULL;
	bool has_topics = scan_find(&root, named(settings->claim_topics, "topics"), &topics_claim);
	if (has_topics && (!read_topics(&topics_claim, arena, &topics) || text_failed(&topics)))
		return fault_null(why, FAULT_REFUSED, "bad_token: the JWT's topics are no topic names");
	if ((has_topics && topics.length == 0) || (!has_topics && settings->require_topics))
		return fault_null(why, FAULT_REFUSED, "bad_token: the JWT holds for no topic");
	facts.topics = text_slice(&topics);
	if (settings->dress) settings->dress(settings->dress_context, &facts);
	return principal_make(&facts, why);
}
