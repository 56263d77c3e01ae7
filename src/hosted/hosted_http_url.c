/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted HTTP URL: references resolved as far as servers use them (RFC 3986 5.2), origins compared. */
#include "hosted/hosted_http_url.h"

#include "base/text.h"

/* "http://host:port", everything before the path. SLICE_NONE: it has none. */
static struct slice origin_of(struct slice url) {
	const char *colon = url.length > 3 ? memmem(url.bytes, url.length, "://", 3) : NULL;
	if (!colon) return SLICE_NONE;
	size_t at = (size_t)(colon - url.bytes);
	for (size_t i = 0; i < at; i++) /* a path or a query before it: then it is no scheme's */
		if (url.bytes[i] == '/' || url.bytes[i] == '?' || url.bytes[i] == '#') return SLICE_NONE;
	for (at += 3; at < url.length; at++)
		if (url.bytes[at] == '/' || url.bytes[at] == '?' || url.bytes[at] == '#') break;
	return slice_make(url.bytes, at);
}

static size_t until(struct slice text, size_t from, const char *any) {
	size_t at = from;
	while (at < text.length && !strchr(any, text.bytes[at])) at++;
	return at;
}

char *hosted_http_url_resolve(struct slice base, struct slice named) {
	AUTO_TEXT struct text url = {0};
	struct slice origin = origin_of(base);
	size_t path_end = until(base, origin.length, "?#");
	text_init(&url, 0);
	if (!origin_of(named).bytes) {
		size_t keep = origin.length;
		if (slice_starts_with(named, "//")) keep = until(base, 0, "/"); /* "https:" */
		else if (slice_starts_with(named, "?")) keep = path_end;
		else if (!slice_starts_with(named, "/"))
			for (keep = path_end; keep > origin.length && base.bytes[keep - 1] != '/';) keep--;
		text_add(&url, slice_make(base.bytes, keep));
		bool is_bare = keep == origin.length && !slice_starts_with(named, "/");
		if (is_bare) text_add_char(&url, '/');
	}
	text_add(&url, named);
	return text_take(&url);
}

static struct slice behind(struct slice text, size_t length) {
	return slice_make(text.bytes + length, text.length - length);
}

bool hosted_http_url_may_follow(struct slice from, struct slice to) {
	struct slice old = origin_of(from), new = origin_of(to);
	if (!old.bytes || !new.bytes) return false;
	if (slice_equal_ignoring_case(old, new)) return true;
	if (old.length < 8 || !slice_equal_ignoring_case(slice_make(old.bytes, 7), SLICE("http://")) ||
		new.length < 9 || !slice_equal_ignoring_case(slice_make(new.bytes, 8), SLICE("https://")))
		return false;
	struct slice host = behind(old, 7);
	return !memchr(host.bytes, ':', host.length) && slice_equal_ignoring_case(host, behind(new, 8));
}
