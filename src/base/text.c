/* SPDX-License-Identifier: Apache-2.0 */
/* Text: the builder doubles its memory; everything that writes goes through text_room(). */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_LIMIT ((size_t)1 << 30)
#define SMALLEST_CAPACITY 64

static const char hex_digits[] = "0123456789abcdef";

void text_init(struct text *text, size_t limit) {
	*text = (struct text){.limit = limit ? limit : DEFAULT_LIMIT};
}

void text_finish(struct text *text) {
	free(text->bytes);
	*text = (struct text){.limit = text->limit};
}

void text_auto(struct text *text) {
	text_finish(text);
}

void text_clear(struct text *text) {
	text->length = 0;
	text->failed = false;
	if (text->bytes) text->bytes[0] = '\0';
}

bool text_failed(const struct text *text) {
	return text->failed;
}

struct slice text_slice(const struct text *text) {
	return slice_make(text->bytes ? text->bytes : "", text->length);
}

static bool text_fail(struct text *text) {
	text->failed = true;
	return false;
}

/* Memory for `more` octets and the NUL behind them. */
static bool text_room(struct text *text, size_t more) {
	if (text->failed) return false;
	if (more < text->capacity - text->length) return true;

	size_t limit = text->limit ? text->limit : DEFAULT_LIMIT;
	if (limit > SIZE_MAX / 4) limit = SIZE_MAX / 4; /* doubling never overflows */
	if (text->length > limit || more > limit - text->length) return text_fail(text);

	size_t capacity = text->capacity < SMALLEST_CAPACITY ? SMALLEST_CAPACITY : text->capacity;
	while (capacity - text->length <= more) capacity *= 2;
	if (capacity > limit) capacity = limit + 1;
	char *bytes = realloc(text->bytes, capacity);
	if (!bytes) return text_fail(text);
	text->bytes = bytes;
	text->capacity = capacity;
	return true;
}

void text_reserve(struct text *text, size_t more) { (void)text_room(text, more); }

void text_add(struct text *text, struct slice slice) {
	if (!text_room(text, slice.length)) return;
	if (slice.length) memcpy(text->bytes + text->length, slice.bytes, slice.length);
	text->length += slice.length;
	text->bytes[text->length] = '\0';
}

void text_add_cstr(struct text *text, const char *string) {
	text_add(text, slice_of(string));
}

void text_add_char(struct text *text, char character) {
	if (!text_room(text, 1)) return;
	text->bytes[text->length++] = character;
	text->bytes[text->length] = '\0';
}

void text_printf(struct text *text, const char *format, ...) {
	if (text->failed) return;

	va_list arguments;
	va_start(arguments, format);
	size_t room = text->capacity - text->length;
	int length = vsnprintf(text->bytes ? text->bytes + text->length : NULL, room, format, arguments);
	va_end(arguments);
	if (length >= 0 && (size_t)length < room) {
		text->length += (size_t)length;
		return;
	}
	if (text->bytes) text->bytes[text->length] = '\0'; /* nothing of what was cut stays */
	if (length < 0) text_fail(text);
	if (length < 0 || !text_room(text, (size_t)length)) return;
	va_start(arguments, format);
	vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
	va_end(arguments);
	text->length += (size_t)length;
}

void text_number(struct text *text, int64_t number) {
	char digits[20];
	size_t at = sizeof(digits);
	uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	do {
		digits[--at] = (char)('0' + left % 10);
		left /= 10;
	} while (left);
	if (number < 0) digits[--at] = '-';
	text_add(text, slice_make(digits + at, sizeof(digits) - at));
}

static void text_json_escape(struct text *text, unsigned char octet) {
	static const char short_forms[] = {
		['"'] = '"',
		['\\'] = '\\',
		['\b'] = 'b',
		['\f'] = 'f',
		['\n'] = 'n',
		['\r'] = 'r',
		['\t'] = 't',
	};
	if (octet < sizeof(short_forms) && short_forms[octet]) {
		text_add(text, slice_make((char[]){'\\', short_forms[octet]}, 2));
		return;
	}
	char form[6] = {'\\', 'u', '0', '0', hex_digits[octet >> 4], hex_digits[octet & 15]};
	text_add(text, slice_make(form, sizeof(form)));
}

static bool is_plain_in_json(unsigned char octet) {
	return octet >= 0x20 && octet < 0x80 && octet != '"' && octet != '\\';
}

/* Octets at the beginning that JSON takes as they are. */
static size_t plain_run(struct slice slice) {
	size_t at = 0;
	while (at < slice.length) {
		if (is_plain_in_json((unsigned char)slice.bytes[at])) {
			at++;
			continue;
		}
		if ((unsigned char)slice.bytes[at] < 0x80) break;
		uint32_t character;
		struct slice rest = slice_make(slice.bytes + at, slice.length - at);
		size_t length = slice_character(rest, &character);
		if (!length) break;
		at += length;
	}
	return at;
}

void text_json(struct text *text, struct slice slice) {
	text_add_char(text, '"');
	while (slice.length && !text->failed) {
		size_t run = plain_run(slice);
		text_add(text, slice_make(slice.bytes, run));
		slice = slice_make(slice.bytes + run, slice.length - run);
		if (!slice.length) break;
		unsigned char octet = (unsigned char)slice.bytes[0];
		if (octet < 0x80) text_json_escape(text, octet);
		else text_add(text, SLICE("\xef\xbf\xbd"));
		slice = slice_make(slice.bytes + 1, slice.length - 1);
	}
	text_add_char(text, '"');
}

struct shown {
	char bytes[4];
	size_t length; /* 0: left out */
};

/* How the beginning of the slice looks to people; the octets it stands for. */
static size_t shown_make(struct shown *shown, struct slice slice) {
	uint32_t character;
	unsigned char octet = (unsigned char)slice.bytes[0];
	size_t length = slice_character(slice, &character);
	if (!length || character < 0x20 || character == 0x7f) {
		*shown = (struct shown){{'\\', 'x', hex_digits[octet >> 4], hex_digits[octet & 15]}, 4};
		return 1;
	}
	shown->length = slice_character_is_hidden(character) ? 0 : length;
	memcpy(shown->bytes, slice.bytes, shown->length);
	return length;
}

void text_display(struct text *text, struct slice slice) {
	while (slice.length && !text->failed) {
		struct shown shown;
		size_t read = shown_make(&shown, slice);
		text_add(text, slice_make(shown.bytes, shown.length));
		slice = slice_make(slice.bytes + read, slice.length - read);
	}
}

void text_reveal(struct text *text, struct slice slice) {
	while (slice.length && !text->failed) {
		uint32_t character;
		size_t length = slice_character(slice, &character);
		bool is_hidden = length && slice_character_is_hidden(character);
		if (!length) length = 1;
		if (is_hidden) text_printf(text, "\\u{%x}", (unsigned)character);
		else text_display(text, slice_make(slice.bytes, length));
		slice = slice_make(slice.bytes + length, slice.length - length);
	}
}

size_t text_display_in(char *to, size_t size, struct slice slice) {
	size_t length = 0;
	while (slice.length) {
		struct shown shown;
		size_t read = shown_make(&shown, slice);
		if (shown.length > size - 1 - length) break;
		memcpy(to + length, shown.bytes, shown.length);
		length += shown.length;
		slice = slice_make(slice.bytes + read, slice.length - read);
	}
	to[length] = '\0';
	return length;
}

char *text_take(struct text *text) {
	if (!text_room(text, 0)) {
		text_finish(text);
		return NULL;
	}
	text->bytes[text->length] = '\0';
	char *bytes = TAKE(text->bytes);
	text_finish(text);
	return bytes;
}
