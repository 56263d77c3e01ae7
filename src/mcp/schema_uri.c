/* SPDX-License-Identifier: Apache-2.0 */
/* Schema uri: a URI is taken to pieces, the reference's go over the base's, and dots leave the path. */
#include "mcp/schema_uri.h"

/* bytes NULL: the piece is not there. The path always is. */
struct pieces {
	struct slice scheme;    /* without ":" */
	struct slice authority; /* without "//" */
	struct slice path;
	struct slice query; /* without "?" */
};

void schema_uri_split(struct slice uri, struct slice *whole, struct slice *fragment) {
	const char *mark = uri.length ? memchr(uri.bytes, '#', uri.length) : NULL;
	*whole = uri;
	*fragment = SLICE_NONE;
	if (!mark) return;
	whole->length = (size_t)(mark - uri.bytes);
	*fragment = slice_make(mark + 1, uri.length - whole->length - 1);
}

static struct slice slice_from(struct slice slice, size_t at) {
	return slice_make(slice.bytes + at, slice.length - at);
}

/* Up to the first of the two (or the end), which are moved behind. */
static struct slice take_until(struct slice *rest, char one, char other) {
	size_t at = 0;
	while (at < rest->length && rest->bytes[at] != one && rest->bytes[at] != other) at++;
	struct slice taken = slice_make(rest->bytes, at);
	*rest = slice_from(*rest, at);
	return taken;
}

static bool is_scheme(struct slice text) {
	for (size_t i = 0; i < text.length; i++) {
		char octet = text.bytes[i], letter = (char)(octet | 0x20);
		bool is_letter = letter >= 'a' && letter <= 'z';
		bool is_other = (octet >= '0' && octet <= '9') || octet == '+' || octet == '-' || octet == '.';
		if (!is_letter && !(i && is_other)) return false;
	}
	return text.length > 0;
}

static struct pieces pieces_of(struct slice uri) {
	struct pieces pieces = {.scheme = SLICE_NONE, .authority = SLICE_NONE, .query = SLICE_NONE};
	struct slice rest = uri;
	if (!rest.bytes) rest = SLICE("");
	struct slice scheme = take_until(&rest, ':', '/');
	if (rest.length && rest.bytes[0] == ':' && is_scheme(scheme)) {
		pieces.scheme = scheme;
		rest = slice_from(rest, 1);
	} else {
		rest = uri.bytes ? uri : SLICE("");
	}
	if (slice_starts_with(rest, "//")) {
		rest = slice_from(rest, 2);
		pieces.authority = take_until(&rest, '/', '?');
	}
	pieces.path = take_until(&rest, '?', '?');
	if (rest.length) pieces.query = slice_from(rest, 1);
	return pieces;
}

/* RFC 3986, 5.2.4, in place; the length that is left. */
static size_t dots_remove(char *path, size_t length) {
	size_t from = 0, to = 0;
	while (from < length) {
		struct slice rest = slice_make(path + from, length - from);
		if (slice_starts_with(rest, "../") && to == 0) from += 3;
		else if (slice_starts_with(rest, "./") && to == 0) from += 2;
		else if (slice_starts_with(rest, "/./")) from += 2;
		else if (slice_is(rest, "/.")) path[++from] = '/';
		else if (slice_starts_with(rest, "/../") || slice_is(rest, "/..")) {
			from += rest.length == 3 ? 2 : 3;
			path[from] = '/';
			while (to && path[to - 1] != '/') to--;
			if (to) to--;
		} else {
			do path[to++] = path[from++];
			while (from < length && path[from] != '/');
		}
	}
	return to;
}

/* Where the reference's path begins that is not a whole one. */
static struct slice folder_of(const struct pieces *base) {
	size_t length = base->path.length;
	while (length && base->path.bytes[length - 1] != '/') length--;
	if (!length && base->authority.bytes) return SLICE("/");
	return slice_make(base->path.bytes, length);
}

static void path_write(struct text *to, struct slice folder, struct slice path) {
	size_t start = to->length;
	text_add(to, folder);
	text_add(to, path);
	if (!to->failed && to->bytes) to->length = start + dots_remove(to->bytes + start, to->length - start);
}

static void uri_write(struct text *to, const struct pieces *base, const struct pieces *reference) {
	bool is_whole = reference->scheme.bytes != NULL;
	bool has_authority = is_whole || reference->authority.bytes;
	struct slice scheme = is_whole ? reference->scheme : base->scheme;
	struct slice authority = has_authority ? reference->authority : base->authority;
	struct slice query = reference->query;
	if (scheme.bytes) text_printf(to, "%.*s:", SLICE_ARGS(scheme));
	if (authority.bytes) text_printf(to, "//%.*s", SLICE_ARGS(authority));
	if (has_authority || slice_starts_with(reference->path, "/")) {
		path_write(to, SLICE(""), reference->path);
	} else if (reference->path.length) {
		path_write(to, folder_of(base), reference->path);
	} else {
		text_add(to, base->path);
		if (!query.bytes) query = base->query;
	}
	if (query.bytes) text_printf(to, "?%.*s", SLICE_ARGS(query));
}

bool schema_uri_join(struct arena *arena, struct slice base, struct slice reference,
	struct slice *uri) {
	struct pieces under = pieces_of(base), over = pieces_of(reference);
	AUTO_TEXT struct text joined = {0};
	text_init(&joined, 0);
	uri_write(&joined, &under, &over);
	return !text_failed(&joined) && arena_copy(arena, text_slice(&joined), uri);
}

static int hex_of(char octet) {
	if (octet >= '0' && octet <= '9') return octet - '0';
	char letter = (char)(octet | 0x20);
	return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

bool schema_uri_decode(struct arena *arena, struct slice text, struct slice *decoded) {
	char *to = arena_alloc(arena, text.length + 1);
	if (!to) return false;

	size_t length = 0;
	for (size_t at = 0; at < text.length; at++) {
		char octet = text.bytes[at];
		if (octet == '%' && at + 2 < text.length) {
			int high = hex_of(text.bytes[at + 1]), low = hex_of(text.bytes[at + 2]);
			if (high >= 0 && low >= 0) {
				octet = (char)(high << 4 | low);
				at += 2;
			}
		}
		to[length++] = octet;
	}
	*decoded = slice_make(to, length);
	return true;
}
