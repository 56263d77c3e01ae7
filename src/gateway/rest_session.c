/* SPDX-License-Identifier: Apache-2.0 */
/* Rest session: a token or a ticket becomes a session, which the browser keeps as a cookie. */
#include "gateway/rest_session.h"

#include "auth/session_token.h"
#include "base/clock.h"
#include "gateway/challenge.h"
#include "gateway/credentials.h"
#include "gateway/live.h"
#include "gateway/session_cookie.h"
#include "gateway/sign_in_pace.h"
#include "store/audit.h"
#include "wire/scan.h"

#include <stdio.h>

static void record(const struct exchange *exchange, struct slice actor, const char *result,
	struct slice detail) {
	struct gateway *gateway = exchange->gateway;
	const struct audit_record audit = {
		.event = SLICE("session"),
		.actor = actor,
		.target = actor,
		.result = slice_of(result),
		.detail = detail,
	};
	struct fault why;
	if (!audit_add(store_spool(gateway->store, 0), &audit, &why))
		log_write(gateway->log, LOG_WARNING, "audit: a record was not written: %s", why.text);
}

/* Who one is, as all three answers say it. */
static void write_who(struct text *to, const struct principal *principal, int64_t expires_at, bool is_session) {
	struct slice topics = principal_text(principal, PRINCIPAL_TOPICS), topic;
	char expires[CLOCK_TEXT_SIZE];
	text_add_cstr(to, "{\"id\":");
	text_add(to, principal_id_json(principal));
	text_add_cstr(to, ",\"name\":");
	text_json(to, principal_text(principal, PRINCIPAL_NAME));
	text_printf(to, ",\"kind\":\"%s\",\"admin\":%s", principal_kind_text(principal->kind),
		principal->is_admin ? "true" : "false");
	if (principal->privilege != PRIVILEGE_UNSAID)
		text_printf(to, ",\"privilege\":\"%s\"", privilege_text(principal->privilege));
	text_add_cstr(to, ",\"topics\":[");
	for (bool is_first = true; topics.length && slice_split(&topics, '\n', &topic); is_first = false) {
		if (!is_first) text_add_char(to, ',');
		text_json(to, topic);
	}
	text_printf(to, "],\"open\":%s,\"session\":%s,\"expires\":", principal->is_open ? "true" : "false",
		is_session ? "true" : "false");
	if (expires_at) {
		clock_write(expires_at, expires);
		text_printf(to, "\"%s\"}", expires);
	} else
		text_add_cstr(to, "null}");
}

/* Ends the session behind a token, if it is one that lives. */
static bool end_session(struct exchange *exchange, struct slice token, struct fault *why) {
	struct gateway *gateway = exchange->gateway;
	uint8_t hash[SECRET_HASH_SIZE];
	struct fault missing;
	if (!secret_hash(token, hash)) return fault_set(why, FAULT_NO_MEMORY, "no memory to sign out: try again");
	struct token_row *row = token_find(gateway->state, hash, &missing);
	if (!row) {
		if (missing.code == FAULT_NOT_FOUND) return true;
		*why = missing;
		return false;
	}
	bool is_done = !row->is_session || row->revoked_at;
	if (!is_done && token_revoke(gateway->state, row->token_id, SLICE_NONE, NULL, why)) {
		live_revoke(gateway, slice_of(row->token_id), SLICE_NONE);
		record(exchange, row->id, "signed_out", slice_of(row->token_id));
		is_done = true;
	}
	token_row_free(row);
	return is_done;
}

struct ending {
	struct exchange *exchange;
	struct fault *why;
};

static bool end_one(void *context, struct slice token) {
	const struct ending *ending = context;
	return end_session(ending->exchange, token, ending->why);
}

/* Of several cookies of our name none counts, but one of them may be a session that lives on. */
static bool end_sessions(struct exchange *exchange, struct fault *why) {
	struct ending ending = {exchange, why};
	(void)fault_set(why, FAULT_BAD_INPUT, "there are more than %d of the session's cookies: delete them",
		SESSION_COOKIES);
	return session_cookie_each(exchange, end_one, &ending);
}

/* In the exchange's arena, while a JWT waits for its keys. */
struct waiting {
	struct exchange *exchange;
};

static void ask_identity(struct exchange *exchange, struct slice token, identity_found *answered) {
	struct waiting *waiting = arena_alloc(&exchange->arena, sizeof *waiting);
	if (!waiting) {
		exchange_error(exchange, 503, "no_memory", "no memory for the request: try again");
		return;
	}
	waiting->exchange = exchange;
	exchange->waiting = waiting;
	exchange->gone = credentials_forget;
	identity_ask(exchange->gateway->identity, token, answered, waiting);
}

/* ---- Signing in ---- */

struct sign_in {
	struct slice token, ticket; /* one of them */
};

static bool bad(struct exchange *exchange, const char *what) {
	exchange_error(exchange, 400, "bad_input", "the body %s", what);
	return false;
}

static bool read_sign_in(struct exchange *exchange, struct sign_in *sign_in) {
	struct scan_value root;
	struct scan_fault fault;
	struct scan_walk walk;
	struct scan_member member;
	bool has_twice = true;
	*sign_in = (struct sign_in){0};
	if (exchange->body.length > REST_SESSION_BODY) {
		exchange_error(exchange, 413, "too_large", "the body has %zu octets; a sign-in has at most %d",
			exchange->body.length, REST_SESSION_BODY);
		return false;
	}
	if (!scan_check(exchange->body, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT)
		return bad(exchange, "must be a JSON object: {\"token\":\"...\"} or {\"ticket\":\"...\"}");
	if (!scan_has_duplicates(exchange->body, &exchange->arena, &has_twice) || has_twice)
		return bad(exchange, "has a key twice");
	scan_open(&walk, &root);
	while (scan_next(&walk, &member)) {
		struct slice *place = scan_key_is(&member, "token") ? &sign_in->token
			: scan_key_is(&member, "ticket")            ? &sign_in->ticket
								    : NULL;
		if (!place) return bad(exchange, "has a key that is neither token nor ticket");
		if (!scan_string(&member.value, &exchange->arena, place) || place->length == 0)
			return bad(exchange, "must hold the token or ticket as a string that is not empty");
	}
	if (!sign_in->token.bytes == !sign_in->ticket.bytes)
		return bad(exchange,
			"must hold either a token or a ticket: {\"token\":\"...\"} or {\"ticket\":\"...\"}");
	return true;
}

static bool may_try(struct exchange *exchange) {
	struct gateway *gateway = exchange->gateway;
	uint64_t retry_after_ms;
	const char *stranger = session_cookie_stranger(exchange, true);
	if (stranger) {
		exchange_error(exchange, 403, "forbidden", "only the gateway's own page signs in: %s", stranger);
		return false;
	}
	if (sign_in_pace_take(gateway->sign_in_pace, exchange->address, SIGN_IN_COST, loop_now(gateway->loop),
		    &retry_after_ms))
		return true;
	credentials_slow_down(exchange, retry_after_ms, "sign-ins");
	return false;
}

/* What was tried stays unsaid; from where is known by the address. */
static void refuse(struct exchange *exchange, const struct fault *why) {
	if (why->code == FAULT_REFUSED) record(exchange, SLICE_NONE, "refused", slice_of(exchange->address));
	credentials_refuse(exchange, why);
}

static void sign_in_as(struct exchange *exchange, const struct principal *principal) {
	struct gateway *gateway = exchange->gateway;
	char token[TOKEN_TEXT], token_id[TOKEN_ID];
	int64_t expires_at;
	struct fault why;
	AUTO_TEXT struct text body = {0}, cookie = {0};
	if (!session_token_create(gateway->state, principal, token, token_id, &expires_at, &why)) {
		if (why.code == FAULT_REFUSED) (void)fault_before(&why, "bad_token: ");
		refuse(exchange, &why);
		return;
	}
	live_review_sessions_soon(gateway->live); /* an older session may have gone for it */
	sign_in_pace_give(gateway->sign_in_pace, exchange->address);
	/* The one before is overwritten, and nobody could end it later. */
	if (!end_sessions(exchange, &why))
		log_write(gateway->log, LOG_ERROR, "session: the one before was not ended: %s", why.text);
	record(exchange, principal->id, "signed_in", slice_of(token_id));
	text_init(&body, 0);
	text_init(&cookie, 0);
	write_who(&body, principal, expires_at, true);
	session_cookie_write(&cookie, exchange, slice_of(token), expires_at - clock_wall_ms());
	secret_wipe(token, sizeof token);
	if (text_failed(&body) || text_failed(&cookie))
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
	else
		exchange_answer(exchange, 201, "application/json", text_slice(&cookie), text_slice(&body));
	if (cookie.bytes) secret_wipe(cookie.bytes, cookie.length);
}

static void identified(void *context, struct principal *principal, const struct fault *why) {
	struct exchange *exchange = ((struct waiting *)context)->exchange;
	exchange->waiting = NULL;
	exchange->gone = NULL;
	if (principal) sign_in_as(exchange, principal);
	else refuse(exchange, why);
	principal_drop(principal);
}

static void sign_in_by_ticket(struct exchange *exchange, struct slice ticket) {
	struct gateway *gateway = exchange->gateway;
	struct fault why;
	AUTO(principal) principal = ticket_take(gateway->sign_in_tickets, ticket, SLICE_NONE, &why);
	if (principal && live_was_revoked(gateway->live, principal)) {
		principal_drop(TAKE(principal));
		fault_set(&why, FAULT_REFUSED, "the token that the ticket was made with was revoked");
	}
	if (principal) {
		sign_in_as(exchange, principal);
		return;
	}
	(void)fault_before(&why, "bad_ticket: ");
	refuse(exchange, &why);
}

void rest_session_begin(struct exchange *exchange) {
	struct sign_in sign_in;
	if (!read_sign_in(exchange, &sign_in) || !may_try(exchange)) return;
	if (sign_in.token.bytes) ask_identity(exchange, sign_in.token, identified);
	else sign_in_by_ticket(exchange, sign_in.ticket);
}

/* ---- Who one is, and signing out ---- */

/* `headers` may be SLICE_NONE. */
static void answer_who(struct exchange *exchange, const struct principal *principal, struct slice headers) {
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	write_who(&body, principal, principal->expires_at, principal->is_session);
	if (text_failed(&body)) exchange_text(exchange, 503, &body);
	else exchange_answer(exchange, 200, "application/json", headers, text_slice(&body));
}

static void found(struct exchange *exchange, struct principal *principal) {
	if (!principal) return;
	exchange->gone = NULL;
	exchange->principal = principal;
	answer_who(exchange, principal, SLICE_NONE);
}

/* Who holds a cookie that is over is told so once, and is then like one without. */
static void refuse_cookie(struct exchange *exchange, const struct fault *why) {
	AUTO_TEXT struct text headers = {0}, body = {0};
	const char *colon = strchr(why->text, ':');
	text_init(&headers, 0);
	text_init(&body, 0);
	session_cookie_write(&headers, exchange, SLICE_NONE, 0);
	if (identity_is_open(exchange->gateway->identity)) {
		struct fault broken;
		AUTO(principal) guest = identity_guest(exchange->gateway->identity, SLICE_NONE, SLICE_NONE,
			SLICE_NONE, SLICE_NONE, &broken);
		if (guest) answer_who(exchange, guest, text_slice(&headers));
		else exchange_fault(exchange, &broken);
		return;
	}
	challenge_write(&headers, exchange->gateway, exchange->head);
	exchange_write_error(&body, "session_over",
		slice_of(colon && colon[1] == ' ' ? colon + 2 : "the session is over: sign in again"));
	if (text_failed(&headers) || text_failed(&body)) credentials_refuse(exchange, why);
	else exchange_answer(exchange, 401, "application/json", text_slice(&headers), text_slice(&body));
}

static void cookie_identified(void *context, struct principal *principal, const struct fault *why) {
	struct exchange *exchange = ((struct waiting *)context)->exchange;
	const struct fault misplaced = {FAULT_REFUSED, "bad_token: the cookie holds the token of no session"};
	exchange->waiting = NULL;
	exchange->gone = NULL;
	if (principal && principal->is_session) answer_who(exchange, principal, SLICE_NONE);
	else if (!principal && why->code != FAULT_REFUSED) exchange_fault(exchange, why);
	else if (credentials_may_be_wrong(exchange, principal ? &misplaced : why))
		refuse_cookie(exchange, principal ? &misplaced : why);
	principal_drop(principal);
}

void rest_session_show(struct exchange *exchange) {
	struct slice bearer;
	if (!credentials_bearer(exchange, &bearer, NULL)) return;
	if (exchange->is_by_cookie) {
		ask_identity(exchange, bearer, cookie_identified);
		return;
	}
	exchange->gone = credentials_forget;
	credentials_ask(exchange, bearer, found);
}

/* A cookie that is over or unknown is taken away as well. */
void rest_session_end(struct exchange *exchange) {
	struct slice token;
	struct fault why;
	AUTO_TEXT struct text cookie = {0};
	const char *stranger = session_cookie_stranger(exchange, false);
	if (session_cookie_find(exchange, &token) && stranger) {
		exchange_error(exchange, 403, "forbidden", "the session's cookie does not count here: %s", stranger);
		return;
	}
	if (!end_sessions(exchange, &why)) {
		exchange_fault(exchange, &why);
		return;
	}
	text_init(&cookie, 0);
	session_cookie_write(&cookie, exchange, SLICE_NONE, 0);
	exchange_answer(exchange, 204, NULL, text_failed(&cookie) ? SLICE_NONE : text_slice(&cookie), SLICE_NONE);
}

void rest_session_ticket(struct exchange *exchange) {
	const struct principal *principal = exchange->principal;
	char ticket[TICKET_TEXT], answer[128];
	struct fault why;
	if (principal->is_open || principal->is_session) {
		exchange_error(exchange, 403, "forbidden", "%s",
			principal->is_open ? "a ticket to the console needs a token; in open mode none is needed"
					   : "a session makes no other: ask for the ticket with a token");
		return;
	}
	if (!ticket_make(exchange->gateway->sign_in_tickets, exchange->principal, SLICE_NONE, ticket, &why)) {
		exchange_fault(exchange, &why);
		return;
	}
	int length = snprintf(answer, sizeof answer, "{\"ticket\":\"%s\",\"expires_in\":%d}", ticket,
		TICKET_SIGN_IN_LIFE_MS / 1000);
	exchange_json(exchange, 201, slice_make(answer, (size_t)length));
	secret_wipe(ticket, sizeof ticket);
	secret_wipe(answer, sizeof answer);
}
