/* SPDX-License-Identifier: Apache-2.0 */
/* Fetch: one request, from its options to its one answer. */
#include "net/fetch.h"
#include "net/address_guard.h"
#include "net/fetch_parts.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USUAL_LIMIT ((size_t)16 * 1024 * 1024)
#define USUAL_DEADLINE_MS 30000
#define CONNECT_MS 30000L
#define HEAD_LIMIT ((size_t)64 * 1024)
#define PROTOCOLS (CURLPROTO_HTTP | CURLPROTO_HTTPS)

/* What libcurl tells during a transfer. The owner may close the request in its callbacks: then
 * libcurl gets an error as its answer and ends the transfer by itself. */

static bool goes_on(const struct fetch *fetch) {
	return fetch->state == FETCH_RUNNING && !fetch->desk->is_closed &&
		fetch->why.code == FAULT_NONE;
}

/* Interim answers and those that are followed elsewhere are not the answer. */
static void head_whole(struct fetch *fetch) {
	unsigned status = fetch_status(fetch);
	bool moves = fetch->follows && status >= 300 && status < 400 &&
		fetch_header(fetch, "location").length;
	if (status < 200 || moves) return;
	fetch->is_head_told = true;
	if (fetch->events->head) fetch->events->head(fetch->context, fetch, status);
}

static size_t head_came(char *bytes, size_t one, size_t count, void *context) {
	(void)one;
	struct fetch *fetch = context;
	struct slice line = slice_make(bytes, count);
	if (!goes_on(fetch)) return 0;
	fetch->heard_at = loop_now(fetch->desk->loop);
	if (fetch->is_head_told) return count; /* trailers */

	if (slice_starts_with(line, "HTTP/")) text_clear(&fetch->head);
	text_add(&fetch->head, line);
	if (text_failed(&fetch->head)) {
		fault_set(&fetch->why, FAULT_TOO_LARGE, "%s: the answer's head is over %zu octets",
			fetch->host, HEAD_LIMIT);
		return 0;
	}
	if (slice_is(line, "\r\n") || slice_is(line, "\n")) head_whole(fetch);
	return goes_on(fetch) ? count : 0;
}

static size_t body_came(char *bytes, size_t one, size_t count, void *context) {
	(void)one;
	struct fetch *fetch = context;
	struct slice piece = slice_make(bytes, count);
	if (!goes_on(fetch)) return count ? 0 : 1;
	fetch->heard_at = loop_now(fetch->desk->loop);
	if (fetch->events->piece) {
		fetch->is_telling = true;
		fetch->events->piece(fetch->context, piece);
		fetch->is_telling = false;
		return goes_on(fetch) ? count : 0;
	}

	if (count > fetch->limit - fetch->body.length) {
		fault_set(&fetch->why, FAULT_TOO_LARGE,
			"%s: the answer is over %zu octets", fetch->host,
			fetch->limit);
		return 0;
	}
	text_add(&fetch->body, piece);
	if (!text_failed(&fetch->body)) return count;
	fault_set(&fetch->why, FAULT_NO_MEMORY, "%s: no memory for the answer", fetch->host);
	return 0;
}

/* The address that is looked at here is the one that is connected to: nothing is resolved again. */
static curl_socket_t socket_opened(void *context, curlsocktype purpose, struct curl_sockaddr *to) {
	(void)purpose;
	struct fetch *fetch = context;
	if (fetch->is_guarded && !address_guard_is_public(&to->addr)) {
		char text[ADDRESS_GUARD_TEXT];
		address_guard_write(&to->addr, text);
		fault_set(&fetch->why, FAULT_REFUSED,
			"%s: its address %s is not a public one; requests there are refused", fetch->host,
			text);
		return CURL_SOCKET_BAD;
	}
	return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

/* The end */

static uint64_t from_now(uint64_t now, uint64_t span) {
	return span < UINT64_MAX - now ? now + span : UINT64_MAX;
}

static uint64_t next_deadline(const struct fetch *fetch) {
	uint64_t silent = fetch->is_paused ? UINT64_MAX : from_now(fetch->heard_at, fetch->idle_ms);
	return silent < fetch->ends_at ? silent : fetch->ends_at;
}

static void deadline_came(struct deadline *deadline) {
	struct fetch *fetch = CONTAINER_OF(deadline, struct fetch, deadline);
	struct fetch_desk *desk = fetch->desk;
	uint64_t now = loop_now(desk->loop), at = next_deadline(fetch);
	if (now < at) {
		if (at != UINT64_MAX) deadline_set(desk->loop, deadline, at - now, deadline_came);
		return;
	}

	fault_set(&fetch->why, FAULT_TIMEOUT, "%s: no %s in time", fetch->host,
		at == fetch->ends_at ? "whole answer" : "further word");
	fetch_desk_enter(desk);
	fetch_desk_remove(fetch);
	fetch_finish(fetch, CURLE_OK);
	fetch_desk_leave(desk);
}

/* The beginning */

static void start_now(struct task *task) {
	struct fetch *fetch = CONTAINER_OF(task, struct fetch, start);
	struct fetch_desk *desk = fetch->desk;
	fetch_desk_enter(desk);
	fetch->state = FETCH_RUNNING;
	fetch->heard_at = loop_now(desk->loop);
	if (!fetch_desk_add(fetch, &fetch->why)) {
		fetch_finish(fetch, CURLE_OK);
	} else {
		uint64_t at = next_deadline(fetch);
		if (at != UINT64_MAX)
			deadline_set(desk->loop, &fetch->deadline, at - fetch->heard_at, deadline_came);
	}
	fetch_desk_leave(desk);
}

static bool is_on_this_machine(const char *host) {
	struct sockaddr_storage address;
	if (slice_equal_ignoring_case(slice_of(host), SLICE("localhost"))) return true;
	if (!address_guard_read(slice_of(host), &address)) return false;
	if (address.ss_family == AF_INET) return slice_starts_with(slice_of(host), "127.");
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address;
	return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

/* http or https with a host; keeps the host. */
static bool url_check(struct fetch *fetch, const char *url, bool *is_secure, struct fault *why) {
	const struct fetch_library *library = fetch->desk->library;
	CURLU *parsed = library->url();
	if (!parsed) return fault_set(why, FAULT_NO_MEMORY, "no memory for a URL");
	char *scheme = NULL, *host = NULL;
	if (!library->url_set(parsed, CURLUPART_URL, url, 0) &&
		!library->url_get(parsed, CURLUPART_SCHEME, &scheme, 0) &&
		!library->url_get(parsed, CURLUPART_HOST, &host, 0))
		fetch->host = slice_copy(slice_of(host));
	*is_secure = scheme && strcmp(scheme, "https") == 0;
	bool is_known = *is_secure || (scheme && strcmp(scheme, "http") == 0);
	library->free(scheme);
	library->free(host);
	library->url_cleanup(parsed);
	if (is_known && fetch->host) return true;
	return fault_set(why, FAULT_BAD_INPUT,
		"a URL must begin with http:// or https:// and name a host");
}

static bool headers_add(struct fetch *fetch, const char *line, struct fault *why) {
	if (strpbrk(line, "\r\n"))
		return fault_set(why, FAULT_BAD_INPUT, "a header must be one line");
	struct curl_slist *longer = fetch->desk->library->slist_append(fetch->headers, line);
	if (!longer) return fault_set(why, FAULT_NO_MEMORY, "no memory for headers");
	fetch->headers = longer;
	return true;
}

#define SET(option, value) (set = set && !library->easy_setopt(easy, (option), (value)))

static bool set_method(struct fetch *fetch, const struct fetch_options *options, struct fault *why) {
	const struct fetch_library *library = fetch->desk->library;
	CURL *easy = fetch->easy;
	const char *usual = options->body.length ? "POST" : "GET";
	const char *method = options->method ? options->method : usual;
	bool set = true;
	if (!*method || method[strspn(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")])
		return fault_set(why, FAULT_BAD_INPUT, "a method is of capital letters");
	if (options->body.length || strcmp(method, "POST") == 0) {
		fetch->sent = slice_copy(options->body);
		if (!fetch->sent) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
		SET(CURLOPT_POST, 1L);
		SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)options->body.length);
		SET(CURLOPT_POSTFIELDS, fetch->sent);
	}
	bool is_usual = strcmp(method, "POST") == 0 ||
		(strcmp(method, "GET") == 0 && !options->body.length);
	if (strcmp(method, "HEAD") == 0) SET(CURLOPT_NOBODY, 1L);
	else if (!is_usual) SET(CURLOPT_CUSTOMREQUEST, method);
	return set || fault_set(why, FAULT_NO_MEMORY, "libcurl refuses a request");
}

static bool set_up(struct fetch *fetch, const struct fetch_options *options, struct fault *why) {
	const struct fetch_library *library = fetch->desk->library;
	bool is_secure = false, set = true;
	CURL *easy = fetch->easy;
	if (!url_check(fetch, options->url, &is_secure, why) || !set_method(fetch, options, why))
		return false;
	if (!headers_add(fetch, "Expect:", why)) return false;
	for (const char *const *line = options->headers; line && *line; line++)
		if (!headers_add(fetch, *line, why)) return false;

	SET(CURLOPT_URL, options->url);
	SET(CURLOPT_HTTPHEADER, fetch->headers);
	SET(CURLOPT_USERAGENT, "hustings/" HUSTINGS_VERSION);
	SET(CURLOPT_PRIVATE, fetch);
	SET(CURLOPT_ERRORBUFFER, fetch->error);
	SET(CURLOPT_HEADERFUNCTION, head_came);
	SET(CURLOPT_HEADERDATA, fetch);
	SET(CURLOPT_WRITEFUNCTION, body_came);
	SET(CURLOPT_WRITEDATA, fetch);
	SET(CURLOPT_OPENSOCKETFUNCTION, socket_opened);
	SET(CURLOPT_OPENSOCKETDATA, fetch);
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
	SET(CURLOPT_PROTOCOLS, (long)PROTOCOLS);
	/* Never from https down to http. */
	SET(CURLOPT_REDIR_PROTOCOLS, (long)(is_secure ? CURLPROTO_HTTPS : PROTOCOLS));
	SET(CURLOPT_FOLLOWLOCATION, options->redirects ? 1L : 0L);
	SET(CURLOPT_MAXREDIRS, (long)options->redirects);
	SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	/* A proxy would dial in our place, so it cannot be guarded; and it cannot know this machine. */
	if (options->refuse_private || is_on_this_machine(fetch->host)) SET(CURLOPT_PROXY, "");
	if (options->ca) SET(CURLOPT_CAINFO, options->ca);
#if LIBCURL_VERSION_NUM >= 0x075700
	/* So that giving up does not wait for a name server; older libraries do not know it. */
	library->easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
	return set || fault_set(why, FAULT_NO_MEMORY, "%s: libcurl refuses a request", fetch->host);
}

struct fetch *fetch_open(struct fetch_desk *desk, const struct fetch_options *options,
	const struct fetch_events *events, void *context, struct fault *why) {
	if (!desk->library) desk->library = fetch_library_find(why);
	if (!desk->library) return NULL;
	if (!options->url) return fault_null(why, FAULT_BAD_INPUT, "a request needs a URL");
	struct fetch *fetch = calloc(1, sizeof *fetch);
	if (!fetch) return fault_null(why, FAULT_NO_MEMORY, "no memory for a request");

	uint64_t span = options->deadline_ms ? options->deadline_ms : USUAL_DEADLINE_MS;
	list_init(&fetch->link);
	fetch->desk = desk;
	fetch->events = events;
	fetch->context = context;
	fetch->limit = options->limit ? options->limit : USUAL_LIMIT;
	fetch->is_guarded = options->refuse_private;
	fetch->follows = options->redirects > 0;
	fetch->idle_ms = options->idle_ms ? options->idle_ms : UINT64_MAX;
	fetch->ends_at = from_now(loop_now(desk->loop), span);
	text_init(&fetch->head, HEAD_LIMIT);
	text_init(&fetch->body, 0);
	fetch->easy = desk->library->easy_init();
	if (!fetch->easy) fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	bool is_up = fetch->easy && set_up(fetch, options, why);
	if (!is_up) {
		fetch_desk_free(fetch);
		return NULL;
	}

	/* Not at once: libcurl may be calling us, and an early failure must come later as well. */
	list_append(&desk->fetches, &fetch->link);
	loop_later(desk->loop, &fetch->start, start_now);
	return fetch;
}

/* A deadline that was put off by a pause. */
static void set_deadline(struct fetch *fetch) {
	uint64_t now = loop_now(fetch->desk->loop);
	fetch->heard_at = now;
	uint64_t at = next_deadline(fetch);
	if (at != UINT64_MAX) deadline_set(fetch->desk->loop, &fetch->deadline, at > now ? at - now : 0, deadline_came);
}

static void pause_now(struct task *task) {
	struct fetch *fetch = CONTAINER_OF(task, struct fetch, pausing);
	if (fetch->state != FETCH_RUNNING || fetch->is_paused == fetch->is_pause_wished) return;
	fetch->is_paused = fetch->is_pause_wished;
	if (!fetch->is_paused) set_deadline(fetch);
	fetch_desk_pause(fetch, fetch->is_paused); /* what it leads to may end the fetch */
}

void fetch_pause(struct fetch *fetch, bool is_paused) {
	fetch->is_pause_wished = is_paused;
	/* libcurl reads on for a while before it returns: it has to know now. */
	if (is_paused && fetch->is_telling && goes_on(fetch) && !fetch->is_paused) {
		fetch->is_paused = true;
		fetch->desk->library->easy_pause(fetch->easy, CURLPAUSE_RECV);
	}
	if (fetch->desk && fetch->state <= FETCH_RUNNING) loop_later(fetch->desk->loop, &fetch->pausing, pause_now);
}

void fetch_close(struct fetch *fetch) {
	if (!fetch) return;
	if (!fetch->desk || !fetch->desk->is_in_library) {
		fetch_desk_free(fetch);
		return;
	}
	fetch->state = FETCH_CLOSED;
	task_clear(&fetch->start);
	task_clear(&fetch->pausing);
	deadline_clear(&fetch->deadline);
}
