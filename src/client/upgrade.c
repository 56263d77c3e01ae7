/* SPDX-License-Identifier: Apache-2.0 */
/* Upgrade: one request, one answer. */
#include "client/upgrade.h"

#include "base/secret.h"
#include "wire/http1.h"
#include "wire/scan.h"
#include "wire/websocket.h"

static bool is_header_text(struct slice text) {
	for (size_t i = 0; i < text.length; i++)
		if (text.bytes[i] <= ' ' || text.bytes[i] >= 127) return false;
	return true;
}

bool upgrade_init(struct upgrade *upgrade, const char *authority, struct slice target,
	struct slice token, struct fault *why) {
	char key[25];
	*upgrade = (struct upgrade){.status = 0};
	text_init(&upgrade->request, 0);
	text_init(&upgrade->answer, HTTP1_HEAD + UPGRADE_REFUSAL);
	if (!is_header_text(token))
		return fault_set(why, FAULT_BAD_INPUT, "the token holds blanks or control characters");
	if (!websocket_new_key(key) || !websocket_accept(slice_of(key), upgrade->accept))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a connection");

	struct text *request = &upgrade->request;
	text_add_cstr(request, "GET ");
	text_add(request, target);
	text_printf(request, " HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
			     "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n",
		authority, key);
	if (token.length) {
		text_add_cstr(request, "Authorization: Bearer ");
		text_add(request, token);
		text_add_cstr(request, "\r\n");
	}
	text_add_cstr(request, "User-Agent: libhustings/" HUSTINGS_VERSION "\r\n\r\n");
	return !text_failed(request) ||
		fault_set(why, FAULT_NO_MEMORY, "no memory for a connection");
}

void upgrade_finish(struct upgrade *upgrade) {
	if (upgrade->request.bytes) secret_wipe(upgrade->request.bytes, upgrade->request.length);
	text_finish(&upgrade->request);
	text_finish(&upgrade->answer);
}

static void explain(const struct upgrade *upgrade, struct slice body, struct fault *why) {
	char words[200] = "", lent[512];
	struct arena arena;
	struct scan_value root, message;
	struct scan_fault fault;
	struct slice text;
	arena_init(&arena, lent, sizeof lent, 0);
	if (scan_check(body, SCAN_DEPTH, &root, &fault) && scan_find(&root, "message", &message) &&
		scan_string(&message, &arena, &text))
		text_display_in(words, sizeof words, text);
	arena_finish(&arena);
	fault_set(why, FAULT_REFUSED, "the gateway answered %u: %s", upgrade->status,
		words[0] ? words : http1_reason(upgrade->status));
}

static enum upgrade_result no_http(struct fault *why, const char *what) {
	fault_set(why, FAULT_BAD_INPUT, "this is no gateway: %s", what);
	return UPGRADE_REFUSED;
}

static enum upgrade_result check(struct upgrade *upgrade, const struct http1_head *head,
	struct fault *why) {
	if (!head->upgrades || !slice_is(http1_field(head, "Sec-WebSocket-Accept"), upgrade->accept)) {
		upgrade->status = 0;
		return no_http(why, "its 101 does not fit the request");
	}
	if (http1_field_count(head, "Sec-WebSocket-Extensions"))
		return no_http(why, "it wants an extension that was not asked for");
	return UPGRADE_DONE;
}

static bool is_whole(const struct http1_head *head, struct slice *body, bool ended) {
	if (head->has_length && body->length >= head->length) {
		body->length = (size_t)head->length;
		return true;
	}
	return ended || body->length >= UPGRADE_REFUSAL;
}

static enum upgrade_result look(struct upgrade *upgrade, bool ended, struct slice *rest,
	struct fault *why) {
	struct http1_head head;
	struct http1_fault fault = {0, NULL};
	size_t used = 0;
	struct slice answer = text_slice(&upgrade->answer);
	enum http1_result result = http1_response(answer, &head, &used, &fault);
	if (result == HTTP1_BAD) return no_http(why, fault.what);
	if (result == HTTP1_MORE) return UPGRADE_MORE;

	struct slice behind = slice_make(answer.bytes + used, answer.length - used);
	upgrade->status = head.status;
	*rest = behind;
	if (head.status == 101) return check(upgrade, &head, why);
	if (!is_whole(&head, &behind, ended)) return UPGRADE_MORE;
	explain(upgrade, behind, why);
	return UPGRADE_REFUSED;
}

enum upgrade_result upgrade_take(struct upgrade *upgrade, struct slice bytes, struct slice *rest,
	struct fault *why) {
	text_add(&upgrade->answer, bytes);
	if (text_failed(&upgrade->answer)) return no_http(why, "its answer is too large");
	return look(upgrade, false, rest, why);
}

bool upgrade_end(struct upgrade *upgrade, struct fault *why) {
	struct slice rest;
	return upgrade->answer.length > 0 && look(upgrade, true, &rest, why) == UPGRADE_REFUSED;
}
