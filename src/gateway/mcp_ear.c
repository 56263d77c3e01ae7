/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_ear: a filter, and the notifications that pass it. */
#include "gateway/mcp_ear.h"

#include "gateway/mcp_aggregate.h"
#include "gateway/mcp_asker.h"
#include "gateway/mcp_ear_parts.h"
#include "gateway/mcp_news.h"
#include "gateway/mcp_result.h"
#include "gateway/mcp_room_uri.h"
#include "kernel/events.h"
#include "kernel/kernel.h"

#include <stdio.h>
#include <stdlib.h>

static void gone(struct mcp_stream_user *user) {
	mcp_ear_release(CONTAINER_OF(user, struct mcp_ear, user));
}

static struct mcp_ear *make(struct mcp_face *face, struct principal *principal, struct slice target) {
	struct mcp_ear *ear = calloc(1, sizeof *ear);
	if (!ear) return NULL;
	ear->face = face;
	ear->principal = principal_keep(principal);
	snprintf(ear->target, sizeof ear->target, "%.*s", SLICE_ARGS(target));
	list_init(&ear->uris);
	list_init(&ear->link);
	return ear;
}

static void answer_error(struct mcp_stream *stream, struct slice id, int64_t code, struct slice words) {
	struct mcp_stream_user user = {0};
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	jsonrpc_write_error(&message, id, code, words, JSONRPC_PLAIN);
	mcp_stream_join(stream, &user, NULL);
	mcp_stream_finish(&user, mcp_result_status(code, true), text_slice(&message));
}

/* One that came without leaving keeps no other out: the oldest of its kind ends. */
static void make_place(const struct mcp_ear *newest) {
	struct mcp_ear *oldest = NULL;
	size_t count = 0;
	LIST_EACH(link, &newest->face->ears) {
		struct mcp_ear *ear = CONTAINER_OF(link, struct mcp_ear, link);
		bool is_like = newest->session ? ear->session == newest->session
					       : !ear->session && strcmp(ear->target, newest->target) == 0 &&
				slice_equal(ear->principal->id, newest->principal->id);
		if (!is_like) continue;
		if (!oldest) oldest = ear;
		count++;
	}
	if (count >= (newest->session ? 1 : MCP_EARS)) mcp_ear_end(oldest);
}

/* ---- A legacy session's ---- */

void mcp_ear_open_session(struct mcp_face *face, struct mcp_stream *stream,
	struct principal *principal, struct mcp_session *session, struct slice last) {
	struct mcp_ear *ear = make(face, principal, slice_of(session->target));
	struct kernel *kernel = face->gateway->kernel;
	uint64_t number;
	if (!ear) {
		answer_error(stream, SLICE_NONE, JSONRPC_INTERNAL_ERROR, SLICE("no memory: try again"));
		return;
	}
	ear->session = session;
	mcp_session_keep(session);
	make_place(ear);
	list_append(&face->ears, &ear->link);
	mcp_stream_join(stream, &ear->user, gone);
	mcp_stream_only_listens(&ear->user);
	if (mcp_stream_events(&ear->user)) {
		mcp_news_listen(face->news);
		if (kernel && session->client.face && slice_number(last, UINT64_MAX, &number))
			events_tell_again(kernel_means(kernel)->events, &session->client, number);
		return;
	}
	list_remove(&ear->link);
	mcp_stream_finish(&ear->user, 200, SLICE_NONE);
	mcp_ear_release(ear);
}

/* ---- A modern client's ---- */

static bool wants(const struct scan_value *filter, const char *key) {
	struct scan_value value;
	bool is_wanted;
	return scan_find(filter, key, &value) && scan_boolean(&value, &is_wanted) && is_wanted;
}

static bool offers(const struct mcp_ear *ear, const char *outer, const char *inner) {
	const struct hosted *hosted = mcp_ear_server(ear);
	if (mcp_ear_is_of_room(ear)) return strcmp(outer, "tools") == 0;
	if (ear->searches && strcmp(outer, "tools") == 0) return true;
	if (!hosted) return strcmp(inner, "listChanged") == 0; /* of all: lists are merged here */
	return hosted_offers(hosted, hosted_era_for(hosted, HOSTED_MODERN), outer, inner);
}

/* The extensions of MGP that have something to tell, where the request speaks them. */
static unsigned wanted_news(const struct scan_value *filter, const struct mcp_request *request,
	struct arena *arena) {
	if (!wants(filter, MGP_EXTENSION)) return 0;
	return mcp_asker_mgp(NULL, request, arena).extensions & (MGP_LIFECYCLE | MGP_AUDIT | MGP_BIDIRECTIONAL);
}

/* What there is none of, or cannot be watched, is left out. */
static void watch(struct mcp_ear *ear, struct slice uri) {
	struct hosted *hosted = mcp_ear_server(ear);
	const struct call_asker asker = mcp_asker(ear->principal, (struct mgp_agreed){0});
	if (mcp_ear_is_of_room(ear)) {
		struct slice topic = slice_of(ear->target + sizeof MCP_TARGET_ROOM - 1);
		if (mcp_room_uri_read(uri, topic) == MCP_ROOM_NOTHING) return;
	} else {
		if (!hosted) hosted = mcp_aggregate_resource(ear->face, &asker, uri, true);
		if (!hosted || !mcp_asker_may_use_all(&asker, hosted)) return;
	}
	(void)!mcp_session_watch(&ear->uris, hosted, ear->principal->id, uri, NULL);
}

static void read_uris(struct mcp_ear *ear, const struct scan_value *filter, struct arena *arena) {
	struct scan_value uris;
	struct scan_walk walk;
	struct scan_member member;
	struct slice uri;
	size_t count = 0;
	if (!scan_find(filter, "resourceSubscriptions", &uris) || uris.type != SCAN_ARRAY) return;
	for (scan_open(&walk, &uris); scan_next(&walk, &member) && count < MCP_EAR_URIS; count++)
		if (member.value.type == SCAN_STRING && scan_string(&member.value, arena, &uri)) watch(ear, uri);
}

static void acknowledge(struct mcp_ear *ear) {
	static const char *const words[HOSTED_KINDS] = {[HOSTED_TOOLS] = "toolsListChanged",
		[HOSTED_PROMPTS] = "promptsListChanged",
		[HOSTED_RESOURCES] = "resourcesListChanged"};
	AUTO_TEXT struct text message = {0};
	const char *before = "";
	text_init(&message, 0);
	text_printf(&message,
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":{"
		"\"io.modelcontextprotocol/subscriptionId\":%s},\"notifications\":{",
		ear->id);
	for (int kind = 0; kind < HOSTED_KINDS; kind++) {
		if (!words[kind] || !ear->kinds[kind]) continue;
		text_printf(&message, "%s\"%s\":true", before, words[kind]);
		before = ",";
	}
	if (ear->names_flow) {
		text_printf(&message, "%s\"" MGP_FLOW_EXTENSION "\":true", before);
		before = ",";
	}
	if (mcp_ear_extensions(ear)) {
		text_printf(&message, "%s\"" MGP_EXTENSION "\":true", before);
		before = ",";
	}
	if (ear->has_authorization) {
		text_printf(&message, "%s\"" MGP_AUTHORIZATION "\":true", before);
		before = ",";
	}
	if (!list_is_empty(&ear->uris)) {
		text_printf(&message, "%s\"resourceSubscriptions\":[", before);
		before = "";
		LIST_EACH(link, &ear->uris) {
			text_add_cstr(&message, before);
			text_json(&message, CONTAINER_OF(link, struct mcp_session_uri, link)->uri);
			before = ",";
		}
		text_add_char(&message, ']');
	}
	text_add_cstr(&message, "}}}");
	if (!text_failed(&message)) mcp_stream_say(&ear->user, text_slice(&message), false);
}

void mcp_ear_listen(struct mcp_face *face, struct mcp_stream *stream, struct principal *principal,
	struct slice target, const struct mcp_request *request, bool searches) {
	struct slice id = request->message.id.text;
	struct scan_value filter;
	struct arena arena;
	if (request->message.params.type != SCAN_OBJECT ||
		!scan_find(&request->message.params, "notifications", &filter) || filter.type != SCAN_OBJECT) {
		answer_error(stream, id, JSONRPC_INVALID_PARAMS, SLICE("params.notifications has to be an object"));
		return;
	}
	struct mcp_ear *ear = make(face, principal, target);
	if (!ear || !(ear->id = slice_copy(id))) {
		if (ear) mcp_ear_release(ear);
		answer_error(stream, id, JSONRPC_INTERNAL_ERROR, SLICE("no memory: try again"));
		return;
	}
	ear->searches = searches;
	ear->kinds[HOSTED_TOOLS] = wants(&filter, "toolsListChanged") && offers(ear, "tools", "listChanged");
	ear->kinds[HOSTED_PROMPTS] =
		wants(&filter, "promptsListChanged") && offers(ear, "prompts", "listChanged");
	ear->kinds[HOSTED_RESOURCES] =
		wants(&filter, "resourcesListChanged") && offers(ear, "resources", "listChanged");
	arena_init(&arena, NULL, 0, 0);
	read_uris(ear, &filter, &arena);
	ear->mgp = wanted_news(&filter, request, &arena);
	ear->has_authorization = wants(&filter, MGP_AUTHORIZATION) || mcp_asker_mgp(NULL, request, &arena).has_authorization;
	ear->names_flow = wants(&filter, MGP_FLOW_EXTENSION);
	ear->hears_flow = ear->names_flow || wants(&filter, MGP_EXTENSION);
	arena_finish(&arena);
	make_place(ear);
	mcp_stream_join(stream, &ear->user, gone);
	mcp_stream_only_listens(&ear->user);
	if (!mcp_stream_events(&ear->user)) {
		AUTO_TEXT struct text message = {0};
		text_init(&message, 0);
		jsonrpc_write_error(&message, id, JSONRPC_INVALID_REQUEST,
			SLICE("subscriptions/listen needs Accept: text/event-stream"), JSONRPC_PLAIN);
		mcp_stream_finish(&ear->user, 400, text_slice(&message));
		mcp_ear_release(ear);
		return;
	}
	list_append(&face->ears, &ear->link);
	acknowledge(ear);
	mcp_news_listen(face->news);
}

/* ---- What happens ---- */

/* Of servers that it may not use it hears nothing (MGP 5). */
static bool hears_of(const struct mcp_ear *ear, struct hosted *hosted) {
	return mcp_ear_is_about(ear, hosted_id(hosted)) && mcp_ear_may_use(ear, hosted);
}

/* Prompts and resources are those of who may use the whole server. */
static bool hears_all_of(const struct mcp_ear *ear, struct hosted *hosted) {
	const struct call_asker asker = mcp_asker(ear->principal, (struct mgp_agreed){0});
	return mcp_asker_may_use_all(&asker, hosted);
}

void mcp_ear_changed(struct mcp_face *face, struct hosted *hosted, enum hosted_kind kind) {
	LIST_EACH_SAFE(link, &face->ears) {
		struct mcp_ear *ear = CONTAINER_OF(link, struct mcp_ear, link);
		if (hears_of(ear, hosted) && (kind == HOSTED_TOOLS || hears_all_of(ear, hosted)))
			mcp_ear_say_changed(ear, kind);
	}
}

static bool listens_to(const struct mcp_ear *ear, const struct hosted *hosted, struct slice uri) {
	return mcp_session_watches(ear->session ? &ear->session->uris : &ear->uris, hosted, uri);
}

void mcp_ear_updated(struct mcp_face *face, struct hosted *hosted, struct slice principal,
	struct slice uri, const struct scan_value *params) {
	LIST_EACH_SAFE(link, &face->ears) {
		struct mcp_ear *ear = CONTAINER_OF(link, struct mcp_ear, link);
		if (slice_equal(ear->principal->id, principal) && listens_to(ear, hosted, uri) && hears_of(ear, hosted) &&
			hears_all_of(ear, hosted))
			mcp_ear_say(ear, "notifications/resources/updated", params);
	}
}

/* ---- What happens in rooms ---- */

static bool is_in(const struct mcp_ear *ear, struct slice target, struct slice principal) {
	return slice_is(target, ear->target) && slice_equal(ear->principal->id, principal);
}

void mcp_ear_room_changed(struct mcp_face *face, struct slice target, struct slice principal) {
	LIST_EACH_SAFE(link, &face->ears) {
		struct mcp_ear *ear = CONTAINER_OF(link, struct mcp_ear, link);
		if (is_in(ear, target, principal)) mcp_ear_say_changed(ear, HOSTED_TOOLS);
	}
}

void mcp_ear_room_updated(struct mcp_face *face, struct slice target, struct slice principal,
	struct slice uri) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_add_cstr(&params, "{\"uri\":");
	text_json(&params, uri);
	text_add_char(&params, '}');
	if (text_failed(&params)) return;
	const struct scan_value value = {.text = text_slice(&params), .type = SCAN_OBJECT};
	LIST_EACH_SAFE(link, &face->ears) {
		struct mcp_ear *ear = CONTAINER_OF(link, struct mcp_ear, link);
		if (is_in(ear, target, principal) && listens_to(ear, NULL, uri))
			mcp_ear_say(ear, "notifications/resources/updated", &value);
	}
}

bool mcp_ear_is_open(const struct mcp_face *face, struct slice target, struct slice principal) {
	LIST_EACH(link, &face->ears)
		if (is_in(CONTAINER_OF(link, struct mcp_ear, link), target, principal)) return true;
	return false;
}

void mcp_ear_logged(struct mcp_face *face, struct hosted *hosted, struct slice principal,
	const struct scan_value *params) {
	if (principal.length == 0) return; /* of a conversation of all: for the log alone */
	LIST_EACH_SAFE(link, &face->ears) {
		struct mcp_ear *ear = CONTAINER_OF(link, struct mcp_ear, link);
		if (ear->session && ear->target[0] && slice_equal(ear->principal->id, principal) && hears_of(ear, hosted))
			mcp_ear_say(ear, "notifications/message", params);
	}
}

bool mcp_ear_tell_session(struct mcp_face *face, const struct mcp_session *session, const char *method,
	const struct scan_value *params, uint64_t event) {
	LIST_EACH(link, &face->ears) {
		struct mcp_ear *ear = CONTAINER_OF(link, struct mcp_ear, link);
		if (ear->session == session) return mcp_ear_say_event(ear, method, params, event); /* there is one at most */
	}
	return false;
}

static bool hears_authorizations(const struct mcp_ear *ear, const struct mcp_listener *of) {
	if (of->session) return ear->session == of->session;
	return !ear->session && is_in(ear, of->target, of->principal);
}

bool mcp_ear_hears_authorizations(const struct mcp_face *face, const struct mcp_listener *of) {
	LIST_EACH(link, &face->ears)
		if (hears_authorizations(CONTAINER_OF(link, struct mcp_ear, link), of)) return true;
	return false;
}

void mcp_ear_tell_authorization(struct mcp_face *face, const struct mcp_listener *of, const struct scan_value *params) {
	LIST_EACH_SAFE(link, &face->ears) {
		struct mcp_ear *ear = CONTAINER_OF(link, struct mcp_ear, link);
		if (hears_authorizations(ear, of)) mcp_ear_say(ear, "notifications/authorization/resolved", params);
	}
}

void mcp_ear_tell_tools_changed(struct mcp_face *face, struct slice principal, struct slice target) {
	LIST_EACH_SAFE(link, &face->ears) {
		struct mcp_ear *ear = CONTAINER_OF(link, struct mcp_ear, link);
		if (!ear->session && is_in(ear, target, principal)) mcp_ear_say_changed(ear, HOSTED_TOOLS);
	}
}

void mcp_ear_end_session(struct mcp_face *face, const struct mcp_session *session) {
	LIST_EACH(link, &face->ears) {
		struct mcp_ear *ear = CONTAINER_OF(link, struct mcp_ear, link);
		if (ear->session != session) continue;
		mcp_ear_end(ear); /* there is one at most */
		return;
	}
}

void mcp_ear_end_all(struct mcp_face *face) {
	while (!list_is_empty(&face->ears)) mcp_ear_end(CONTAINER_OF(face->ears.next, struct mcp_ear, link));
}
