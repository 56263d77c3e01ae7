/* SPDX-License-Identifier: Apache-2.0 */
/* Config value: one reader per kind, chosen by a table. */
#include "cli/config_value.h"

#include "base/clock.h"
#include "cli/config_shape.h"

#include <stdio.h>

typedef bool value_fn(const struct config_key *key, struct slice text, void *place,
	struct arena *memory, struct fault *why);

static bool set_integer(const struct config_key *key, void *place, int64_t value) {
	uint32_t narrow = (uint32_t)value;
	bool truth = value != 0;
	switch (key->size) {
	case sizeof truth: memcpy(place, &truth, sizeof truth); break;
	case sizeof narrow: memcpy(place, &narrow, sizeof narrow); break;
	default: memcpy(place, &value, sizeof value); break;
	}
	return true;
}

static bool set_string(struct slice text, void *place, struct arena *memory, struct fault *why) {
	struct slice copy;
	const char *string = NULL;
	if (memchr(text.bytes ? text.bytes : "", '\0', text.length))
		return fault_set(why, FAULT_BAD_INPUT, "a NUL is not allowed in it");
	if (text.length) {
		if (!arena_copy(memory, text, &copy))
			return fault_set(why, FAULT_NO_MEMORY, "no memory for a string");
		string = copy.bytes;
	}
	memcpy(place, &string, sizeof string); /* an empty one is none */
	return true;
}

static bool read_text(const struct config_key *key, struct slice text, void *place,
	struct arena *memory, struct fault *why) {
	(void)key;
	return set_string(text, place, memory, why);
}

static bool read_pattern(const struct config_key *key, struct slice text, void *place,
	struct arena *memory, struct fault *why) {
	(void)memory;
	const char *star = text.length ? memchr(text.bytes, '*', text.length) : NULL;
	if (text.length >= key->size)
		return fault_set(why, FAULT_TOO_LARGE, "at most %zu octets are allowed", key->size - 1);
	if (star && star != text.bytes + text.length - 1)
		return fault_set(why, FAULT_BAD_INPUT, "a * may stand at the end only");
	if (text.length && memchr(text.bytes, '\0', text.length))
		return fault_set(why, FAULT_BAD_INPUT, "a NUL is not allowed in it");
	memset(place, 0, key->size);
	if (text.length) memcpy(place, text.bytes, text.length);
	return true;
}

static bool read_bool(const struct config_key *key, struct slice text, void *place,
	struct arena *memory, struct fault *why) {
	(void)memory;
	if (slice_is(text, "true") || slice_is(text, "on")) return set_integer(key, place, 1);
	if (slice_is(text, "false") || slice_is(text, "off")) return set_integer(key, place, 0);
	return fault_set(why, FAULT_BAD_INPUT, "'%.*s' is neither true nor false", SLICE_ARGS(text));
}

static bool in_range(const struct config_key *key, int64_t value) {
	return value >= key->least && value <= key->most;
}

static bool read_count(const struct config_key *key, struct slice text, void *place,
	struct arena *memory, struct fault *why) {
	(void)memory;
	uint64_t value;
	if (!slice_number(text, INT64_MAX, &value) || !in_range(key, (int64_t)value))
		return fault_set(why, FAULT_BAD_INPUT, "'%.*s' is no integer from %lld to %lld", SLICE_ARGS(text),
			(long long)key->least, (long long)key->most);
	return set_integer(key, place, (int64_t)value);
}

static bool read_size(const struct config_key *key, struct slice text, void *place,
	struct arena *memory, struct fault *why) {
	(void)memory;
	int64_t value;
	if (!clock_size_read(text, &value, why)) return false;
	if (!in_range(key, value))
		return fault_set(why, FAULT_BAD_INPUT, "'%.*s' is not within %lld and %lld octets",
			SLICE_ARGS(text), (long long)key->least, (long long)key->most);
	return set_integer(key, place, value);
}

/* "1500ms", "90s", "365d": in the largest unit that divides it. */
static void span_write(int64_t ms, char text[32]) {
	static const struct {
		int64_t ms;
		const char *unit;
	} units[] = {{86400000, "d"}, {3600000, "h"}, {60000, "m"}, {1000, "s"}, {1, "ms"}};
	size_t at = 0;
	while (ms % units[at].ms != 0) at++;
	snprintf(text, 32, "%lld%s", (long long)(ms / units[at].ms), ms ? units[at].unit : "");
}

static bool read_span(const struct config_key *key, struct slice text, void *place,
	struct arena *memory, struct fault *why) {
	(void)memory;
	int64_t value;
	if (key->flags & CONFIG_MAY_BE_OFF && slice_is(text, "off")) return set_integer(key, place, 0);
	if (!clock_span_read(text, &value, why)) return false;
	if (!in_range(key, value)) {
		char least[32], most[32];
		span_write(key->least, least);
		span_write(key->most, most);
		return fault_set(why, FAULT_BAD_INPUT, "'%.*s' is not within %s and %s", SLICE_ARGS(text), least,
			most);
	}
	return set_integer(key, place, value);
}

static bool read_pace(const struct config_key *key, struct slice text, void *place,
	struct arena *memory, struct fault *why) {
	(void)key, (void)memory;
	struct pace_rate rate;
	if (!pace_rate_read(text, &rate, why)) return false;
	memcpy(place, &rate, sizeof rate);
	return true;
}

/* Which of "a|b|c", or -1. */
static int word_index(const char *words, struct slice text) {
	struct slice rest = slice_of(words), word;
	for (int index = 0; slice_split(&rest, '|', &word); index++)
		if (slice_equal(word, text)) return index;
	return -1;
}

static bool read_choice(const struct config_key *key, struct slice text, void *place,
	struct arena *memory, struct fault *why) {
	(void)memory;
	int index = word_index(key->words, text);
	if (index < 0)
		return fault_set(why, FAULT_BAD_INPUT, "'%.*s' is none of %s", SLICE_ARGS(text), key->words);
	return set_integer(key, place, index);
}

/* "127.0.0.1:7410", "[::1]:0", "localhost:80"; unlike in a URL, port 0 has a meaning. */
static bool split_listen(struct slice text, struct slice *host, uint64_t *port) {
	const char *colon = text.bytes ? memrchr(text.bytes, ':', text.length) : NULL;
	if (!colon) return false;
	*host = slice_make(text.bytes, (size_t)(colon - text.bytes));
	struct slice rest = slice_make(colon + 1, text.length - host->length - 1);
	bool has_brackets = host->length > 2 && host->bytes[0] == '[' && colon[-1] == ']';
	if (has_brackets) *host = slice_make(host->bytes + 1, host->length - 2);
	bool has_colon = host->length && memchr(host->bytes, ':', host->length);
	return host->length > 0 && host->bytes[0] != '[' && has_colon == has_brackets &&
		slice_number(rest, 65535, port);
}

static bool read_listen(const struct config_key *key, struct slice text, void *place,
	struct arena *memory, struct fault *why) {
	(void)key, (void)memory;
	struct gateway_settings *settings = place;
	struct slice host;
	uint64_t port;
	if (!split_listen(text, &host, &port) || host.length >= sizeof settings->host ||
		memchr(host.bytes, '\0', host.length))
		return fault_set(why, FAULT_BAD_INPUT, "'%.*s' is no HOST:PORT, like 127.0.0.1:7410 or [::1]:0",
			SLICE_ARGS(text));
	memcpy(settings->host, host.bytes, host.length);
	settings->host[host.length] = '\0';
	settings->port = (unsigned)port;
	return true;
}

static value_fn *const readers[CONFIG_KINDS] = {
	[CONFIG_TEXT] = read_text,
	[CONFIG_PATTERN] = read_pattern,
	[CONFIG_BOOL] = read_bool,
	[CONFIG_COUNT] = read_count,
	[CONFIG_SIZE] = read_size,
	[CONFIG_SPAN] = read_span,
	[CONFIG_PACE] = read_pace,
	[CONFIG_CHOICE] = read_choice,
	[CONFIG_LISTEN] = read_listen,
};

/* Where the value goes: values of later versions are read into the scratch and forgotten. */
static void *place_of(const struct config_key *key, void *base, void *scratch) {
	return key->flags & CONFIG_LATER ? scratch : (char *)base + key->offset;
}

bool config_value_is_list(enum config_kind kind) {
	return kind == CONFIG_LIST || kind == CONFIG_CHOICES;
}

static bool set_choices(const struct config_key *key, const struct slice *parts, size_t count,
	void *place, struct fault *why) {
	uint32_t bits = 0;
	for (size_t i = 0; i < count; i++) {
		int index = word_index(key->words, parts[i]);
		if (index < 0)
			return fault_set(why, FAULT_BAD_INPUT, "'%.*s' is none of %s", SLICE_ARGS(parts[i]), key->words);
		bits |= 1u << index;
	}
	return set_integer(key, place, bits);
}

bool config_value_set_list(const struct config_key *key, const struct slice *parts, size_t count,
	void *base, struct arena *memory, struct fault *why) {
	_Alignas(max_align_t) char scratch[CONFIG_SCRATCH];
	void *place = place_of(key, base, scratch);
	if (key->kind == CONFIG_CHOICES) return set_choices(key, parts, count, place, why);

	const char *list[CONFIG_SCRATCH / sizeof(char *)] = {NULL};
	size_t most = key->size / sizeof(char *) - 1;
	if (count > most)
		return fault_set(why, FAULT_TOO_LARGE, "%zu entries are too many: at most %zu", count, most);
	for (size_t i = 0; i < count; i++) {
		if (parts[i].length == 0) return fault_set(why, FAULT_BAD_INPUT, "an entry is empty");
		if (!set_string(parts[i], &list[i], memory, why)) return false;
	}
	memcpy(place, list, key->size);
	return true;
}

static bool set_parted(const struct config_key *key, struct slice text, void *base,
	struct arena *memory, struct fault *why) {
	struct slice parts[CONFIG_SCRATCH / sizeof(char *)], rest = text, part;
	size_t count = 0;
	while (text.length && slice_split(&rest, ',', &part)) {
		if (count == COUNT_OF(parts)) return fault_set(why, FAULT_TOO_LARGE, "there are too many entries");
		parts[count++] = slice_trim(part);
	}
	return config_value_set_list(key, parts, count, base, memory, why);
}

bool config_value_set(const struct config_key *key, struct slice text, void *base,
	struct arena *memory, struct fault *why) {
	_Alignas(max_align_t) char scratch[CONFIG_SCRATCH];
	if (config_value_is_list(key->kind)) return set_parted(key, text, base, memory, why);
	if (!readers[key->kind])
		return fault_set(why, FAULT_BAD_INPUT, "it has to be %s, in a file", config_kind_text(key->kind));
	return readers[key->kind](key, text, place_of(key, base, scratch), memory, why);
}

bool config_value_defaults(const struct config_key *keys, void *base, struct arena *memory,
	struct fault *why) {
	for (; keys->name; keys++) {
		if (!keys->standard || keys->flags & CONFIG_LATER) continue;
		if (!config_value_set(keys, slice_of(keys->standard), base, memory, why)) return false;
	}
	return true;
}
