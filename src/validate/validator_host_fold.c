/* SPDX-License-Identifier: Apache-2.0 */
/* Validator host fold: ranges of characters, each with how it becomes ASCII. */
#include "validate/validator_host_fold.h"

enum folding {
	FOLD_OFFSET,  /* character - first + base */
	FOLD_LETTERS, /* modulo 26, from a */
	FOLD_DIGITS,  /* modulo 10, from base */
	FOLD_NUMBERS, /* from base, two digits where needed */
	FOLD_DOTTED,  /* the same with a dot behind */
	FOLD_GONE,
};

struct range {
	uint32_t first, last;
	enum folding folding;
	uint32_t base;
};

static const struct range ranges[] = {
	{0xad, 0xad, FOLD_GONE, 0},
	{0xb2, 0xb3, FOLD_DIGITS, 2},
	{0xb9, 0xb9, FOLD_DIGITS, 1},
	{0x17f, 0x17f, FOLD_OFFSET, 's'},
	{0x34f, 0x34f, FOLD_GONE, 0},
	{0x180b, 0x180e, FOLD_GONE, 0},
	{0x200b, 0x200f, FOLD_GONE, 0},
	{0x2024, 0x2024, FOLD_OFFSET, '.'},
	{0x202a, 0x202e, FOLD_GONE, 0},
	{0x2060, 0x2064, FOLD_GONE, 0},
	{0x2070, 0x2070, FOLD_DIGITS, 0},
	{0x2074, 0x2079, FOLD_DIGITS, 4},
	{0x2080, 0x2089, FOLD_DIGITS, 0},
	{0x2113, 0x2113, FOLD_OFFSET, 'l'},
	{0x212a, 0x212a, FOLD_OFFSET, 'k'},
	{0x212f, 0x212f, FOLD_OFFSET, 'e'},
	{0x2130, 0x2130, FOLD_OFFSET, 'e'},
	{0x2134, 0x2134, FOLD_OFFSET, 'o'},
	{0x2139, 0x2139, FOLD_OFFSET, 'i'},
	{0x2460, 0x2473, FOLD_NUMBERS, 1},
	{0x2488, 0x249b, FOLD_DOTTED, 1},
	{0x24b6, 0x24e9, FOLD_LETTERS, 0},
	{0x24ea, 0x24ea, FOLD_DIGITS, 0},
	{0x24f5, 0x24fe, FOLD_NUMBERS, 1},
	{0x2776, 0x277f, FOLD_NUMBERS, 1},
	{0x3002, 0x3002, FOLD_OFFSET, '.'},
	{0xfe00, 0xfe0f, FOLD_GONE, 0},
	{0xfeff, 0xfeff, FOLD_GONE, 0},
	{0xff01, 0xff5e, FOLD_OFFSET, '!'},
	{0xff61, 0xff61, FOLD_OFFSET, '.'},
	{0x1d400, 0x1d6a3, FOLD_LETTERS, 0},
	{0x1d7ce, 0x1d7ff, FOLD_DIGITS, 0},
	{0x1f100, 0x1f100, FOLD_DOTTED, 0},
	{0x1f130, 0x1f149, FOLD_LETTERS, 0},
	{0x1fbf0, 0x1fbf9, FOLD_DIGITS, 0},
};

struct folded {
	char *to;
	size_t length, size;
	bool is_full;
};

static void put(struct folded *folded, char octet) {
	if (octet >= 'A' && octet <= 'Z') octet = (char)(octet | 0x20);
	if (folded->length + 1 >= folded->size) folded->is_full = true;
	else folded->to[folded->length++] = octet;
}

static void put_number(struct folded *folded, uint32_t number) {
	if (number >= 10) put(folded, (char)('0' + number / 10 % 10));
	put(folded, (char)('0' + number % 10));
}

static void put_folded(struct folded *folded, const struct range *range, uint32_t character) {
	uint32_t at = character - range->first;
	switch (range->folding) {
	case FOLD_OFFSET: put(folded, (char)(range->base + at)); return;
	case FOLD_LETTERS: put(folded, (char)('a' + at % 26)); return;
	case FOLD_DIGITS: put(folded, (char)('0' + (range->base + at) % 10)); return;
	case FOLD_NUMBERS: put_number(folded, range->base + (at < 20 ? at : at % 10)); return;
	case FOLD_DOTTED:
		put_number(folded, range->base + at);
		put(folded, '.');
		return;
	case FOLD_GONE: return;
	}
}

static void put_character(struct folded *folded, struct slice octets, uint32_t character) {
	for (size_t i = 0; i < COUNT_OF(ranges) && character >= 0x80; i++) {
		if (character < ranges[i].first || character > ranges[i].last) continue;
		put_folded(folded, &ranges[i], character);
		return;
	}
	for (size_t i = 0; i < octets.length; i++) put(folded, octets.bytes[i]);
}

static int digit_of(char octet) {
	if (octet >= '0' && octet <= '9') return octet - '0';
	octet = (char)(octet | 0x20);
	return octet >= 'a' && octet <= 'f' ? octet - 'a' + 10 : -1;
}

/* The octets that percent signs stand for; the rest as it is. */
static bool undo_percent(struct slice host, char *to, size_t size, size_t *length) {
	size_t at = 0;
	for (size_t i = 0; i < host.length; i++) {
		int high = host.bytes[i] == '%' && host.length - i > 2 ? digit_of(host.bytes[i + 1]) : -1;
		int low = high >= 0 ? digit_of(host.bytes[i + 2]) : -1;
		if (at == size) return false;
		to[at++] = low >= 0 ? (char)(high << 4 | low) : host.bytes[i];
		if (low >= 0) i += 2;
	}
	*length = at;
	return true;
}

bool validator_host_fold(struct slice host, char *to, size_t size) {
	char plain[1024];
	size_t length = 0;
	struct folded folded = {.to = to, .size = size};
	if (!undo_percent(host, plain, sizeof plain, &length)) return false;
	struct slice rest = slice_make(plain, length);
	while (rest.length) {
		uint32_t character;
		size_t octets = slice_character(rest, &character);
		if (!octets || character == 0) return false;
		put_character(&folded, slice_make(rest.bytes, octets), character);
		rest = slice_make(rest.bytes + octets, rest.length - octets);
	}
	to[folded.length] = '\0';
	return !folded.is_full;
}
