/* SPDX-License-Identifier: Apache-2.0 */
/* Search record: the fields of a definition in the order in which they count, then one weight for each word. */
#include "search/search_record.h"

#include "wire/scan.h"

#define TIMES 3        /* a field counts a word so often at most */
#define DEPTH 6        /* objects inside the schema's properties */
#define SMALL_TEXT 400 /* octets of a parameter's description */
#define CHOICES 32     /* values of an enumeration */
#define MEMORY ((size_t)256 * 1024)

/* How much a field says, how much its length takes away, and the length that takes nothing. */
static const struct field {
	double weight, share, length;
} fields[SEARCH_FIELDS] = {
	[SEARCH_NAME] = {2.5, 0.65, 2.5},
	[SEARCH_KEYWORDS] = {1.0, 0.4, 4},
	[SEARCH_HEAD] = {1.9, 0.5, 10},
	[SEARCH_REST] = {0.6, 0.3, 40},
	[SEARCH_PARAMETER] = {0.6, 0.4, 6},
	[SEARCH_PARAMETER_TEXT] = {0.3, 0.3, 30},
};

#define SATURATION 1.2

/* Of a word that a field has once, twice, or as often as it counts. */
static const double times_weight[TIMES + 1] = {0, 1, 1.5, 1.9};

struct reading {
	struct search_record *record;
	const struct search_words *words;
	enum search_field field;
	struct arena arena;
	size_t parameters;
};

/* ---- Words ---- */

static uint32_t hash_of(struct slice text) {
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < text.length; i++) hash = (hash ^ (unsigned char)text.bytes[i]) * 16777619u;
	return hash ^ hash >> 15;
}

/* The word's record, a new one where there is room; NULL: there is none. */
static struct search_record_word *word_of(struct search_record *record, struct slice text) {
	size_t mask = COUNT_OF(record->places) - 1, at = hash_of(text) & mask;
	for (; record->places[at]; at = (at + 1) & mask) {
		struct search_record_word *word = &record->words[record->places[at] - 1];
		if (slice_equal(text, slice_make(word->text, word->length))) return word;
	}
	if (record->count == SEARCH_RECORD_WORDS) return NULL;
	struct search_record_word *word = &record->words[record->count++];
	record->places[at] = (uint16_t)record->count;
	memcpy(word->text, text.bytes, text.length);
	word->length = (uint8_t)text.length;
	return word;
}

static bool word_seen(void *context, const struct search_word *word) {
	struct reading *reading = context;
	if (search_words_is_empty(reading->words, word->plain, false)) return true;
	if (!word->is_whole && reading->record->lengths[reading->field] < UINT32_MAX)
		reading->record->lengths[reading->field]++;
	struct search_record_word *kept = word_of(reading->record, word->stem);
	if (kept && kept->times[reading->field] < TIMES) kept->times[reading->field]++;
	return true;
}

static void read_text(struct reading *reading, enum search_field field, struct slice text, size_t octets) {
	reading->field = field;
	(void)search_text_each(text, octets, word_seen, reading);
}

static void read_value(struct reading *reading, enum search_field field, const struct scan_value *value, size_t octets) {
	struct slice text;
	if (value->type == SCAN_STRING && value->text.length < MEMORY / 2 && scan_string(value, &reading->arena, &text))
		read_text(reading, field, text, octets);
	arena_reset(&reading->arena);
}

/* Where the beginning ends: behind a blank, where there is one. */
static size_t head_of(struct slice text) {
	if (text.length <= SEARCH_RECORD_HEAD) return text.length;
	for (size_t at = SEARCH_RECORD_HEAD; at > SEARCH_RECORD_HEAD / 2; at--)
		if (text.bytes[at - 1] == ' ' || text.bytes[at - 1] == '\n') return at;
	return slice_cut(text, SEARCH_RECORD_HEAD);
}

static void read_description(struct reading *reading, struct slice text) {
	size_t head = head_of(text);
	read_text(reading, SEARCH_HEAD, text, head);
	if (text.length > head)
		read_text(reading, SEARCH_REST, slice_make(text.bytes + head, text.length - head), SEARCH_RECORD_TEXT - head);
}

static void weigh(struct search_record *record) {
	for (size_t i = 0; i < record->count; i++) {
		struct search_record_word *word = &record->words[i];
		double sum = 0;
		for (unsigned f = 0; f < SEARCH_FIELDS; f++) {
			if (!word->times[f]) continue;
			double length = 1 - fields[f].share + fields[f].share * record->lengths[f] / fields[f].length;
			sum += fields[f].weight * times_weight[word->times[f]] / length;
		}
		double weight = 255 * sum / (sum + SATURATION);
		word->weight = (uint8_t)(weight < 1 ? 1 : weight);
	}
}

/* ---- The schema ---- */

static void read_choices(struct reading *reading, const struct scan_value *list) {
	struct scan_walk walk;
	struct scan_member member;
	size_t count = 0;
	if (list->type != SCAN_ARRAY) return;
	for (scan_open(&walk, list); count < CHOICES && scan_next(&walk, &member); count++)
		read_value(reading, SEARCH_PARAMETER_TEXT, &member.value, SEARCH_WORD * 2);
}

/* Objects that still wait; a list of our own instead of recursion. */
struct waiting {
	struct scan_value list[DEPTH * 4];
	size_t count;
};

static void wait_for(struct waiting *waiting, const struct scan_value *schema) {
	struct scan_value properties, items;
	if (scan_find(schema, "items", &items) && scan_find(&items, "properties", &properties))
		;
	else if (!scan_find(schema, "properties", &properties))
		return;
	if (properties.type == SCAN_OBJECT && waiting->count < COUNT_OF(waiting->list))
		waiting->list[waiting->count++] = properties;
}

static void read_parameter(struct reading *reading, const struct scan_member *member, struct waiting *waiting) {
	struct scan_value found;
	struct slice key;
	if (scan_key(member, &reading->arena, &key)) read_text(reading, SEARCH_PARAMETER, key, SEARCH_WORD * 4);
	arena_reset(&reading->arena);
	if (member->value.type != SCAN_OBJECT) return;
	if (scan_find(&member->value, "description", &found)) read_value(reading, SEARCH_PARAMETER_TEXT, &found, SMALL_TEXT);
	if (scan_find(&member->value, "enum", &found)) read_choices(reading, &found);
	wait_for(waiting, &member->value);
}

static void read_schema(struct reading *reading, const struct scan_value *schema) {
	struct waiting waiting = {0};
	struct scan_walk walk;
	struct scan_member member;
	wait_for(&waiting, schema);
	for (size_t at = 0; at < waiting.count; at++)
		for (scan_open(&walk, &waiting.list[at]);
			reading->parameters < SEARCH_RECORD_PARAMETERS && scan_next(&walk, &member); reading->parameters++)
			read_parameter(reading, &member, &waiting);
}

/* ---- Categories, keywords, deed ---- */

static void add_category(struct search_record *record, struct slice path) {
	path = slice_trim(path);
	while (path.length > 0 && path.bytes[path.length - 1] == '/') path.length--;
	if (path.length == 0 || record->category_count == SEARCH_RECORD_CATEGORIES) return;
	char *to = record->categories[record->category_count++];
	size_t length = slice_cut(path, SEARCH_RECORD_CATEGORY);
	for (size_t i = 0; i < length; i++) {
		char octet = path.bytes[i];
		to[i] = octet >= 'A' && octet <= 'Z' ? (char)(octet + 32) : octet ? octet
										  : ' ';
	}
	to[length] = '\0';
}

static void read_list(struct reading *reading, const struct scan_value *list, bool is_category) {
	struct scan_walk walk;
	struct scan_member member;
	struct slice text;
	size_t count = 0;
	if (list->type != SCAN_ARRAY) return;
	for (scan_open(&walk, list); count < CHOICES && scan_next(&walk, &member); count++) {
		if (member.value.type == SCAN_STRING && member.value.text.length < MEMORY / 2 &&
			scan_string(&member.value, &reading->arena, &text)) {
			read_text(reading, SEARCH_KEYWORDS, text, SEARCH_WORD * 4);
			if (is_category) add_category(reading->record, text);
		}
		arena_reset(&reading->arena);
	}
}

/* Its own, else those under _meta["dev.hustings/mgp"]. */
static void read_named(struct reading *reading, const struct scan_value *definition, const char *name, bool is_category) {
	struct scan_value list;
	if (scan_find(definition, name, &list) || scan_path(definition, &list, "_meta", "dev.hustings/mgp", name, NULL))
		read_list(reading, &list, is_category);
}

struct first_verb {
	const struct search_words *words;
	enum search_deed deed;
	size_t words_seen, most;
};

static bool verb_seen(void *context, const struct search_word *word) {
	struct first_verb *verb = context;
	if (word->is_whole) return true;
	verb->deed = search_words_deed(verb->words, word->stem);
	return verb->deed == SEARCH_ANY && ++verb->words_seen < verb->most;
}

static enum search_deed first_deed(const struct search_words *words, struct slice text, size_t most) {
	struct first_verb verb = {.words = words, .most = most};
	(void)search_text_each(text, SEARCH_RECORD_HEAD, verb_seen, &verb);
	return verb.deed;
}

/* What its name says; else the beginning of its description; else its annotations. */
static void read_deed(struct reading *reading, struct slice name, const struct scan_value *definition) {
	struct scan_value found;
	struct slice text;
	bool is_set = false;
	enum search_deed deed = first_deed(reading->words, name, 4);
	if (deed == SEARCH_ANY && scan_find(definition, "description", &found) && found.type == SCAN_STRING &&
		found.text.length < MEMORY / 2 && scan_string(&found, &reading->arena, &text))
		deed = first_deed(reading->words, text, 2);
	arena_reset(&reading->arena);
	if (deed == SEARCH_ANY && scan_path(definition, &found, "annotations", "readOnlyHint", NULL) &&
		scan_boolean(&found, &is_set) && is_set)
		deed = SEARCH_READ;
	reading->record->deed = deed;
}

/* A tool that names no category is found under its server and what it does. */
static void derive_category(struct search_record *record, struct slice server) {
	char path[SEARCH_RECORD_CATEGORY + 1];
	size_t length = slice_cut(server, SEARCH_RECORD_CATEGORY - 8);
	memcpy(path, server.bytes, length);
	for (size_t i = 0; i < length; i++)
		if (path[i] == '/') path[i] = ' ';
	struct text to = {0};
	text_init(&to, SEARCH_RECORD_CATEGORY);
	text_add(&to, slice_make(path, length));
	if (record->deed != SEARCH_ANY) text_printf(&to, "/%s", search_words_deed_word(record->deed));
	if (!text_failed(&to)) add_category(record, text_slice(&to));
	text_finish(&to);
}

/* ---- ---- */

static void begin(struct search_record *record) {
	memset(record, 0, sizeof *record);
}

static void read_definition(struct reading *reading, const struct scan_value *definition) {
	struct scan_value found;
	if (scan_find(definition, "title", &found) || scan_path(definition, &found, "annotations", "title", NULL))
		read_value(reading, SEARCH_KEYWORDS, &found, SEARCH_RECORD_HEAD);
	if (scan_find(definition, "description", &found) && found.type == SCAN_STRING &&
		found.text.length < MEMORY / 2) {
		struct slice text;
		if (scan_string(&found, &reading->arena, &text)) read_description(reading, text);
		arena_reset(&reading->arena);
	}
	read_named(reading, definition, "categories", true);
	read_named(reading, definition, "keywords", false);
	if (scan_find(definition, "inputSchema", &found)) read_schema(reading, &found);
}

bool search_record_tool(struct search_record *record, const struct search_words *words, struct slice server,
	struct slice name, struct slice definition, struct fault *why) {
	struct reading reading = {.record = record, .words = words};
	struct scan_value root;
	struct scan_fault fault;
	begin(record);
	if (!scan_check(definition, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT)
		return fault_set(why, FAULT_BAD_INPUT, "the definition of tool %.*s is no JSON object", SLICE_ARGS(name));
	arena_init(&reading.arena, NULL, 0, 4 * MEMORY);
	read_text(&reading, SEARCH_NAME, name, 4 * SEARCH_WORD);
	read_definition(&reading, &root);
	read_deed(&reading, name, &root);
	arena_finish(&reading.arena);
	if (record->category_count == 0) derive_category(record, server);
	weigh(record);
	return true;
}

void search_record_server(struct search_record *record, const struct search_words *words, struct slice server,
	struct slice title, struct slice text) {
	struct reading reading = {.record = record, .words = words};
	begin(record);
	read_text(&reading, SEARCH_NAME, server, 4 * SEARCH_WORD);
	read_text(&reading, SEARCH_KEYWORDS, title, 4 * SEARCH_WORD);
	read_description(&reading, text);
	weigh(record);
}
