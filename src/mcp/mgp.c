/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp: the words of the negotiation, read and written. */
#include "mcp/mgp.h"

#include <string.h>

static const struct {
	enum mgp_extension extension;
	const char *word;
} extensions[MGP_EXTENSIONS] = {
	{MGP_SECURITY, "security"},
	{MGP_ACCESS_CONTROL, "access_control"},
	{MGP_AUDIT, "audit"},
	{MGP_CODE_SAFETY, "code_safety"},
	{MGP_LIFECYCLE, "lifecycle"},
	{MGP_STREAMING, "streaming"},
	{MGP_BIDIRECTIONAL, "bidirectional"},
	{MGP_DISCOVERY, "discovery"},
	{MGP_TOOL_DISCOVERY, "tool_discovery"},
};

static const char *const trusts[MGP_TRUSTS] = {"trusted", "standard", "sandboxed"};

const char *mgp_extension_word(enum mgp_extension extension) {
	for (size_t i = 0; i < COUNT_OF(extensions); i++)
		if (extensions[i].extension == extension) return extensions[i].word;
	return "";
}

unsigned mgp_extension_read(struct slice word) {
	for (size_t i = 0; i < COUNT_OF(extensions); i++)
		if (slice_is(word, extensions[i].word)) return extensions[i].extension;
	return 0;
}

const char *mgp_trust_word(enum mgp_trust trust) { return trusts[trust]; }

bool mgp_trust_read(struct slice word, enum mgp_trust *trust) {
	for (size_t i = 0; i < COUNT_OF(trusts); i++) {
		if (!slice_is(word, trusts[i])) continue;
		*trust = (enum mgp_trust)i;
		return true;
	}
	return false;
}

/* ---- Reading ---- */

/* Where MGP stands among capabilities. */
static bool find(const struct scan_value *capabilities, bool is_modern, struct scan_value *mgp) {
	bool is_there = is_modern ? scan_path(capabilities, mgp, "extensions", MGP_EXTENSION, NULL)
				  : scan_find(capabilities, "mgp", mgp);
	return is_there && mgp->type == SCAN_OBJECT;
}

static bool read_word(const struct scan_value *object, const char *key, struct arena *arena,
	struct slice *word) {
	struct scan_value value;
	*word = SLICE_NONE;
	if (!scan_find(object, key, &value) || value.type != SCAN_STRING) return true;
	return scan_string(&value, arena, word);
}

static bool read_extensions(const struct scan_value *mgp, struct arena *arena, unsigned *found) {
	struct scan_value list;
	struct scan_walk walk;
	struct scan_member member;
	struct slice word;
	*found = 0;
	if (!scan_find(mgp, "extensions", &list) || list.type != SCAN_ARRAY) return true;
	for (scan_open(&walk, &list); scan_next(&walk, &member);) {
		if (member.value.type != SCAN_STRING) continue;
		if (!scan_string(&member.value, arena, &word)) return false;
		*found |= mgp_extension_read(word);
	}
	return true;
}

bool mgp_read(struct slice capabilities, bool is_modern, struct arena *arena, struct mgp_said *said) {
	const struct scan_value object = {.text = slice_trim(capabilities), .type = SCAN_OBJECT};
	struct scan_value mgp;
	struct slice trust;
	*said = (struct mgp_said){.version = SLICE_NONE};
	if (!object.text.length || object.text.bytes[0] != '{') return true;
	said->has_authorization = scan_path(&object, &mgp, "extensions", MGP_AUTHORIZATION, NULL);
	if (!find(&object, is_modern, &mgp)) return true;
	if (!read_word(&mgp, "version", arena, &said->version) ||
		!read_word(&mgp, "server_id", arena, &said->server_id) ||
		!read_word(&mgp, "trust_level", arena, &trust) || !read_extensions(&mgp, arena, &said->extensions))
		return false;
	if (said->server_id.length > MGP_SERVER_ID) said->server_id = SLICE_NONE;
	said->has_trust = mgp_trust_read(trust, &said->trust);
	struct scan_value list;
	if (!scan_find(&mgp, "extensions", &list) || list.type != SCAN_ARRAY) said->version = SLICE_NONE;
	if (scan_find(&mgp, "permissions_required", &said->permissions_required) &&
		said->permissions_required.type != SCAN_ARRAY)
		said->permissions_required = (struct scan_value){.type = SCAN_NONE};
	return true;
}

/* The number before the first dot; false: it is no version. */
static bool read_major(struct slice version, uint64_t *major) {
	struct slice rest = version, first;
	return slice_split(&rest, '.', &first) && rest.length && first.length <= 9 &&
		slice_number(first, UINT32_MAX, major);
}

static bool fits(const struct mgp_said *said) {
	uint64_t ours, theirs;
	return read_major(SLICE(MGP_VERSION), &ours) && read_major(said->version, &theirs) && ours == theirs;
}

bool mgp_is_foreign(const struct mgp_said *said) { return said->version.bytes && !fits(said); }

/* The beginning up to the second dot. */
static struct slice minor_of(struct slice version) {
	struct slice rest = version, major, minor;
	if (!slice_split(&rest, '.', &major) || !slice_split(&rest, '.', &minor)) return version;
	return slice_make(version.bytes, major.length + 1 + minor.length);
}

bool mgp_is_other(const struct mgp_said *said) {
	uint64_t major;
	return said->version.bytes && fits(said) && read_major(said->version, &major) && major == 0 &&
		!slice_equal(minor_of(said->version), minor_of(SLICE(MGP_VERSION)));
}

struct mgp_agreed mgp_agree(const struct mgp_said *said, unsigned ours) {
	struct mgp_agreed agreed = {.has_authorization = said->has_authorization};
	if (!said->version.bytes || !fits(said)) return agreed;
	agreed.is_active = true;
	agreed.extensions = said->extensions & ours;
	return agreed;
}

struct mgp_agreed mgp_settle(struct slice capabilities, bool is_modern, unsigned ours) {
	struct mgp_agreed agreed = {0};
	struct mgp_said said;
	struct arena arena;
	char lent[512];
	arena_init(&arena, lent, sizeof lent, 0);
	if (mgp_read(capabilities, is_modern, &arena, &said)) agreed = mgp_agree(&said, ours);
	arena_finish(&arena);
	return agreed;
}

/* ---- Writing ---- */

static void write_members(struct text *to, unsigned which) {
	const char *before = "";
	text_add_cstr(to, "\"version\":\"" MGP_VERSION "\",\"extensions\":[");
	for (size_t i = 0; i < COUNT_OF(extensions); i++) {
		if (!(which & extensions[i].extension)) continue;
		text_printf(to, "%s\"%s\"", before, extensions[i].word);
		before = ",";
	}
	text_add_char(to, ']');
}

void mgp_write(struct text *to, unsigned which) {
	text_add_char(to, '{');
	write_members(to, which);
	text_add_char(to, '}');
}

static void write_own(struct text *to, const struct mgp_shown *shown) {
	text_add_char(to, '{');
	write_members(to, shown->agreed.extensions);
	text_add_cstr(to, ",\"permissions_required\":");
	text_add(to, shown->permissions.length ? shown->permissions : SLICE("[]"));
	text_add_cstr(to, ",\"server_id\":");
	text_json(to, shown->server_id);
	text_printf(to, ",\"trust_level\":\"%s\"}", mgp_trust_word(shown->trust));
}

static const char *comma(const struct text *to) {
	return to->length && to->bytes[to->length - 1] == '{' ? "" : ",";
}

/* The object's members but these; the closing brace is the caller's. */
static void write_without(struct text *to, const struct scan_value *object, const char *one, const char *other) {
	struct scan_walk walk;
	struct scan_member member;
	text_add_char(to, '{');
	for (scan_open(&walk, object); scan_next(&walk, &member);) {
		if (scan_key_is(&member, one) || (other && scan_key_is(&member, other))) continue;
		text_printf(to, "%s\"", comma(to));
		text_add(to, member.key);
		text_add_cstr(to, "\":");
		text_add(to, member.value.text);
	}
}

/* Other extensions stay; an object that held nothing else goes. */
static void write_extensions(struct text *to, const struct scan_value *capabilities, const struct mgp_shown *shown,
	bool is_shown) {
	struct scan_value inner, own;
	bool has_flow = shown->flow.length > 0;
	bool has_some = scan_find(capabilities, "extensions", &inner) && inner.type == SCAN_OBJECT;
	bool has_others = has_some && scan_count(&inner) > (scan_find(&inner, MGP_EXTENSION, &own) ? 1u : 0u);
	if (!has_others && !is_shown && !has_flow) return;
	text_printf(to, "%s\"extensions\":", comma(to));
	if (has_some) write_without(to, &inner, MGP_EXTENSION, has_flow ? MGP_FLOW_EXTENSION : NULL);
	else text_add_char(to, '{');
	if (has_flow) {
		text_printf(to, "%s\"" MGP_FLOW_EXTENSION "\":", comma(to));
		text_add(to, shown->flow);
	}
	if (is_shown) {
		text_printf(to, "%s\"" MGP_EXTENSION "\":", comma(to));
		write_own(to, shown);
	}
	text_add_char(to, '}');
}

void mgp_write_capabilities(struct text *to, struct slice capabilities, bool is_modern,
	const struct mgp_shown *shown) {
	const struct scan_value object = {
		.text = capabilities.length ? capabilities : SLICE("{}"),
		.type = SCAN_OBJECT,
	};
	bool is_shown = shown->agreed.is_active;
	write_without(to, &object, "extensions", "mgp");
	write_extensions(to, &object, shown, is_shown && is_modern);
	if (is_shown && !is_modern) {
		text_printf(to, "%s\"mgp\":", comma(to));
		write_own(to, shown);
	}
	text_add_char(to, '}');
}
