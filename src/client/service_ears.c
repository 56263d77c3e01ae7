/* SPDX-License-Identifier: Apache-2.0 */
/* Service ears: subscriptions of hosts, and requests that stay open to hear. */
#include "client/service_ears.h"

#include "mcp/mcp_modern.h"

#include <stdlib.h>

struct ear_uri {
	struct link link;
	char uri[];
};

struct listener {
	struct link link; /* of the hustings' listeners */
	struct peer_question *question;
	bool lists[HUSTINGS_PROMPTS + 1];
	struct link uris;
	char id[]; /* of the request, JSON text */
};

static const struct {
	const char *filter, *method;
} kinds[HUSTINGS_PROMPTS + 1] = {
	[HUSTINGS_TOOLS] = {"toolsListChanged", "notifications/tools/list_changed"},
	[HUSTINGS_RESOURCES] = {"resourcesListChanged", "notifications/resources/list_changed"},
	[HUSTINGS_PROMPTS] = {"promptsListChanged", "notifications/prompts/list_changed"},
};

/* ---- Uris ---- */

static struct ear_uri *find_uri(const struct link *uris, struct slice uri) {
	LIST_EACH(link, uris) {
		struct ear_uri *each = CONTAINER_OF(link, struct ear_uri, link);
		if (slice_is(uri, each->uri)) return each;
	}
	return NULL;
}

static bool add_uri(struct link *uris, struct slice uri) {
	size_t count = 0;
	if (find_uri(uris, uri)) return true;
	LIST_EACH(link, uris) count++;
	struct ear_uri *added = count < SERVICE_SUBSCRIPTIONS ? calloc(1, sizeof *added + uri.length + 1) : NULL;
	if (!added) return false;
	memcpy(added->uri, uri.bytes, uri.length);
	list_append(uris, &added->link);
	return true;
}

static void drop_uris(struct link *uris) {
	for (struct link *link; (link = list_pop(uris));) free(CONTAINER_OF(link, struct ear_uri, link));
}

bool service_ears_subscribe(struct service *service, struct slice uri) {
	return add_uri(&service->subscriptions, uri);
}

void service_ears_unsubscribe(struct service *service, struct slice uri) {
	struct ear_uri *found = find_uri(&service->subscriptions, uri);
	if (!found) return;
	list_remove(&found->link);
	free(found);
}

void service_ears_forget(struct service *service) { drop_uris(&service->subscriptions); }

/* ---- Listeners ---- */

static void listener_free(struct listener *listener) {
	list_remove(&listener->link);
	drop_uris(&listener->uris);
	free(listener);
}

size_t service_ears_count(const struct hustings *hustings) {
	size_t count = 0;
	LIST_EACH(link, &hustings->listeners) count++;
	return count;
}

/* False: no memory, or too many resources. */
static bool read_filter(struct listener *listener, const struct scan_value *params) {
	char lent[512];
	struct arena arena;
	struct scan_value filter, value;
	struct scan_walk walk;
	struct scan_member member;
	struct slice uri;
	bool is_fine = true;
	if (!scan_find(params, "notifications", &filter)) return true;
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		if (kinds[i].filter && scan_find(&filter, kinds[i].filter, &value))
			(void)!scan_boolean(&value, &listener->lists[i]);
	if (!scan_find(&filter, "resourceSubscriptions", &value) || value.type != SCAN_ARRAY) return true;
	arena_init(&arena, lent, sizeof lent, 0);
	for (scan_open(&walk, &value); is_fine && scan_next(&walk, &member);)
		if (member.value.type == SCAN_STRING)
			is_fine = scan_string(&member.value, &arena, &uri) && add_uri(&listener->uris, uri);
	arena_finish(&arena);
	return is_fine;
}

static void write_subscription(const struct listener *listener, struct text *to) {
	text_add_cstr(to, "{\"_meta\":{\"" MCP_MODERN_PREFIX "subscriptionId\":");
	text_add_cstr(to, listener->id);
	text_add_char(to, '}');
}

static void acknowledge(struct listener *listener) {
	AUTO_TEXT struct text params = {0};
	const char *comma = "";
	text_init(&params, 0);
	write_subscription(listener, &params);
	text_add_cstr(&params, ",\"notifications\":{");
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (!listener->lists[i] || !kinds[i].filter) continue;
		text_printf(&params, "%s\"%s\":true", comma, kinds[i].filter);
		comma = ",";
	}
	if (!list_is_empty(&listener->uris)) {
		text_printf(&params, "%s\"resourceSubscriptions\":[", comma);
		comma = "";
		LIST_EACH(link, &listener->uris) {
			text_add_cstr(&params, comma);
			text_json(&params, slice_of(CONTAINER_OF(link, struct ear_uri, link)->uri));
			comma = ",";
		}
		text_add_char(&params, ']');
	}
	text_add_cstr(&params, "}}");
	if (!text_failed(&params))
		peer_question_tell(listener->question, SLICE("notifications/subscriptions/acknowledged"),
			text_slice(&params));
}

void service_ears_listen(struct hustings *hustings, struct peer_question *question,
	const struct jsonrpc *request) {
	struct slice id = request->id.text;
	struct listener *listener = NULL;
	if (service_ears_count(hustings) < SERVICE_LISTENERS)
		listener = calloc(1, sizeof *listener + id.length + 1);
	if (!listener) {
		peer_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("too many listen already, or no memory"),
			JSONRPC_PLAIN);
		return;
	}
	memcpy(listener->id, id.bytes, id.length);
	list_init(&listener->uris);
	listener->question = question;
	list_append(&hustings->listeners, &listener->link);
	if (read_filter(listener, &request->params)) {
		acknowledge(listener);
		return;
	}
	listener_free(listener);
	peer_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("too many resources, or no memory"), JSONRPC_PLAIN);
}

bool service_ears_cancelled(struct hustings *hustings, struct peer_question *question) {
	LIST_EACH(link, &hustings->listeners) {
		struct listener *listener = CONTAINER_OF(link, struct listener, link);
		if (listener->question != question) continue;
		listener_free(listener);
		peer_answer(question, SLICE("{}")); /* goes nowhere; it ends the question */
		return true;
	}
	return false;
}

/* ---- Telling ---- */

static void tell_listener(const struct listener *listener, const char *method, struct slice uri) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	write_subscription(listener, &params);
	if (uri.bytes) {
		text_add_cstr(&params, ",\"uri\":");
		text_json(&params, uri);
	}
	text_add_char(&params, '}');
	if (!text_failed(&params))
		peer_question_tell(listener->question, slice_of(method), text_slice(&params));
}

void service_ears_tell_changed(struct hustings *hustings, enum hustings_list list) {
	enum hustings_list kind = list == HUSTINGS_TEMPLATES ? HUSTINGS_RESOURCES : list;
	LIST_EACH(link, &hustings->services) {
		struct service *service = CONTAINER_OF(link, struct service, link);
		/* Who cannot be told now lists anew when it comes back. */
		if (service->caller.is_introduced)
			(void)!peer_tell(service->peer, slice_of(kinds[kind].method), SLICE_NONE, NULL);
	}
	LIST_EACH(at, &hustings->listeners) {
		const struct listener *listener = CONTAINER_OF(at, struct listener, link);
		if (listener->lists[kind]) tell_listener(listener, kinds[kind].method, SLICE_NONE);
	}
}

static void tell_service(const struct service *service, struct slice uri) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_add_cstr(&params, "{\"uri\":");
	text_json(&params, uri);
	text_add_char(&params, '}');
	if (!text_failed(&params))
		(void)!peer_tell(service->peer, SLICE("notifications/resources/updated"), text_slice(&params), NULL);
}

void service_ears_tell_updated(struct hustings *hustings, struct slice uri) {
	LIST_EACH(link, &hustings->services) {
		const struct service *service = CONTAINER_OF(link, struct service, link);
		if (find_uri(&service->subscriptions, uri)) tell_service(service, uri);
	}
	LIST_EACH(at, &hustings->listeners) {
		const struct listener *listener = CONTAINER_OF(at, struct listener, link);
		if (find_uri(&listener->uris, uri))
			tell_listener(listener, "notifications/resources/updated", uri);
	}
}
