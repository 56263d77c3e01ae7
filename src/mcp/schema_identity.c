/* SPDX-License-Identifier: Apache-2.0 */
/* Schema identity: names are looked up among those that stand in the text; nothing else is asked. */
#include "mcp/schema_identity.h"
#include "mcp/schema_uri.h"

#define WALKED_OCTETS ((size_t)512 << 20)

/* ---- Names ---- */

static bool is_old(const struct schema_words *words, bool otherwise) {
	static const char *const old[] = {"draft-03", "draft-04", "draft-06", "draft-07"};
	const struct scan_value *value = schema_word(words, KEY_SCHEMA);
	if (!value || value->type != SCAN_STRING) return otherwise;
	for (size_t i = 0; i < COUNT_OF(old); i++)
		if (memmem(value->text.bytes, value->text.length, old[i], strlen(old[i]))) return true;
	return false;
}

static bool anchor_add(struct schema_reader *reader, struct schema_node *node, struct slice name,
	bool is_dynamic) {
	struct schema_anchor *anchor = schema_reader_new(reader, sizeof *anchor);
	if (!anchor) return false;
	*anchor = (struct schema_anchor){
		.next = node->resource->anchors, .name = name, .node = node, .is_dynamic = is_dynamic};
	node->resource->anchors = anchor;
	return true;
}

static bool resource_begin(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words, struct slice name) {
	struct slice base = node->resource ? node->resource->uri : SLICE("");
	bool otherwise = node->resource ? node->resource->is_old : reader->is_old;
	struct schema_resource *resource = schema_reader_new(reader, sizeof *resource);
	if (!resource) return false;
	if (!schema_uri_join(reader->arena, base, name, &resource->uri))
		return fault_set(reader->why, FAULT_NO_MEMORY, "no memory for a schema");
	resource->root = node;
	resource->is_old = is_old(words, otherwise);
	void *there = NULL;
	if (!map_add(&reader->by_uri, resource->uri, resource, &there) && !there)
		return fault_set(reader->why, FAULT_NO_MEMORY, "no memory for a schema");
	if (there)
		schema_reader_note(reader, node->value.text.bytes, "another schema has the same $id: it is the one "
								   "that references lead to");
	resource->next = reader->resources;
	reader->resources = resource;
	node->resource = resource;
	return true;
}

/* A string, or bytes NULL. */
static bool word_string(struct schema_reader *reader, const struct schema_words *words,
	enum schema_keyword keyword, struct slice *string) {
	const struct scan_value *value = schema_word(words, keyword);
	*string = SLICE_NONE;
	if (!value) return true;
	if (value->type == SCAN_STRING) return schema_reader_string(reader, value, string);
	/* A property called "id" of something else is no fault. */
	if (keyword != KEY_OLD_ID) schema_reader_note_word(reader, words, keyword, "a string");
	return true;
}

bool schema_identity_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) {
	struct slice name, whole, fragment, anchor, dynamic;
	bool old = is_old(words, node->resource ? node->resource->is_old : reader->is_old);
	if (!word_string(reader, words, KEY_ID, &name) ||
		!word_string(reader, words, KEY_ANCHOR, &anchor) ||
		!word_string(reader, words, KEY_DYNAMIC_ANCHOR, &dynamic))
		return false;
	if (!name.bytes && old && !word_string(reader, words, KEY_OLD_ID, &name)) return false;
	if (old && schema_word(words, KEY_REF)) name = SLICE_NONE;
	schema_uri_split(name, &whole, &fragment);
	if ((!node->resource || whole.length) && !resource_begin(reader, node, words, whole)) return false;
	if (fragment.length && !anchor_add(reader, node, fragment, false)) return false;
	if (anchor.bytes && !anchor_add(reader, node, anchor, false)) return false;
	return !dynamic.bytes || anchor_add(reader, node, dynamic, true);
}

/* ---- References ---- */

/* References may lead through the text over and over, but not for ever. */
static bool way_take(struct schema_reader *reader, size_t octets) {
	reader->walked += octets;
	return reader->walked <= WALKED_OCTETS ||
		fault_set(reader->why, FAULT_TOO_LARGE,
			"the references of a schema lead through more than %zu octets: write fewer of them",
			WALKED_OCTETS);
}

/* *found NULL: there is none. */
static bool anchor_find(struct schema_reader *reader, const struct schema_resource *resource,
	struct slice name, const struct schema_anchor **found) {
	for (const struct schema_anchor *at = resource->anchors; at; at = at->next) {
		if (!way_take(reader, sizeof *at)) return false;
		if (slice_equal(at->name, name) && (!*found || at->is_dynamic)) *found = at;
	}
	return true;
}

/* One step of a pointer: ~1 is a slash, ~0 a tilde. In place. */
static struct slice token_read(char *bytes, size_t length) {
	size_t to = 0;
	for (size_t at = 0; at < length; at++) {
		bool is_escape = bytes[at] == '~' && at + 1 < length && (bytes[at + 1] | 1) == '1';
		bytes[to++] = is_escape ? (bytes[at + 1] == '1' ? '/' : '~') : bytes[at];
		at += is_escape;
	}
	return slice_make(bytes, to);
}

static bool step_into(struct schema_reader *reader, struct scan_value *value, struct slice token,
	bool *is_found) {
	struct scan_walk walk;
	struct scan_member member;
	uint64_t number = 0, index = 0;
	bool is_number = value->type == SCAN_ARRAY && slice_number(token, SCHEMA_OCTETS, &number);
	*is_found = false;
	if (!way_take(reader, value->text.length)) return false;
	for (scan_open(&walk, value); !*is_found && scan_next(&walk, &member); index++) {
		struct slice key;
		if (value->type == SCAN_ARRAY) {
			*is_found = is_number && index == number;
			continue;
		}
		if (!schema_reader_key(reader, &member, &key)) return false;
		*is_found = slice_equal(key, token);
	}
	if (*is_found) *value = member.value;
	return true;
}

/* `pointer` is the reader's to write in. *node NULL: it leads to no schema. */
static bool pointer_follow(struct schema_reader *reader, const struct schema_resource *resource,
	struct slice pointer, const struct schema_node **node) {
	const struct schema_node *up = resource->root;
	struct scan_value value = up->value;
	struct slice rest = slice_make(pointer.bytes + 1, pointer.length - 1), token;
	while (slice_split(&rest, '/', &token)) {
		bool is_found;
		token = token_read((char *)(uintptr_t)token.bytes, token.length);
		if (!step_into(reader, &value, token, &is_found)) return false;
		if (!is_found) return true;
		const struct schema_node *known = schema_reader_known(reader, &value);
		if (known) up = known;
	}
	if (value.type != SCAN_OBJECT && value.type != SCAN_BOOLEAN) return true;
	return schema_reader_child(reader, up, &value, node);
}

static bool target_find(struct schema_reader *reader, const struct schema_reference *reference,
	const struct schema_node **node, const struct schema_anchor **anchor) {
	struct slice whole, fragment, uri, name;
	const struct schema_resource *resource = reference->from->resource;
	*node = NULL;
	*anchor = NULL;
	schema_uri_split(reference->text, &whole, &fragment);
	if (whole.length) {
		if (!schema_uri_join(reader->arena, resource->uri, whole, &uri))
			return fault_set(reader->why, FAULT_NO_MEMORY, "no memory for a schema");
		resource = map_find(&reader->by_uri, uri);
	}
	if (!resource) return true;
	if (!fragment.length) {
		*node = resource->root;
		return true;
	}
	if (!schema_uri_decode(reader->arena, fragment, &name))
		return fault_set(reader->why, FAULT_NO_MEMORY, "no memory for a schema");
	if (name.bytes[0] == '/') return pointer_follow(reader, resource, name, node);
	if (!anchor_find(reader, resource, name, anchor)) return false;
	if (*anchor) *node = (*anchor)->node;
	return true;
}

bool schema_identity_follow(struct schema_reader *reader, struct schema_reference *reference) {
	const struct schema_node *node;
	const struct schema_anchor *anchor;
	if (!target_find(reader, reference, &node, &anchor)) return false;
	if (!node) {
		char shown[100];
		text_display_in(shown, sizeof shown, reference->text);
		schema_reader_note(reader, reference->at,
			"the reference to %s is not followed: nothing in this schema has that name", shown);
		return true;
	}
	if (!reference->is_dynamic) {
		reference->to->reference = node;
		return true;
	}
	reference->to->dynamic = node;
	if (anchor && anchor->is_dynamic) reference->to->dynamic_name = anchor->name;
	return true;
}
