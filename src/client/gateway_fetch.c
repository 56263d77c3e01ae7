/* SPDX-License-Identifier: Apache-2.0 */
/* Gateway_fetch: one request, its answer checked before anybody sees it. */
#include "client/gateway_fetch.h"

#include "base/secret.h"
#include "wire/http1.h"

#include <stdlib.h>

#define ANSWER_MOST ((size_t)8 << 20)

struct gateway_fetch {
	struct fetch *fetch;
	gateway_fetch_done *done;
	void *context;
};

void gateway_fetch_close(struct gateway_fetch *fetch) {
	if (!fetch) return;
	fetch_close(fetch->fetch);
	free(fetch);
}

static bool check(const struct fetch_answer *answer, struct fault *why) {
	struct scan_value root, message;
	struct scan_fault fault;
	char lent[512], words[180] = "";
	bool is_object = scan_check(answer->body, SCAN_DEPTH + 4, &root, &fault) && root.type == SCAN_OBJECT;
	if (answer->status >= 200 && answer->status < 300)
		return is_object || fault_set(why, FAULT_BAD_INPUT, "the gateway's answer is no JSON object");
	struct arena arena;
	struct slice text;
	arena_init(&arena, lent, sizeof lent, 0);
	if (is_object && scan_find(&root, "message", &message) && scan_string(&message, &arena, &text))
		text_display_in(words, sizeof words, text);
	arena_finish(&arena);
	return fault_set(why, answer->status == 404 ? FAULT_NOT_FOUND : FAULT_REFUSED,
		"the gateway answered %u: %s", answer->status,
		words[0] ? words : http1_reason(answer->status));
}

static void done(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct gateway_fetch *fetch = context;
	gateway_fetch_done *tell = fetch->done;
	void *whom = fetch->context;
	struct fault own;
	AUTO_TEXT struct text body = {0};
	text_init(&body, ANSWER_MOST);
	if (why) own = *why;
	bool is_fine = answer && check(answer, &own);
	if (is_fine) text_add(&body, answer->body);
	if (is_fine && text_failed(&body))
		is_fine = fault_set(&own, FAULT_NO_MEMORY, "no memory for the gateway's answer");
	gateway_fetch_close(fetch);
	tell(whom, is_fine ? text_slice(&body) : SLICE_NONE, is_fine ? NULL : &own);
}

static const struct fetch_events fetch_table = {.done = done};

static void write_url(struct guest *guest, struct slice path, struct text *url) {
	struct membership *membership = guest_membership(guest);
	gateway_url_write(membership_url(membership), url);
	text_add_cstr(url, "/v0/topics/");
	http1_escape(url, membership_topic(membership));
	text_add(url, path);
}

static bool write_token(struct guest *guest, struct text *header, struct fault *why) {
	AUTO_TEXT struct text token = {0};
	text_init(&token, 0);
	bool is_given = membership_give_token(guest_membership(guest), &token, why);
	if (is_given && token.length) {
		text_add_cstr(header, "Authorization: Bearer ");
		text_add(header, text_slice(&token));
	}
	if (is_given && (text_failed(&token) || text_failed(header)))
		is_given = fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	if (token.bytes) secret_wipe(token.bytes, token.length);
	return is_given;
}

static bool start(struct gateway_fetch *fetch, struct guest *guest, struct fetch_desk *desk,
	struct slice path, struct slice body, struct fault *why) {
	AUTO_TEXT struct text url = {0}, header = {0};
	text_init(&url, 0);
	text_init(&header, 0);
	write_url(guest, path, &url);
	if (!write_token(guest, &header, why)) return false;
	if (text_failed(&url)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	const char *headers[4] = {"Accept: application/json"};
	size_t count = 1;
	if (body.length) headers[count++] = "Content-Type: application/json";
	if (header.length) headers[count++] = header.bytes;
	struct fetch_options options = {
		.method = body.length ? "POST" : "GET",
		.url = url.bytes,
		.headers = headers,
		.body = body,
		.limit = ANSWER_MOST,
		.ca = membership_ca(guest_membership(guest)),
	};
	fetch->fetch = fetch_open(desk, &options, &fetch_table, fetch, why);
	if (header.bytes) secret_wipe(header.bytes, header.length);
	return fetch->fetch != NULL;
}

struct gateway_fetch *gateway_fetch_open(struct guest *guest, struct fetch_desk *desk,
	struct slice path, struct slice body, gateway_fetch_done *tell, void *context,
	struct fault *why) {
	struct gateway_fetch *fetch = calloc(1, sizeof *fetch);
	if (!fetch) return fault_null(why, FAULT_NO_MEMORY, "no memory for a request");
	fetch->done = tell;
	fetch->context = context;
	if (start(fetch, guest, desk, path, body, why)) return fetch;
	free(fetch);
	return NULL;
}

void gateway_fetch_write_history(struct text *to, unsigned limit, struct slice before) {
	const char *mark = "?";
	text_add_cstr(to, "/history");
	if (limit) {
		text_printf(to, "?limit=%u", limit);
		mark = "&";
	}
	if (before.length) {
		text_printf(to, "%sbefore=", mark);
		http1_escape(to, before);
	}
}

void gateway_fetch_write_proposal(struct text *to, struct slice id, const char *verb) {
	text_add_cstr(to, "/proposals/");
	http1_escape(to, id);
	text_printf(to, "/%s", verb);
}
