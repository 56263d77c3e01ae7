/* SPDX-License-Identifier: Apache-2.0 */
/* Address guard: the special-purpose registries of IPv4 and IPv6 as two tables. */
#include "net/address_guard.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>

struct range4 {
	uint32_t first;
	unsigned bits;
};

static const struct range4 closed4[] = {
	{0x00000000, 8},  /* this network */
	{0x0a000000, 8},  /* private */
	{0x64400000, 10}, /* shared by a provider's customers */
	{0x7f000000, 8},  /* loopback */
	{0xa9fe0000, 16}, /* link-local, and the metadata of clouds */
	{0xac100000, 12}, /* private */
	{0xc0000000, 24}, /* protocol assignments */
	{0xc0000200, 24}, /* documentation */
	{0xc0586300, 24}, /* 6to4 relays */
	{0xc0a80000, 16}, /* private */
	{0xc6120000, 15}, /* benchmarks */
	{0xc6336400, 24}, /* documentation */
	{0xcb007100, 24}, /* documentation */
	{0xe0000000, 4},  /* multicast */
	{0xf0000000, 4},  /* reserved, broadcast */
};

struct range6 {
	unsigned char first[16];
	unsigned bits;
};

/* Only 2000::/3 is given out at all; the rest of the table is closed inside it. */
static const struct range6 given6 = {{0x20}, 3};
static const struct range6 closed6[] = {
	{{0x20, 0x01, 0x00}, 23},       /* protocol assignments, Teredo */
	{{0x20, 0x01, 0x0d, 0xb8}, 32}, /* documentation */
	{{0x20, 0x02}, 16},             /* 6to4: any IPv4 address inside */
	{{0x3f, 0xff, 0x00}, 20},       /* documentation */
};
static const struct range6 nat64 = {{0x00, 0x64, 0xff, 0x9b}, 96};

static bool is_public4(uint32_t address) {
	for (size_t i = 0; i < COUNT_OF(closed4); i++)
		if ((address ^ closed4[i].first) >> (32 - closed4[i].bits) == 0) return false;
	return true;
}

static bool is_in6(const unsigned char *address, const struct range6 *range) {
	unsigned whole = range->bits / 8, rest = range->bits % 8;
	if (memcmp(address, range->first, whole) != 0) return false;
	return !rest || (address[whole] ^ range->first[whole]) >> (8 - rest) == 0;
}

static uint32_t last4(const unsigned char *address) {
	return (uint32_t)address[12] << 24 | (uint32_t)address[13] << 16 | (uint32_t)address[14] << 8 |
		address[15];
}

static bool is_public6(const struct in6_addr *held) {
	const unsigned char *address = held->s6_addr;
	if (IN6_IS_ADDR_V4MAPPED(held) || is_in6(address, &nat64)) return is_public4(last4(address));
	if (!is_in6(address, &given6)) return false;
	for (size_t i = 0; i < COUNT_OF(closed6); i++)
		if (is_in6(address, &closed6[i])) return false;
	return true;
}

bool address_guard_is_public(const struct sockaddr *address) {
	switch (address->sa_family) {
	case AF_INET: {
		struct sockaddr_in four;
		memcpy(&four, address, sizeof four);
		return is_public4(ntohl(four.sin_addr.s_addr));
	}
	case AF_INET6: {
		struct sockaddr_in6 six;
		memcpy(&six, address, sizeof six);
		return is_public6(&six.sin6_addr);
	}
	default: return false;
	}
}

bool address_guard_read(struct slice text, struct sockaddr_storage *address) {
	char copy[INET6_ADDRSTRLEN];
	if (text.length > 2 && text.bytes[0] == '[' && text.bytes[text.length - 1] == ']')
		text = slice_make(text.bytes + 1, text.length - 2);
	if (!text.length || text.length >= sizeof copy) return false;
	memcpy(copy, text.bytes, text.length);
	copy[text.length] = '\0';

	struct sockaddr_in four = {.sin_family = AF_INET};
	struct sockaddr_in6 six = {.sin6_family = AF_INET6};
	if (inet_pton(AF_INET, copy, &four.sin_addr) == 1) memcpy(address, &four, sizeof four);
	else if (inet_pton(AF_INET6, copy, &six.sin6_addr) == 1) memcpy(address, &six, sizeof six);
	else return false;
	return true;
}

void address_guard_write(const struct sockaddr *address, char text[ADDRESS_GUARD_TEXT]) {
	struct sockaddr_in four;
	struct sockaddr_in6 six;
	const char *written = NULL;
	if (address->sa_family == AF_INET) {
		memcpy(&four, address, sizeof four);
		written = inet_ntop(AF_INET, &four.sin_addr, text, ADDRESS_GUARD_TEXT);
	} else if (address->sa_family == AF_INET6) {
		memcpy(&six, address, sizeof six);
		written = inet_ntop(AF_INET6, &six.sin6_addr, text, ADDRESS_GUARD_TEXT);
	}
	if (!written) snprintf(text, ADDRESS_GUARD_TEXT, "?");
}
