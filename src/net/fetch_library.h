/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetch library: libcurl, opened (dlopen) when the first request is made and never before: a
 * gateway that fetches nothing does not pay for it, and one without it runs all the same.
 */
#ifndef HUSTINGS_NET_FETCH_LIBRARY_H
#define HUSTINGS_NET_FETCH_LIBRARY_H

/* The bit masks of protocols are known to every release; the strings that replace them are not. */
#define CURL_DISABLE_DEPRECATION
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "base/fault.h"

/* Each function without its "curl_". */
#define FETCH_LIBRARY_FUNCTIONS(ONE) \
	ONE(global_init) \
	ONE(easy_init) \
	ONE(easy_setopt) \
	ONE(easy_getinfo) \
	ONE(easy_pause) \
	ONE(easy_cleanup) \
	ONE(easy_strerror) \
	ONE(multi_init) \
	ONE(multi_setopt) \
	ONE(multi_assign) \
	ONE(multi_add_handle) \
	ONE(multi_remove_handle) \
	ONE(multi_socket_action) \
	ONE(multi_info_read) \
	ONE(multi_cleanup) \
	ONE(multi_strerror) \
	ONE(slist_append) \
	ONE(slist_free_all) \
	ONE(url) \
	ONE(url_set) \
	ONE(url_get) \
	ONE(url_cleanup) \
	ONE(free)

struct fetch_library {
#define FETCH_LIBRARY_MEMBER(name) __typeof__(curl_##name) *name;
	FETCH_LIBRARY_FUNCTIONS(FETCH_LIBRARY_MEMBER)
#undef FETCH_LIBRARY_MEMBER
};

/* Any thread. NULL with why (FAULT_UNSUPPORTED: it is not installed). */
const struct fetch_library *fetch_library_find(struct fault *why) MUST_USE;

#endif
