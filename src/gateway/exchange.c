/* SPDX-License-Identifier: Apache-2.0 */
/* Exchange: the answer's octets, and the one form of a refusal. */
#include "gateway/exchange.h"

#include "base/clock.h"
#include "gateway/challenge.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#define TOGETHER (16 * 1024) /* octets of a body that leaves in one piece with its head */
#define HEAD 400             /* octets of an answer's head, about */

/* RFC 9110 6.6.1; written once a second. */
static void write_date(struct text *head, struct gateway *gateway) {
	struct gateway_date *date = &gateway->date;
	time_t now = (time_t)(loop_wall(gateway->loop) / 1000);
	struct tm parts;
	if (now != date->second && gmtime_r(&now, &parts)) {
		strftime(date->line, sizeof date->line, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
		date->second = now;
	}
	text_add_cstr(head, date->line);
}

static void write_head(struct text *head, const struct exchange *exchange, unsigned status,
	const char *type, struct slice headers) {
	text_reserve(head, HEAD + headers.length);
	text_add_cstr(head, "HTTP/1.1 ");
	text_number(head, status);
	text_add_char(head, ' ');
	text_add_cstr(head, http1_reason(status));
	text_add_cstr(head, "\r\n");
	write_date(head, exchange->gateway);
	if (type) {
		text_add_cstr(head, "Content-Type: ");
		text_add_cstr(head, type);
		text_add_cstr(head, "\r\n");
	}
	text_add(head, headers);
	text_add_cstr(head, "Cache-Control: ");
	text_add_cstr(head, exchange->cache_control ? exchange->cache_control : "no-store");
	text_add_cstr(head, "\r\nX-Content-Type-Options: nosniff\r\n");
	if (!exchange->way->keeps(exchange)) text_add_cstr(head, "Connection: close\r\n");
}

bool exchange_stream(struct exchange *exchange, const char *type, struct slice headers) {
	AUTO_TEXT struct text head = {0};
	text_init(&head, 0);
	write_head(&head, exchange, 200, type, headers);
	if (exchange->head->minor > 0)
		text_add_cstr(&head, "Transfer-Encoding: chunked\r\n");
	else if (exchange->way->keeps(exchange))
		text_add_cstr(&head, "Connection: close\r\n");
	text_add_cstr(&head, "\r\n");
	if (text_failed(&head)) return false;
	exchange->way->stream(exchange, text_slice(&head));
	return true;
}

void exchange_piece(struct exchange *exchange, struct slice piece) {
	exchange->way->piece(exchange, piece);
}

void exchange_stream_end(struct exchange *exchange) { exchange->way->stream_end(exchange); }

size_t exchange_behind(const struct exchange *exchange) { return exchange->way->behind(exchange); }

bool exchange_release(struct exchange *exchange, struct stream_socket *socket, char **rest,
	size_t *rest_length) {
	return exchange->way->release(exchange, socket, rest, rest_length);
}

void exchange_answer_in_pieces(struct exchange *exchange, unsigned status, const char *type,
	struct slice headers, const struct exchange_body *body) {
	AUTO_TEXT struct text head = {0};
	size_t length = body->start.length + body->middle.length + body->end.length;
	bool has_body = !slice_is(exchange->head->method, "HEAD");
	bool is_short = has_body && length <= TOGETHER;
	text_init(&head, 0);
	if (is_short) text_reserve(&head, HEAD + headers.length + length);
	write_head(&head, exchange, status, type, headers);
	if (status != 204 && status != 304) {
		text_add_cstr(&head, "Content-Length: ");
		text_number(&head, (int64_t)length);
		text_add_cstr(&head, "\r\n");
	}
	text_add_cstr(&head, "\r\n");
	if (is_short) {
		text_add(&head, body->start);
		text_add(&head, body->middle);
		text_add(&head, body->end);
	}
	const struct slice pieces[] = {text_slice(&head), body->start, body->middle, body->end};
	if (text_failed(&head)) /* without memory for a head, the end of the connection is the answer */
		exchange->way->answer(exchange, NULL, 0, true);
	else
		exchange->way->answer(exchange, pieces,
			is_short || !has_body ? 1 : COUNT_OF(pieces), false);
}

void exchange_answer(struct exchange *exchange, unsigned status, const char *type,
	struct slice headers, struct slice body) {
	const struct exchange_body whole = {.start = body};
	exchange_answer_in_pieces(exchange, status, type, headers, &whole);
}

void exchange_text(struct exchange *exchange, unsigned status, const struct text *json) {
	if (text_failed(json))
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
	else
		exchange_json(exchange, status, text_slice(json));
}

void exchange_json(struct exchange *exchange, unsigned status, struct slice json) {
	exchange_answer(exchange, status, "application/json", SLICE_NONE, json);
}

void exchange_error(struct exchange *exchange, unsigned status, const char *word,
	const char *format, ...) {
	char message[400];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);

	AUTO_TEXT struct text body = {0}, headers = {0};
	text_init(&body, 0);
	text_init(&headers, 0);
	exchange_write_error(&body, word, slice_of(message));
	if (status == 401) challenge_write(&headers, exchange->gateway, exchange->head);
	if (status == 426)
		text_add_cstr(&headers, "Sec-WebSocket-Version: 13\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n");
	exchange_answer(exchange, status, "application/json",
		text_failed(&headers) ? SLICE_NONE : text_slice(&headers),
		text_failed(&body) ? SLICE("{\"event\":\"error\",\"code\":\"no_memory\"}") : text_slice(&body));
}

void exchange_write_error(struct text *to, const char *word, struct slice message) {
	text_printf(to, "{\"event\":\"error\",\"code\":\"%s\",\"message\":", word);
	text_json(to, message);
	text_add_char(to, '}');
}

unsigned exchange_fault_status(enum fault_code code) {
	switch (code) {
	case FAULT_NOT_FOUND: return 404;
	case FAULT_REFUSED: return 403;
	case FAULT_BAD_INPUT: return 400;
	case FAULT_TOO_LARGE: return 413;
	case FAULT_EXISTS: return 409;
	case FAULT_FULL:
	case FAULT_NO_MEMORY:
	case FAULT_NOT_READY: return 503;
	case FAULT_TIMEOUT: return 504;
	default: return 500;
	}
}

const char *exchange_fault_word(enum fault_code code) {
	return code == FAULT_REFUSED ? "forbidden" : fault_word(code);
}

void exchange_fault(struct exchange *exchange, const struct fault *why) {
	unsigned status = exchange_fault_status(why->code);
	const char *word = exchange_fault_word(why->code);
	if (status != 500) {
		exchange_error(exchange, status, word, "%s", why->text);
		return;
	}
	/* What broke inside, with its paths, is for the log. */
	log_write(exchange->gateway->log, LOG_ERROR, "http: %.*s %.*s: %s",
		SLICE_ARGS(exchange->head->method), SLICE_ARGS(exchange->head->path), why->text);
	exchange_error(exchange, 500, word, "the gateway could not do it: its log says why");
}

bool exchange_query(struct exchange *exchange, const char *name, struct slice *value) {
	AUTO_TEXT struct text decoded = {0};
	text_init(&decoded, 0);
	*value = SLICE_NONE;
	if (!http1_query(exchange->head->query, name, &decoded)) return true;
	if (text_failed(&decoded)) {
		exchange_error(exchange, 400, "bad_input", "query %s: not percent-encoded UTF-8", name);
		return false;
	}
	if (decoded.length == 0) {
		*value = SLICE("");
		return true;
	}
	if (arena_copy(&exchange->arena, text_slice(&decoded), value)) return true;
	exchange_error(exchange, 503, "no_memory", "no memory for the request: try again");
	return false;
}

bool exchange_query_number(struct exchange *exchange, const char *name, uint64_t least,
	uint64_t most, uint64_t otherwise, uint64_t *number) {
	struct slice text;
	uint64_t value = otherwise;
	if (!exchange_query(exchange, name, &text)) return false;
	if (text.bytes && (!slice_number(text, most, &value) || value < least)) {
		exchange_error(exchange, 400, "bad_input", "query %s must be a number of %llu to %llu", name,
			(unsigned long long)least, (unsigned long long)most);
		return false;
	}
	*number = value;
	return true;
}
