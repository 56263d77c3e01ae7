/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http1: heads, line by line from left to right, so that what is wrong is refused as soon as it has
 * arrived and with the same status whether the head came in one piece or in many.
 */
#include "wire/http1.h"

#include "wire/http1_chars.h"

#define METHOD_LONGEST 32
#define TARGET_LONGEST (8 * 1024)
#define VERSION_LENGTH 8

struct line {
	struct slice text; /* without its end */
	size_t next;       /* where the next one begins */
	bool is_whole;
	bool is_bare; /* ended by LF alone */
};

typedef enum http1_result read_start(const struct line *line, struct http1_head *head,
	struct http1_fault *fault);

static enum http1_result refuse(struct http1_fault *fault, unsigned status, const char *what) {
	*fault = (struct http1_fault){status, what};
	return HTTP1_BAD;
}

static struct line line_at(struct slice bytes, size_t at) {
	const char *start = bytes.bytes + at;
	size_t available = bytes.length - at;
	const char *end = available > 0 ? memchr(start, '\n', available) : NULL;
	size_t length = end ? (size_t)(end - start) : available;
	struct line line = {.next = at + length + 1, .is_whole = end};
	bool has_cr = length > 0 && start[length - 1] == '\r';
	line.text = slice_make(start, length - has_cr);
	line.is_bare = end && !has_cr;
	return line;
}

/* ---- Start lines ---- */

/* The blank that ends a part of the line which began at `at`; the line's length: none yet. */
static size_t blank_after(struct slice text, size_t at) {
	const char *blank = at < text.length ? memchr(text.bytes + at, ' ', text.length - at) : NULL;
	return blank ? (size_t)(blank - text.bytes) : text.length;
}

/* "HTTP/1.1", or as much of it as has come. */
static enum http1_result read_version(struct slice text, unsigned *minor,
	struct http1_fault *fault) {
	static const char form[VERSION_LENGTH + 1] = "HTTP/0.0";
	for (size_t i = 0; i < text.length && i < VERSION_LENGTH; i++) {
		char character = text.bytes[i];
		bool is_digit = character >= '0' && character <= '9';
		if (form[i] == '0' ? !is_digit : character != form[i])
			return refuse(fault, 400, "not an HTTP version");
	}
	if (text.length < VERSION_LENGTH) return HTTP1_MORE;
	if (text.bytes[5] != '1' || text.bytes[7] > '1')
		return refuse(fault, 505, "the HTTP version is neither 1.0 nor 1.1");
	if (text.length > VERSION_LENGTH) return refuse(fault, 400, "not an HTTP version");
	*minor = (unsigned)(text.bytes[7] - '0');
	return HTTP1_READY;
}

/* Splits an origin or absolute form; `authority` stays as it is for an origin form. */
static bool read_target(struct http1_head *head, struct slice *authority) {
	struct slice rest = head->target;
	size_t scheme = 0;
	if (rest.length > 7 && slice_equal_ignoring_case(slice_make(rest.bytes, 7), SLICE("http://")))
		scheme = 7;
	if (rest.length > 8 && slice_equal_ignoring_case(slice_make(rest.bytes, 8), SLICE("https://")))
		scheme = 8;
	if (scheme > 0) {
		size_t end = scheme;
		while (end < rest.length && rest.bytes[end] != '/' && rest.bytes[end] != '?') end++;
		*authority = slice_make(rest.bytes + scheme, end - scheme);
		rest = slice_make(rest.bytes + end, rest.length - end);
	} else if (rest.bytes[0] != '/') {
		return false;
	}
	const char *mark = rest.length > 0 ? memchr(rest.bytes, '?', rest.length) : NULL;
	size_t length = mark ? (size_t)(mark - rest.bytes) : rest.length;
	head->path = length > 0 ? slice_make(rest.bytes, length) : SLICE("/");
	head->query = mark ? slice_make(mark + 1, rest.length - length - 1) : SLICE_NONE;
	return true;
}

static enum http1_result read_method(struct slice text, size_t end, struct http1_head *head,
	struct http1_fault *fault) {
	for (size_t i = 0; i < end; i++) {
		if (i == METHOD_LONGEST) return refuse(fault, 400, "a method over 32 octets");
		if (!http1_is_token_char(text.bytes[i])) return refuse(fault, 400, "not a method");
	}
	if (end == 0) return refuse(fault, 400, "no method");
	head->method = slice_make(text.bytes, end);
	return HTTP1_READY;
}

static enum http1_result read_request_line(const struct line *line, struct http1_head *head,
	struct http1_fault *fault) {
	struct slice text = line->text;
	size_t method_end = blank_after(text, 0);
	if (text.length == 0 && !line->is_whole) return HTTP1_MORE;
	if (read_method(text, method_end, head, fault) == HTTP1_BAD) return HTTP1_BAD;

	size_t target_start = method_end < text.length ? method_end + 1 : text.length;
	size_t target_end = blank_after(text, target_start);
	head->target = slice_make(text.bytes + target_start, target_end - target_start);
	for (size_t i = 0; i < head->target.length; i++) {
		if (i == TARGET_LONGEST) return refuse(fault, 414, "the target is over 8 KiB");
		if (!http1_is_target_char(head->target.bytes[i]))
			return refuse(fault, 400, "a character in the target that must be escaped");
	}
	enum http1_result version = HTTP1_MORE;
	if (target_end < text.length) {
		if (head->target.length == 0) return refuse(fault, 400, "two blanks in the request line");
		version = read_version(slice_make(text.bytes + target_end + 1,
					       text.length - target_end - 1),
			&head->minor, fault);
	}
	if (version == HTTP1_BAD || !line->is_whole) return version == HTTP1_BAD ? version : HTTP1_MORE;
	if (version == HTTP1_MORE) return refuse(fault, 400, "a request line without its HTTP version");
	if (!read_target(head, &head->host))
		return refuse(fault, 400, "the target is neither a path nor an http URL");
	return HTTP1_READY;
}

static enum http1_result read_status_line(const struct line *line, struct http1_head *head,
	struct http1_fault *fault) {
	struct slice text = line->text;
	size_t version_end = blank_after(text, 0);
	enum http1_result version =
		read_version(slice_make(text.bytes, version_end), &head->minor, fault);
	if (version == HTTP1_BAD) return HTTP1_BAD;
	if (version == HTTP1_MORE && version_end < text.length)
		return refuse(fault, 400, "not an HTTP version");

	unsigned status = 0;
	size_t digits = 0;
	for (size_t i = version_end + 1; i < text.length; i++, digits++) {
		char character = text.bytes[i];
		if (digits < 3 && (character < '0' || character > '9'))
			return refuse(fault, 400, "not a status");
		if (digits < 3) status = status * 10 + (unsigned)(character - '0');
		else if (digits == 3 ? character != ' ' : !http1_is_value_char(character))
			return refuse(fault, 400, "not a reason phrase");
	}
	if (digits >= 3 && (status < 100 || status > 599))
		return refuse(fault, 400, "a status out of range");
	if (!line->is_whole) return HTTP1_MORE;
	if (digits < 3) return refuse(fault, 400, "a status line without its status");
	head->status = status;
	return HTTP1_READY;
}

/* ---- Fields ---- */

#define EACH_OCTET(octet) (0x0101010101010101u * (octet))

/* Values are most of a head: eight octets at a time as long as none of them is a control. */
static bool is_value(struct slice text) {
	size_t at = 0;
	for (uint64_t word; text.length - at >= sizeof word; at += sizeof word) {
		memcpy(&word, text.bytes + at, sizeof word);
		uint64_t below_blank = (word - EACH_OCTET(0x20)) & ~word;
		uint64_t delete = word ^ EACH_OCTET(0x7F);
		uint64_t is_delete = (delete - EACH_OCTET(0x01)) & ~delete;
		if ((below_blank | is_delete) & EACH_OCTET(0x80)) break;
	}
	while (at < text.length && http1_is_value_char(text.bytes[at])) at++;
	return at == text.length;
}

static enum http1_result read_field(const struct line *line, struct http1_head *head,
	struct http1_fault *fault) {
	struct slice text = line->text;
	size_t name = 0;
	if (head->field_count == HTTP1_FIELDS) return refuse(fault, 431, "more than 100 fields");
	if (text.bytes[0] == ' ' || text.bytes[0] == '\t') return refuse(fault, 400, "a folded line");
	while (name < text.length && http1_is_token_char(text.bytes[name])) name++;
	if (name < text.length && (name == 0 || text.bytes[name] != ':'))
		return refuse(fault, 400, "not a field name");
	bool has_colon = name < text.length;
	struct slice value = slice_make(text.bytes + name + has_colon, text.length - name - has_colon);
	if (!is_value(value)) return refuse(fault, 400, "a control character in a field");
	if (!line->is_whole) return HTTP1_MORE;
	if (!has_colon) return refuse(fault, 400, "a line without a colon");

	struct http1_field *field = &head->fields[head->field_count++];
	field->name = slice_make(text.bytes, name);
	field->value = slice_trim(value);
	return HTTP1_READY;
}

static bool has_name(const struct http1_field *field, struct slice name) {
	return field->name.length == name.length && slice_equal_ignoring_case(field->name, name);
}

struct slice http1_field(const struct http1_head *head, const char *name) {
	struct slice wanted = slice_of(name);
	for (size_t i = 0; i < head->field_count; i++)
		if (has_name(&head->fields[i], wanted)) return head->fields[i].value;
	return SLICE_NONE;
}

size_t http1_field_count(const struct http1_head *head, const char *name) {
	struct slice wanted = slice_of(name);
	size_t count = 0;
	for (size_t i = 0; i < head->field_count; i++)
		if (has_name(&head->fields[i], wanted)) count++;
	return count;
}

bool http1_has_token(const struct http1_head *head, const char *name, const char *token) {
	struct slice wanted = slice_of(name), looked_for = slice_of(token), part;
	for (size_t i = 0; i < head->field_count; i++) {
		if (!has_name(&head->fields[i], wanted)) continue;
		struct slice rest = head->fields[i].value;
		while (slice_split(&rest, ',', &part))
			if (slice_equal_ignoring_case(slice_trim(part), looked_for)) return true;
	}
	return false;
}

/* ---- What the fields mean together ---- */

static enum http1_result settle_host(struct http1_head *head, struct http1_fault *fault) {
	struct slice host = http1_field(head, "Host"), name;
	unsigned port;
	if (http1_field_count(head, "Host") != 1)
		return refuse(fault, 400, host.bytes ? "more than one Host" : "no Host");
	if (!http1_authority(host, &name, &port)) return refuse(fault, 400, "a malformed Host");

	if (!head->host.bytes) head->host = host;
	else if (!http1_authority(head->host, &name, &port))
		return refuse(fault, 400, "a malformed authority in the target");
	return HTTP1_READY;
}

static enum http1_result settle_length(struct http1_head *head, struct http1_fault *fault) {
	size_t lengths = http1_field_count(head, "Content-Length");
	size_t codings = http1_field_count(head, "Transfer-Encoding");
	if (lengths > 0 && codings > 0)
		return refuse(fault, 400, "Transfer-Encoding together with Content-Length");
	if (lengths > 1) return refuse(fault, 400, "more than one Content-Length");
	if (codings > 1) return refuse(fault, 400, "more than one Transfer-Encoding");
	if (lengths == 1) {
		if (!slice_number(http1_field(head, "Content-Length"), INT64_MAX, &head->length))
			return refuse(fault, 400, "a malformed Content-Length");
		head->has_length = true;
	}
	if (codings == 1) {
		if (head->minor == 0) return refuse(fault, 400, "Transfer-Encoding in HTTP/1.0");
		if (!slice_equal_ignoring_case(http1_field(head, "Transfer-Encoding"), SLICE("chunked")))
			return refuse(fault, 501, "a Transfer-Encoding other than chunked");
		head->chunked = true;
	}
	return HTTP1_READY;
}

static enum http1_result settle_expectation(struct http1_head *head, struct http1_fault *fault) {
	struct slice expected = http1_field(head, "Expect");
	if (!expected.bytes || head->minor == 0) return HTTP1_READY;
	if (http1_field_count(head, "Expect") > 1 ||
		!slice_equal_ignoring_case(expected, SLICE("100-continue")))
		return refuse(fault, 417, "an expectation other than 100-continue");
	head->expects_continue = true;
	return HTTP1_READY;
}

static void settle_connection(struct http1_head *head) {
	bool is_upgrade = slice_is(head->method, "GET") || head->status == 101;
	bool closes = http1_has_token(head, "Connection", "close");
	head->keep_alive = !closes &&
		(head->minor == 1 || http1_has_token(head, "Connection", "keep-alive"));
	head->upgrades = is_upgrade && head->minor == 1 && !head->chunked && head->length == 0 &&
		http1_has_token(head, "Connection", "upgrade") &&
		http1_has_token(head, "Upgrade", "websocket");
}

static enum http1_result settle(struct http1_head *head, struct http1_fault *fault) {
	enum http1_result result = settle_length(head, fault);
	bool is_request = head->status == 0;
	if (result == HTTP1_READY && is_request) result = settle_host(head, fault);
	if (result == HTTP1_READY && is_request) result = settle_expectation(head, fault);
	if (result == HTTP1_READY) settle_connection(head);
	return result;
}

/* ---- Heads ---- */

static enum http1_result read_head(struct slice bytes, size_t at, read_start *start,
	struct http1_head *head, size_t *used, struct http1_fault *fault) {
	memset(head, 0, offsetof(struct http1_head, fields));
	struct line line = line_at(bytes, at);
	enum http1_result result = start(&line, head, fault);
	while (result == HTTP1_READY && !line.is_bare) {
		line = line_at(bytes, line.next);
		if (line.text.length > 0) result = read_field(&line, head, fault);
		else if (!line.is_whole) result = HTTP1_MORE;
		else if (!line.is_bare) break;
	}
	if (result == HTTP1_READY && line.is_bare)
		return refuse(fault, 400, "a line ended by LF alone");
	if (result == HTTP1_READY) result = settle(head, fault);
	if (result == HTTP1_READY) *used = line.next;
	return result;
}

static enum http1_result read_within_limits(struct slice bytes, read_start *start,
	struct http1_head *head, size_t *used, struct http1_fault *fault) {
	size_t at = 0;
	bool is_full = bytes.length >= HTTP1_HEAD;
	if (is_full) bytes.length = HTTP1_HEAD;
	if (start == read_request_line) {
		/* RFC 9112 2.2: one empty line left over from the request before. */
		if (bytes.length > 0 && bytes.bytes[0] == '\r') {
			if (bytes.length == 1) return HTTP1_MORE;
			if (bytes.bytes[1] == '\n') at = 2;
		}
	}
	enum http1_result result = read_head(bytes, at, start, head, used, fault);
	if (result == HTTP1_MORE && is_full) return refuse(fault, 431, "the head is over 32 KiB");
	return result;
}

enum http1_result http1_request(struct slice bytes, struct http1_head *head, size_t *used,
	struct http1_fault *fault) {
	return read_within_limits(bytes, read_request_line, head, used, fault);
}

enum http1_result http1_response(struct slice bytes, struct http1_head *head, size_t *used,
	struct http1_fault *fault) {
	return read_within_limits(bytes, read_status_line, head, used, fault);
}
