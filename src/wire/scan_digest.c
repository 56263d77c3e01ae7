/* SPDX-License-Identifier: Apache-2.0 */
/* Scan digest: what makes two texts the same to a digest, and keys that make one text two. */
#include "base/ident.h"
#include "base/map.h"
#include "wire/scan_run.h"
#include "wire/scan.h"

void scan_compact(struct text *to, struct slice text) {
	const char *at = text.bytes;
	const char *end = at + text.length;
	const char *start = at; /* of what stays together */
	bool is_escaped;
	while (at < end) {
		if (*at == '"') {
			at = scan_run_string(at + 1, end, &is_escaped);
		} else if (scan_is(*at, SCAN_CLASS_BLANK)) {
			text_add(to, slice_make(start, (size_t)(at - start)));
			start = at = scan_run_blanks(at, end);
		} else {
			at++;
		}
	}
	if (end > start) text_add(to, slice_make(start, (size_t)(end - start)));
}

/* ---- Duplicates ---- */

/* A key that was seen: which object it stands in, and what it is. */
struct seen_key {
	struct slice key; /* bytes NULL: a free place */
	uint64_t hash;
	size_t object;
};

struct seen_keys {
	struct seen_key *places;
	size_t mask;
	uint64_t seed[2]; /* so that nobody can choose keys that meet */
	struct arena *arena;
};

/* The next key of a text, in order; brackets between keys move `path`. */
struct key_walk {
	const char *at;
	const char *end;
	size_t objects[SCAN_DEPTH + 1]; /* the containers around, by number; the outermost is 1 */
	size_t depth;
	size_t opened;
};

static void bracket_pass(struct key_walk *walk, char bracket) {
	if (bracket == '{' || bracket == '[') {
		if (walk->depth < SCAN_DEPTH) walk->depth++;
		walk->objects[walk->depth] = ++walk->opened;
	} else if (walk->depth) {
		walk->depth--;
	}
}

static bool key_next(struct key_walk *walk, struct scan_member *member) {
	while ((walk->at = scan_run_flat(walk->at, walk->end)) < walk->end) {
		if (*walk->at != '"') {
			bracket_pass(walk, *walk->at++);
			continue;
		}
		const char *start = walk->at + 1;
		walk->at = scan_run_string(start, walk->end, &member->key_escaped);
		const char *behind = scan_run_blanks(walk->at, walk->end);
		if (behind == walk->end || *behind != ':') continue;
		member->key = slice_make(start, (size_t)(walk->at - 1 - start));
		return true;
	}
	return false;
}

static size_t keys_count(struct slice text) {
	struct key_walk walk = {.at = text.bytes, .end = text.bytes + text.length};
	struct scan_member member;
	size_t count = 0;
	while (key_next(&walk, &member)) count++;
	return count;
}

static bool keys_open(struct seen_keys *keys, struct arena *arena, size_t count) {
	size_t capacity = 4;
	while (capacity / 2 < count) capacity *= 2;
	keys->arena = arena;
	keys->mask = capacity - 1;
	keys->places = arena_zero(arena, capacity * sizeof(*keys->places));
	if (!keys->places) return false;
	ident_random(keys->seed, sizeof(keys->seed));
	return true;
}

/* False: it was there. */
static bool keys_add(struct seen_keys *keys, size_t object, struct slice key) {
	uint64_t hash = map_hash(keys->seed, key) + object * 0x9e3779b97f4a7c15u;
	for (size_t at = (size_t)hash & keys->mask;; at = (at + 1) & keys->mask) {
		struct seen_key *place = &keys->places[at];
		if (!place->key.bytes) {
			*place = (struct seen_key){key, hash, object};
			return true;
		}
		bool is_near = place->hash == hash && place->object == object;
		if (is_near && slice_equal(place->key, key)) return false;
	}
}

bool scan_has_duplicates(struct slice text, struct arena *arena, bool *duplicates) {
	struct seen_keys keys;
	size_t count = keys_count(text);
	if (count && !keys_open(&keys, arena, count)) return false;

	struct key_walk walk = {.at = text.bytes, .end = text.bytes + text.length};
	struct scan_member member;
	bool is_twice = false;
	while (!is_twice && key_next(&walk, &member)) {
		struct slice key;
		if (!scan_key(&member, arena, &key)) return false;
		is_twice = !keys_add(&keys, walk.objects[walk.depth], key);
	}
	*duplicates = is_twice;
	return true;
}

bool scan_has_twins(const struct scan_value *object, size_t count, struct arena *arena,
	bool *twins) {
	struct seen_keys keys;
	struct scan_walk walk;
	struct scan_member member;
	bool is_twice = false;
	if (!keys_open(&keys, arena, count)) return false;

	for (scan_open(&walk, object); !is_twice && count && scan_next(&walk, &member); count--) {
		struct slice key;
		if (!scan_key(&member, arena, &key)) return false;
		is_twice = !keys_add(&keys, 0, key);
	}
	*twins = is_twice;
	return true;
}
