/* SPDX-License-Identifier: Apache-2.0 */
/* Offerings: a list per kind. */
#include "client/offerings.h"

#include <stdlib.h>

struct offerings {
	struct link lists[MCP_ITEMS_KINDS];
	size_t counts[MCP_ITEMS_KINDS];
};

static void offering_free(struct offering *offering) {
	free(offering->key);
	free(offering->type);
	free(offering->definition);
	free(offering);
}
AUTO_RELEASE(offering, offering_free)

struct offerings *offerings_open(struct fault *why) {
	struct offerings *offerings = calloc(1, sizeof *offerings);
	if (!offerings) return fault_null(why, FAULT_NO_MEMORY, "no memory for what is offered");
	for (int kind = 0; kind < MCP_ITEMS_KINDS; kind++) list_init(&offerings->lists[kind]);
	return offerings;
}

void offerings_close(struct offerings *offerings) {
	if (!offerings) return;
	for (int kind = 0; kind < MCP_ITEMS_KINDS; kind++)
		LIST_EACH_SAFE(link, &offerings->lists[kind])
			offering_free(CONTAINER_OF(link, struct offering, link));
	free(offerings);
}

/* ---- Templates ---- */

bool offerings_is_template(const char *uri) { return strchr(uri, '{') != NULL; }

/* The part before the next "{word}" has to stand in the uri as it is. */
bool offerings_fits(const char *pattern, struct slice uri) {
	while (*pattern) {
		if (*pattern != '{') {
			if (!uri.length || *uri.bytes != *pattern) return false;
			uri = slice_make(uri.bytes + 1, uri.length - 1);
			pattern++;
			continue;
		}
		const char *end = strchr(pattern, '}');
		if (!end) return false;
		size_t length = 0;
		while (length < uri.length && uri.bytes[length] != '/' && (!length || uri.bytes[length] != end[1]))
			length++;
		if (!length) return false;
		uri = slice_make(uri.bytes + length, uri.length - length);
		pattern = end + 1;
	}
	return uri.length == 0;
}

/* ---- Offering ---- */

static void add_words(struct text *to, const char *name, const char *words) {
	if (!words) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, slice_of(words));
}

static bool add(struct offerings *offerings, enum mcp_items_kind kind,
	const struct offering *model, const char *key, const char *type, struct text *definition,
	struct fault *why) {
	if (offerings_named(offerings, kind, slice_of(key)))
		return fault_set(why, FAULT_EXISTS, "%s: that is offered already", mcp_items_member(kind));
	if (offerings->counts[kind] >= OFFERINGS_MOST)
		return fault_set(why, FAULT_FULL, "at most %d %s are offered", OFFERINGS_MOST,
			mcp_items_member(kind));
	AUTO(offering) made = calloc(1, sizeof *made);
	if (!made) return fault_set(why, FAULT_NO_MEMORY, "no memory for what is offered");
	*made = *model;
	made->key = slice_copy(slice_of(key));
	made->type = type ? slice_copy(slice_of(type)) : NULL;
	made->definition = text_take(definition);
	if (!made->key || !made->definition || (type && !made->type))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for what is offered");
	list_append(&offerings->lists[kind], &made->link);
	offerings->counts[kind]++;
	made = NULL; /* the list's now */
	return true;
}

bool offerings_add_prompt(struct offerings *offerings, const struct hustings_prompt *prompt,
	struct fault *why) {
	const struct offering model = {
		.get = prompt->get, .complete = prompt->complete, .context = prompt->context};
	AUTO_TEXT struct text definition = {0};
	struct scan_value arguments;
	struct scan_fault fault;
	if (!prompt->name || !*prompt->name) return fault_set(why, FAULT_BAD_INPUT, "a prompt needs a name");
	if (prompt->arguments && (!scan_check(slice_of(prompt->arguments), 8, &arguments, &fault) || arguments.type != SCAN_ARRAY))
		return fault_set(why, FAULT_BAD_INPUT, "arguments: JSON text of an array is due");
	text_init(&definition, 0);
	text_add_cstr(&definition, "{\"name\":");
	text_json(&definition, slice_of(prompt->name));
	add_words(&definition, "title", prompt->title);
	add_words(&definition, "description", prompt->description);
	if (prompt->arguments) {
		text_add_cstr(&definition, ",\"arguments\":");
		text_add(&definition, arguments.text);
	}
	text_add_char(&definition, '}');
	return add(offerings, MCP_ITEMS_PROMPTS, &model, prompt->name, NULL, &definition, why);
}

bool offerings_add_resource(struct offerings *offerings, const struct hustings_resource *resource,
	struct fault *why) {
	const struct offering model = {
		.read = resource->read, .complete = resource->complete, .context = resource->context};
	AUTO_TEXT struct text definition = {0};
	if (!resource->uri || !strchr(resource->uri, ':') || !resource->name || !*resource->name)
		return fault_set(why, FAULT_BAD_INPUT, "a resource needs a uri, with its scheme, and a name");
	bool is_template = offerings_is_template(resource->uri);
	text_init(&definition, 0);
	text_add_cstr(&definition, is_template ? "{\"uriTemplate\":" : "{\"uri\":");
	text_json(&definition, slice_of(resource->uri));
	add_words(&definition, "name", resource->name);
	add_words(&definition, "title", resource->title);
	add_words(&definition, "description", resource->description);
	add_words(&definition, "mimeType", resource->type);
	text_add_char(&definition, '}');
	return add(offerings, is_template ? MCP_ITEMS_TEMPLATES : MCP_ITEMS_RESOURCES, &model,
		resource->uri, resource->type, &definition, why);
}

static struct offering *named(const struct offerings *offerings, enum mcp_items_kind kind,
	struct slice key) {
	LIST_EACH(link, &offerings->lists[kind]) {
		struct offering *offering = CONTAINER_OF(link, struct offering, link);
		if (slice_is(key, offering->key)) return offering;
	}
	return NULL;
}

bool offerings_remove(struct offerings *offerings, enum mcp_items_kind kind, struct slice key) {
	struct offering *offering = named(offerings, kind, key);
	if (!offering) return false;
	list_remove(&offering->link);
	offerings->counts[kind]--;
	offering_free(offering);
	return true;
}

/* ---- Looking ---- */

size_t offerings_count(const struct offerings *offerings, enum mcp_items_kind kind) {
	return offerings->counts[kind];
}

const struct offering *offerings_named(const struct offerings *offerings, enum mcp_items_kind kind,
	struct slice key) {
	return named(offerings, kind, key);
}

const struct offering *offerings_find(const struct offerings *offerings, enum mcp_items_kind kind,
	struct slice key) {
	if (kind != MCP_ITEMS_TEMPLATES) return named(offerings, kind, key);
	LIST_EACH(link, &offerings->lists[kind]) {
		const struct offering *offering = CONTAINER_OF(link, struct offering, link);
		if (offerings_fits(offering->key, key)) return offering;
	}
	return NULL;
}

bool offerings_write(const struct offerings *offerings, enum mcp_items_kind kind,
	const struct scan_value *params, struct text *to) {
	struct scan_value value;
	uint64_t cursor = 0, at = 0;
	if (scan_find(params, "cursor", &value) && value.type != SCAN_NULL &&
		(value.type != SCAN_STRING ||
			!slice_number(slice_make(value.text.bytes + 1, value.text.length - 2), offerings->counts[kind], &cursor)))
		return false;
	text_printf(to, "{\"%s\":[", mcp_items_member(kind));
	LIST_EACH(link, &offerings->lists[kind]) {
		const struct offering *offering = CONTAINER_OF(link, struct offering, link);
		if (at >= cursor + OFFERINGS_PAGE) break;
		if (at++ < cursor) continue;
		if (at > cursor + 1) text_add_char(to, ',');
		text_add_cstr(to, offering->definition);
	}
	text_add_char(to, ']');
	if (at < offerings->counts[kind]) text_printf(to, ",\"nextCursor\":\"%llu\"", (unsigned long long)at);
	text_add_char(to, '}');
	return true;
}
