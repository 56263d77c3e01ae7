/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted facts: what a server said of itself, kept as it came, with the words unescaped beside. */
#include "hosted/hosted_parts.h"
#include "mcp/mcp_modern.h"

static struct slice member_text(const struct scan_value *root, const char *name,
	struct slice otherwise) {
	struct scan_value value;
	return scan_find(root, name, &value) && value.type == SCAN_OBJECT ? value.text : otherwise;
}

static struct slice member_words(const struct scan_value *root, const char *name,
	struct arena *arena) {
	struct scan_value value;
	struct slice words;
	return scan_find(root, name, &value) && scan_string(&value, arena, &words) ? words : SLICE_NONE;
}

static void read_facts(struct hosted_told_facts *told, enum hosted_era era) {
	struct slice result = text_slice(&told->octets);
	struct scan_value root = {.text = result, .type = SCAN_OBJECT}, info;
	struct hosted_facts *facts = &told->facts;
	facts->result = result;
	facts->capabilities = member_text(&root, "capabilities", SLICE("{}"));
	facts->instructions = member_words(&root, "instructions", &told->arena);
	facts->server_info = member_text(&root, "serverInfo", SLICE_NONE);
	if (!facts->server_info.bytes &&
		scan_path(&root, &info, "_meta", MCP_MODERN_PREFIX "serverInfo", NULL) && info.type == SCAN_OBJECT)
		facts->server_info = info.text;
	if (!facts->server_info.bytes) facts->server_info = SLICE("{}");
	info = (struct scan_value){.text = facts->server_info, .type = SCAN_OBJECT};
	facts->name = member_words(&info, "name", &told->arena);
	facts->version = era == HOSTED_MODERN ? SLICE(MCP_MODERN_VERSION)
					      : member_words(&root, "protocolVersion", &told->arena);
}

bool hosted_facts_take(struct hosted *hosted, enum hosted_era era, struct slice result,
	struct fault *why) {
	struct hosted_told_facts taken = {.octets = {0}};
	text_init(&taken.octets, 0);
	text_add(&taken.octets, result);
	if (text_failed(&taken.octets)) {
		text_finish(&taken.octets);
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a handshake");
	}
	arena_init(&taken.arena, NULL, 0, 0);
	read_facts(&taken, era);
	struct hosted_told_facts *told = &hosted->facts[era];
	text_finish(&told->octets);
	arena_finish(&told->arena);
	*told = taken;
	return true;
}

void hosted_facts_finish(struct hosted *hosted) {
	for (int era = 0; era < HOSTED_ERAS; era++) {
		text_finish(&hosted->facts[era].octets);
		arena_finish(&hosted->facts[era].arena);
	}
}

bool hosted_is_known(const struct hosted *hosted) { return hosted->is_known; }

bool hosted_speaks(const struct hosted *hosted, enum hosted_era era) {
	return hosted->speaks[era];
}

enum hosted_era hosted_era_for(const struct hosted *hosted, enum hosted_era asker) {
	if (hosted->speaks[asker]) return asker;
	return hosted->speaks[HOSTED_MODERN] ? HOSTED_MODERN : HOSTED_LEGACY;
}

const struct hosted_facts *hosted_facts(const struct hosted *hosted, enum hosted_era era) {
	return hosted->facts[era].octets.length ? &hosted->facts[era].facts : NULL;
}

bool hosted_offers(const struct hosted *hosted, enum hosted_era era, const char *outer,
	const char *inner) {
	const struct hosted_facts *facts = hosted_facts(hosted, era);
	struct scan_value root, value;
	bool is_true = true;
	if (!facts) return false;
	root = (struct scan_value){.text = facts->capabilities, .type = SCAN_OBJECT};
	if (!scan_path(&root, &value, outer, inner, NULL)) return false;
	return inner ? scan_boolean(&value, &is_true) && is_true : value.type == SCAN_OBJECT;
}
