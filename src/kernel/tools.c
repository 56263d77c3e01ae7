/* SPDX-License-Identifier: Apache-2.0 */
/* Tools: a table beside the list it was made from; what has not changed is taken over from the one before. */
#include "kernel/tools.h"

#include "kernel/definition_diff.h"
#include "hosted/hosted_parts.h"
#include "kernel/governed.h"
#include "kernel/pins.h"

#include <stdio.h>
#include <stdlib.h>

#define QUARANTINE_MS ((int64_t)30 * 24 * 60 * 60 * 1000) /* a question about a definition is open so long */

struct tool_entry {
	struct tool tool;
	struct tools *tools;
	struct slice pinnable; /* the definition without white space; behind the struct */
	struct tool_security *security;
	struct schema *schema;
	char reason[240];
	struct decision_asker asker;
	bool is_taken; /* by the next table, while that is made */
};

struct tools {
	struct governed *governed;
	enum hosted_era era;
	struct pins *pins;
	struct hosted_items *items; /* that the table was made from; NULL: none */
	struct map by_name;
	struct tool_entry **entries;
	size_t count;
	struct tool_entry *last; /* that was found, of entries: each gate of a call asks for the same; NULL: none */
};

/* ---- One tool ---- */

static void entry_free(struct tool_entry *entry) {
	if (!entry) return;
	inbox_leave(entry->tools->governed->means->inbox, &entry->asker);
	tool_security_free(entry->security);
	schema_free(entry->schema);
	free(entry);
}

static bool is_reserved(struct slice name) {
	return slice_starts_with(name, "mgp.") || slice_is(name, "system") || slice_starts_with(name, "system.") ||
		slice_starts_with(name, "system:");
}

static bool is_name(struct slice name) { return name.length && name.length <= TOOLS_NAME && !is_reserved(name); }

static void disable(struct tool_entry *entry, const char *what, const char *words) {
	snprintf(entry->reason, sizeof entry->reason, "%s%.160s", what, words);
	entry->reason[slice_cut(slice_of(entry->reason), sizeof entry->reason - 1)] = '\0';
	entry->tool.disabled = entry->reason;
}

/* False: what it is cannot be held against arguments, since it is too large. A schema that is none holds
 * nobody back: the server reads its own. */
static bool read_schema(struct tool_entry *entry, struct fault *why) {
	const struct scan_value object = {.text = entry->pinnable, .type = SCAN_OBJECT};
	struct scan_value value;
	entry->schema = NULL;
	if (!scan_find(&object, "inputSchema", &value)) return true;
	entry->schema = schema_read(value.text, why);
	return entry->schema || why->code == FAULT_BAD_INPUT;
}

static void log_notes(const struct tool_entry *entry) {
	const struct governed *governed = entry->tools->governed;
	size_t count = entry->schema ? schema_note_count(entry->schema) : 0;
	if (!count) return;
	const struct schema_note *first = schema_note_at(entry->schema, 0);
	log_write(governed->means->log, LOG_DEBUG, "server %.*s: the schema of %.*s holds what does not count, %zu times: at %s, %s",
		SLICE_ARGS(hosted_id(governed->hosted)), SLICE_ARGS(entry->tool.name), count, first->where, first->what);
}

/* What a definition means. */
static void read_meaning(struct tool_entry *entry) {
	const struct governed *governed = entry->tools->governed;
	const struct tool_rules rules = {
		.is_negotiated = (governed->agreed[entry->tools->era].extensions & MGP_SECURITY) != 0,
		.is_sandboxed = governed->policy.trust == MGP_SANDBOXED,
		.validators = governed->policy.validators,
	};
	struct fault why, schema_why;
	tool_security_free(entry->security);
	schema_free(entry->schema);
	entry->security = tool_security_read(entry->pinnable, &rules, &why);
	bool has_schema = read_schema(entry, &schema_why);
	log_notes(entry);
	entry->tool.security = entry->security;
	entry->tool.schema = entry->schema;
	entry->tool.disabled = NULL;
	if (!entry->security) disable(entry, "its definition cannot be used: ", why.text);
	else if (!has_schema) disable(entry, "its inputSchema cannot be used: ", schema_why.text);
}

static struct tool_entry *entry_make(struct tools *tools, const struct hosted_item *item) {
	AUTO_TEXT struct text compact = {0};
	text_init(&compact, 0);
	scan_compact(&compact, item->definition);
	struct tool_entry *entry = text_failed(&compact) ? NULL : calloc(1, sizeof *entry + compact.length);
	if (!entry) return NULL;
	memcpy(entry + 1, compact.bytes, compact.length);
	entry->pinnable = slice_make(entry + 1, compact.length);
	entry->tools = tools;
	entry->tool.name = item->key;
	entry->tool.definition = item->definition;
	read_meaning(entry);
	return entry;
}

/* ---- Quarantine ---- */

static void ask_about(struct tool_entry *entry);
static struct slice pinned_for(const struct tool_entry *entry);

static void audit_quarantine(const struct tool_entry *entry, struct slice result, struct slice by,
	struct slice details) {
	const struct governed *governed = entry->tools->governed;
	const struct audit_record record = {
		.event = SLICE("dev.hustings.tool_quarantined"),
		.actor = by,
		.actor_type = by.length ? SLICE_NONE : SLICE("system"),
		.server_id = hosted_id(governed->hosted),
		.tool_name = entry->tool.name,
		.result = result,
		.details = details,
	};
	kernel_audit(governed->means, &record);
}

/* The next one that could not be asked about before. */
static void ask_next(struct tools *tools) {
	for (size_t i = 0; i < tools->count; i++)
		if (tools->entries[i]->tool.is_quarantined && !tools->entries[i]->asker.decision) {
			ask_about(tools->entries[i]);
			return;
		}
}

static void release(struct tool_entry *entry, struct slice by) {
	struct tools *tools = entry->tools;
	struct fault why;
	if (!pins_put(tools->pins, entry->tool.name, entry->pinnable, by, &why)) {
		log_write(tools->governed->means->log, LOG_ERROR, "the definition of %.*s was approved, and cannot be kept: %s",
			SLICE_ARGS(entry->tool.name), why.text);
		return;
	}
	entry->tool.is_quarantined = false;
	read_meaning(entry);
	audit_quarantine(entry, SLICE("RELEASED"), by, SLICE_NONE);
	hosted_tell_changed(tools->governed->hosted, HOSTED_TOOLS);
}

static void decided(struct decision_asker *asker, const struct decision *decision) {
	struct tool_entry *entry = CONTAINER_OF(asker, struct tool_entry, asker);
	struct tools *tools = entry->tools;
	if (decision_is_yes(decision)) release(entry, decision->decided_by);
	else snprintf(entry->reason, sizeof entry->reason, "the definition of this tool has changed, which was %s", decision_state_text(decision->state));
	ask_next(tools);
}

/* A diff that is cut is the same for many definitions; a yes is for one. */
static void write_question(const struct tool_entry *entry, struct slice pinned, struct text *to) {
	uint8_t hash[SECRET_HASH_SIZE];
	char hex[2 * SECRET_HASH_SIZE + 1];
	if (!secret_hash(entry->pinnable, hash)) {
		to->failed = true;
		return;
	}
	secret_hex(hash, sizeof hash, hex);
	text_add_cstr(to, "{\"diff\":");
	definition_diff_write(to, pinned, entry->pinnable);
	text_printf(to, ",\"sha256\":\"%s\"}", hex);
}

static void ask_about(struct tool_entry *entry) {
	struct tools *tools = entry->tools;
	const struct governed *governed = tools->governed;
	AUTO_TEXT struct text question = {0}, message = {0}, requester = {0};
	struct fault why;
	text_init(&question, 0);
	text_init(&message, 0);
	text_init(&requester, 0);
	write_question(entry, pinned_for(entry), &question);
	text_printf(&requester, "server:%.*s", SLICE_ARGS(hosted_id(governed->hosted)));
	text_printf(&message, "The definition of tool %.*s of server %.*s has changed", SLICE_ARGS(entry->tool.name),
		SLICE_ARGS(hosted_id(governed->hosted)));
	const struct decision_wish wish = {
		.kind = DECISION_QUARANTINE,
		.requester = text_slice(&requester),
		.server = hosted_id(governed->hosted),
		.tool = entry->tool.name,
		.message = text_slice(&message),
		.arguments = text_slice(&question),
		.ttl_ms = QUARANTINE_MS,
	};
	entry->asker.decided = decided;
	if (text_failed(&question) || text_failed(&message) || text_failed(&requester)) return;
	if (!inbox_ask(governed->means->inbox, &wish, &entry->asker, &why))
		log_write(governed->means->log, LOG_WARNING, "server %.*s: nobody is asked about its tool %.*s yet: %s",
			SLICE_ARGS(hosted_id(governed->hosted)), SLICE_ARGS(entry->tool.name), why.text);
}

static void quarantine(struct tool_entry *entry, struct slice pinned) {
	AUTO_TEXT struct text details = {0};
	text_init(&details, 0);
	write_question(entry, pinned, &details);
	entry->tool.is_quarantined = true;
	disable(entry, "the definition of this tool has changed, and nobody has approved of that yet", "");
	audit_quarantine(entry, AUDIT_BLOCKED, SLICE_NONE, text_failed(&details) ? SLICE_NONE : text_slice(&details));
	ask_about(entry);
}

static bool same_member(struct slice one, struct slice other, const char *name) {
	const struct scan_value a = {.text = one, .type = SCAN_OBJECT}, b = {.text = other, .type = SCAN_OBJECT};
	struct scan_value in_a = {.type = SCAN_NONE}, in_b = {.type = SCAN_NONE};
	bool is_in_a = scan_find(&a, name, &in_a), is_in_b = scan_find(&b, name, &in_b);
	return is_in_a == is_in_b && (!is_in_a || slice_equal(in_a.text, in_b.text));
}

/* A server that speaks another era of MCP than before is no stranger: what its tools say and take must be what
 * was pinned in that one. Bytes NULL: there is nothing to differ from. */
static struct slice pinned_otherwise(const struct tool_entry *entry) {
	static const char *const members[] = {"description", "inputSchema"};
	const struct tools *tools = entry->tools;
	const struct tools *other = tools->governed->tools[tools->era == HOSTED_LEGACY ? HOSTED_MODERN : HOSTED_LEGACY];
	struct slice pinned = other ? pins_find(other->pins, entry->tool.name) : SLICE_NONE;
	for (size_t i = 0; pinned.bytes && i < COUNT_OF(members); i++)
		if (!same_member(pinned, entry->pinnable, members[i])) return pinned;
	return SLICE_NONE;
}

/* What its definition is held against; bytes NULL: it is the first one. */
static struct slice pinned_for(const struct tool_entry *entry) {
	struct slice pinned = pins_find(entry->tools->pins, entry->tool.name);
	return pinned.bytes ? pinned : pinned_otherwise(entry);
}

/* The first definition counts, and every other is a question. */
static void check_pin(struct tool_entry *entry) {
	struct tools *tools = entry->tools;
	struct slice pinned = pinned_for(entry);
	struct fault why;
	if (pinned.bytes && slice_equal(pinned, entry->pinnable)) return;
	if (pinned.bytes) quarantine(entry, pinned);
	else if (!pins_put(tools->pins, entry->tool.name, entry->pinnable, SLICE_NONE, &why)) {
		disable(entry, "its definition cannot be kept: ", why.text);
		entry->tool.is_quarantined = true;
	}
}

/* ---- The table ---- */

static void tools_clear(struct tools *tools) {
	for (size_t i = 0; i < tools->count; i++) {
		map_remove(&tools->by_name, tools->entries[i]->tool.name);
		entry_free(tools->entries[i]);
	}
	free(TAKE(tools->entries));
	tools->count = 0;
	tools->last = NULL;
	hosted_items_drop(TAKE(tools->items));
}

struct tools *tools_open(struct governed *governed, enum hosted_era era, struct fault *why) {
	struct tools *tools = calloc(1, sizeof *tools);
	if (!tools) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	tools->governed = governed;
	tools->era = era;
	map_init(&tools->by_name);
	tools->pins = pins_open(governed->means->state, hosted_id(governed->hosted), era, why);
	if (tools->pins) return tools;
	tools_close(tools);
	return NULL;
}

void tools_close(struct tools *tools) {
	if (!tools) return;
	tools_clear(tools);
	map_finish(&tools->by_name);
	pins_close(tools->pins);
	free(tools);
}

/* The entry of the table before, if its definition is the same; it is taken out of it. */
static struct tool_entry *take_over(struct tools *before, const struct hosted_item *item) {
	struct tool_entry *entry = map_find(&before->by_name, item->key);
	AUTO_TEXT struct text compact = {0};
	text_init(&compact, 0);
	if (!entry) return NULL;
	scan_compact(&compact, item->definition);
	if (text_failed(&compact) || !slice_equal(text_slice(&compact), entry->pinnable)) return NULL;
	map_remove(&before->by_name, entry->tool.name);
	entry->is_taken = true;
	entry->tool.name = item->key;
	entry->tool.definition = item->definition;
	return entry;
}

static bool add(struct tools *tools, struct tools *before, const struct hosted_item *item) {
	if (!is_name(item->key)) {
		char words[160];
		text_display_in(words, sizeof words, item->key);
		log_write(tools->governed->means->log, LOG_WARNING, "server %.*s: its tool %s is left out: the name is reserved or longer than %d octets",
			SLICE_ARGS(hosted_id(tools->governed->hosted)), words, TOOLS_NAME);
		return true;
	}
	struct tool_entry *entry = take_over(before, item);
	bool is_new = entry == NULL;
	if (!entry) entry = entry_make(tools, item);
	if (!entry) return false;
	entry->tools = tools;
	if (!map_add(&tools->by_name, entry->tool.name, entry, NULL)) {
		entry_free(entry);
		return false;
	}
	tools->entries[tools->count++] = entry;
	if (is_new) check_pin(entry);
	return true;
}

/* Made anew from that list. Without memory it is not known, nothing can be called, and the next look tries
 * again. */
static void rebuild(struct tools *tools, struct hosted_items *items) {
	struct tools before = *tools;
	size_t count = hosted_items_count(items);
	map_init(&tools->by_name);
	tools->entries = calloc(count ? count : 1, sizeof *tools->entries);
	tools->count = 0;
	tools->last = NULL;
	tools->items = hosted_items_keep(items);
	bool is_whole = tools->entries != NULL;
	for (size_t i = 0; is_whole && i < count; i++) is_whole = add(tools, &before, hosted_items_at(items, i));
	for (size_t i = 0; i < before.count; i++) {
		if (TAKE(before.entries[i]->is_taken)) continue;
		inbox_withdraw(before.governed->means->inbox, &before.entries[i]->asker);
		map_remove(&before.by_name, before.entries[i]->tool.name);
		entry_free(before.entries[i]);
	}
	free(before.entries);
	map_finish(&before.by_name);
	hosted_items_drop(before.items);
	if (!is_whole) hosted_items_drop(TAKE(tools->items));
}

static void refresh(struct tools *tools) {
	struct hosted_items *items = hosted_items_known(tools->governed->hosted, tools->era, HOSTED_TOOLS);
	if (items && items != tools->items) rebuild(tools, items);
}

const struct tool *tools_find(struct tools *tools, struct slice name, bool *is_known) {
	refresh(tools);
	if (is_known) *is_known = tools->items != NULL;
	if (!tools->last || !slice_equal(tools->last->tool.name, name)) tools->last = map_find(&tools->by_name, name);
	return tools->last ? &tools->last->tool : NULL;
}

const struct tool *tools_at(struct tools *tools, size_t at) {
	if (at == 0) refresh(tools);
	return at < tools->count ? &tools->entries[at]->tool : NULL;
}

/* ---- As clients are shown it ---- */

static const char *comma(const struct text *to) { return to->bytes[to->length - 1] == '{' ? "" : ","; }

void tools_write(struct text *to, const struct tool *tool, struct slice name, bool has_security) {
	const struct scan_value definition = {.text = tool->definition, .type = SCAN_OBJECT};
	struct scan_walk walk;
	struct scan_member member;
	text_add_char(to, '{');
	for (scan_open(&walk, &definition); scan_next(&walk, &member);) {
		if (text_failed(to) || scan_key_is(&member, "security")) continue;
		text_printf(to, "%s\"%.*s\":", comma(to), SLICE_ARGS(member.key));
		if (name.length && scan_key_is(&member, "name")) text_json(to, name);
		else text_add(to, member.value.text);
	}
	if (has_security && !text_failed(to)) {
		text_printf(to, "%s\"security\":", comma(to));
		if (tool->security) tool_security_write(to, tool->security);
		else text_add_cstr(to, "{\"risk_level\":\"dangerous\"}"); /* it is disabled: nobody knows */
	}
	text_add_char(to, '}');
}
