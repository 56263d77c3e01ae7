/* SPDX-License-Identifier: Apache-2.0 */
/* Validator walk: a stack of containers. */
#include "validate/validator_walk.h"

#include "base/text.h"

#include <stdio.h>

/* Escapes of ASCII letters are read: "\u0063md" is "cmd". */
static const char *letter_of(const char *at, const char *end, char *letter) {
	*letter = *at;
	if (*at != '\\' || end - at < 2) return at + 1;
	if (at[1] != 'u' || end - at < 6) {
		*letter = '_';
		return at + 2;
	}
	unsigned unit = 0;
	for (int i = 2; i < 6; i++)
		unit = unit << 4 |
			((unsigned)(at[i] <= '9' ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10) & 15);
	*letter = unit < 0x80 ? (char)unit : '_';
	return at + 6;
}

void validator_walk_name(const struct scan_member *member, char name[VALIDATOR_WALK_NAME]) {
	const char *at = member->key.bytes, *end = at + member->key.length;
	size_t length = 0;
	while (at < end && length < VALIDATOR_WALK_NAME - 1) {
		char letter;
		at = letter_of(at, end, &letter);
		if (letter >= 'A' && letter <= 'Z') letter = (char)(letter | 0x20);
		if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'))
			name[length++] = letter;
	}
	name[length] = '\0';
}

bool validator_walk_is(const char *name, const char *const *words) {
	for (; *words; words++)
		if (strcmp(name, *words) == 0) return true;
	return false;
}

void validator_walk_open(struct validator_walk *walk, struct slice arguments) {
	walk->depth = 0;
	walk->is_deep = false;
	walk->key = SLICE_NONE;
	walk->names[0][0] = '\0';
	if (!arguments.length) return;
	struct scan_value root = {
		.text = arguments, .type = arguments.bytes[0] == '[' ? SCAN_ARRAY : SCAN_OBJECT};
	scan_open(&walk->open[0], &root);
	walk->keys[0] = SLICE_NONE;
	walk->depth = 1;
}

/* The next one is inside the container that was just handed out. */
static void walk_enter(struct validator_walk *walk, const struct scan_value *container) {
	if (walk->depth == SCAN_DEPTH) {
		walk->is_deep = true;
		return;
	}
	scan_open(&walk->open[walk->depth], container);
	walk->keys[walk->depth] = walk->key;
	walk->depth++;
}

bool validator_walk_next(struct validator_walk *walk, struct validator_item *item) {
	struct scan_member member;
	while (walk->depth && !scan_next(&walk->open[walk->depth - 1], &member)) walk->depth--;
	if (!walk->depth) return false;

	unsigned at = walk->depth - 1; /* names[at] is the container's */
	bool is_member = walk->open[at].is_object;
	walk->key = is_member ? member.key : SLICE_NONE;
	if (is_member) validator_walk_name(&member, walk->names[at + 1]);
	else memcpy(walk->names[at + 1], walk->names[at], VALIDATOR_WALK_NAME);
	*item = (struct validator_item){.value = member.value,
		.key = walk->key,
		.key_escaped = is_member && member.key_escaped,
		.name = walk->names[at + 1],
		.outer = walk->names[at],
		.is_in_array = !is_member};
	if (member.value.type >= SCAN_ARRAY) walk_enter(walk, &member.value);
	return true;
}

void validator_walk_path(const struct validator_walk *walk, char path[VALIDATOR_WALK_PATH]) {
	char shown[49];
	size_t length = (size_t)snprintf(path, VALIDATOR_WALK_PATH, "arguments");
	/* Where the item is a container, it is the last of keys already. */
	for (unsigned i = 1; i <= walk->depth && length < VALIDATOR_WALK_PATH - sizeof shown - 1; i++) {
		struct slice key = i < walk->depth ? walk->keys[i] : walk->key;
		if (i == walk->depth && key.bytes && walk->keys[i - 1].bytes == key.bytes) break;
		if (!key.bytes) continue;
		path[length++] = '.';
		text_display_in(shown, sizeof shown, key);
		memcpy(path + length, shown, strlen(shown));
		length += strlen(shown);
	}
	path[length] = '\0';
}
