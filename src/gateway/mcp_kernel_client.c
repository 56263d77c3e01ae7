/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_kernel_client: a legacy session as the kernel's client. */
#include "gateway/mcp_kernel_client.h"

#include "gateway/mcp_aggregate.h"
#include "gateway/mcp_call.h"
#include "gateway/mcp_ear.h"
#include "gateway/mcp_names.h"
#include "gateway/mcp_privilege.h"

static struct mcp_session *session_of(struct mgp_client *client) {
	return CONTAINER_OF(client, struct mcp_session, client);
}

static bool tell(struct mgp_client *client, const char *method, const struct scan_value *params) {
	struct mcp_session *session = session_of(client);
	return mcp_ear_tell_session(session->face, session, method, params, client->event);
}

static struct hosted_ask *find(struct mgp_client *client, struct slice id) {
	struct mcp_session *session = session_of(client);
	return mcp_call_find(session->face, session, session->principal, slice_of(session->target), id);
}

static void list_changed(struct mgp_client *client) {
	struct mcp_session *session = session_of(client);
	(void)mcp_ear_tell_session(session->face, session, "notifications/tools/list_changed", NULL, 0);
}

void mcp_kernel_client_write_name(struct text *to, struct slice target, struct slice server, struct slice tool) {
	char name[MCP_NAME + 1];
	if (target.length) text_add(to, tool);
	else if (mcp_name_write(name, server, tool)) text_add_cstr(to, name);
	else to->failed = true;
}

static void write_call_name(struct mgp_client *client, struct text *to, struct slice server, struct slice tool) {
	mcp_kernel_client_write_name(to, slice_of(session_of(client)->target), server, tool);
}

bool mcp_kernel_client_find_tool(struct mcp_face *face, struct principal *principal, struct slice target,
	bool is_modern, struct slice name, struct hosted **hosted, struct slice *tool) {
	const struct call_asker asker = mcp_asker(principal, (struct mgp_agreed){0});
	*tool = name;
	*hosted = target.length ? hosted_find(face->servers, target) : mcp_aggregate_tool(face, &asker, name, is_modern, tool);
	return *hosted != NULL;
}

static bool find_tool(struct mgp_client *client, struct slice name, struct arena *arena, struct hosted **hosted,
	struct slice *tool) {
	const struct mcp_session *session = session_of(client);
	(void)arena;
	return mcp_kernel_client_find_tool(session->face, session->principal, slice_of(session->target), false, name, hosted, tool);
}

static bool may_call(struct mgp_client *client, struct hosted *hosted, struct fault *why) {
	const struct mcp_session *session = session_of(client);
	return mcp_privilege_allows(session->face->privileges, session->principal, hosted_id(hosted), why);
}

static const struct mgp_client_face legacy = {
	.tell = tell,
	.find = find,
	.list_changed = list_changed,
	.write_call_name = write_call_name,
	.find_tool = find_tool,
	.may_call = may_call,
};

struct mgp_client *mcp_kernel_client(struct mcp_session *session) {
	if (!session->client.face)
		mgp_client_begin(&session->client, &legacy, session->principal->id, slice_of(session->id));
	return &session->client;
}
