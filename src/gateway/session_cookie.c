/* SPDX-License-Identifier: Apache-2.0 */
/* Session cookie: its name, its attributes, and the page that may use it. */
#include "gateway/session_cookie.h"

#include "gateway/origin.h"
#include "wire/cookie.h"

#include <stdio.h>

#define NAME 32

static bool is_secure(const struct exchange *exchange) {
	struct origin here;
	return origin_of_request(exchange, &here) && here.is_secure;
}

/* By port, so that gateways on one host do not overwrite each other's: cookies know no ports. */
static void write_name(const struct exchange *exchange, char name[NAME]) {
	const char *prefix = is_secure(exchange) ? "__Host-" : "";
	snprintf(name, NAME, "%shustings_%u", prefix, exchange->gateway->settings.port);
}

static bool only_reads(const struct http1_head *head) {
	return !head->upgrades && (slice_is(head->method, "GET") || slice_is(head->method, "HEAD"));
}

const char *session_cookie_stranger(const struct exchange *exchange, bool may_be_unsaid) {
	const struct http1_head *head = exchange->head;
	struct slice site = http1_field(head, "Sec-Fetch-Site"), said = http1_field(head, "Origin");
	struct origin here, origin;
	if (http1_field_count(head, "Sec-Fetch-Site") > 1 || http1_field_count(head, "Origin") > 1)
		return "Sec-Fetch-Site and Origin may stand there once";
	bool is_ours = slice_is(site, "same-origin");
	if (site.bytes && !is_ours && !(only_reads(head) && slice_is(site, "none")))
		return "the request comes from another page (Sec-Fetch-Site)";
	bool is_said = origin_read(said, &origin) && origin_of_request(exchange, &here);
	if (said.bytes && !(is_said && origin_equal(&origin, &here)))
		return "Origin has to be the scheme, name and port that the request goes to (behind a proxy, "
		       "which has to leave Host as it is: gateway.public_origin)";
	if (said.bytes || may_be_unsaid || only_reads(head)) return NULL;
	return is_ours && !head->upgrades ? NULL : "without Origin it is not known which page asks";
}

size_t session_cookie_find(const struct exchange *exchange, struct slice *token) {
	char name[NAME];
	write_name(exchange, name);
	return cookie_find(exchange->head, slice_of(name), token);
}

bool session_cookie_each(const struct exchange *exchange, session_cookie_seen *seen, void *context) {
	struct slice token;
	char name[NAME];
	int count = 0;
	write_name(exchange, name);
	for (size_t i = 0; i < exchange->head->field_count; i++) {
		const struct http1_field *field = &exchange->head->fields[i];
		if (!slice_equal_ignoring_case(field->name, SLICE("Cookie"))) continue;
		struct slice rest = field->value;
		while (cookie_next(&rest, slice_of(name), &token))
			if (count++ == SESSION_COOKIES || !seen(context, token)) return false;
	}
	return true;
}

bool session_cookie_take(struct exchange *exchange, struct slice *token) {
	struct slice found;
	char name[NAME];
	*token = SLICE_NONE;
	size_t count = session_cookie_find(exchange, &found);
	if (count == 0) return true;
	const char *stranger = session_cookie_stranger(exchange, false);
	if (count == 1 && !stranger) {
		*token = found.length ? found : SLICE("?"); /* an empty one is a wrong one */
		return true;
	}
	if (identity_is_open(exchange->gateway->identity)) return true;
	write_name(exchange, name);
	if (stranger)
		exchange_error(exchange, 403, "forbidden", "the session's cookie does not count here: %s", stranger);
	else
		exchange_error(exchange, 403, "forbidden",
			"there is more than one cookie %s; another server on this host may have set one: delete them",
			name);
	return false;
}

void session_cookie_write(struct text *to, const struct exchange *exchange, struct slice token, int64_t life_ms) {
	char name[NAME];
	write_name(exchange, name);
	text_printf(to, "Set-Cookie: %s=", name);
	text_add(to, token);
	text_printf(to, "; HttpOnly; SameSite=Strict; Path=/; Max-Age=%lld",
		(long long)(token.length ? life_ms / 1000 : 0));
	text_add_cstr(to, is_secure(exchange) ? "; Secure\r\n" : "\r\n");
}
