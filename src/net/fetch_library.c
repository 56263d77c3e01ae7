/* SPDX-License-Identifier: Apache-2.0 */
/* Fetch library: libcurl by name, function by function. */
#include "net/fetch_library.h"

#include <dlfcn.h>
#include <pthread.h>

/* One interface under two names: built with OpenSSL, and with GnuTLS. */
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

static pthread_once_t opened_once = PTHREAD_ONCE_INIT;
static struct fetch_library library;
static struct fault missing;

static bool too_old(const char *name) {
	return fault_set(&missing, FAULT_UNSUPPORTED, "libcurl is too old: it has no %s", name);
}

static bool find_all(void *handle) {
#define FETCH_LIBRARY_LOOK_UP(name) \
	library.name = (__typeof__(library.name))dlsym(handle, "curl_" #name); \
	if (!library.name) return too_old("curl_" #name);
	FETCH_LIBRARY_FUNCTIONS(FETCH_LIBRARY_LOOK_UP)
#undef FETCH_LIBRARY_LOOK_UP
	return true;
}

static void open_once(void) {
	void *handle = NULL;
	for (size_t i = 0; !handle && i < COUNT_OF(names); i++)
		handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		fault_set(&missing, FAULT_UNSUPPORTED,
			"outgoing HTTP needs libcurl.so.4, which is missing; install libcurl4");
	} else if (find_all(handle) && library.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		fault_set(&missing, FAULT_UNSUPPORTED, "libcurl cannot be set up");
	}
}

const struct fetch_library *fetch_library_find(struct fault *why) {
	pthread_once(&opened_once, open_once);
	if (missing.code == FAULT_NONE) return &library;
	if (why) *why = missing;
	return NULL;
}
