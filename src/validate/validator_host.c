/* SPDX-License-Identifier: Apache-2.0 */
/* Validator host: first what may be an address, then names that are closed by themselves. */
#include "validate/validator_host.h"

#include "validate/validator_host_fold.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

#define NOT_PUBLIC "leads to an address that is not public"
#define LOCAL "names a host of the local machine or network"
#define METADATA "names a metadata service"
#define REBINDING "names a service whose addresses are whatever the name says"

/* Among public addresses, and still a cloud's own: Azure's host agent. */
#define METADATA_ADDRESS 0xa83f8110u /* 168.63.129.16 */

static const struct {
	const char *name;
	bool is_suffix; /* and all below it */
	bool is_plain;
	const char *what;
} closed[] = {
	{"localhost", true, true, LOCAL},
	{"localhost.localdomain", false, true, LOCAL},
	{"ip6-localhost", false, true, LOCAL},
	{"ip6-loopback", false, true, LOCAL},
	{"broadcasthost", false, true, LOCAL},
	{"kubernetes.default", false, true, LOCAL},
	{"metadata", false, false, METADATA},
	{"metadata.google.internal", false, true, METADATA},
	{"metadata.goog", false, true, METADATA},
	{"metadata.tencentyun.com", false, true, METADATA},
	{"metadata.platformequinix.com", false, true, METADATA},
	{"metadata.packet.net", false, true, METADATA},
	{"instance-data", false, true, METADATA},
	{"rancher-metadata", false, true, METADATA},
	{"internal", true, false, LOCAL},
	{"intranet", true, false, LOCAL},
	{"local", true, false, LOCAL},
	{"localdomain", true, false, LOCAL},
	{"lan", true, false, LOCAL},
	{"home", true, false, LOCAL},
	{"corp", true, false, LOCAL},
	{"private", true, false, LOCAL},
	{"home.arpa", true, false, LOCAL},
	{"svc", true, false, LOCAL},
	{"consul", true, false, LOCAL},
	{"onion", true, false, LOCAL},
	{"nip.io", true, true, REBINDING},
	{"sslip.io", true, true, REBINDING},
	{"xip.io", true, true, REBINDING},
	{"localtest.me", true, true, REBINDING},
	{"lvh.me", true, true, REBINDING},
	{"vcap.me", true, true, REBINDING},
	{"lacolhost.com", true, true, REBINDING},
	{"localho.st", true, true, REBINDING},
	{"local.gd", true, true, REBINDING},
	{"traefik.me", true, true, REBINDING},
	{"backname.io", true, true, REBINDING},
	{"ip6.name", true, true, REBINDING},
	{"rbndr.us", true, true, REBINDING},
	{"1u.ms", true, true, REBINDING},
};

static bool is_open4(uint32_t value) {
	const struct sockaddr_in four = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(value)};
	return validator_host_is_open((const struct sockaddr *)&four);
}

bool validator_host_is_open(const struct sockaddr *address) {
	if (!address_guard_is_public(address)) return false;
	if (address->sa_family == AF_INET) {
		struct sockaddr_in four;
		memcpy(&four, address, sizeof four);
		return ntohl(four.sin_addr.s_addr) != METADATA_ADDRESS;
	}
	struct sockaddr_in6 six;
	memcpy(&six, address, sizeof six);
	const unsigned char *octets = six.sin6_addr.s6_addr;
	uint32_t last = (uint32_t)octets[12] << 24 | (uint32_t)octets[13] << 16 |
		(uint32_t)octets[14] << 8 | octets[15];
	/* ISATAP: an IPv4 address of a site behind 0:5efe. */
	static const unsigned char isatap[] = {0x5e, 0xfe};
	if (memcmp(octets + 10, isatap, 2) == 0 && !is_open4(last)) return false;
	static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
	return memcmp(octets, mapped, 12) != 0 || last != METADATA_ADDRESS;
}

/* ---- IPv4 in all its forms ---- */

static bool is_digits(struct slice text, const char *digits) {
	for (size_t i = 0; i < text.length; i++)
		if (!text.bytes[i] || !strchr(digits, text.bytes[i])) return false;
	return text.length > 0;
}

static bool is_hexadecimal(struct slice part) {
	return part.length >= 2 && part.bytes[0] == '0' && part.bytes[1] == 'x' &&
		(part.length == 2 ||
			is_digits(slice_make(part.bytes + 2, part.length - 2), "0123456789abcdef"));
}

static bool is_number(struct slice part) { return is_digits(part, "0123456789") || is_hexadecimal(part); }

/* False: more than 32 bits, or no digit of that base. */
static bool number_of(struct slice part, bool is_octal, uint64_t *number) {
	unsigned base = 10;
	if (is_hexadecimal(part)) {
		part = slice_make(part.bytes + 2, part.length - 2);
		base = 16;
	} else if (is_octal && part.length > 1 && part.bytes[0] == '0') {
		base = 8;
	}
	*number = 0;
	for (size_t i = 0; i < part.length; i++) {
		char octet = part.bytes[i];
		unsigned digit = (unsigned)(octet <= '9' ? octet - '0' : octet - 'a' + 10);
		if (digit >= base) return false;
		*number = *number * base + digit;
		if (*number > UINT32_MAX) return false;
	}
	return true;
}

/* "127.1" is 127.0.0.1: the last part fills what is left. */
static bool address_of(struct slice host, bool is_octal, uint32_t *address) {
	struct slice rest = host, part;
	uint64_t numbers[4];
	size_t count = 0;
	while (slice_split(&rest, '.', &part)) {
		if (count == 4 || !is_number(part) || !number_of(part, is_octal, &numbers[count]))
			return false;
		count++;
	}
	uint64_t value = 0;
	for (size_t i = 0; i + 1 < count; i++) {
		if (numbers[i] > 255) return false;
		value |= numbers[i] << (24 - 8 * i);
	}
	uint64_t room = UINT64_C(1) << (8 * (5 - count));
	if (!count || numbers[count - 1] >= room) return false;
	*address = (uint32_t)(value | numbers[count - 1]);
	return true;
}

/* Whether the last label is a number: then it is an address or nothing. */
static bool is_numeric(struct slice host) {
	const char *dot = host.length ? memrchr(host.bytes, '.', host.length) : NULL;
	struct slice last = host;
	if (dot) last = slice_make(dot + 1, host.length - (size_t)(dot + 1 - host.bytes));
	return is_number(last);
}

static void judge_numeric(struct slice host, struct host_judgement *judgement) {
	uint32_t octal, decimal;
	struct sockaddr_storage address;
	judgement->kind = HOST_CLOSED;
	judgement->is_plain = address_guard_read(host, &address);
	judgement->is_single = host.length < 8 && is_digits(host, "0123456789");
	judgement->what = "is written like an address and is none";
	bool has_octal = address_of(host, true, &octal), has_decimal = address_of(host, false, &decimal);
	if (!has_octal && !has_decimal) {
		judgement->is_single = true; /* an account, a hash */
		return;
	}
	judgement->what = NOT_PUBLIC;
	/* Programs disagree on a leading zero: both readings have to be public. */
	if ((!has_octal || is_open4(octal)) && (!has_decimal || is_open4(decimal)))
		judgement->kind = HOST_PUBLIC;
}

/* ---- IPv6 ---- */

static void judge_six(struct slice host, struct host_judgement *judgement) {
	struct sockaddr_storage address;
	const char *zone = memchr(host.bytes, '%', host.length);
	struct slice plain = zone ? slice_make(host.bytes, (size_t)(zone - host.bytes)) : host;
	judgement->kind = HOST_UNREADABLE;
	if (!address_guard_read(plain, &address)) return;
	judgement->is_plain = true;
	judgement->kind = !zone && validator_host_is_open((const struct sockaddr *)&address) ? HOST_PUBLIC
											     : HOST_CLOSED;
	judgement->what = NOT_PUBLIC;
}

/* ---- Names ---- */

static bool ends_with(struct slice name, const char *suffix) {
	size_t length = strlen(suffix);
	return name.length > length && name.bytes[name.length - length - 1] == '.' &&
		memcmp(name.bytes + name.length - length, suffix, length) == 0;
}

static bool is_name(struct slice name) {
	bool was_dot = true;
	for (size_t i = 0; i < name.length; i++) {
		unsigned char octet = (unsigned char)name.bytes[i];
		bool is_dot = octet == '.';
		if (is_dot && was_dot) return false;
		if (octet <= ' ' || octet == 0x7f || strchr("\"#$%&'()*+,/:;<=>?@[\\]^`{|}~!", octet))
			return false;
		was_dot = is_dot;
	}
	return name.length > 0;
}

static void judge_name(struct slice name, struct host_judgement *judgement) {
	judgement->kind = HOST_UNREADABLE;
	if (!is_name(name)) return;
	judgement->kind = HOST_CLOSED;
	for (size_t i = 0; i < COUNT_OF(closed); i++) {
		if (!slice_is(name, closed[i].name) &&
			!(closed[i].is_suffix && ends_with(name, closed[i].name)))
			continue;
		judgement->what = closed[i].what;
		judgement->is_plain = closed[i].is_plain;
		judgement->is_single = !closed[i].is_plain && !memchr(name.bytes, '.', name.length);
		return;
	}
	if (!memchr(name.bytes, '.', name.length)) {
		judgement->what = LOCAL;
		judgement->is_single = true;
		return;
	}
	judgement->kind = HOST_NAME;
}

void validator_host_judge(struct slice host, struct host_judgement *judgement) {
	*judgement = (struct host_judgement){.kind = HOST_UNREADABLE};
	bool has_brackets = host.length > 1 && host.bytes[0] == '[' && host.bytes[host.length - 1] == ']';
	if (has_brackets || (host.length && memchr(host.bytes, ':', host.length))) {
		if (has_brackets) host = slice_make(host.bytes + 1, host.length - 2);
		if (host.length) judge_six(host, judgement);
		return;
	}
	if (!validator_host_fold(host, judgement->name, sizeof judgement->name)) return;
	struct slice name = slice_of(judgement->name);
	if (name.length > 1 && name.bytes[name.length - 1] == '.') judgement->name[--name.length] = '\0';
	if (memchr(name.bytes, ':', name.length)) judge_six(name, judgement);
	else if (is_numeric(name)) judge_numeric(name, judgement);
	else judge_name(name, judgement);
}
