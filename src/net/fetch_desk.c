/* SPDX-License-Identifier: Apache-2.0 */
/* Fetch desk: libcurl's sockets and its timer on a loop. */
#include "net/fetch_desk.h"
#include "net/fetch_parts.h"

#include <stdlib.h>

#define KEPT_CONNECTIONS 32L

/* A request of its own */

void fetch_desk_remove(struct fetch *fetch) {
	struct fetch_multi *multi = TAKE(fetch->multi);
	if (multi) multi->desk->library->multi_remove_handle(multi->multi, fetch->easy);
}

/* Of everything of libcurl's. */
static void fetch_strip(struct fetch *fetch) {
	struct fetch_desk *desk = TAKE(fetch->desk);
	if (!desk) return;

	task_clear(&fetch->start);
	task_clear(&fetch->pausing);
	deadline_clear(&fetch->deadline);
	list_remove(&fetch->link);
	fetch_desk_remove(fetch);
	if (fetch->easy) desk->library->easy_cleanup(fetch->easy);
	desk->library->slist_free_all(fetch->headers);
	fetch->easy = NULL;
	fetch->headers = NULL;
}

void fetch_desk_free(struct fetch *fetch) {
	fetch_strip(fetch);
	text_finish(&fetch->head);
	text_finish(&fetch->body);
	free(fetch->sent);
	free(fetch->host);
	free(fetch);
}

/* A socket that libcurl wants watched */

struct fetch_socket {
	uv_poll_t poll;
	struct fetch_multi *multi;
	curl_socket_t descriptor;
};

static void socket_released(uv_handle_t *handle) {
	free(CONTAINER_OF((uv_poll_t *)handle, struct fetch_socket, poll));
}

static void take_done(struct fetch_multi *multi) {
	const struct fetch_library *library = multi->desk->library;
	int left = 0;
	for (CURLMsg *message; (message = library->multi_info_read(multi->multi, &left));) {
		if (message->msg != CURLMSG_DONE) continue;
		CURLcode code = message->data.result;
		char *held = NULL;
		library->easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &held);
		struct fetch *fetch = (struct fetch *)held;
		fetch_desk_remove(fetch);
		if (fetch->state == FETCH_RUNNING) fetch_finish(fetch, code);
		if (multi->desk->is_closed) return;
	}
}

static void sweep(struct fetch_desk *desk) {
	LIST_EACH_SAFE(link, &desk->fetches) {
		struct fetch *fetch = CONTAINER_OF(link, struct fetch, link);
		if (fetch->state == FETCH_CLOSED) fetch_desk_free(fetch);
	}
}

static void act(struct fetch_multi *multi, curl_socket_t descriptor, int events) {
	struct fetch_desk *desk = multi->desk;
	int running = 0;
	if (desk->is_closed || !multi->multi) return;

	fetch_desk_enter(desk);
	desk->is_in_library = true;
	desk->library->multi_socket_action(multi->multi, descriptor, events, &running);
	desk->is_in_library = false;
	if (!desk->is_closed) take_done(multi);
	fetch_desk_leave(desk);
}

/* libcurl may hand out in here what it has kept back. */
void fetch_desk_pause(struct fetch *fetch, bool is_paused) {
	struct fetch_multi *multi = fetch->multi;
	struct fetch_desk *desk = fetch->desk;
	if (!multi) return;
	fetch_desk_enter(desk);
	desk->is_in_library = true;
	desk->library->easy_pause(fetch->easy, is_paused ? CURLPAUSE_RECV : CURLPAUSE_CONT);
	desk->is_in_library = false;
	if (!desk->is_closed) act(multi, CURL_SOCKET_TIMEOUT, 0);
	fetch_desk_leave(desk);
}

static void socket_ready(uv_poll_t *poll, int status, int events) {
	struct fetch_socket *socket = CONTAINER_OF(poll, struct fetch_socket, poll);
	int ready = status < 0 ? CURL_CSELECT_ERR : 0;
	if (events & UV_READABLE) ready |= CURL_CSELECT_IN;
	if (events & UV_WRITABLE) ready |= CURL_CSELECT_OUT;
	act(socket->multi, socket->descriptor, ready);
}

static struct fetch_socket *socket_watch(struct fetch_multi *multi, curl_socket_t descriptor) {
	struct fetch_socket *socket = calloc(1, sizeof *socket);
	if (!socket) return NULL;
	if (uv_poll_init_socket(loop_uv(multi->desk->loop), &socket->poll, descriptor) != 0) {
		free(socket);
		return NULL;
	}
	socket->multi = multi;
	socket->descriptor = descriptor;
	multi->desk->library->multi_assign(multi->multi, descriptor, socket);
	return socket;
}

/* -1 makes libcurl end every request of the multi handle: that is what no memory means here. */
static int socket_wanted(CURL *easy, curl_socket_t descriptor, int what, void *context, void *held) {
	(void)easy;
	struct fetch_multi *multi = context;
	struct fetch_socket *socket = held;
	if (what == CURL_POLL_REMOVE) {
		if (!socket) return 0;
		multi->desk->library->multi_assign(multi->multi, descriptor, NULL);
		uv_close((uv_handle_t *)&socket->poll, socket_released);
		return 0;
	}

	if (!socket) socket = socket_watch(multi, descriptor);
	if (!socket) return -1;
	int events = (what & CURL_POLL_IN ? UV_READABLE : 0) | (what & CURL_POLL_OUT ? UV_WRITABLE : 0);
	return uv_poll_start(&socket->poll, events, socket_ready) == 0 ? 0 : -1;
}

/* Its timer */

static void timer_rang(uv_timer_t *timer) {
	act(CONTAINER_OF(timer, struct fetch_multi, timer), CURL_SOCKET_TIMEOUT, 0);
}

static int timer_wanted(CURLM *handle, long in_ms, void *context) {
	(void)handle;
	struct fetch_multi *multi = context;
	if (in_ms < 0) uv_timer_stop(&multi->timer);
	else uv_timer_start(&multi->timer, timer_rang, (uint64_t)in_ms, 0);
	return 0;
}

static bool multi_set_up(struct fetch_multi *multi, struct fault *why) {
	const struct fetch_library *library = multi->desk->library;
	if (multi->multi) return true;
	multi->multi = library->multi_init();
	if (!multi->multi) return fault_set(why, FAULT_NO_MEMORY, "no memory for outgoing HTTP");

	library->multi_setopt(multi->multi, CURLMOPT_SOCKETFUNCTION, socket_wanted);
	library->multi_setopt(multi->multi, CURLMOPT_SOCKETDATA, multi);
	library->multi_setopt(multi->multi, CURLMOPT_TIMERFUNCTION, timer_wanted);
	library->multi_setopt(multi->multi, CURLMOPT_TIMERDATA, multi);
	library->multi_setopt(multi->multi, CURLMOPT_MAXCONNECTS, KEPT_CONNECTIONS);
	return true;
}

bool fetch_desk_add(struct fetch *fetch, struct fault *why) {
	struct fetch_desk *desk = fetch->desk;
	struct fetch_multi *multi = fetch->is_guarded ? &desk->guarded : &desk->open;
	if (!multi_set_up(multi, why)) return false;

	CURLMcode failed = desk->library->multi_add_handle(multi->multi, fetch->easy);
	if (failed)
		return fault_set(why, FAULT_IO,
			"%s: %s", fetch->host, desk->library->multi_strerror(failed));
	fetch->multi = multi;
	return true;
}

/* Life */

static void multi_init(struct fetch_multi *multi, struct fetch_desk *desk) {
	multi->desk = desk;
	multi->multi = NULL;
	uv_timer_init(loop_uv(desk->loop), &multi->timer);
	desk->handles++;
}

struct fetch_desk *fetch_desk_open(struct loop *loop, struct fault *why) {
	struct fetch_desk *desk = calloc(1, sizeof *desk);
	if (!desk) return fault_null(why, FAULT_NO_MEMORY, "no memory for outgoing HTTP");
	desk->loop = loop;
	list_init(&desk->fetches);
	multi_init(&desk->open, desk);
	multi_init(&desk->guarded, desk);
	return desk;
}

static void timer_released(uv_handle_t *handle) {
	struct fetch_desk *desk = CONTAINER_OF((uv_timer_t *)handle, struct fetch_multi, timer)->desk;
	if (--desk->handles == 0) free(desk);
}

static void multi_finish(struct fetch_multi *multi) {
	if (multi->multi) multi->desk->library->multi_cleanup(multi->multi);
	multi->multi = NULL;
	uv_close((uv_handle_t *)&multi->timer, timer_released);
}

static void desk_finish(struct fetch_desk *desk) {
	for (struct link *link; (link = list_pop(&desk->fetches));) {
		struct fetch *fetch = CONTAINER_OF(link, struct fetch, link);
		bool is_closed = fetch->state == FETCH_CLOSED;
		fetch_strip(fetch);
		if (is_closed) fetch_desk_free(fetch);
	}
	multi_finish(&desk->open);
	multi_finish(&desk->guarded);
}

void fetch_desk_close(struct fetch_desk *desk) {
	if (!desk || desk->is_closed) return;
	desk->is_closed = true;
	if (!desk->depth) desk_finish(desk);
}

void fetch_desk_enter(struct fetch_desk *desk) {
	desk->depth++;
}

void fetch_desk_leave(struct fetch_desk *desk) {
	if (--desk->depth) return;
	if (desk->is_closed) desk_finish(desk);
	else sweep(desk);
}
