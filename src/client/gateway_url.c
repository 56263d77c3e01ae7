/* SPDX-License-Identifier: Apache-2.0 */
/* Gateway_url: scheme, authority, path. */
#include "client/gateway_url.h"

#include "wire/http1.h"

#include <stdio.h>

static const struct {
	const char *prefix;
	bool is_secure;
} schemes[] = {
	{"http://", false},
	{"https://", true},
	{"ws://", false},
	{"wss://", true},
};

static bool bad(struct fault *why, const char *what) {
	return fault_set(why, FAULT_BAD_INPUT, "gateway URL: %s; write http://HOST:PORT", what);
}

static bool copy(char *to, size_t size, struct slice from) {
	if (from.length >= size) return false;
	memcpy(to, from.bytes, from.length);
	to[from.length] = 0;
	return true;
}

static bool read_scheme(struct slice *text, bool *is_secure) {
	for (size_t i = 0; i < COUNT_OF(schemes); i++) {
		if (!slice_starts_with(*text, schemes[i].prefix)) continue;
		size_t length = strlen(schemes[i].prefix);
		*text = slice_make(text->bytes + length, text->length - length);
		*is_secure = schemes[i].is_secure;
		return true;
	}
	return false;
}

/* Only what may stand in a request line and in Host. */
static bool is_plain(struct slice text) {
	for (size_t i = 0; i < text.length; i++)
		if (text.bytes[i] <= ' ' || text.bytes[i] == 127 || strchr("@?#\\\"<>", text.bytes[i]))
			return false;
	return true;
}

static struct slice without_end(struct slice text, const char *end) {
	size_t length = strlen(end);
	if (text.length >= length && memcmp(text.bytes + text.length - length, end, length) == 0)
		text.length -= length;
	return text;
}

bool gateway_url_read(struct slice text, struct gateway_url *url, struct fault *why) {
	struct gateway_url read = {.port = 0};
	struct slice host;
	unsigned port;
	text = slice_trim(text);
	if (!read_scheme(&text, &read.is_secure)) return bad(why, "it does not begin with a scheme");
	if (!is_plain(text)) return bad(why, "blanks, quotes, @, ? and # are not allowed");

	const char *slash = memchr(text.bytes, '/', text.length);
	struct slice authority = slice_make(text.bytes, slash ? (size_t)(slash - text.bytes) : text.length);
	struct slice path = slice_make(text.bytes + authority.length, text.length - authority.length);
	path = without_end(without_end(path, "/"), "/v0/ws");
	path = without_end(path, "/");
	if (authority.length == 0 || !http1_authority(authority, &host, &port))
		return bad(why, "the host or port is not sound");
	if (!copy(read.host, sizeof read.host, host) || !copy(read.path, sizeof read.path, path) ||
		!copy(read.authority, sizeof read.authority, authority))
		return bad(why, "it is too long");
	read.port = port ? port : read.is_secure ? 443
						 : 80;
	*url = read;
	return true;
}

void gateway_url_write(const struct gateway_url *url, struct text *to) {
	text_printf(to, "%s://%s%s", url->is_secure ? "https" : "http", url->authority, url->path);
}
