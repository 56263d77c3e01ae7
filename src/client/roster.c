/* SPDX-License-Identifier: Apache-2.0 */
/* Roster: a list in order, a map by id. */
#include "client/roster.h"

#include <stdlib.h>

static const char *const kinds[ROSTER_KINDS] = {
	[ROSTER_UNSAID] = "",
	[ROSTER_HUMAN] = "human",
	[ROSTER_AGENT] = "agent",
	[ROSTER_ROBOT] = "robot",
};

const char *roster_kind_word(enum roster_kind kind) { return kinds[kind]; }

static void entry_free(struct roster_entry *entry) {
	free(entry->id);
	free(entry->name);
	free(entry->mcp_version);
	free(entry->privilege);
	free(entry);
}
AUTO_RELEASE(roster_entry, entry_free)

void roster_init(struct roster *roster, const struct roster_events *events, void *context) {
	*roster = (struct roster){.events = events, .context = context};
	list_init(&roster->entries);
	map_init(&roster->by_id);
}

void roster_finish(struct roster *roster) {
	LIST_EACH_SAFE(link, &roster->entries) {
		list_remove(link);
		entry_free(CONTAINER_OF(link, struct roster_entry, link));
	}
	map_finish(&roster->by_id);
}

/* ---- Reading one participant record (MCPx v0 4.2) ---- */

static char *read_words(const struct scan_value *object, struct arena *arena, const char *name,
	const char *inner) {
	struct scan_value value;
	struct slice words = SLICE_NONE;
	bool found = inner ? scan_path(object, &value, name, inner, NULL) : scan_find(object, name, &value);
	if (!found || !scan_string(&value, arena, &words) || memchr(words.bytes, 0, words.length))
		words = SLICE("");
	return slice_copy(words);
}

static enum roster_kind read_kind(const struct scan_value *object, struct arena *arena) {
	AUTO_FREE char *word = read_words(object, arena, "kind", NULL);
	for (unsigned i = 1; word && i < ROSTER_KINDS; i++)
		if (strcmp(word, kinds[i]) == 0) return (enum roster_kind)i;
	return ROSTER_UNSAID;
}

static struct roster_entry *read_entry(const struct scan_value *object, struct arena *arena) {
	AUTO(roster_entry) entry = calloc(1, sizeof *entry);
	if (!entry) return NULL;
	list_init(&entry->link);
	entry->id = read_words(object, arena, "id", NULL);
	entry->name = read_words(object, arena, "name", NULL);
	entry->mcp_version = read_words(object, arena, "mcp", "version");
	entry->privilege = read_words(object, arena, "privilege", NULL);
	entry->kind = read_kind(object, arena);
	bool is_whole = entry->id && entry->id[0] && entry->name && entry->mcp_version && entry->privilege;
	return is_whole ? TAKE(entry) : NULL;
}

/* ---- Coming and going ---- */

static void update(struct roster_entry *known, struct roster_entry *news) {
	struct roster_entry old = *known;
	known->name = news->name;
	known->mcp_version = news->mcp_version;
	known->privilege = news->privilege;
	known->kind = news->kind;
	news->name = old.name;
	news->mcp_version = old.mcp_version;
	news->privilege = old.privilege;
}

/* Whom there is no memory for is not seen: one that says so is better than one that dies. */
static void add(struct roster *roster, const struct scan_value *object, struct slice self) {
	char lent[512];
	struct arena arena;
	arena_init(&arena, lent, sizeof lent, 0);
	AUTO(roster_entry) entry = read_entry(object, &arena);
	arena_finish(&arena);
	if (!entry || slice_is(self, entry->id)) return;
	struct roster_entry *known = map_find(&roster->by_id, slice_of(entry->id));
	if (known) {
		update(known, entry);
		known->round = roster->round;
		return;
	}
	if (roster->by_id.count >= ROSTER_ENTRIES ||
		!map_add(&roster->by_id, slice_of(entry->id), entry, NULL))
		return;
	entry->round = roster->round;
	list_append(&roster->entries, &entry->link);
	const struct roster_entry *added = TAKE(entry);
	roster->events->joined(roster->context, added);
}

static void drop(struct roster *roster, struct roster_entry *entry) {
	(void)map_remove(&roster->by_id, slice_of(entry->id));
	list_remove(&entry->link);
	roster->events->left(roster->context, entry);
	entry_free(entry);
}

void roster_add_all(struct roster *roster, const struct scan_value *participants, struct slice self) {
	struct scan_walk walk;
	struct scan_member member;
	if (participants->type != SCAN_ARRAY) return;
	for (scan_open(&walk, participants); scan_next(&walk, &member);)
		add(roster, &member.value, self);
}

void roster_welcome(struct roster *roster, const struct scan_value *payload) {
	struct scan_value list, total;
	int64_t number;
	roster->round++;
	if (scan_find(payload, "participants", &list)) roster_add_all(roster, &list, SLICE_NONE);
	roster->is_partial = scan_find(payload, "participants_total", &total) &&
		scan_integer(&total, &number) && (size_t)number > scan_count(&list);
	if (roster->is_partial) return; /* who is not listed may be among the rest */
	LIST_EACH_SAFE(link, &roster->entries) {
		struct roster_entry *entry = CONTAINER_OF(link, struct roster_entry, link);
		if (entry->round != roster->round) drop(roster, entry);
	}
}

void roster_presence(struct roster *roster, const struct scan_value *payload, struct slice self) {
	struct scan_value event, participant;
	if (!scan_find(payload, "event", &event) || !scan_find(payload, "participant", &participant))
		return;
	if (slice_is(event.text, "\"leave\"")) {
		char lent[512];
		struct arena arena;
		arena_init(&arena, lent, sizeof lent, 0);
		AUTO_FREE char *id = read_words(&participant, &arena, "id", NULL);
		arena_finish(&arena);
		struct roster_entry *entry = id ? map_find(&roster->by_id, slice_of(id)) : NULL;
		if (entry) drop(roster, entry);
	} else
		add(roster, &participant, self); /* a join, or a heartbeat of one we have not seen join */
}

/* ---- Questions ---- */

const struct roster_entry *roster_find(const struct roster *roster, struct slice id) {
	return map_find(&roster->by_id, id);
}

size_t roster_count(const struct roster *roster) { return roster->by_id.count; }

static void write_words(struct text *to, const char *name, const char *words) {
	if (!words[0]) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, slice_of(words));
}

void roster_write(const struct roster *roster, struct text *to) {
	text_add_cstr(to, "{\"participants\":[");
	LIST_EACH(link, &roster->entries) {
		const struct roster_entry *entry = CONTAINER_OF(link, struct roster_entry, link);
		if (link != roster->entries.next) text_add_char(to, ',');
		text_add_cstr(to, "{\"id\":");
		text_json(to, slice_of(entry->id));
		write_words(to, "name", entry->name);
		write_words(to, "kind", kinds[entry->kind]);
		if (entry->mcp_version[0]) {
			text_add_cstr(to, ",\"mcp\":{\"version\":");
			text_json(to, slice_of(entry->mcp_version));
			text_add_char(to, '}');
		}
		write_words(to, "privilege", entry->privilege);
		text_add_char(to, '}');
	}
	text_add_cstr(to, "]}");
}
