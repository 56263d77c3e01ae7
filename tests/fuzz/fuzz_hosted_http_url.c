/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: the URL of a remote server (first line), and where the server sends us (the rest). What
 * may be followed has the origin that we came from, so that headers never go to another one.
 */
#include "hosted/hosted_http_url.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

/* The scheme and the authority. SLICE_NONE: no http URL. */
static struct slice origin(struct slice url) {
	size_t start = 0;
	if (url.length > 7 && slice_equal_ignoring_case(slice_make(url.bytes, 7), SLICE("http://"))) start = 7;
	if (url.length > 8 && slice_equal_ignoring_case(slice_make(url.bytes, 8), SLICE("https://"))) start = 8;
	if (!start) return SLICE_NONE;
	size_t end = start;
	while (end < url.length && !strchr("/?#", url.bytes[end])) end++;
	return slice_make(url.bytes, end);
}

static struct slice authority(struct slice of) {
	size_t start = of.bytes[4] == ':' ? 7 : 8;
	return slice_make(of.bytes + start, of.length - start);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice rest = slice_make(data, size), base;
	if (!slice_split(&rest, '\n', &base) || !rest.bytes) return 0;
	struct slice from = origin(base);
	bool has_host = from.bytes && authority(from).length > 0; /* others are refused before */
	if (!has_host || memchr(base.bytes, '\0', base.length) || memchr(rest.bytes, '\0', rest.length)) return 0;
	char *url = hosted_http_url_resolve(base, rest);
	require(url != NULL);
	if (hosted_http_url_may_follow(base, slice_of(url))) {
		struct slice to = origin(slice_of(url));
		require(to.bytes && slice_equal_ignoring_case(authority(from), authority(to)));
		require(to.bytes[4] != ':' || from.bytes[4] == ':'); /* never down from https */
	}
	/* A path is within its origin, whatever it holds. */
	bool is_path = rest.length > 1 && rest.bytes[0] == '/' && rest.bytes[1] != '/';
	if (is_path) require(hosted_http_url_may_follow(base, slice_of(url)));
	free(url);
	return 0;
}
