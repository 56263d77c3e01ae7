/* SPDX-License-Identifier: Apache-2.0 */
/* Ident: randomness is drawn from the kernel by the half kibibyte, since one call costs as much as
 * dozens of identifiers. */
#include "base/ident.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define BUFFER_SIZE 512
#define LONGEST_IDENT 128

struct pool {
	uint8_t octets[BUFFER_SIZE];
	size_t left; /* at the end of octets */
};

static _Thread_local struct pool pool;
static pthread_once_t pool_guarded = PTHREAD_ONCE_INIT;

/* A forked child must not draw what its parent draws. */
static void pool_forget(void) {
	pool.left = 0;
}

static void pool_guard(void) {
	if (pthread_atfork(NULL, NULL, pool_forget) != 0) abort();
}

/* A gateway without randomness would hand out guessable names: it must not go on. */
static void kernel_random(uint8_t *octets, size_t length) {
	while (length) {
		ssize_t got = getrandom(octets, length, 0);
		if (got < 0 && errno == EINTR) continue;
		if (got <= 0) abort();
		octets += got;
		length -= (size_t)got;
	}
}

void ident_random(void *octets, size_t length) {
	if (length > BUFFER_SIZE / 4) {
		kernel_random(octets, length);
		return;
	}
	if (pool.left < length) {
		pthread_once(&pool_guarded, pool_guard);
		kernel_random(pool.octets, BUFFER_SIZE);
		pool.left = BUFFER_SIZE;
	}
	uint8_t *drawn = pool.octets + BUFFER_SIZE - pool.left;
	if (!length) return;
	memcpy(octets, drawn, length);
	memset(drawn, 0, length); /* what was handed out is nowhere else */
	pool.left -= length;
}

void ident_uuid(char text[IDENT_UUID_SIZE]) {
	static const char digits[] = "0123456789abcdef";
	uint8_t octets[16];
	ident_random(octets, sizeof(octets));
	octets[6] = (uint8_t)(0x40 | (octets[6] & 0x0f));
	octets[8] = (uint8_t)(0x80 | (octets[8] & 0x3f));
	for (size_t i = 0; i < sizeof(octets); i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10) *text++ = '-';
		*text++ = digits[octets[i] >> 4];
		*text++ = digits[octets[i] & 15];
	}
	*text = '\0';
}

static bool is_blank(uint32_t character) {
	return character == ' ' || character == 0xa0 || character == 0x1680 ||
		(character >= 0x2000 && character <= 0x200a) || character == 0x202f ||
		character == 0x205f || character == 0x3000;
}

static bool is_named_out(uint32_t character) {
	return character == '"' || character == '\'' || character == '\\' || character == '/';
}

bool ident_is_identity(struct slice text) {
	if (text.length < 1 || text.length > LONGEST_IDENT) return false;
	if (slice_starts_with(text, "system:") || slice_starts_with(text, "server:")) return false;

	while (text.length) {
		uint32_t character;
		size_t length = slice_character(text, &character);
		if (!length) return false;
		if (is_blank(character) || is_named_out(character)) return false;
		if (slice_character_is_hidden(character)) return false;
		text = slice_make(text.bytes + length, text.length - length);
	}
	return true;
}

static bool is_topic_octet(char octet) {
	return (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z') ||
		(octet >= '0' && octet <= '9') || (octet && strchr("._:@-/", octet));
}

bool ident_is_topic(struct slice text) {
	if (text.length < 1 || text.length > LONGEST_IDENT) return false;

	for (size_t i = 0; i < text.length; i++) {
		if (!is_topic_octet(text.bytes[i])) return false;
		if (i && text.bytes[i] == '.' && text.bytes[i - 1] == '.') return false;
	}
	return true;
}
