/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_ear parts: who an ear is, how it is told something, and its end. */
#include "gateway/mcp_ear_parts.h"

#include "gateway/mcp_admitted.h"
#include "gateway/mcp_asker.h"

#include <stdlib.h>

struct hosted *mcp_ear_server(const struct mcp_ear *ear) {
	return hosted_find(ear->face->servers, slice_of(ear->target));
}

bool mcp_ear_is_of_room(const struct mcp_ear *ear) {
	return slice_starts_with(slice_of(ear->target), MCP_TARGET_ROOM);
}

bool mcp_ear_is_about(const struct mcp_ear *ear, struct slice server) {
	return !ear->target[0] || slice_is(server, ear->target);
}

bool mcp_ear_may_use(const struct mcp_ear *ear, struct hosted *hosted) {
	const struct call_asker asker = mcp_asker(ear->principal, (struct mgp_agreed){0});
	return mcp_asker_may_use(&asker, hosted);
}

/* A session of 2024-11-05 listens before it has said what it speaks. */
unsigned mcp_ear_extensions(const struct mcp_ear *ear) {
	if (mcp_ear_is_of_room(ear)) return 0;
	return ear->session ? ear->session->mgp.extensions : ear->mgp;
}

/* ---- Its end ---- */

void mcp_ear_release(struct mcp_ear *ear) {
	mcp_session_unwatch(ear->face, &ear->uris, ear->principal->id);
	task_clear(&ear->over);
	list_remove(&ear->link);
	mcp_session_drop(ear->session);
	principal_drop(ear->principal);
	free(ear->id);
	free(ear);
}

void mcp_ear_end(struct mcp_ear *ear) {
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	if (ear->id)
		text_printf(&message,
			"{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"complete\",\"_meta\":{"
			"\"io.modelcontextprotocol/subscriptionId\":%s}}}",
			ear->id, ear->id);
	list_remove(&ear->link);
	mcp_stream_finish(&ear->user, 200, text_slice(&message));
	mcp_ear_release(ear);
}

/* ---- Telling ---- */

static void lost(struct task *task) { mcp_ear_end(CONTAINER_OF(task, struct mcp_ear, over)); }

/* Whoever lost the right to be here hears nothing more; ended later, since others are being told. */
static bool may_hear(struct mcp_ear *ear) {
	if (mcp_is_admitted(ear->face->gateway, ear->principal, &ear->admitted_at)) return true;
	loop_later(ear->face->gateway->loop, &ear->over, lost);
	return false;
}

bool mcp_ear_ask(struct mcp_ear *ear, const char *method, const struct scan_value *params, const char *id) {
	AUTO_TEXT struct text message = {0};
	if (!ear->session) return mcp_ear_say_event(ear, method, params, 0);
	if (!may_hear(ear)) return false;
	text_init(&message, 0);
	text_printf(&message, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":", id, method);
	text_add(&message, params->text);
	text_add_char(&message, '}');
	return !text_failed(&message) && mcp_stream_say_numbered(&ear->user, text_slice(&message), 0);
}

/* A modern client's gets its subscription's id. */
bool mcp_ear_say_event(struct mcp_ear *ear, const char *method, const struct scan_value *params, uint64_t event) {
	AUTO_TEXT struct text message = {0};
	struct scan_walk walk;
	struct scan_member member;
	if (!may_hear(ear)) return false;
	text_init(&message, 0);
	text_printf(&message, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\"", method);
	if (ear->id) {
		text_printf(&message,
			",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}", ear->id);
		if (params && params->type == SCAN_OBJECT) {
			for (scan_open(&walk, params); scan_next(&walk, &member);) {
				if (scan_key_is(&member, "_meta")) continue;
				text_printf(&message, ",\"%.*s\":", SLICE_ARGS(member.key));
				text_add(&message, member.value.text);
			}
		}
		text_add_char(&message, '}');
	} else if (params && params->type == SCAN_OBJECT) {
		text_add_cstr(&message, ",\"params\":");
		text_add(&message, params->text);
	}
	text_add_char(&message, '}');
	if (text_failed(&message)) return false;
	return mcp_stream_say_numbered(&ear->user, text_slice(&message), ear->session ? event : 0);
}

void mcp_ear_say(struct mcp_ear *ear, const char *method, const struct scan_value *params) {
	(void)mcp_ear_say_event(ear, method, params, 0);
}

void mcp_ear_say_changed(struct mcp_ear *ear, enum hosted_kind kind) {
	static const char *const methods[HOSTED_KINDS] = {
		[HOSTED_TOOLS] = "notifications/tools/list_changed",
		[HOSTED_PROMPTS] = "notifications/prompts/list_changed",
		[HOSTED_RESOURCES] = "notifications/resources/list_changed",
	};
	if (!methods[kind]) return; /* templates have none of their own */
	if (ear->session || ear->kinds[kind]) mcp_ear_say(ear, methods[kind], NULL);
}
