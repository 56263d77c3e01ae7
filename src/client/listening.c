/* SPDX-License-Identifier: Apache-2.0 */
/* Listening: a list of wishes, and one stream for all of them. */
#include "client/listening.h"

#include "client/conversation.h"
#include "client/turn.h"

#include <stdlib.h>

struct listening_wish {
	struct link link;
	struct listening *listening;
	struct turn *turn;      /* resources/subscribe */
	listening_heard *heard; /* NULL: told already, or nobody wants to know */
	void *context;
	bool is_asked; /* the stream under way covers it */
	char uri[];
};

static void wish_free(struct listening_wish *wish) {
	list_remove(&wish->link);
	if (wish->turn) turn_cancel(wish->turn, SLICE("not needed any more"));
	free(wish);
}

static void tell(struct listening_wish *wish, const struct peer_reply *reply,
	const struct fault *why) {
	listening_heard *heard = TAKE(wish->heard);
	void *context = wish->context;
	bool is_granted = reply && reply->result.bytes;
	if (!is_granted) wish_free(wish);
	if (heard) heard(context, reply, why);
}

static struct listening_wish *find(const struct listening *listening, struct slice uri) {
	LIST_EACH(link, &listening->wishes) {
		struct listening_wish *wish = CONTAINER_OF(link, struct listening_wish, link);
		if (slice_is(uri, wish->uri)) return wish;
	}
	return NULL;
}

/* ---- Legacy ---- */

static void write_uri(struct text *to, const char *uri) {
	text_init(to, 0);
	text_add_cstr(to, "{\"uri\":");
	text_json(to, slice_of(uri));
	text_add_char(to, '}');
}

static void subscribed(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct listening_wish *wish = context;
	wish->turn = NULL;
	tell(wish, reply, why);
}

static bool subscribe(struct listening_wish *wish, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	wish->is_asked = true;
	if (wish->turn) return true; /* and goes out again by itself */
	write_uri(&params, wish->uri);
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	const struct turn_request request = {
		.method = SLICE("resources/subscribe"),
		.params = text_slice(&params),
		.answered = subscribed,
		.context = wish,
	};
	wish->turn = turn_open(wish->listening->conversation, &request, why);
	return wish->turn != NULL;
}

static void nobody(void *context, const struct peer_reply *reply, const struct fault *why) {
	(void)context;
	(void)reply;
	(void)why;
}

static void unsubscribe(const struct listening_wish *wish) {
	AUTO_TEXT struct text params = {0};
	write_uri(&params, wish->uri);
	const struct turn_request request = {
		.method = SLICE("resources/unsubscribe"),
		.params = text_slice(&params),
		.answered = nobody,
	};
	if (!text_failed(&params)) (void)!turn_open(wish->listening->conversation, &request, NULL);
}

/* ---- Modern ---- */

struct listening_stream {
	struct listening *listening;
	struct turn *turn;
};

static void ask_later(struct listening *listening);

static void write_filter(const struct listening *listening, struct text *to) {
	static const char *const kinds[][2] = {{"tools", "toolsListChanged"},
		{"prompts", "promptsListChanged"}, {"resources", "resourcesListChanged"}};
	const char *comma = "";
	text_init(to, 0);
	text_add_cstr(to, "{\"notifications\":{");
	for (size_t i = 0; listening->wants_lists && i < COUNT_OF(kinds); i++) {
		if (!conversation_offers(listening->conversation, kinds[i][0], "listChanged")) continue;
		text_printf(to, "%s\"%s\":true", comma, kinds[i][1]);
		comma = ",";
	}
	if (!list_is_empty(&listening->wishes)) {
		text_printf(to, "%s\"resourceSubscriptions\":[", comma);
		comma = "";
		LIST_EACH(link, &listening->wishes) {
			text_add_cstr(to, comma);
			text_json(to, slice_of(CONTAINER_OF(link, struct listening_wish, link)->uri));
			comma = ",";
		}
		text_add_char(to, ']');
	}
	text_add_cstr(to, "}}");
}

static bool is_wanted(const struct text *filter) {
	return !slice_is(text_slice(filter), "{\"notifications\":{}}");
}

static void stream_close(struct listening_stream *stream, struct slice reason) {
	if (!stream) return;
	if (stream->turn) turn_cancel(stream->turn, reason);
	free(stream);
}

static struct listening_wish *find_waiting(const struct listening *listening) {
	LIST_EACH(link, &listening->wishes) {
		struct listening_wish *wish = CONTAINER_OF(link, struct listening_wish, link);
		if (wish->is_asked && wish->heard) return wish;
	}
	return NULL;
}

/* Those that wait for the stream hear of its end, as if they had asked alone. */
static void tell_waiting(struct listening *listening, const struct peer_reply *reply,
	const struct fault *why) {
	for (struct listening_wish *wish; (wish = find_waiting(listening));) tell(wish, reply, why);
}

static void stream_ended(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct listening_stream *stream = context;
	struct listening *listening = stream->listening;
	struct fault own;
	bool is_refused = stream == listening->next;
	if (is_refused) listening->next = NULL;
	else listening->now = NULL;
	free(stream);
	fault_set(&own, FAULT_CLOSED, "the server tells nothing of that");
	bool is_result = reply && reply->result.bytes;
	if (listening->is_open && !listening->now && !listening->next) ask_later(listening);
	if (is_refused) tell_waiting(listening, is_result ? NULL : reply, is_result ? &own : why);
}

static bool open_stream(struct listening *listening, struct slice filter, struct fault *why) {
	struct listening_stream *stream = calloc(1, sizeof *stream);
	if (!stream) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	const struct turn_request request = {
		.method = SLICE("subscriptions/listen"),
		.params = filter,
		.deadline_ms = UINT64_MAX,
		.answered = stream_ended,
		.context = stream,
	};
	stream->listening = listening;
	stream->turn = turn_open(listening->conversation, &request, why);
	if (!stream->turn) {
		free(stream);
		return false;
	}
	listening->next = stream;
	return true;
}

/* The stream under way goes on until the new one is acknowledged. */
static void ask(struct listening *listening) {
	AUTO_TEXT struct text filter = {0};
	struct fault why;
	deadline_clear(&listening->again);
	stream_close(TAKE(listening->next), SLICE("the wishes have changed"));
	write_filter(listening, &filter);
	if (!is_wanted(&filter)) {
		stream_close(TAKE(listening->now), SLICE("not needed any more"));
		return;
	}
	LIST_EACH(link, &listening->wishes)
		CONTAINER_OF(link, struct listening_wish, link)->is_asked = true;
	if (!text_failed(&filter) && open_stream(listening, text_slice(&filter), &why)) return;
	if (text_failed(&filter)) fault_set(&why, FAULT_NO_MEMORY, "no memory for a request");
	ask_later(listening);
	tell_waiting(listening, NULL, &why);
}

static void ask_again(struct deadline *deadline) {
	struct listening *listening = CONTAINER_OF(deadline, struct listening, again);
	if (listening->is_open) ask(listening);
}

static void ask_later(struct listening *listening) {
	deadline_set(listening->loop, &listening->again, listening->again_ms, ask_again);
	listening->again_ms *= 2;
	if (listening->again_ms > LISTENING_LONGEST_MS) listening->again_ms = LISTENING_LONGEST_MS;
}

void listening_acknowledged(struct listening *listening) {
	static const struct peer_reply granted = {.result = {"{}", 2}};
	if (!listening->next) return;
	stream_close(TAKE(listening->now), SLICE("another one has taken its place"));
	listening->now = TAKE(listening->next);
	listening->again_ms = LISTENING_AGAIN_MS;
	tell_waiting(listening, &granted, NULL);
}

/* ---- Wishes ---- */

void listening_init(struct listening *listening, struct loop *loop) {
	*listening = (struct listening){.loop = loop, .again_ms = LISTENING_AGAIN_MS};
	list_init(&listening->wishes);
}

static struct listening_wish *find_new(const struct listening *listening) {
	LIST_EACH(link, &listening->wishes) {
		struct listening_wish *wish = CONTAINER_OF(link, struct listening_wish, link);
		if (!wish->is_asked) return wish;
	}
	return NULL;
}

void listening_begin(struct listening *listening, struct conversation *conversation,
	bool wants_lists) {
	struct fault why;
	listening->conversation = conversation;
	listening->wants_lists = wants_lists;
	listening->is_open = true;
	if (conversation_is_modern(conversation)) {
		ask(listening);
		return;
	}
	LIST_EACH(link, &listening->wishes) /* a new session knows nothing of the old one's */
		CONTAINER_OF(link, struct listening_wish, link)->is_asked = false;
	for (struct listening_wish *wish; (wish = find_new(listening));)
		if (!subscribe(wish, &why)) tell(wish, NULL, &why);
}

void listening_finish(struct listening *listening) {
	listening->is_open = false;
	deadline_clear(&listening->again);
	stream_close(TAKE(listening->next), SLICE("not needed any more"));
	stream_close(TAKE(listening->now), SLICE("not needed any more"));
	LIST_EACH_SAFE(link, &listening->wishes)
		wish_free(CONTAINER_OF(link, struct listening_wish, link));
}

bool listening_subscribe(struct listening *listening, struct slice uri, listening_heard *heard,
	void *context, struct fault *why) {
	if (find(listening, uri))
		return fault_set(why, FAULT_EXISTS, "that resource is subscribed to already");
	struct listening_wish *wish = calloc(1, sizeof *wish + uri.length + 1);
	if (!wish) return fault_set(why, FAULT_NO_MEMORY, "no memory for a subscription");
	wish->listening = listening;
	wish->heard = heard;
	wish->context = context;
	memcpy(wish->uri, uri.bytes, uri.length);
	list_append(&listening->wishes, &wish->link);
	if (!listening->is_open) return true; /* asked for when it is ready */
	if (conversation_is_modern(listening->conversation)) {
		/* In its own time, so that nothing is told before we return, and many ask at once. */
		deadline_set(listening->loop, &listening->again, 0, ask_again);
		return true;
	}
	if (subscribe(wish, why)) return true;
	wish_free(wish);
	return false;
}

bool listening_unsubscribe(struct listening *listening, struct slice uri) {
	struct listening_wish *wish = find(listening, uri);
	if (!wish) return false;
	struct fault why;
	bool is_legacy = listening->is_open && !conversation_is_modern(listening->conversation);
	if (is_legacy) unsubscribe(wish);
	fault_set(&why, FAULT_CLOSED, "the subscription was taken back");
	tell(wish, NULL, &why); /* which frees it */
	if (listening->is_open && !is_legacy) deadline_set(listening->loop, &listening->again, 0, ask_again);
	return true;
}

void listening_forget(struct listening *listening, const void *context) {
	LIST_EACH(link, &listening->wishes) {
		struct listening_wish *wish = CONTAINER_OF(link, struct listening_wish, link);
		if (wish->context == context) wish->heard = NULL;
	}
}
